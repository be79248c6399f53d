import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A thermometer on a 1-wire bus for the program, and the world around it.
protocol OneWireStand: AnyObject {
  var bench: Bench { get }
  /// How late something may be noticed.
  var tolerance: Duration { get }
  var sensor: any OneWireSensor { get }

  /// Whether the sensor answers, with 0 °C; otherwise it is silent.
  func answer(_ isAnswering: Bool) throws
  /// Takes the sensor off the bus, and puts it there again.
  func unplug() throws
  func plug() throws
  /// What every case ends with.
  func end() throws
}

extension OneWireStand {
  func pass(_ milliseconds: Int) throws(DriverError) {
    try bench.advance(by: .milliseconds(milliseconds) + tolerance)
  }
}

/// A sensor in memory, in virtual time.
final class SimulatedOneWireStand: OneWireStand {
  let bench = Bench()
  private let simulated: SimulatedOneWireSensor

  init() {
    simulated = SimulatedOneWireSensor(bench, name: "28-0000000000a1")
    simulated.temperature = Temperature(celsius: 0)
  }

  static let place = SimulatedLineStand.place
  var tolerance: Duration { .zero }
  var sensor: any OneWireSensor { simulated }

  func answer(_ isAnswering: Bool) {
    simulated.lastingError = isAnswering ? nil : OneWireErrorFactory(sensor: simulated.name).noAnswer()
  }

  func unplug() { simulated.isPlugged = false }
  func plug() { simulated.isPlugged = true }
  func end() { bench.stop() }
}

/// The kernel's `w1-gpio` and `w1_therm` on a line of the simulator. A line that is held low answers a reset, and reads
/// as zeros, of which the checksum is right: 0 °C.
final class KernelOneWireStand: OneWireStand {
  static let isThere = KernelWires.isThere

  let bench: Bench
  let sensor: any OneWireSensor = LinuxOneWireSensor(name)
  private let wires: KernelWires

  private static let name = "28-0000000000a1"
  private static let master = "/sys/bus/w1/devices/w1_bus_master1"

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    wires = try KernelWires()
    try wires.hold(true)
    try plug()
  }

  var tolerance: Duration { .milliseconds(60) }

  func answer(_ isAnswering: Bool) throws { try wires.hold(isAnswering) }
  func unplug() throws { try KernelFiles.write(Self.name, to: "\(Self.master)/w1_master_remove") }
  func plug() throws { try KernelFiles.write(Self.name, to: "\(Self.master)/w1_master_add") }

  func end() throws {
    bench.stop()
    if access("/sys/bus/w1/devices/\(Self.name)", F_OK) == 0 { try unplug() }
    try wires.hold(false)
  }
}
