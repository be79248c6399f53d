import CycleCore

/// The clock of signals that wait, such as throttled ones. It advances only when ``advance(to:)`` is called.
///
/// In a cycle, ``SignalDriver`` calls it; in a test, the test calls it.
public final class SignalClock {
  private struct Alarm {
    let moment: Moment
    weak var node: SignalNode?
  }

  public private(set) var now: Moment
  /// The alarms, earliest first; at the same moment, in the order of the requests.
  private var alarms: [Alarm] = []

  public init(now: Moment = .zero) {
    self.now = now
  }

  /// The moment of the next alarm of a signal; nil for never.
  public var nextAlarm: Moment? { alarms.first?.moment }

  /// Advances the clock, never back, and runs the due alarms of signals, each at its own moment.
  public func advance(to moment: Moment) {
    while let alarm = alarms.first, alarm.moment <= moment {
      alarms.removeFirst()
      now = max(now, alarm.moment)
      guard let node = alarm.node else { continue }
      let network = node.network.root
      network.enqueue(node, isLast: true)
      network.runWaiting()
    }
    now = max(now, moment)
  }

  func wake(_ node: SignalNode, at moment: Moment) {
    var place = alarms.endIndex
    while place > 0, alarms[place - 1].moment > moment { place -= 1 }
    alarms.insert(Alarm(moment: moment, node: node), at: place)
  }
}

/// The state of a signal that waits.
private final class Waiting<Value> {
  unowned(unsafe) var node: SignalNode!
  var pending: Value?
  /// In `throttle`, the moment before which values wait; in `debounce`, the moment at which the pending value passes.
  var until: Moment?
  var isArmed = false
}

extension Signal {
  /// Makes a signal with at most one value in each span. The first value passes immediately. Of the values that follow
  /// within the span, the last one passes at its end.
  ///
  ///     source   1 2 3 . . . . 4
  ///     result   1 . . 3 . . . 4        # a span of three
  public func throttle(_ span: Duration, on clock: SignalClock) -> Signal<Value> {
    waiting { waiting, cell, from, outcome in
      if outcome == .idle {
        guard let value = waiting.pending else { return .idle }
        waiting.pending = nil
        waiting.until = clock.now + span
        cell.value = value
        return .value
      }
      var result = SignalOutcome.rejected
      from.forEach(of: outcome) { value in
        if let until = waiting.until, clock.now < until {
          if waiting.pending == nil { clock.wake(waiting.node, at: until) }
          waiting.pending = value
        } else {
          waiting.until = clock.now + span
          cell.value = value
          result = .value
        }
      }
      return result
    }
  }

  /// Makes a signal with each value that no other value has followed within the span.
  ///
  ///     source   1 2 3 . . . . 4
  ///     result   . . . . . 3 . .        # a span of three
  public func debounce(_ span: Duration, on clock: SignalClock) -> Signal<Value> {
    waiting { waiting, cell, from, outcome in
      if outcome == .idle {
        waiting.isArmed = false
        guard let until = waiting.until, let value = waiting.pending else { return .idle }
        guard until <= clock.now else {
          waiting.isArmed = true
          clock.wake(waiting.node, at: until)
          return .idle
        }
        waiting.pending = nil
        cell.value = value
        return .value
      }
      waiting.pending = from.value
      waiting.until = clock.now + span
      if !waiting.isArmed {
        waiting.isArmed = true
        clock.wake(waiting.node, at: clock.now + span)
      }
      return .rejected
    }
  }

  /// - Parameter step: its last argument is ``SignalOutcome/idle`` if the alarm is due, else the outcome of the new
  ///   values.
  private func waiting(
    _ step: @escaping (Waiting<Value>, SignalCell<Value>, SignalCell<Value>, SignalOutcome) -> SignalOutcome
  ) -> Signal<Value> {
    let cell = SignalCell<Value>()
    let from = self.cell
    let waiting = Waiting<Value>()
    let signal = Signal(cell, parents: [self], keepsLatestValue: false) { outcome in
      outcome == .rejected || outcome == .unchanged ? outcome : step(waiting, cell, from, outcome)
    }
    waiting.node = signal
    return signal
  }
}
