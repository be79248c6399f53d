import CycleCore

/// A thermometer on a 1-wire bus: DS18B20, DS18S20, DS1822, DS1825 and similar ones.
///
/// **Wiring.** The data wire to GPIO4 (or the pin that the overlay `w1-gpio` sets), with 4.7 kΩ to 3.3 V. Supply the
/// sensor with 3.3 V on a separate wire: readings can fail if it takes its power from the data wire. Several sensors
/// share the three wires.
///
/// **Timing.** A reading takes 94 ms at 9 bits, 188, 375, or 750 ms at 12, on a separate thread. Sensors on one bus are
/// read one after the other. A measurement has the moment at which its reading ended. If a sensor is absent, at the
/// start or later, or gives a wrong response, that is reported as trouble. It is read again after 1 s, 2 s … 60 s, but
/// at the latest after the interval. A reading that doesn't end within 5 s is reported as trouble until it ends.
///
/// **Source.** Maxim DS18B20, 19-7487 rev. 6; kernel document `w1/slaves/w1_therm`.
///
///     Lens(OneWireThermometer(LinuxOneWireSensor("28-0316a2f1e4ff")), on: { frame, event in
///       if case .measured(let temperature) = event { frame.celsius = temperature.celsius }
///     })
public struct OneWireThermometer: Driver {
  public struct Settings: Equatable, Sendable {
    /// The time from the start of one reading to the start of the next. A sensor in air takes longer than 10 s to
    /// follow a change, and each reading warms it.
    public var interval: Duration
    /// 9 to 12 bits; nil keeps the sensor's resolution, which is 12 unless it was changed. Setting it usually requires
    /// root.
    public var resolution: Int?

    public init(interval: Duration = .seconds(10), resolution: Int? = nil) {
      precondition(interval >= .zero, "an interval is not negative")
      precondition(resolution.map { (9...12).contains($0) } ?? true, "a resolution is 9 to 12 bits")
      self.interval = interval
      self.resolution = resolution
    }
  }

  public enum Event: Equatable, Sendable, Codable {
    case measured(Temperature)
  }

  public typealias Model = NoModel

  private let sensor: any OneWireSensor
  private let settings: Settings
  private var context: DriverContext<Event>!
  private var poll: Poll<OneWireReader, Event>!

  /// Doesn't open the sensor.
  public init(_ sensor: any OneWireSensor, settings: Settings = Settings()) {
    self.sensor = sensor
    self.settings = settings
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    poll = try Poll(
      OneWireReader(sensor, resolution: settings.resolution), at: .every(settings.interval), for: "the thermometer",
      onThread: sensor.needsThread, in: context)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    poll.wake(wake) { context.emit(.measured($0), at: $1) }
  }

  public mutating func stop() { poll?.stop() }

  public func refusal(of event: Event) -> String? {
    switch event {
    case .measured(let temperature):
      PowerUpFilter.range.contains(temperature) ? nil : "no sensor of this kind can measure \(temperature)"
    }
  }
}
