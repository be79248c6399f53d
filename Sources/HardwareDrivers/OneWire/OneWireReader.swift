import CycleCore

/// Reads a sensor on a 1-wire bus: sets its resolution when it may have been lost, and rejects readings that are not
/// measurements.
package struct OneWireReader: PolledSource {
  private let sensor: any OneWireSensor
  private let resolution: Int?
  private var hasResolution: Bool
  private var filter = PowerUpFilter()
  /// Why the resolution could not be set.
  private(set) var refusal: DriverError?

  /// - Parameter resolution: 9 to 12 bits; nil keeps the sensor's.
  package init(_ sensor: any OneWireSensor, resolution: Int? = nil) {
    self.sensor = sensor
    self.resolution = resolution
    hasResolution = resolution == nil
  }

  package var name: String { sensor.name }

  /// Throws the errors of ``OneWireSensor/read(on:)``, and kind `failed` for a temperature that the sensor can't have
  /// measured.
  package mutating func read(on clock: WorkClock) throws(DriverError) -> Temperature {
    try setResolution(on: clock)
    let temperature = try sensor.read(on: clock)
    try filter.check(temperature, of: sensor.name)
    return temperature
  }

  /// Every measurement is news, even if it equals the previous one.
  func isNews(_ reading: Temperature) -> Bool { true }
  mutating func noteReport(of reading: Temperature) {}

  mutating func noteFailure() {
    // The sensor may have lost its power, and its resolution with it.
    hasResolution = resolution == nil
  }

  static func silence(of name: String, for span: Duration) -> DriverError {
    OneWireFault(sensor: name).silent(for: span)
  }

  private mutating func setResolution(on clock: WorkClock) throws(DriverError) {
    guard !hasResolution, let resolution else { return }
    do throws(DriverError) {
      try sensor.setResolution(resolution, on: clock)
      refusal = nil
    } catch {
      guard error.kind != .absent, error.kind != .lost else { throw error }
      refusal = error
    }
    hasResolution = true
  }
}

/// Rejects readings that are not measurements: 85 °C, which a sensor returns after its power-up, and values outside of
/// its range.
///
/// A real 85 °C is accepted if the last reading was near it. So a sensor that is at exactly 85 °C when the application
/// starts is rejected, as one with a failing supply, until it measures something else.
struct PowerUpFilter {
  private var last: Temperature?

  private static let powerUp = Temperature(millidegreesCelsius: 85_000)
  /// The largest difference of the last reading to 85 °C, in thousandths of a degree.
  private static let nearness = 10_000
  /// The range of all sensors of this kind.
  static let range = Temperature(millidegreesCelsius: -55_000)...Temperature(millidegreesCelsius: 125_000)

  mutating func check(_ temperature: Temperature, of sensor: String) throws(DriverError) {
    guard Self.range.contains(temperature) else { throw OneWireFault(sensor: sensor).impossible(temperature) }
    if temperature == Self.powerUp {
      let distance = last.map { abs($0.millidegreesCelsius - temperature.millidegreesCelsius) } ?? .max
      guard distance <= Self.nearness else { throw OneWireFault(sensor: sensor).powerUpValue() }
    }
    last = temperature
  }
}
