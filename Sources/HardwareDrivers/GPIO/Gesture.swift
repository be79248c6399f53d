import CycleCore

/// What a series of presses means, decided once for each series: a click, a double click, or a hold.
///
///     idle ──press──► down ──release──► idle      clicked      (no double clicks)
///                      │ └───release──► between   (double clicks)
///                      └─hold──► spent  held
///     between ──press──► spent  doubleClicked
///        └──time out──► idle    clicked
///     spent ──release──► idle   nothing more
public struct Gesture: Equatable, Sendable {
  /// Gets what was decided, and the moment at which it was.
  public typealias Emit = (Button.Event, Moment) -> Void

  private enum State: Equatable {
    case idle
    /// Pressed since the moment, and nothing decided.
    case down(since: Moment)
    /// Pressed, and the series is decided: or nothing is known of how it began.
    case spent
    /// Released after a first press, at the moment.
    case between(since: Moment)
  }

  private let hold: Duration?
  private let doubleClick: Duration?
  private let emitsClicks: Bool
  private var state = State.idle

  /// - Parameters: as those of ``Button/Settings``.
  public init(hold: Duration?, doubleClick: Duration?, emitsClicks: Bool = true) {
    self.hold = hold
    self.doubleClick = doubleClick
    self.emitsClicks = emitsClicks
  }

  public var isPressed: Bool {
    switch state {
    case .down, .spent: true
    case .idle, .between: false
    }
  }

  /// When time alone decides something; nil for never.
  public var deadline: Moment? {
    switch state {
    case .down(let since): hold.map { since + $0 }
    case .between(let since): doubleClick.map { since + $0 }
    case .idle, .spent: nil
    }
  }

  /// Lets time pass until `moment`.
  public mutating func pass(_ moment: Moment, emit: Emit) {
    guard let deadline, deadline <= moment else { return }
    switch state {
    case .down:
      state = .spent
      emit(.held, deadline)
    case .between:
      state = .idle
      if emitsClicks { emit(.clicked, deadline) }
    case .idle, .spent: break
    }
  }

  /// The button goes down or up at `moment`. What time had decided by then is told first.
  public mutating func change(_ isDown: Bool, at moment: Moment, emit: Emit) {
    pass(moment, emit: emit)
    guard isDown != isPressed else { return }
    if isDown { press(at: moment, emit: emit) } else { release(at: moment, emit: emit) }
  }

  private mutating func press(at moment: Moment, emit: Emit) {
    emit(.pressed, moment)
    if case .between = state {
      state = .spent
      emit(.doubleClicked, moment)
    } else {
      state = .down(since: moment)
    }
  }

  private mutating func release(at moment: Moment, emit: Emit) {
    emit(.released, moment)
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

  /// Edges are missing: what is under way can't be trusted to become a click or a hold.
  public mutating func forget() {
    state = isPressed ? .spent : .idle
  }

  /// The button is known to be down or up at `moment`, whatever edges said.
  public mutating func correct(isPressed isDown: Bool, at moment: Moment, emit: Emit) {
    guard isDown != isPressed else { return }
    emit(isDown ? .pressed : .released, moment)
    state = isDown ? .down(since: moment) : .idle
  }
}
