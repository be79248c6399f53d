import CycleCore

/// A push-button: pressed, released, held, repeated, clicked, double-clicked, clicked up to five times.
///
/// **Wiring.** Between the line and ground; the chip's pull-up holds the line high while the button is up. For a button
/// to the supply set `bias: .pullDown, isActiveLow: false`.
///
/// **Timing.** All moments are computed from the kernel's time stamps. A press is settled when the contact has been
/// stable for the debounce period; default: 5 ms. `clicked` is emitted at the release; with double clicks,
/// only when the time for a second press has run out. `doubleClicked` is emitted at the second press; with holds, at
/// its release, and a second press that is held gives `clicked` and `held` instead, both when it has lasted
/// ``Settings/hold``. Longer series of clicks follow the same rule.
///
/// **The start.** A button that is down at the start is passed to `Lens.onFound` as pressed, which is not an event.
/// When it is released, only ``Event/released`` is emitted.
///
/// **Source.** Kernel documentation, `userspace-api/gpio/chardev`.
///
///     Lens(Button(chip, line: "GPIO17"), on: { frame, event in
///       if event == .pressed { frame.count += 1 }
///     })
public struct Button: LineDevice, EdgeReceiver, FoundDevice, AlarmReceiver {
  public struct Settings: Equatable, Sendable {
    /// A button to ground needs a resistor that pulls its line high.
    public var bias: Bias
    /// True for a button to ground: pressed is low.
    public var isActiveLow: Bool
    /// 0 to 10 s. Most contacts stop bouncing within 5 ms, a delay that a user doesn't notice.
    public var debounce: Duration
    /// The time after which a press emits ``Event/held``; nil for never. A held press is not a click.
    public var hold: Duration?
    /// The time from ``Event/held`` to the first ``Event/repeated``, and from one to the next; nil for none. A volume
    /// key repeats while it is held.
    public var repetition: Duration?
    /// The time after a release within which another press continues a series of clicks; nil for no double clicks. It
    /// delays every click by the same time.
    public var doubleClick: Duration?
    /// The number of clicks that ends a series, 2 to 5. A series with fewer clicks ends when ``doubleClick`` has passed.
    /// No effect without ``doubleClick``.
    public var mostClicks: Int
    /// Whether ``Event/clicked`` is emitted. Every event costs a turn of the cycle, also one that the application
    /// ignores.
    public var emitsClicks: Bool

    public init(
      bias: Bias = .pullUp, isActiveLow: Bool = true, debounce: Duration = .milliseconds(5), hold: Duration? = nil,
      repetition: Duration? = nil, doubleClick: Duration? = nil, mostClicks: Int = 2, emitsClicks: Bool = true
    ) {
      self.bias = bias
      self.isActiveLow = isActiveLow
      self.debounce = debounce
      self.hold = hold
      self.repetition = repetition
      self.doubleClick = doubleClick
      self.mostClicks = mostClicks
      self.emitsClicks = emitsClicks
    }
  }

  public enum Event: Codable, Equatable, Sendable, BitwiseCopyable {
    case pressed
    case released
    /// Pressed for ``Settings/hold``.
    case held
    /// Pressed and released once, and neither held nor part of a double click.
    case clicked
    /// Pressed a second time within ``Settings/doubleClick``. Emitted at the second press, or at its release if
    /// ``Settings/hold`` is set: a second press that is held is not a double click.
    case doubleClicked
    /// Pressed for ``Settings/repetition`` longer since it was held or repeated.
    case repeated
    /// Pressed this many times in one series: 3 to ``Settings/mostClicks``. Emitted like ``doubleClicked`` if that is the
    /// greatest number, and when ``Settings/doubleClick`` has passed otherwise.
    case multiClicked(Int)
    /// This many edges were lost; nil if the number is unknown. If the button's state has changed, its event follows.
    case edgesLost(Int?)
  }

  public let chip: any GPIOChip
  private let line: LineName
  private let settings: Settings
  private var contact: DebouncedContact
  private var gesture: Gesture
  public private(set) var isKnown: Bool
  /// Whether no value has settled since the lines were requested.
  private var isResuming = false
  // Stored because it is read at every edge: a computed property would copy the whole device each time.
  public private(set) var alarm: Moment?

