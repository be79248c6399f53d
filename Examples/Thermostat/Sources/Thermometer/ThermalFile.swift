import CycleCore
import Glibc

/// A file of the kernel that holds a temperature in thousandths of a degree.
public final class ThermalFile: TemperatureSource {
  private let path: String

  /// - Parameter path: `/sys/class/thermal/thermal_zone0/temp`, `/sys/bus/w1/devices/28-…/temperature`, or a hwmon
  ///   `temp1_input`.
  public init(_ path: String) {
    self.path = path
  }

  /// Reading a DS18B20 takes 750 ms; reading a chip on a slow bus takes as long as the bus does.
  public var needsThread: Bool { true }

  public func readMillidegrees(on clock: WorkClock) throws(DriverError) -> Int {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw failure("read", errno) }
    let text = String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self)
    guard let millidegrees = Int(text) else {
      throw DriverError(
        .unsupported, cannot: "read the temperature in \(path)", reason: "\"\(text)\" is no number",
        remedy: "Name a file that holds thousandths of a degree.")
    }
    return millidegrees
  }

  private func failure(_ function: String, _ code: Int32) -> DriverError {
    let cause = DriverError.Cause(function: function, name: "errno \(code)", number: code)
    return switch code {
    case ENOENT, ENODEV:
      DriverError(
        .absent, cannot: "read the temperature in \(path)", reason: "there is no such sensor", cause: cause,
        remedy: "Look under /sys/class/thermal and /sys/class/hwmon for those that there are.")
    case EACCES:
      DriverError(
        .notPermitted, cannot: "read the temperature in \(path)", reason: "permission denied", cause: cause,
        remedy: "Let this user read the file.")
    default:
      DriverError(
        .failed, cannot: "read the temperature in \(path)", reason: "the system refused", cause: cause,
        remedy: "Look at the kernel's messages (dmesg).")
    }
  }
}
