import CycleCore

/// A lamp on one line: off, on, blinking, pulsing, or at a level.
///
/// **Wiring.** From the line through a resistor and the LED to ground. For an LED from the supply to the line set
/// `isActiveLow: true`.
///
/// **Timing.** Blinking starts lit, at the moment of the event that led to the model. Levels between off and on are
/// made by switching the line 100 times a second on the cycle's thread: good for an indicator, not for lighting a room.
/// This costs 200 wake-ups a second while such a level is shown, and none otherwise.
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
  }

  public enum Model: Equatable, Sendable, Codable {
    case off
    case on
    /// 0 (off) to 1 (on); clamped to that range.
    case level(Double)
    /// Lit for `on`, then dark for `off`, repeated `times` times; for ever if nil.
    case blink(on: Duration, off: Duration, times: Int?)
    /// Fades up and down again in this time, for ever.
    case pulse(Duration)

    /// Levels that are not numbers are equal, so that such a model is not rendered repeatedly.
    public static func == (one: Model, other: Model) -> Bool {
      switch (one, other) {
      case (.off, .off), (.on, .on): true
      case (.level(let one), .level(let other)): one == other || one.isNaN && other.isNaN
      case (.blink(let on, let off, let times), .blink(let otherOn, let otherOff, let otherTimes)):
        on == otherOn && off == otherOff && times == otherTimes
      case (.pulse(let one), .pulse(let other)): one == other
      case (.off, _), (.on, _), (.level, _), (.blink, _), (.pulse, _): false
      }
    }

    /// Lit and dark for `half` each, for ever.
    public static func blink(_ half: Duration) -> Model { .blink(on: half, off: half, times: nil) }
  }

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
  /// The moment at which the first model began. Nil if that is the moment of its rendering, and after later renderings.
  private var since: Moment?
  /// The moment at which the first model was rendered.
  private var first: Moment?
  private var pattern: LightPattern
  private var isOn = false
  public private(set) var alarm: Moment?

  /// - Parameters:
  ///   - chip: the chip that the line is on.
  ///   - line: the line's name.
  ///   - settings: everything that has a default.
  ///   - since: the moment at which the lamp began to show the first model, in an application that replaces another:
  ///     the lamp keeps blinking in the same rhythm. Nil if it begins at the start.
  public init(_ chip: any GPIOChip, line: LineName, settings: Settings = Settings(), since: Moment? = nil) {
    wiring = Wiring(chip, line, settings)
    self.since = since
    let period = Duration.nanoseconds(1_000_000_000 / Int64(min(1_000, max(20, settings.modulationHertz))))
    pattern = LightPattern(model: .off, start: .zero, period: period)
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
    pattern.begin(model, at: beginning(of: moment))
    follow(moment)
  }

  /// Returns the moment at which a model that is rendered at this moment begins. At a start the model is rendered
  /// twice.
  private mutating func beginning(of moment: Moment) -> Moment {
    guard let since else { return moment }
    if first == nil { first = moment }
    guard first == moment else {
      self.since = nil
      return moment
    }
    return since
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    follow(moment)
  }

  private mutating func follow(_ moment: Moment) {
    (isOn, alarm) = pattern.value(at: moment)
  }

  public var outputs: LineValues { isOn ? .first(1) : [] }
}
