import CycleCore
import HardwareDrivers
import HardwareSimulation

/// One driver at work in a cycle of its own, with what it emits as words: events, and troubles by their kind alone.
final class Trial<D: Driver> {
  private let trial: DriverBench<D>

  /// Starts the driver.
  init(_ driver: D, showing model: D.Model, on bench: Bench, isRequired: Bool = true) throws(DriverError) {
    trial = DriverBench(driver, showing: model, on: bench, isRequired: isRequired)
    try trial.start()
  }

  var events: [String] {
    trial.entries.map { _, entry in
      switch entry {
      case .event(let event): "\(event)"
      case .trouble(.lost): "lost"
      case .trouble(.failed): "failed"
      case .trouble(.restored): "restored"
      case .trouble(.eventsLost): "eventsLost"
      }
    }
  }

  /// The states in which the hardware was found, each as the event that leads to it.
  var found: [String] { trial.found.map { "\($0.event)" } }
  var troubles: [Trouble] { trial.troubles }
  var rawEvents: [D.Event] { trial.events.map(\.event) }
  var moments: [Moment] { trial.entries.map(\.moment) }

  func show(_ model: D.Model) throws(DriverError) { try trial.show(model) }
}

extension Trial where D.Model == NoModel {
  convenience init(_ driver: D, on bench: Bench) throws(DriverError) {
    try self.init(driver, showing: NoModel(), on: bench)
  }
}

extension Trial {
  /// Of a device on lines.
  convenience init<Device: LineDevice>(
    _ device: Device, showing model: Device.Model, on bench: Bench
  ) throws(DriverError) where D == LineDriver<Device> {
    try self.init(LineDriver(device), showing: model, on: bench)
  }

  convenience init<Device: LineDevice>(_ device: Device, on bench: Bench) throws(DriverError)
  where D == LineDriver<Device>, Device.Model == NoModel {
    try self.init(LineDriver(device), showing: NoModel(), on: bench)
  }

  /// Of devices that only listen.
  convenience init<Device: LineDevice>(_ devices: LineDriverArray<Device>, on bench: Bench) throws(DriverError)
  where D == LineDriverArray<Device>, Device.Model == NoModel {
    try self.init(devices, showing: devices.safeModel, on: bench)
  }
}
