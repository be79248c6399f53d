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

  static let place = "kernel, libgpiod \(LibGPIOD().generation == 1 ? "1.6" : "2")"
  var place: String { Self.place }
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
    try KernelFiles.make(configuration)
    try KernelFiles.make("\(configuration)/bank0")
    try KernelFiles.write("\(lineCount)", to: "\(configuration)/bank0/num_lines")
    try KernelFiles.write("lab", to: "\(configuration)/bank0/label")
    for line in 0..<lineCount {
      try KernelFiles.make("\(configuration)/bank0/line\(line)")
      try KernelFiles.write("GPIO\(line)", to: "\(configuration)/bank0/line\(line)/name")
    }
  }

  func drive(_ line: Int, _ level: Level) throws {
    try KernelFiles.write(level == .high ? "pull-up" : "pull-down", to: "\(lines)/sim_gpio\(line)/pull")
  }

  func level(_ line: Int) throws -> Level {
    try KernelFiles.read("\(lines)/sim_gpio\(line)/value") == "1" ? .high : .low
  }

  func permit(_ isPermitted: Bool) throws {
    guard seteuid(isPermitted ? 0 : 65534) == 0 else { throw StandFailure("seteuid: errno \(errno)") }
  }

  func unplug() throws {
    try KernelFiles.write("0", to: "\(Self.configuration)/live")
  }

  func plug() throws {
    try KernelFiles.write("1", to: "\(Self.configuration)/live")
    let device = try KernelFiles.read("\(Self.configuration)/dev_name")
    let chip = try KernelFiles.read("\(Self.configuration)/bank0/chip_name")
    lines = "/sys/devices/platform/\(device)/\(chip)"
  }

  func end() throws {
    bench.stop()
    try permit(true)
    if try KernelFiles.read("\(Self.configuration)/live") == "1" { try unplug() }
  }
}
