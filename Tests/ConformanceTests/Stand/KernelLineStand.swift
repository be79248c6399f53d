import CycleCore
import Glibc

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// A chip of the kernel's own simulator, in real time.
final class KernelLineStand: LineStand {
  let bench: Bench
  let chip: any GPIOChip
  let othersChip: any GPIOChip = LinuxGPIO(.named(SimulatorChip.label))
  private let simulator: SimulatorChip
  private var seconds: [SimulatorChip] = []

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    chip = LinuxGPIO(.named(SimulatorChip.label))
    simulator = try SimulatorChip()
  }

  #if arch(arm64)
    static let place = "kernel, arm64"
  #else
    static let place = "kernel, libgpiod \(LibGPIOD().generation == 1 ? "1.6" : "2")"
  #endif
  var tolerance: Duration { .milliseconds(60) }

  func reason(against ability: Ability) -> String? {
    switch ability {
    case .exactTime: "time is real"
    case .numbers: LibGPIOD().generation == 1 ? "libgpiod 1.6 has no numbers" : nil
    default: nil
    }
  }

  func drive(_ line: Int, _ level: Level) throws { try simulator.drive(line, level) }
  func level(_ line: Int) throws -> Level { try simulator.level(line) }

  func consumer(_ line: Int) throws -> String? { try KernelFiles.lineUse(line, of: simulator.node)?.consumer }
  func isOutput(_ line: Int) throws -> Bool { try KernelFiles.lineUse(line, of: simulator.node)?.isOutput ?? false }
  func path() -> String { "/dev/\(simulator.node)" }

  func addChip(_ label: String, _ names: [String], hogs: [Int: String]) throws -> SecondChip {
    let second = try SimulatorChip(label: label, names: names, hogs: hogs)
    seconds.append(second)
    return SecondChip(chip: LinuxGPIO(.named(label)), drive: second.drive, level: second.level)
  }

  func permit(_ isPermitted: Bool) throws { try KernelFiles.permit(isPermitted) }

  var isPlugged: Bool {
    get throws { try simulator.isPlugged }
  }

  func unplug() throws { try simulator.unplug() }
  func plug() throws { try simulator.plug() }

  func end() throws {
    bench.stop()
    try permit(true)
    for chip in [simulator] + seconds where try chip.isPlugged { try chip.unplug() }
  }
}
