import CycleCore
import HardwareDrivers
import PanelKinds

/// The possible next steps of a button, derived from ``HardwareDrivers/Gesture`` for each phase that it can reach.
package struct ButtonModel: Sendable {
  /// A phase of the gesture, by its place in the model.
  struct Phase: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    /// Up, and no press is remembered.
    static let up = Phase(rawValue: 0)
    /// Down, and the events of this press have been emitted, or its beginning is unknown.
    static let classified = Phase(rawValue: 1)
  }

  /// The result of one change of the button.
  struct Step: Equatable, Sendable {
    /// The events, by their places in ``InputKind/events``.
    var events: [Int]
    var next: Phase
  }

  /// The press or the release, by phase.
  private var moves: [Step] = []
  /// The step at the end of the phase's time, and that time; nil if the phase has no time limit.
  private var timeouts: [(step: Step, span: Duration)?] = []
  private var areDown: [Bool] = []

  func isDown(_ phase: Phase) -> Bool { areDown[Int(phase.rawValue)] }

  /// Whether several presses can be one event: a series of clicks waits for the next press.
  var hasSeries: Bool { zip(areDown, timeouts).contains { !$0 && $1 != nil } }

  /// The phase after edges may have been missed.
  func phase(afterLossIn phase: Phase) -> Phase { isDown(phase) ? .classified : .up }

  /// The step of a press, or of a release if the button is down in this phase.
  func move(in phase: Phase) -> Step { moves[Int(phase.rawValue)] }

  func timeout(of phase: Phase) -> (step: Step, span: Duration)? { timeouts[Int(phase.rawValue)] }

  /// The times after which a press counts as held, a hold repeats, and a series of clicks ends.
  package var spans: [Duration] { timeouts.compactMap { $0?.span } }

  /// - Parameter fresh: a gesture before the first press.
  package init(_ fresh: Gesture) {
    /// A repetition leads to the same gesture. It is a phase of its own, because its time begins again.
    struct Reached: Equatable {
      var gesture: Gesture
      var isOddRepetition = false
    }
    var classified = fresh
    classified.change(true, at: .zero) { _, _ in }
    classified.forget()
    var phases = [Reached(gesture: fresh), Reached(gesture: classified)]
    func step(_ from: Reached, _ change: (inout Gesture, @escaping Gesture.Emit) -> Void) -> Step {
      var (gesture, events) = (from.gesture, [Int]())
      change(&gesture) { event, _ in
        if let place = ButtonEvent.place(of: event) { events.append(place) }
      }
      let isRepetition = events == [ButtonEvent.repeated]
      let next = Reached(
        gesture: gesture.fromZero, isOddRepetition: isRepetition && !from.isOddRepetition)
      let place = phases.firstIndex(of: next) ?? phases.count
      if place == phases.count { phases.append(next) }
      return Step(events: events, next: Phase(rawValue: UInt8(place)))
    }
    var place = 0
    while place < phases.count {
      let phase = phases[place]
      areDown.append(phase.gesture.isPressed)
      moves.append(step(phase) { $0.change(!phase.gesture.isPressed, at: .zero, emit: $1) })
      timeouts.append(
        phase.gesture.deadline.map { deadline in
          (step(phase) { $0.settle(by: deadline, emit: $1) }, deadline - .zero)
        })
      place += 1
    }
  }
}
