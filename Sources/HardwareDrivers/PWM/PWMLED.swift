import CycleCore

/// A lamp on a PWM channel: any brightness without a wake-up, and smooth fades.
///
/// **Wiring.** As an ``LED``: from the line through a resistor and the LED to ground.
///
/// **Timing.** The hardware makes the levels. While a fade, a pulse or keys change the brightness, the channel is
/// written when the step of 1 024 changes, at most 50 times a second. A lamp at rest causes no wake-up.
///
///     Lens(
///       PWMDriver(PWMLED(platform.hardware(at: PWMPort(line: "GPIO18")))),
///       show: { $0.isNight ? .fade(to: 0.1, over: .seconds(5)) : .on })
public struct PWMLED: PWMDevice {
  public typealias Event = Never

  public struct Settings: Equatable, Sendable {
    /// False for an LED from the line to ground: lit is high.
    public var isActiveLow: Bool
    /// The frequency of the wave, clamped to 24 to 20 000 Hz.
    public var hertz: Int

    public init(isActiveLow: Bool = false, hertz: Int = 1_000) {
      self.isActiveLow = isActiveLow
      self.hertz = hertz
    }
  }

  private let channel: any PWMChannel
  private let settings: Settings
  private var course: LightCourse<Brightness>

  /// - Parameters:
  ///   - channel: the channel of the line.
  ///   - settings: everything that has a default.
  ///   - since: the moment at which the lamp began to show the first model, in an application that replaces another.
  public init(_ channel: any PWMChannel, settings: Settings = Settings(), since: Moment? = nil) {
    self.channel = channel
    self.settings = settings
    course = LightCourse(since: since)
  }

  public static var keepsWaves: Bool { true }
  public var channels: [any PWMChannel] { [channel] }
  public var safeModel: Light<Brightness> { .off }

  public mutating func render(_ model: Light<Brightness>, at moment: Moment) {
    course.begin(model, at: moment, isSameStep: Self.isSameStep)
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    course.follow(moment, isSameStep: Self.isSameStep)
  }

  public var alarm: Moment? { course.alarm }

  public func wave(of channel: Int) -> PWMWave { settings.wave(of: course.look.share) }

  private static func isSameStep(_ one: Brightness, _ other: Brightness) -> Bool {
    Settings.step(one.share) == Settings.step(other.share)
  }
}

extension PWMLED.Settings {
  private static let steps = 1_024

  /// The step of the hardware that is nearest to a share of full light.
  static func step(_ share: Double) -> Int { Int((share * Double(steps)).rounded()) }

  /// The wave of a share of full light, 0 to 1.
  func wave(of share: Double) -> PWMWave {
    let share = Double(Self.step(share)) / Double(Self.steps)
    return PWMWave(isActiveLow ? 1 - share : share, hertz: Double(min(20_000, max(24, hertz))))
  }
}
