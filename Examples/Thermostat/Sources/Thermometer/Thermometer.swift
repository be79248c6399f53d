import CycleCore

/// A temperature sensor that the kernel reads: a processor, a 1-wire DS18B20, an I2C sensor of hwmon.
///
/// **Wiring.** As the sensor's driver in the kernel requires; this driver reads the kernel's file.
///
/// **Timing.** The model is the interval of the readings, or off: then the sensor is not read. A worker's thread reads,
/// because a DS18B20 takes 750 ms. A temperature is emitted when it differs from the last one emitted by the resolution
/// or more. A sensor that can't be read is ``CycleCore/Trouble/lost(_:)`` until a reading succeeds; it is read again
/// once in each interval.
///
/// **Source.** Kernel documentation, `driver-api/thermal/sysfs-api` and `w1/slaves/w1_therm`: thousandths of a degree.
///
///     Lens(Thermometer(ThermalFile("/sys/class/thermal/thermal_zone0/temp")), show: { _ in .every(.seconds(1)) },
///       on: { frame, event in if case .temperature(let celsius) = event { frame.celsius = celsius } })
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
    /// The sensor is not read.
    case off
    /// Read at once, and then in each interval of at least 10 ms.
    case every(Duration)
  }

  public enum Event: Equatable, Sendable {
    /// In degrees Celsius.
    case temperature(Double)
  }

  private let source: any TemperatureSource
  private let settings: Settings
  private var context: DriverContext<Event>!
  private var worker: Worker<ThermometerWork>!

  /// Opens nothing yet.
  public init(_ source: any TemperatureSource, settings: Settings = Settings()) {
    self.source = source
    self.settings = settings
  }

  public var safeModel: Model { .off }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    worker = try Worker(
      ThermometerWork(source: source, resolution: settings.resolution, model: model), for: "the thermometer",
      onThread: source.needsThread, in: context)
    // Where the lens requires the sensor, this waits for the first reading.
    try worker.waitForRequiredStart()
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    if previous != nil { try worker.send(model) }
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    worker.wake(wake) { millidegrees, moment in
      context.emit(.temperature(Double(millidegrees) / 1000), at: moment)
    }
    worker.reportTrouble()
  }

  public mutating func stop() { worker.stop() }
}

/// Reads the sensor, which takes long, on the worker's thread.
struct ThermometerWork: Work {
  typealias Command = Thermometer.Model
  typealias Report = Int

  let source: any TemperatureSource
  let resolution: Int
  var model: Thermometer.Model
  /// The temperature reported last, in thousandths of a degree; nil before the first and after a failure.
  var told: Int?
  /// Why the sensor can't be read.
  var state: DriverError?

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    while let model = context.receive() { self.model = model }
    guard case .every(let interval) = model else { return .forCommand }
    let next = context.now + max(interval, .milliseconds(10))
    do throws(DriverError) {
      let millidegrees = try source.readMillidegrees(on: context.clock)
      let isNews = told.map { abs(millidegrees - $0) >= resolution } ?? true
      if isNews, context.report(millidegrees) { told = millidegrees }
      state = nil
    } catch {
      told = nil
      state = error
    }
    return .until(next)
  }
}
