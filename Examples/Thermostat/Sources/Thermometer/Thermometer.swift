import CycleCore

/// A temperature sensor that the kernel reads: a processor, a 1-wire DS18B20, an I2C sensor of hwmon.
///
/// **Wiring.** As the sensor's own driver in the kernel wants it; here it is a file.
///
/// **Timing.** Read once in each interval, which is the model: a sensor that nobody wants to know of is not read. A temperature is
/// told when it differs from the last one told by the resolution or more.
///
/// **Source.** Kernel documentation, `driver-api/thermal/sysfs-api` and `w1/slaves/w1_therm`: thousandths of a degree.
///
///     Lens(Thermometer(ThermalFile("/sys/class/thermal/thermal_zone0/temp")), show: { _ in .every(.seconds(1)) },
///       on: { frame, event, _, _ in if case .temperature(let celsius) = event { frame.celsius = celsius } })
public struct Thermometer: Driver {
  public struct Settings: Equatable, Sendable {
    /// In thousandths of a degree. Half a degree is what most sensors are good for.
    public var resolution: Int

    public init(
      resolution: Int = 500
    ) {
      self.resolution = resolution
    }
  }

  public enum Model: Equatable, Sendable {
    /// The sensor is left alone.
    case off
    /// Read at once, and then in each interval of at least 10 ms.
    case every(Duration)
  }

  public enum Event: Equatable, Sendable {
    /// In degrees Celsius.
    case temperature(Double)
    case trouble(Trouble)
  }

  private let source: any TemperatureSource
  private let settings: Settings
  private var context: DriverContext<Event>?
  private var interval: Duration?
  /// What was told last, in thousandths of a degree; nil before the first and after a failure.
  private var told: Int?
  private var isFailing = false

  /// Opens nothing yet.
  public init(_ source: any TemperatureSource, settings: Settings = Settings()) {
    self.source = source
    self.settings = settings
  }

  public var safeModel: Model { .off }

  public static func event(for trouble: Trouble) -> Event? { .trouble(trouble) }

  /// Reads once, so that a sensor which isn't there is known at once.
  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    _ = try source.readMillidegrees()
    self.context = context
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    guard let context else { return }
    switch model {
    case .off:
      interval = nil
      context.setAlarm(nil)
    case .every(let interval):
      self.interval = max(interval, .milliseconds(10))
      context.setAlarm(context.now)
    }
  }

  public mutating func wake(_ wake: Wake) {
    guard let context, let interval else { return }
    context.setAlarm(context.now + interval)
    do throws(DriverError) {
      tell(try source.readMillidegrees(), in: context)
    } catch {
      if !isFailing { context.emit(.trouble(.lost(error))) }
      isFailing = true
      told = nil
    }
  }

  private mutating func tell(_ millidegrees: Int, in context: DriverContext<Event>) {
    if isFailing { context.emit(.trouble(.restored)) }
    isFailing = false
    if let told, abs(millidegrees - told) < settings.resolution { return }
    told = millidegrees
    context.emit(.temperature(Double(millidegrees) / 1000))
  }

  public mutating func stop() {
    context = nil
  }
}
