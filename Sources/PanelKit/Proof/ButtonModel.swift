import CycleCore
import HardwareDrivers
import PanelKinds

/// The possible next steps of a button, derived from ``HardwareDrivers/Gesture`` for each phase.
package struct ButtonModel: Sendable {
  enum Phase: UInt8, CaseIterable, Sendable {
    case up
    /// Down, and neither a click nor a hold yet.
    case down
    /// Down, and the events of this press have been emitted.
    case classified
    /// Up after a first press, while a second one would be a double click.
    case between
    /// Down a second time: a double click, or a click and a hold.
    case second
  }

  /// The result of one change of the button.
  struct Step: Equatable, Sendable {
    /// The events, by their places in ``InputKind/events``.
    var events: [Int]
    var next: Phase
  }

  /// The press or the release, by phase.
  private let moves: [Step]
  /// The step at the end of the phase's time, and that time; nil if the phase has no time limit.
  private let timeouts: [(step: Step, span: Duration)?]

  func isDown(_ phase: Phase) -> Bool { phase == .down || phase == .classified || phase == .second }

  /// The step of a press, or of a release if the button is down in this phase.
  func move(in phase: Phase) -> Step { moves[Int(phase.rawValue)] }

  func timeout(of phase: Phase) -> (step: Step, span: Duration)? { timeouts[Int(phase.rawValue)] }

  /// The times after which a press counts as held, and a click can't become a double click.
  package var spans: [Duration] { timeouts.compactMap { $0?.span } }

  /// - Parameter fresh: a gesture before the first press.
  package init(_ fresh: Gesture) {
    var down = fresh
    down.change(true, at: .zero) { _, _ in }
    var between = down
    between.change(false, at: .zero) { _, _ in }
    var classified = down
    classified.forget()
    var second = between
    second.change(true, at: .zero) { _, _ in }
    // In the order of the phases. A button without double clicks is never in `between` or `second`; it is in `up`. A
    // button without holds has classified its second press already.
    let gestures = [fresh, down, classified, between, second]
    func step(_ gesture: Gesture, _ change: (inout Gesture, @escaping Gesture.Emit) -> Void) -> Step {
      var (gesture, events) = (gesture, [Int]())
      change(&gesture) { event, _ in
        if case .event(let place, _)? = ButtonKind.report(of: event) { events.append(place) }
      }
      let next = gestures.firstIndex(of: gesture) ?? 0
      return Step(events: events, next: Phase.allCases[next])
    }
    moves = gestures.map { gesture in
      step(gesture) { $0.change(!gesture.isPressed, at: .zero, emit: $1) }
    }
    timeouts = gestures.map { gesture in
      gesture.deadline.map { deadline in
        (step(gesture) { $0.settle(by: deadline, emit: $1) }, deadline - .zero)
      }
    }
  }
}
