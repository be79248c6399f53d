import CycleCore
import Glibc
import HardwareLinux

extension BacklightPort: RealPort {
  public func makeReal() -> any Backlight { SysfsBacklight("/sys/class/backlight/\(screen)") }
}

/// A light that the kernel drives.
public final class SysfsBacklight: Backlight {
  private let folder: String

  /// - Parameter folder: the kernel's folder of the light, with the files `brightness` and `max_brightness`.
  public init(_ folder: String) { self.folder = folder }

  public func set(_ brightness: Double) throws(DriverError) {
    let highest = try access("max_brightness", O_RDONLY) { file in
      var bytes = [UInt8](repeating: 0, count: 20)
      let count = read(file, &bytes, bytes.count)
      return count < 0 ? nil : Int(String(decoding: bytes.prefix(count), as: UTF8.self).prefix { $0.isNumber })
    }
    let text = "\(Int((brightness * Double(highest)).rounded()))\n"
    _ = try access("brightness", O_WRONLY) { file in write(file, text, text.utf8.count) < 0 ? nil : 0 }
  }

  private func access(_ name: String, _ mode: Int32, _ use: (Int32) -> Int?) throws(DriverError) -> Int {
    let file = open("\(folder)/\(name)", mode | O_CLOEXEC)
    guard file >= 0 else { throw failure("open") }
    defer { close(file) }
    guard let result = use(file) else { throw failure(mode == O_RDONLY ? "read" : "write") }
    return result
  }

  private func failure(_ function: String) -> DriverError {
    SystemFailure.last(function).error(
      of: folder, cannot: "set the brightness in \(folder)",
      remedy: "Write one of the names in /sys/class/backlight, and give its files to the group video by a udev rule.")
  }
}
