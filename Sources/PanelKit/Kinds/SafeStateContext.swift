import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage

/// The hardware of a panel, for setting its outputs to their safe state.
public struct SafeStateContext {
  /// The chip of the output's lines.
  public let chip: any GPIOChip
  /// Provides the hardware that has its own port.
  public let platform: Platform
  /// Called with the closure that stops a driver after it shows its safe model.
  package var stop: (_ stop: @escaping () -> Void) -> Void = { stop in stop() }

  package init(
    chip: any GPIOChip, platform: Platform,
    stop: @escaping (_ stop: @escaping () -> Void) -> Void = { stop in stop() }
  ) {
    (self.chip, self.platform, self.stop) = (chip, platform, stop)
  }

  /// Sets the hardware of a driver to the state of a model, and releases it. Throws if it is not available.
  public func show<D: Driver>(_ model: D.Model, by driver: D) throws(DriverError) {
    let cycle = Cycle(seed: true) { Lens(driver, show: { _ in model }, safe: model, isRequired: true) }
    try cycle.start(on: platform.bench.loop)
    stop { cycle.stop() }
  }
}
