import CycleCore

/// Classifies a series of presses: a click, several clicks, a hold that may repeat, or clicks and a hold.
///
///     idle ──press──► down ──release──► idle      the series ends: one click, a double click …
///                     │ ▲ └──release──► between   another press may follow
///                     │ └────press───── between ──time out──► idle    the series ends
///                     └─hold──► classified        held, after the clicks before it
///     classified ──repeat──► classified           repeated
///     classified ──release──► idle                nothing more
///
/// The series ends with its last possible click. That one is emitted at its press if no press can become a hold, and at
/// its release otherwise.
public struct Gesture: Equatable, Sendable {
  /// A function that is called with each event and its moment.
  public typealias Emit = (Button.Event, Moment) -> Void

  /// The greatest number of clicks in a series.
  public static let clickLimit = 5

  private enum State: Equatable {
    case idle
    /// Pressed since this moment, after this many clicks of the series; not classified yet.
    case down(since: Moment, clicks: Int)
    /// Pressed, and the series is classified already, or its beginning is unknown.
    case classified
    /// Held; the next repetition is due at this moment.
    case repeating(due: Moment)
    /// Released at this moment, after this many clicks of the series.
    case between(since: Moment, clicks: Int)
  }

  /// The time after which a press counts as held; nil for never.
  public let hold: Duration?
  /// The time from one repetition of a hold to the next; nil for no repetitions.
  public let repetition: Duration?
  /// The time within which another press continues a series; nil for no double clicks.
  public let doubleClick: Duration?
  /// The number of clicks that ends a series, 1 to ``clickLimit``; 1 without ``doubleClick``.
  public let mostClicks: Int
  /// Whether single clicks are emitted.
  public let emitsClicks: Bool
  private var state: State

  /// - Parameters:
  ///   - hold: as in ``Button/Settings``.
  ///   - repetition: as in ``Button/Settings``. No effect without `hold`.
  ///   - doubleClick: as in ``Button/Settings``.
  ///   - mostClicks: as in ``Button/Settings``. No effect without `doubleClick`.
  ///   - emitsClicks: as in ``Button/Settings``.
  ///   - isPressed: whether the application already knows that it is pressed; then the series can't become a click or a
  ///     hold.
  public init(
    hold: Duration?, repetition: Duration? = nil, doubleClick: Duration?, mostClicks: Int = 2,
    emitsClicks: Bool = true, isPressed: Bool = false
  ) {
    self.hold = hold
    self.repetition = hold == nil ? nil : repetition
    self.doubleClick = doubleClick
    self.mostClicks = doubleClick == nil ? 1 : min(max(mostClicks, 2), Self.clickLimit)
    self.emitsClicks = emitsClicks
    state = isPressed ? .classified : .idle
  }

  public var isPressed: Bool {
    switch state {
    case .down, .classified, .repeating: true
    case .idle, .between: false
    }
  }

  /// The moment at which the series is classified, or a hold repeats, if the button doesn't change before; nil for
  /// never.
  public var deadline: Moment? {
    switch state {
    case .down(let since, _): hold.map { since + $0 }
    case .between(let since, _): doubleClick.map { since + $0 }
    case .repeating(let due): due
    case .idle, .classified: nil
    }
  }

  /// The gesture as if its current phase had begun at zero. Gestures with equal phases are equal then.
  package var fromZero: Gesture {
    var gesture = self
    switch state {
    case .down(_, let clicks): gesture.state = .down(since: .zero, clicks: clicks)
    case .between(_, let clicks): gesture.state = .between(since: .zero, clicks: clicks)
    case .repeating: gesture.state = .repeating(due: .zero + (repetition ?? .zero))
    case .idle, .classified: break
    }
    return gesture
  }

  /// Emits the events whose deadlines have passed by `moment`: the classification of the series, and the next repetition
  /// of a hold. A call emits three events at most: if more repetitions are due, ``deadline`` has passed afterwards, too.
  public mutating func settle(by moment: Moment, emit: Emit) {
    while let deadline, deadline <= moment {
      let isRepetition = if case .repeating = state { true } else { false }
      pass(deadline, emit: emit)
      if isRepetition { return }
    }
  }

  private mutating func pass(_ deadline: Moment, emit: Emit) {
    switch state {
    case .down(_, let clicks):
      hold(at: deadline)
      self.emit(clicks: clicks, at: deadline, emit)
      emit(.held, deadline)
    case .repeating:
      hold(at: deadline)
      emit(.repeated, deadline)
    case .between(_, let clicks):
      state = .idle
      self.emit(clicks: clicks, at: deadline, emit)
    case .idle, .classified: break
    }
  }

  private mutating func hold(at moment: Moment) {
    state = repetition.map { .repeating(due: moment + $0) } ?? .classified
  }

  private func emit(clicks: Int, at moment: Moment, _ emit: Emit) {
    switch clicks {
    case 0: break
    case 1: if emitsClicks { emit(.clicked, moment) }
    case 2: emit(.doubleClicked, moment)
    default: emit(.multiClicked(clicks), moment)
    }
  }

  /// Applies a press or a release at `moment`. A classification whose deadline has passed is emitted first. Of several
  /// repetitions that are due before a release, one is emitted, so that a late call has no more than four events.
  public mutating func change(_ isDown: Bool, at moment: Moment, emit: Emit) {
    settle(by: moment, emit: emit)
    guard isDown != isPressed else { return }
    if isDown { press(at: moment, emit: emit) } else { release(at: moment, emit: emit) }
  }

  private mutating func press(at moment: Moment, emit: Emit) {
    emit(.pressed, moment)
    var clicks = 0
    if case .between(_, let before) = state { clicks = before }
    // A press that may become a hold is a click only when it ends.
    if clicks > 0, clicks + 1 == mostClicks, hold == nil {
      state = .classified
      self.emit(clicks: clicks + 1, at: moment, emit)
    } else {
      state = .down(since: moment, clicks: clicks)
    }
  }

  private mutating func release(at moment: Moment, emit: Emit) {
    emit(.released, moment)
    guard case .down(_, let before) = state else {
      state = .idle
      return
    }
    let clicks = before + 1
    if clicks < mostClicks {
      state = .between(since: moment, clicks: clicks)
    } else {
      state = .idle
      self.emit(clicks: clicks, at: moment, emit)
    }
  }

  /// Records that it is pressed, for an unknown time.
  mutating func assumePressed() { state = .classified }

  /// Emits the state in which the button is found as a press or a release. The duration of the press is unknown.
  mutating func find(isPressed: Bool, at moment: Moment, emit: Emit) {
    state = isPressed ? .classified : .idle
    emit(isPressed ? .pressed : .released, moment)
  }

  /// Handles missing edges: a press that has not ended can't become a click or a hold, and a hold doesn't repeat any
  /// more. A press that has ended stays a click.
  public mutating func forget() {
    if isPressed { state = .classified }
  }

  /// Applies the state that the button is known to have at `moment`, after edges went missing.
  public mutating func correct(isPressed isDown: Bool, at moment: Moment, emit: Emit) {
    settle(by: moment, emit: emit)
    guard isDown != isPressed else { return }
    // Presses that have ended stay clicks. The beginning of the next press is unknown, so it doesn't continue them.
    if case .between(_, let clicks) = state { self.emit(clicks: clicks, at: moment, emit) }
    emit(isDown ? .pressed : .released, moment)
    state = isDown ? .down(since: moment, clicks: 0) : .idle
  }
}
