import CycleCore

/// The time of signals that wait: whoever has a clock moves it on.
///
/// In a cycle that is ``SignalDriver``; in a test it is the test.
public final class SignalClock {
  private struct Alarm {
    let moment: Moment
    weak var node: SignalNode?
  }

  public private(set) var now: Moment
  /// The earliest first; of several at one moment the one asked for first.
  private var alarms: [Alarm] = []

  public init(now: Moment = .zero) {
    self.now = now
  }

  /// When a signal next has something to do; nil for never.
  public var nextAlarm: Moment? { alarms.first?.moment }

  /// Moves time on, and has the signals do on the way what is due. Time doesn't run back.
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

/// What a signal that waits remembers.
private final class Waiting<Value> {
  unowned(unsafe) var node: SignalNode!
  var pending: Value?
  /// Until when nothing passes; or when what is pending does.
  var until: Moment?
  var isArmed = false
}

extension Signal {
  /// At most one value in each span: the first passes at once, of those that follow within the span the last one at its end.
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

  /// A value when no other has followed it for the span.
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

  /// - Parameter step: gets ``SignalOutcome/idle`` when its alarm has come, else that of new values.
  private func waiting(
    _ step: @escaping (Waiting<Value>, SignalCell<Value>, SignalCell<Value>, SignalOutcome) -> SignalOutcome
  ) -> Signal<Value> {
    let cell = SignalCell<Value>()
    let from = self.cell
    let waiting = Waiting<Value>()
    let signal = Signal(cell, parents: [self], isKept: false) { outcome in
      outcome == .rejected || outcome == .unchanged ? outcome : step(waiting, cell, from, outcome)
    }
    waiting.node = signal
    return signal
  }
}
