import CycleCore
import HardwareSimulation

extension BacklightPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedBacklight { SimulatedBacklight() }
  public static func hardware(_ simulated: SimulatedBacklight) -> any Backlight { simulated }
}

/// A light in memory.
public final class SimulatedBacklight: Backlight, SimulatedHardware, SimulatedOutput {
  /// The brightness that was set last, 0 to 1; 0 while it is unplugged.
  public private(set) var brightness = 0.0
  public private(set) var isPlugged = true

  public func unplug() {
    isPlugged = false
    brightness = 0
  }

  public func plug() { isPlugged = true }

  public func set(_ brightness: Double) throws(DriverError) {
    guard isPlugged else {
      throw DriverError(
        .lost, cannot: "set the brightness of the simulated screen", reason: "it is unplugged", remedy: "Plug it in.")
    }
    self.brightness = brightness
  }
}
