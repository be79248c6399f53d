import CycleCore

/// A thermometer on a 1-wire bus as a number in °C, for ``Sensor``: DS18B20, DS18S20, DS1822, DS1825 and similar ones.
///
/// **Wiring.** The data wire to GPIO4 (or the pin that the overlay `w1-gpio` sets), with 4.7 kΩ to 3.3 V. Supply the
/// sensor with 3.3 V on a separate wire: readings can fail if it takes its power from the data wire. Several sensors
/// share the three wires.
///
/// **Timing.** A reading takes 94 ms at 9 bits, 188, 375, or 750 ms at 12. Sensors on one bus are read one after the
/// other. A sensor in air takes longer than 10 s to follow a change, and each reading warms it.
///
/// **Power-up.** A sensor returns 85 °C after its power-up. That number is accepted only if the last reading was near
/// it. So a sensor that is at exactly 85 °C when the application starts is rejected, as one with a failing supply,
/// until it measures something else.
///
/// **Source.** Maxim DS18B20, 19-7487 rev. 6; kernel document `w1/slaves/w1_therm`.
///
///     Lens(Sensor(OneWireThermometer(LinuxOneWireSensor("28-0316a2f1e4ff"), resolution: 9)),
///       showing: .every(.seconds(10)), on: { frame, event in if case .reading(let celsius) = event { … } })
public final class OneWireThermometer: NumberSource {
  private let sensor: any OneWireSensor
  private let resolution: Int?
  private var hasResolution: Bool
  private var last: Temperature?
  /// Why the resolution could not be set; nil if it was, and before the first reading.
  public private(set) var refusal: DriverError?

  private static let powerUp = Temperature(millidegreesCelsius: 85_000)
  /// The largest difference of the last reading to 85 °C, in thousandths of a degree.
  private static let nearness = 10_000
  /// The range of all sensors of this kind.
  private static let range = Temperature(millidegreesCelsius: -55_000)...Temperature(millidegreesCelsius: 125_000)

  /// Doesn't open the sensor.
  ///
  /// - Parameters:
  ///   - sensor: used by the thermometer alone.
  ///   - resolution: 9 to 12 bits, any other traps; nil keeps the sensor's resolution, which is 12 unless it was
  ///     changed. Setting it usually requires root.
  public init(_ sensor: any OneWireSensor, resolution: Int? = nil) {
    precondition(resolution.map { (9...12).contains($0) } ?? true, "a resolution is 9 to 12 bits")
    self.sensor = sensor
    self.resolution = resolution
    hasResolution = resolution == nil
  }

  public var name: String { sensor.name }
  public var unit: String { "°C" }
  public var needsThread: Bool { sensor.needsThread }

  /// Measures.
  ///
  /// - Throws: the errors of ``OneWireSensor/read(on:)``, and kind `failed` for a temperature that the sensor can't
  ///   have measured.
  public func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    do throws(DriverError) {
      try setResolution(on: clock)
      let temperature = try sensor.read(on: clock)
      try check(temperature)
      last = temperature
      return temperature.celsius
    } catch {
      // The sensor may have lost its power, and its resolution with it.
      hasResolution = resolution == nil
      throw error
    }
  }

  private func setResolution(on clock: WorkClock) throws(DriverError) {
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

  private func check(_ temperature: Temperature) throws(DriverError) {
    guard Self.range.contains(temperature) else {
      throw OneWireErrorFactory(sensor: sensor.name).impossible(temperature)
    }
    guard temperature == Self.powerUp else { return }
    let distance = last.map { abs($0.millidegreesCelsius - temperature.millidegreesCelsius) } ?? .max
    guard distance <= Self.nearness else { throw OneWireErrorFactory(sensor: sensor.name).powerUpValue() }
  }
}
