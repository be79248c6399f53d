import CycleCore

/// The port of a ``Thermometer``: something that has a temperature.
public protocol TemperatureSource: AnyObject {
  /// Whether a reading takes real time, so that a thread has to make it.
  var needsThread: Bool { get }

  /// The temperature now, in thousandths of a degree Celsius. May take long.
  ///
  /// - Parameter clock: of the thread that asks; a simulated source lets as much time pass on it as a real one takes.
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

  /// Whether it is there.
  public private(set) var isPlugged = true

  /// Takes it away.
  public func unplug() { isPlugged = false }

  /// Brings it back.
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
