import CycleCore
import Glibc

@testable import HardwareDrivers

/// A chip of the kernel's `gpio-sim`, in real time. Kernel documentation, `admin-guide/gpio/gpio-sim`.
final class KernelLineStand: LineStand {
  private static let configuration = "/sys/kernel/config/gpio-sim/lab"
  static let lineCount = 28

  /// Whether this machine's kernel has it, and this user may use it.
  static let isThere = access("/sys/kernel/config/gpio-sim", W_OK) == 0

  let bench: Bench
  let chip: any GPIOChip
  private var lines = ""

  init() throws {
    bench = Bench(loop: try LinuxLoop())
    chip = LinuxGPIO(.named("lab"))
    try Self.makeChip()
    try plug()
  }

  var place: String { "kernel, libgpiod \(LibGPIOD().generation == 1 ? "1.6" : "2")" }
  var tolerance: Duration { .milliseconds(60) }

  func reason(against ability: Ability) -> String? {
    switch ability {
    case .exactTime: "time is real"
    case .numbers: LibGPIOD().generation == 1 ? "libgpiod 1.6 has no numbers" : nil
    default: nil
    }
  }

  private static func makeChip() throws {
    guard access(configuration, F_OK) != 0 else { return }
    try make(configuration)
    try make("\(configuration)/bank0")
    try write("\(lineCount)", to: "\(configuration)/bank0/num_lines")
    try write("lab", to: "\(configuration)/bank0/label")
    for line in 0..<lineCount {
      try make("\(configuration)/bank0/line\(line)")
      try write("GPIO\(line)", to: "\(configuration)/bank0/line\(line)/name")
    }
  }

  func drive(_ line: Int, _ level: Level) throws {
    try Self.write(level == .high ? "pull-up" : "pull-down", to: "\(lines)/sim_gpio\(line)/pull")
  }

  func level(_ line: Int) throws -> Level {
    try Self.read("\(lines)/sim_gpio\(line)/value") == "1" ? .high : .low
  }

  func permit(_ isPermitted: Bool) throws {
    guard seteuid(isPermitted ? 0 : 65534) == 0 else { throw StandFailure("seteuid: errno \(errno)") }
  }

  func unplug() throws {
    try Self.write("0", to: "\(Self.configuration)/live")
  }

  func plug() throws {
    try Self.write("1", to: "\(Self.configuration)/live")
    let device = try Self.read("\(Self.configuration)/dev_name")
    let chip = try Self.read("\(Self.configuration)/bank0/chip_name")
    lines = "/sys/devices/platform/\(device)/\(chip)"
  }

  func end() throws {
    bench.stop()
    try permit(true)
    if try Self.read("\(Self.configuration)/live") == "1" { try unplug() }
  }

  // MARK: - Files

  private static func make(_ folder: String) throws {
    guard mkdir(folder, 0o755) == 0 else { throw StandFailure("mkdir \(folder): errno \(errno)") }
  }

  private static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StandFailure("open \(path): errno \(errno)") }
    defer { close(descriptor) }
    var text = text
    let count = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count == text.utf8.count else { throw StandFailure("write \(text) to \(path): errno \(errno)") }
  }

  private static func read(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StandFailure("open \(path): errno \(errno)") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw StandFailure("read \(path): errno \(errno)") }
    return String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self)
  }
}

/// The stand itself doesn't work: no finding about a driver.
struct StandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
