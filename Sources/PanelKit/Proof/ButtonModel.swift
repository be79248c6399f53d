import CycleCore
import HardwareDrivers

/// What a button can do next, as ``HardwareDrivers/Gesture`` has it: worked out from that type, phase by phase.
struct ButtonModel: Sendable {
  enum Phase: UInt8, CaseIterable, Sendable {
    case up
    /// Down, and neither a click nor a hold yet.
    case down
    /// Down, and what this press is has been told.
    case classified
    /// Up after a first press, while a second one would be a double click.
    case between
    /// Down a second time: a double click, or a click and a hold.
    case second
  }

  /// What one change of the button leads to.
  struct Step: Equatable, Sendable {
    /// The events, by their places in ``InputKind/events``.
    var events: [Int]
    var next: Phase
  }

  /// The press or the release, by phase.
  private let moves: [Step]
  /// What comes when the time of the phase has run out, and that time; nil where there is none.
  private let timeouts: [(step: Step, span: Duration)?]

  func isDown(_ phase: Phase) -> Bool { phase == .down || phase == .classified || phase == .second }

  /// A press, or in a phase in which the button is down a release.
  func move(in phase: Phase) -> Step { moves[Int(phase.rawValue)] }

  func timeout(of phase: Phase) -> (step: Step, span: Duration)? { timeouts[Int(phase.rawValue)] }

  /// How long it takes until a press is held, and until a click is no double click.
  var spans: [Duration] { timeouts.compactMap { $0?.span } }

  /// - Parameter fresh: a gesture before the first press.
  init(_ fresh: Gesture) {
    var down = fresh
    down.change(true, at: .zero) { _, _ in }
    var between = down
    between.change(false, at: .zero) { _, _ in }
    var classified = down
    classified.forget()
    var second = between
    second.change(true, at: .zero) { _, _ in }
    // In the order of the phases. A button without double clicks is never between: it is up there. Nor does it go down a second time,
    // and one without holds has classified its second press already.
    let gestures = [fresh, down, classified, between, second]
    func step(_ gesture: Gesture, _ change: (inout Gesture, @escaping Gesture.Emit) -> Void) -> Step {
      var (gesture, events) = (gesture, [Int]())
      change(&gesture) { event, _ in
        if case .event(let place)? = ButtonKind.report(of: event) { events.append(place) }
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
