import CycleCore

/// What a ``Thermometer`` reads: real or simulated hardware that has a temperature.
public protocol TemperatureSource: AnyObject {
  /// Whether a reading blocks, so that it needs a thread of its own.
  var needsThread: Bool { get }

  /// The temperature now, in thousandths of a degree Celsius. May take long.
  ///
  /// - Parameter clock: the worker's; a simulated source sleeps on it for as long as a real reading takes.
  func readMillidegrees(on clock: WorkClock) throws(DriverError) -> Int
}

/// A temperature that a test or a simulation sets.
public final class SimulatedTemperature: TemperatureSource {
  /// In thousandths of a degree; nil for a sensor that has come loose.
  public var millidegrees: Int?
  /// How long a reading takes; 750 ms for a DS18B20 with its 12 bits.
  public var readingDuration: Duration
  /// How often it has been read.
  public private(set) var readings = 0

  public init(millidegrees: Int?, readingDuration: Duration = .zero) {
    self.millidegrees = millidegrees
    self.readingDuration = readingDuration
  }

  /// Whether the sensor is plugged in; without it readings throw `lost`.
  public private(set) var isPlugged = true

  /// Pulls the sensor out.
  public func unplug() { isPlugged = false }

  /// Plugs the sensor in again.
  public func plug() { isPlugged = true }

  public var needsThread: Bool { false }

  public func readMillidegrees(on clock: WorkClock) throws(DriverError) -> Int {
    readings += 1
    clock.sleep(for: readingDuration)
    guard isPlugged, let millidegrees else {
      throw DriverError(
        .lost, cannot: "read the simulated thermometer", reason: "it has come loose",
        remedy: "Plug it in, or set a temperature.")
    }
    return millidegrees
  }
}
