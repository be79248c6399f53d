import CycleCore

/// A push-button: pressed, released, held, clicked, double-clicked.
///
/// **Wiring.** Between the line and ground; the chip's pull-up holds the line high while the button is up. For a button to the
/// supply set `bias: .pullDown, isActiveLow: false`.
///
/// **Timing.** Everything is computed from the kernel's time stamps. A press counts when the contact has been stable for the
/// debounce period, 5 ms unless set otherwise. `clicked` comes with the release; where double clicks are asked for it waits
/// until no second press can come.
///
/// **Source.** Kernel documentation, `userspace-api/gpio/chardev`.
///
///     Lens(Button(chip, line: "GPIO17"), on: { frame, event in
///       if event == .pressed { frame.count += 1 }
///     })
public struct Button: LineDevice {
  public struct Settings: Equatable, Sendable {
    /// A button to ground needs something that holds its line up.
    public var bias: Bias
    /// To ground: pressed is low.
    public var isActiveLow: Bool
    /// 0 to 10 s. Most contacts rest within 5 ms, which nobody feels.
    public var debounce: Duration
    /// How long a press lasts until it is ``Event/held``; nil for never. A held press is no click.
    public var hold: Duration?
    /// How long after a release a second press makes a double click; nil if there are none. It delays every click by as much.
    public var doubleClick: Duration?
    /// Whether it tells ``Event/clicked``. Every event goes round, also one that nobody has a use for.
    public var emitsClicks: Bool

    public init(
      bias: Bias = .pullUp, isActiveLow: Bool = true, debounce: Duration = .milliseconds(5), hold: Duration? = nil,
      doubleClick: Duration? = nil, emitsClicks: Bool = true
    ) {
      self.bias = bias
      self.isActiveLow = isActiveLow
      self.debounce = debounce
      self.hold = hold
      self.doubleClick = doubleClick
      self.emitsClicks = emitsClicks
    }
  }

  public enum Event: Equatable, Sendable {
    case pressed
    case released
    /// Pressed for as long as ``Settings/hold``.
    case held
    /// Pressed and released once, and neither held nor part of a double click.
    case clicked
    /// Pressed a second time in time. Comes with the second press.
    case doubleClicked
    /// So many edges are missing, nil for an unknown number. What the button is now follows if it changed.
    case edgesLost(Int?)
  }

  public let chip: any GPIOChip
  private let line: LineName
  private let settings: Settings
  private var contact: DebouncedContact
  private var gesture: Gesture
  // Kept, because it is asked for at every edge: computed, the whole device would be copied for that.
  public private(set) var alarm: Moment?

  public init(_ chip: any GPIOChip, line: LineName, settings: Settings = Settings()) {
    self.chip = chip
    self.line = line
    self.settings = settings
    contact = DebouncedContact(period: settings.debounce)
    gesture = Gesture(
      hold: settings.hold, doubleClick: settings.doubleClick, emitsClicks: settings.emitsClicks)
  }

  public var lines: [LineConfiguration] {
    [
      LineConfiguration(
        line, .input(settings.bias), isActiveLow: settings.isActiveLow, debounce: settings.debounce)
    ]
  }

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    defer { setAlarm() }
    contact.begin(values[0], isDebounced: isDebounced, at: moment)
    gesture.correct(isPressed: values[0].isActive, at: moment, emit: emit)
  }

  public mutating func receive(_ edge: LineEdge, emit: Emit) {
    defer { setAlarm() }
    if let change = contact.receive(edge.value, at: edge.moment) {
      gesture.change(change.value.isActive, at: change.moment, emit: emit)
    }
  }

  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    defer { setAlarm() }
    guard !contact.isBouncing(at: moment, lost: count) else { return }
    gesture.forget()
    emit(.edgesLost(count), moment)
  }

  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    defer { setAlarm() }
    if let change = contact.correct(values[0], at: moment) {
      gesture.correct(isPressed: change.value.isActive, at: change.moment, emit: emit)
    }
  }

  public mutating func loseLines() {
    defer { setAlarm() }
    contact.end()
    gesture.forget()
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    defer { setAlarm() }
    if let change = contact.settle(by: moment) {
      gesture.change(change.value.isActive, at: change.moment, emit: emit)
    }
    gesture.pass(moment, emit: emit)
  }

  private mutating func setAlarm() {
    alarm = gesture.deadline
    if let settled = contact.deadline { alarm = min(settled, alarm ?? settled) }
  }
}
