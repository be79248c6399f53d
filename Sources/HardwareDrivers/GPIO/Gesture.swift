import CycleCore

/// Classifies a series of presses: a click, a double click, a hold, or a click and a hold.
///
///     idle ──press──► down ──release──► idle      clicked      (no double clicks)
///                      │ └───release──► between   (double clicks)
///                      └─hold──► classified  held
///     between ──press──► classified  doubleClicked   (no holds)
///        │ └────press──► second      (holds)
///        └──time out──► idle    clicked
///     second ──release──► idle   doubleClicked
///        └──hold──► classified   clicked, then held
///     classified ──release──► idle   nothing more
public struct Gesture: Equatable, Sendable {
  /// A function that is called with each event and its moment.
  public typealias Emit = (Button.Event, Moment) -> Void

  private enum State: Equatable {
    case idle
    /// Pressed since this moment; the series is not classified yet.
    case down(since: Moment)
    /// Pressed, and the series is classified already, or its beginning is unknown.
    case classified
    /// Released at this moment, after a first press.
    case between(since: Moment)
    /// Pressed a second time at this moment. It becomes a double click if it ends before the hold time, and a click and
    /// a hold otherwise.
    case second(since: Moment)
  }

  /// The time after which a press counts as held; nil for never.
  public let hold: Duration?
  /// The time within which a second press makes a double click; nil for no double clicks.
  public let doubleClick: Duration?
  /// Whether clicks are emitted.
  public let emitsClicks: Bool
  private var state: State

  /// - Parameters:
  ///   - hold: as in ``Button/Settings``.
  ///   - doubleClick: as in ``Button/Settings``.
  ///   - emitsClicks: as in ``Button/Settings``.
  ///   - isPressed: whether the application already knows that it is pressed; then the series can't become a click or a
  ///     hold.
  public init(hold: Duration?, doubleClick: Duration?, emitsClicks: Bool = true, isPressed: Bool = false) {
    self.hold = hold
    self.doubleClick = doubleClick
    self.emitsClicks = emitsClicks
    state = isPressed ? .classified : .idle
  }

  public var isPressed: Bool {
    switch state {
    case .down, .second, .classified: true
    case .idle, .between: false
    }
  }

  /// The moment at which the series is classified if the button doesn't change before; nil for never.
  public var deadline: Moment? {
    switch state {
    case .down(let since), .second(let since): hold.map { since + $0 }
    case .between(let since): doubleClick.map { since + $0 }
    case .idle, .classified: nil
    }
  }

  /// Emits the classification whose deadline has passed by `moment`, if any: one event, or a click and a hold.
  public mutating func settle(by moment: Moment, emit: Emit) {
    guard let deadline, deadline <= moment else { return }
    switch state {
    case .down:
      state = .classified
      emit(.held, deadline)
    case .second:
      state = .classified
      if emitsClicks { emit(.clicked, deadline) }
      emit(.held, deadline)
    case .between:
      state = .idle
      if emitsClicks { emit(.clicked, deadline) }
    case .idle, .classified: break
    }
  }

  /// Applies a press or a release at `moment`. A classification whose deadline has passed is emitted first.
  public mutating func change(_ isDown: Bool, at moment: Moment, emit: Emit) {
    settle(by: moment, emit: emit)
    guard isDown != isPressed else { return }
    if isDown { press(at: moment, emit: emit) } else { release(at: moment, emit: emit) }
  }

  private mutating func press(at moment: Moment, emit: Emit) {
    emit(.pressed, moment)
    guard case .between = state else {
      state = .down(since: moment)
      return
    }
    // A press that may become a hold is a double click only when it ends.
    if hold != nil {
      state = .second(since: moment)
    } else {
      state = .classified
      emit(.doubleClicked, moment)
    }
  }

  private mutating func release(at moment: Moment, emit: Emit) {
    emit(.released, moment)
    if case .second = state {
      state = .idle
      emit(.doubleClicked, moment)
      return
    }
    guard case .down = state else {
      state = .idle
      return
    }
    if doubleClick != nil {
      state = .between(since: moment)
    } else {
      state = .idle
      if emitsClicks { emit(.clicked, moment) }
    }
  }

  /// Records that it is pressed, for an unknown time.
  mutating func assumePressed() { state = .classified }

  /// Emits the state in which the button is found as a press or a release. The duration of the press is unknown.
  mutating func find(isPressed: Bool, at moment: Moment, emit: Emit) {
    state = isPressed ? .classified : .idle
    emit(isPressed ? .pressed : .released, moment)
  }

  /// Handles missing edges: a press that has not ended can't become a click or a hold. A press that has ended stays a
  /// click.
  public mutating func forget() {
    if isPressed { state = .classified }
  }

  /// Applies the state that the button is known to have at `moment`, after edges went missing.
  public mutating func correct(isPressed isDown: Bool, at moment: Moment, emit: Emit) {
    settle(by: moment, emit: emit)
    guard isDown != isPressed else { return }
    // A press that has ended stays a click. The beginning of the second press is unknown, so the two are not a double
    // click.
    if case .between = state, emitsClicks { emit(.clicked, moment) }
    emit(isDown ? .pressed : .released, moment)
    state = isDown ? .down(since: moment) : .idle
  }
}
