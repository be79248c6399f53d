import CycleCore

/// A sensor for any number: a converter's voltage, a chip's temperature, the humidity of a room, a file.
///
/// **Wiring.** As the hardware's driver in the kernel requires; the ``NumberSource`` names the number that is read.
///
/// **Timing.** The model is the interval at which the source is read, on a separate thread. A number is emitted when it
/// differs from the last emitted one by the resolution or more, with the moment at which its reading ended. A source
/// that is absent, at the start or later, or gives no number is reported as trouble. It is read again after 1 s, 2 s …
/// 60 s, but at the latest after the interval, or after 1 s if the interval is shorter. The first number after trouble
/// is always emitted. A reading that doesn't end within 5 s is reported as trouble until it ends.
///
/// **Source.** Kernel documents `ABI/testing/sysfs-bus-iio`, `hwmon/sysfs-interface` and `w1/slaves/w1_therm`.
///
///     Lens(Sensor(platform.number(at: IIOChannel("bme280", "temp"))), show: { _ in .every(.seconds(10)) },
///       on: { frame, event in if case .reading(let celsius) = event { frame.celsius = celsius } })
public struct Sensor: Driver {
  /// The settings that do not change while the application runs.
  public struct Settings: Equatable, Sendable {
    /// The number of decimals that count, 0 to 9: a number is emitted when it has changed by 10^-decimals. One decimal
    /// suits most thermometers.
    public var decimals: Int
    /// The filter of the readings; nil for none.
    public var smoothing: Smoothing?

    /// - Parameters:
    ///   - decimals: 0 to 9; any other traps.
    ///   - smoothing: the filter of the readings; nil for none.
    public init(decimals: Int = 1, smoothing: Smoothing? = nil) {
      precondition((0...9).contains(decimals), "a sensor has 0 to 9 decimals")
      (self.decimals, self.smoothing) = (decimals, smoothing)
    }
  }

  /// The interval at which the source is read.
  public enum Model: Equatable, Sendable, Codable {
    /// The source is not read.
    case off
    /// Read immediately, and then in each interval, from the start of one reading to the start of the next: 10 ms to 1
    /// h; shorter and longer ones are clamped to that range.
    case every(Duration)
  }

  /// A reading.
  public enum Event: Equatable, Sendable, Codable {
    /// The number, in the source's ``NumberSource/unit``, not rounded; always finite.
    case reading(Double)
  }

  /// The shortest interval: 10 ms.
  public static var shortestInterval: Duration { .milliseconds(10) }
  /// The longest interval: 1 h.
  public static var longestInterval: Duration { .seconds(3600) }

  private let source: any NumberSource
  private let settings: Settings
  private var context: DriverContext<Event>!
  private var poll: SensorPoller<Event>!
  private let change = Change()

  /// Whether the source has reported a new number that was not read yet.
  private final class Change {
    var isNew = false
  }

  /// Doesn't open the source.
  ///
  /// - Parameters:
  ///   - source: used only by the sensor from its start on.
  ///   - settings: the resolution.
  public init(_ source: any NumberSource, settings: Settings = Settings()) {
    self.source = source
    self.settings = settings
  }

  public static var isInput: Bool { true }
  public var safeModel: Model { .off }

  public mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    poll = try SensorPoller(
      NumberChangeFilter(source, decimals: settings.decimals, settings.smoothing), at: model.pace,
      for: "the sensor \(source.name)",
      onThread: source.needsThread, in: context)
    // The source changes at any moment. It is read in the next turn of the cycle, whose moment is that of the change.
    let waker = context.watcher.makeWaker()
    source.onChange { [change] in
      change.isNew = true
      waker.wake()
    }
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    // The worker was started with the first model.
    guard let previous, model.pace != previous.pace else { return }
    try poll.setPace(model.pace)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    if change.isNew {
      change.isNew = false
      poll.readNow()
    }
    poll.wake(wake) { context.emit(.reading($0), at: $1) }
  }

  public mutating func stop() { poll?.stop() }

  public func refusal(of event: Event) -> String? {
    switch event {
    case .reading(let number): number.isFinite ? nil : "\(number) is no number that is read"
    }
  }
}

extension Sensor.Model {
  fileprivate var pace: Pace {
    switch self {
    case .off: .off
    case .every(let interval): .every(min(max(interval, Sensor.shortestInterval), Sensor.longestInterval))
    }
  }
}
