import CycleCore
import HardwareDrivers
import HardwareSimulation

/// I2C buses for the program, and the world around them.
protocol I2CStand: AnyObject {
  var bench: Bench { get }
  /// How late something may be noticed.
  var tolerance: Duration { get }

  /// Speaks SMBus only: 256 bytes of memory at 0x50, and nobody at 0x60.
  var memoryBus: any I2CBus { get }
  /// A display behind a PCF8574 at 0x27, and nobody at 0x60.
  var displayBus: any I2CBus { get }
  /// Nothing is connected, and the adapter can be pulled out.
  var emptyBus: any I2CBus { get }
  /// No bus has this number.
  var absentBus: any I2CBus { get }
  /// What messages call them: `i2c-1`.
  var memoryBusName: String { get }
  var displayBusName: String { get }
  var emptyBusName: String { get }
  /// The display at 0x27, as it has been written to until now.
  var display: SimulatedCharacterDisplay { get throws }

  /// How many devices the program has open.
  var openCount: Int { get }
  /// Whether this user may use the buses.
  func permit(_ isPermitted: Bool) throws
  /// Has a driver of the kernel, called `dummy`, take the device at 0x51 of the memory bus, or give it back.
  func bind(_ isBound: Bool) throws
  /// Pulls the empty bus's adapter out and brings it back. Whoever has it open must close it in between.
  func unplug() throws
  func plug() throws
  /// Takes the display's power away and gives it back.
  func power(_ isOn: Bool) throws
  /// What every case ends with.
  func end() throws
}

extension I2CStand {
  func pass(_ milliseconds: Int = 0) throws(DriverError) {
    try bench.advance(by: .milliseconds(milliseconds) + tolerance)
  }
}

/// Buses in memory, in virtual time.
final class SimulatedI2CStand: I2CStand {
  let bench = Bench()
  private let memory: SimulatedI2CBus
  private let wired: SimulatedI2CBus
  private let empty: SimulatedI2CBus
  private let absent: SimulatedI2CBus
  private let board: SimulatedI2CCharacterDisplay
  private let taken: I2CSocket

  init() {
    memory = SimulatedI2CBus(bench, name: "i2c-0")
    empty = SimulatedI2CBus(bench, name: "i2c-7")
    wired = SimulatedI2CBus(bench, name: "i2c-8")
    absent = SimulatedI2CBus(bench, name: "i2c-99", isPlugged: false)
    memory.isSMBusOnly = true
    memory.connect(SimulatedRegisters(), at: 0x50)
    taken = memory.connect(SimulatedRegisters(), at: 0x51)
    board = SimulatedI2CCharacterDisplay(on: wired, at: 0x27)
  }

  static let place = SimulatedLineStand.place
  var tolerance: Duration { .zero }
  var memoryBus: any I2CBus { memory }
  var displayBus: any I2CBus { wired }
  var emptyBus: any I2CBus { empty }
  var absentBus: any I2CBus { absent }
  var memoryBusName: String { memory.name }
  var displayBusName: String { wired.name }
  var emptyBusName: String { empty.name }
  var display: SimulatedCharacterDisplay { board.display }
  var openCount: Int { memory.openCount + wired.openCount + empty.openCount }

  func permit(_ isPermitted: Bool) { for bus in [memory, wired, empty] { bus.isPermitted = isPermitted } }
  func bind(_ isBound: Bool) { taken.kernelDriver = isBound ? "dummy" : nil }
  func unplug() { empty.unplug() }
  func plug() { empty.plug() }
  func power(_ isOn: Bool) { if isOn { board.plug() } else { board.unplug() } }
  func end() { bench.stop() }
}
