import PanelEngine
import PanelLanguage

/// The events on the path from the start to a violation or a state, without moments.
struct Trace {
  struct Event {
    var move: Move
    /// The name of the move: `key.clicked`, `after 20s`.
    var cause: String
    /// The action of a person that causes it; nil for an event that occurs by itself.
    var hand: Stimulus?
    /// The frame before the event; `after` is the frame after it.
    var before: PanelFrame
    var after: PanelFrame
    /// The transitions taken, by their numbers.
    var taken: [Int]
    /// The random draws of the event; `draws` holds the drawn numbers.
    var chances: [Chance]
    var draws: [Int]
    /// The number of the wait that ended; nil if none ended.
    var endedWait: Int?
  }

  /// The contacts that are not at rest at the start.
  let moved: [(input: Int, position: Int)]
  /// The contacts that are unknown at the start.
  let unknown: [Int]
  /// The restored values that are not initial: their names, and their numbers as text.
  let kept: [(name: String, text: String)]
  /// The first is the start.
  private(set) var events: [Event] = []
  /// The order and distances of the events.
  private(set) var order: DifferenceConstraints
  /// The violations at the end.
  private(set) var violations: [Violation] = []
  /// The violation at the end that is reported.
  var violation: Violation?

  /// - Parameter steps: a start and the steps after it.
  init(_ steps: [MadeMove], in model: ProofModel) {
    guard case .start(let number)? = steps.first?.move else { preconditionFailure("a trace begins with a start") }
    moved = model.moved(in: number)
    unknown = model.unknown(in: number)
    kept = model.kept(in: number)
    order = DifferenceConstraints(model)
    var situation = Situation(frame: model.rules.seed, phases: [])
    model.forEachStart(Starts.Start(number: number)) { chance, draws, after in
      guard chance == steps[0].chance else { return true }
      situation = after
      let (taken, chances) = (model.log.taken, model.log.chances)
      events = [
        Event(
          move: steps[0].move, cause: "(start)", before: after.frame, after: after.frame, taken: taken,
          chances: chances, draws: draws)
      ]
      return false
    }
    var alarms = model.alarms(in: situation)
    order.begin(alarms)
    situation.clocks = alarms.map { _ in 1 }
    for step in steps.dropFirst() where step.move != .pass {
      let before = situation
      let departure = SuccessorGenerator(from: before, alarms, in: model)
      var drawn: [Int] = []
      let ages = departure.ages(at: step.move)
      model.take(step.move, in: before, alarms, ages: ages.ages(step.age)) { chance, draws, after in
        guard chance == step.chance else { return true }
        (situation, drawn) = (after, draws)
        return false
      }
      let hand = Stimulus(for: step.move, in: before, of: model)
      events.append(
        Event(
          move: step.move, cause: model.cause(of: step.move, in: before, alarms), hand: hand, before: before.frame,
          after: situation.frame, taken: model.log.taken, chances: model.log.chances, draws: drawn,
          endedWait: model.wait(endedBy: step.move, alarms)))
      let after = model.alarms(in: situation)
      order.add(
        step.move, hand, in: before, alarms, ages: ages.bounds(step.age, model), to: after)
      situation.clocks = departure.clocks(of: after, after: step.move).clocks
      alarms = after
    }
    violations = situation.violations
    violation = violations.first
  }
}

extension ProofModel {
  /// The number of the wait that ends with a move; nil for a fixed time and for other moves.
  fileprivate func wait(endedBy move: Move, _ alarms: [TimedEvent]) -> Int? {
    guard case .alarm(let place) = move, case .deadline(let deadline) = alarms[Int(place)].source,
      let (state, index) = deadline.ofState, case .drawn(_, let wait) = panel.states[state].after[index].delay
    else { return nil }
    return wait
  }
}
