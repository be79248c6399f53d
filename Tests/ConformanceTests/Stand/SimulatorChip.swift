import CycleCore
import Glibc
import HardwareDrivers
import HardwareSimulation

/// A chip of the kernel's simulator `gpio-sim`, seen from outside: with the label `lab` and lines `GPIO0` to `GPIO27`
/// unless told otherwise.
///
/// **Source.** Kernel documentation, `admin-guide/gpio/gpio-sim`.
final class SimulatorChip {
  static let label = "lab"
  static let lineCount = 28

  /// Whether this machine's kernel has it, and this user may use it.
  static let isThere = access("/sys/kernel/config/gpio-sim", W_OK) == 0

  /// The name of its node in `/dev`: `gpiochip0`. Another one each time that it is plugged in.
  private(set) var node = ""
  private let configuration: String
  private var lines = ""

  /// Makes the chip if it isn't there, and plugs it in.
  ///
  /// - Parameters:
  ///   - label: chips of one label have the same lines each time.
  ///   - names: an empty one is a line without a name.
  ///   - hogs: lines that the kernel holds itself as inputs, and in whose name.
  init(
    label: String = SimulatorChip.label, names: [String] = (0..<lineCount).map { "GPIO\($0)" },
    hogs: [Int: String] = [:]
  ) throws {
    configuration = "/sys/kernel/config/gpio-sim/\(label)"
    if access(configuration, F_OK) != 0 {
      let bank = "\(configuration)/bank0"
      try KernelFiles.make(configuration)
      try KernelFiles.make(bank)
      try KernelFiles.write("\(names.count)", to: "\(bank)/num_lines")
      try KernelFiles.write(label, to: "\(bank)/label")
      for (line, name) in names.enumerated() where !name.isEmpty || hogs[line] != nil {
        try KernelFiles.make("\(bank)/line\(line)")
        if !name.isEmpty { try KernelFiles.write(name, to: "\(bank)/line\(line)/name") }
        guard let holder = hogs[line] else { continue }
        try KernelFiles.make("\(bank)/line\(line)/hog")
        try KernelFiles.write(holder, to: "\(bank)/line\(line)/hog/name")
        try KernelFiles.write("input", to: "\(bank)/line\(line)/hog/direction")
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
    get throws { try KernelFiles.read("\(configuration)/live") == "1" }
  }

  func unplug() throws {
    try KernelFiles.write("0", to: "\(configuration)/live")
  }

  func plug() throws {
    if try !isPlugged { try KernelFiles.write("1", to: "\(configuration)/live") }
    let device = try KernelFiles.read("\(configuration)/dev_name")
    let chip = try KernelFiles.read("\(configuration)/bank0/chip_name")
    lines = "/sys/devices/platform/\(device)/\(chip)"
    node = chip
  }
}

extension Level {
  var opposite: Level { self == .low ? .high : .low }
}
