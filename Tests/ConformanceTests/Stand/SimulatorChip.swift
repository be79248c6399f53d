import CycleCore
import Glibc
import HardwareDrivers

/// A chip of the kernel's simulator `gpio-sim` with the label `lab` and lines `GPIO0` to `GPIO27`, seen from outside.
///
/// **Source.** Kernel documentation, `admin-guide/gpio/gpio-sim`.
final class SimulatorChip {
  private static let configuration = "/sys/kernel/config/gpio-sim/lab"
  static let label = "lab"
  static let lineCount = 28

  /// Whether this machine's kernel has it, and this user may use it.
  static let isThere = access("/sys/kernel/config/gpio-sim", W_OK) == 0

  private var lines = ""

  /// Makes the chip if it isn't there, and plugs it in.
  init() throws {
    if access(Self.configuration, F_OK) != 0 {
      try KernelFiles.make(Self.configuration)
      try KernelFiles.make("\(Self.configuration)/bank0")
      try KernelFiles.write("\(Self.lineCount)", to: "\(Self.configuration)/bank0/num_lines")
      try KernelFiles.write(Self.label, to: "\(Self.configuration)/bank0/label")
      for line in 0..<Self.lineCount {
        try KernelFiles.make("\(Self.configuration)/bank0/line\(line)")
        try KernelFiles.write("GPIO\(line)", to: "\(Self.configuration)/bank0/line\(line)/name")
      }
    }
    try plug()
  }

  /// What the line is at when nobody drives it from inside.
  func drive(_ line: Int, _ level: Level) throws {
    try KernelFiles.write(level == .high ? "pull-up" : "pull-down", to: "\(lines)/sim_gpio\(line)/pull")
  }

  /// What a meter at the line shows.
  func level(_ line: Int) throws -> Level {
    try KernelFiles.read("\(lines)/sim_gpio\(line)/value") == "1" ? .high : .low
  }

  var isPlugged: Bool {
    get throws { try KernelFiles.read("\(Self.configuration)/live") == "1" }
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
}

extension Level {
  var opposite: Level { self == .low ? .high : .low }
}