  /// - Parameters:
  ///   - chip: the chip that the line is on.
  ///   - line: the line's name.
  ///   - settings: everything that has a default.
  ///   - isPressed: the button's state before the start, if the application knows it, for example from the application
  ///     that this one replaces. A different state at the start is then an event. Nil if it is unknown.
  public init(
    _ chip: any GPIOChip, line: LineName, settings: Settings = Settings(), isPressed: Bool? = nil
  ) {
    self.chip = chip
    self.line = line
    self.settings = settings
    contact = DebouncedContact(period: settings.debounce)
    isKnown = isPressed != nil
    gesture = Gesture(
      hold: settings.hold, repetition: settings.repetition, doubleClick: settings.doubleClick,
      mostClicks: settings.mostClicks, emitsClicks: settings.emitsClicks, isPressed: isPressed ?? false)
  }

  public func refusal(of event: Event) -> String? { event.refusal }

  public var lines: [LineConfiguration] {
    [LineConfiguration(line, .input(settings.bias), isActiveLow: settings.isActiveLow)]
  }

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    defer { setAlarm() }
    isResuming = true
    if let change = contact.begin(values[0], at: moment) { apply(change, emit: emit) }
  }

  public mutating func endStart() {
    defer { setAlarm() }
    gesture.forget()
  }

  /// Applies a settled value. The first one after the lines were requested gives the button's state, but not the time
  /// of its last change.
  private mutating func apply(_ change: DebouncedContact.Change, emit: Emit) {
    defer { isResuming = false }
    let isPressed = change.value.isActive
    if !isKnown {
      isKnown = true
      gesture.find(isPressed: isPressed, at: change.moment, emit: emit)
    } else if isResuming {
      gesture.correct(isPressed: isPressed, at: change.moment, emit: emit)
    } else {
      gesture.change(isPressed, at: change.moment, emit: emit)
    }
  }

  public mutating func receive(_ edge: LineEdge, emit: Emit) {
    defer { setAlarm() }
    if let change = contact.receive(edge.value, at: edge.moment) { apply(change, emit: emit) }
  }

  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    defer { setAlarm() }
    guard !contact.missedOnlyBounces(at: moment, lost: count) else { return }
    gesture.forget()
    emit(.edgesLost(count), moment)
  }

  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    defer { setAlarm() }
    guard let change = contact.correct(values[0], at: moment) else { return }
    isResuming = true
    apply(change, emit: emit)
  }

  public mutating func loseLines() {
    defer { setAlarm() }
    contact.end()
    gesture.forget()
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    defer { setAlarm() }
    if let change = contact.settle(by: moment) { apply(change, emit: emit) }
    gesture.settle(by: moment, emit: emit)
  }

  private mutating func setAlarm() {
    alarm = gesture.deadline
    if let settled = contact.deadline { alarm = min(settled, alarm ?? settled) }
  }
}

extension Button.Event {
  /// Why no button can have emitted the event; nil if one can.
  package var refusal: String? {
    switch self {
    case .edgesLost(let count): LostEdgeCountCheck.refusal(of: count)
    case .multiClicked(let count) where !(3...Gesture.clickLimit).contains(count):
      "\(count) is not a number of clicks, 3 to \(Gesture.clickLimit)"
    case .pressed, .released, .held, .clicked, .doubleClicked, .repeated, .multiClicked: nil
    }
  }
}

extension Button.Event: Recordable {
  public func write(to recording: inout JSONWriter) {
    switch self {
    case .pressed: recording.write(plain: "pressed")
    case .released: recording.write(plain: "released")
    case .held: recording.write(plain: "held")
    case .clicked: recording.write(plain: "clicked")
    case .doubleClicked: recording.write(plain: "doubleClicked")
    case .repeated: recording.write(plain: "repeated")
    case .multiClicked(let count): recording.write(case: "multiClicked", count)
    case .edgesLost(let count): recording.write(case: "edgesLost", count)
    }
  }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    let place = recording.offset
    switch try recording.readCase() {
    case ("pressed", false): self = .pressed
    case ("released", false): self = .released
    case ("held", false): self = .held
    case ("clicked", false): self = .clicked
    case ("doubleClicked", false): self = .doubleClicked
    case ("repeated", false): self = .repeated
    case ("multiClicked", true): self = .multiClicked(try recording.readPayload())
    case ("edgesLost", true): self = .edgesLost(try recording.readPayload())
    case (let name, _): throw recording.unknownCase(name, of: Self.self, at: place)
    }
  }
}
