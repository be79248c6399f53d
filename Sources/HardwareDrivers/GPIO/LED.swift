import CycleCore

/// A lamp on one line: off, on, at a level, or with a pattern.
///
/// **Wiring.** From the line through a resistor and the LED to ground. For an LED from the supply to the line set
/// `isActiveLow: true`.
///
/// **Timing.** Blinking starts lit, at the moment of the event that led to the model. Levels between off and on are
/// made by switching the line 100 times a second on the cycle's thread: good for an indicator, not for lighting a room.
/// This costs 200 wake-ups a second while such a level is shown, and none otherwise. Use a ``PWMLED`` where the line
/// has a PWM channel.
///
///     Lens(LED(chip, line: "GPIO23"), show: { $0.isRinging ? .blink(.milliseconds(250)) : .off })
public struct LED: LineDevice, AlarmReceiver {
  public struct Settings: Equatable, Sendable {
    /// False for an LED from the line to ground: lit is high.
    public var isActiveLow: Bool
    public var drive: Drive
    /// The frequency at which a level between off and on is made, clamped to 20 to 1 000 Hz. Below 100 Hz most people
    /// see it flicker.
    public var modulationHertz: Int

    public init(
      isActiveLow: Bool = false, drive: Drive = .pushPull, modulationHertz: Int = 100
    ) {
      self.isActiveLow = isActiveLow
      self.drive = drive
      self.modulationHertz = modulationHertz
    }

    /// The period of the modulation.
    var period: Duration { .nanoseconds(1_000_000_000 / Int64(min(1_000, max(20, modulationHertz)))) }
  }

  public typealias Model = Light<Brightness>

  /// The values that all copies share: one reference, because the lamp is copied before each rendering.
  private final class Wiring {
    let chip: any GPIOChip
    let line: LineName
    let settings: Settings

    init(_ chip: any GPIOChip, _ line: LineName, _ settings: Settings) {
      self.chip = chip
      self.line = line
      self.settings = settings
    }
  }

  private let wiring: Wiring
  /// The moment at which the first model began, in an application that replaces another one; the distant future if it
  /// begins when it is rendered.
  private var since: Moment
  private var pattern: LightSwitchTimes<Brightness>
  private var isOn = false
  /// The moment of the next change; the distant future for none.
  private var next = Moment.distantFuture

  /// - Parameters:
  ///   - chip: the chip that the line is on.
  ///   - line: the line's name.
  ///   - settings: everything that has a default.
  ///   - since: the moment at which the lamp began to show the first model, in an application that replaces another:
  ///     the lamp keeps blinking in the same rhythm. Nil if it begins at the start.
  public init(_ chip: any GPIOChip, line: LineName, settings: Settings = Settings(), since: Moment? = nil) {
    wiring = Wiring(chip, line, settings)
    self.since = since ?? .distantFuture
    pattern = LightSwitchTimes(.off, start: .zero, period: settings.period)
  }

  public var chip: any GPIOChip { wiring.chip }

  public var safeModel: Model { .off }

  public var lines: [LineConfiguration] {
    [
      LineConfiguration(
        wiring.line, .output(LineValue(isOn), wiring.settings.drive), isActiveLow: wiring.settings.isActiveLow)
    ]
  }

  public mutating func render(_ model: Model, at moment: Moment) {
    pattern.begin(model, at: min(since, moment))
    since = .distantFuture
    follow(moment)
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    follow(moment)
  }

  private mutating func follow(_ moment: Moment) {
    let value = pattern.value(at: moment)
    isOn = value.isOn
    next = value.until ?? .distantFuture
  }

  public var alarm: Moment? { next == .distantFuture ? nil : next }

  public var outputs: LineValues { isOn ? .first(1) : [] }
}
