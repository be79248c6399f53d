import HardwareDrivers
import HardwareSimulation

/// The simulated side of one reading of a chip on I²C or SPI. All readings of a chip are lost and return together, and
/// with their bus.
final class SheetNumberWorld: SimulatedSensor {
  private let source: SimulatedNumberSource
  private let chip: SheetChipWorld
  private var hasNumber = false

  init(_ source: SimulatedNumberSource, of chip: SheetChipWorld) {
    (self.source, self.chip) = (source, chip)
    source.tellsChanges = true
    chip.add(self)
  }

  func sense(_ number: Double) {
    hasNumber = true
    source.set(number)
  }

  func plug() { chip.isPlugged = true }
  func unplug() { chip.isPlugged = false }

  func silence() {
    hasNumber = false
    source.silence()
  }

  fileprivate func follow(isReachable: Bool) {
    if !isReachable { source.unplug() } else if hasNumber { source.plug() } else { source.silence() }
  }
}

/// The place of a simulated chip whose readings are numbers.
final class SheetChipWorld {
  /// Whether the chip is connected to its bus.
  var isPlugged = true { didSet { update() } }

  private let isBusPlugged: () -> Bool
  private var readings: [WeakReading] = []

  private struct WeakReading { weak var reading: SheetNumberWorld? }

  init(on bus: SimulatedI2CBus) {
    isBusPlugged = { [unowned bus] in bus.isPlugged }
    bus.onPlug(for: self) { [weak self] in self?.update() }
  }

  init(on bus: SimulatedSPIBus) {
    isBusPlugged = { [unowned bus] in bus.isPlugged }
    bus.onPlug(for: self) { [weak self] in self?.update() }
  }

  fileprivate func add(_ reading: SheetNumberWorld) {
    readings.removeAll { $0.reading == nil }
    readings.append(WeakReading(reading: reading))
  }

  private func update() {
    let isReachable = isPlugged && isBusPlugged()
    for reading in readings { reading.reading?.follow(isReachable: isReachable) }
  }
}
