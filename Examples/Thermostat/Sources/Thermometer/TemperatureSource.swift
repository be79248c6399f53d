import CycleCore

/// The port of a ``Thermometer``: something that has a temperature.
public protocol TemperatureSource: AnyObject {
  /// The temperature now, in thousandths of a degree Celsius.
  func readMillidegrees() throws(DriverError) -> Int
}

/// A temperature that a test or a simulation sets.
public final class SimulatedTemperature: TemperatureSource {
  /// In thousandths of a degree; nil for a sensor that has come loose.
  public var millidegrees: Int?

  public init(millidegrees: Int?) {
    self.millidegrees = millidegrees
  }

  public func readMillidegrees() throws(DriverError) -> Int {
    guard let millidegrees else {
      throw DriverError(
        .lost, cannot: "read the simulated thermometer", reason: "it has come loose", remedy: "Set a temperature.")
    }
    return millidegrees
  }
}
