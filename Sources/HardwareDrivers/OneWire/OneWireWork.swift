import CycleCore

/// The state of a sensor and the moment of its next reading.
struct OneWireState: Equatable, Sendable {
  /// The sensor's name in errors. The driver reads it here, because the sensor belongs to the work's thread.
  var sensor: String
  /// Why the last reading failed.
  var error: DriverError?
  /// Why the resolution could not be set.
  var refusal: DriverError?
  /// When the next reading begins; nil before the first.
  var due: Moment?
}

/// Reads a sensor from time to time.
struct OneWireWork: Work {
  typealias Report = Temperature

  private let sensor: any OneWireSensor
  private let settings: OneWireThermometer.Settings
  private(set) var state: OneWireState
  private var hasResolution: Bool
  private var filter = PowerUpFilter()
  private var retry = Retry()

  init(_ sensor: any OneWireSensor, _ settings: OneWireThermometer.Settings) {
    self.sensor = sensor
    state = OneWireState(sensor: sensor.name)
    self.settings = settings
    hasResolution = settings.resolution == nil
  }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    // Woken before its time.
    if let due = state.due, due > context.now { return .until(due) }
    let start = context.now
    do throws(DriverError) {
      try setResolution(on: context.clock)
      let temperature = try sensor.read(on: context.clock)
      try filter.check(temperature, of: sensor.name)
      context.report(temperature)
      state.error = nil
      retry.end()
      state.due = max(start + settings.interval, context.now)
    } catch {
      // The sensor may have lost its power, and its resolution with it.
      hasResolution = settings.resolution == nil
      state.error = error
      retry.fail(at: context.now)
      state.due = min(retry.moment!, max(start + settings.interval, context.now + .seconds(1)))
    }
    state.sensor = sensor.name
    return WorkWait(until: state.due)
  }

  private mutating func setResolution(on clock: WorkClock) throws(DriverError) {
    guard !hasResolution, let bits = settings.resolution else { return }
    do throws(DriverError) {
      try sensor.setResolution(bits, on: clock)
      state.refusal = nil
    } catch {
      guard error.kind != .absent, error.kind != .lost else { throw error }
      state.refusal = error
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
  /// How near to 85 °C the last reading must be, in thousandths of a degree.
  private static let nearness = 10_000
  /// The range of all sensors of this kind.
  private static let range = Temperature(millidegreesCelsius: -55_000)...Temperature(millidegreesCelsius: 125_000)

  mutating func check(_ temperature: Temperature, of sensor: String) throws(DriverError) {
    guard Self.range.contains(temperature) else { throw OneWireFault(sensor: sensor).impossible(temperature) }
    if temperature == Self.powerUp {
      let distance = last.map { abs($0.millidegreesCelsius - temperature.millidegreesCelsius) } ?? .max
      guard distance <= Self.nearness else { throw OneWireFault(sensor: sensor).powerUpValue() }
    }
    last = temperature
  }
}
