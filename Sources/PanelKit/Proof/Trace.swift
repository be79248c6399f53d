/// What happens on the way from the start to something, event by event, without moments yet.
struct Trace {
  struct Event {
    var move: Move
    /// What the move was: `key.clicked`, `after 20s`.
    var cause: String
    /// What somebody does for it; nil for what comes by itself.
    var hand: Hand?
    /// Before and after it.
    var before: PanelFrame
    var after: PanelFrame
    /// The transitions that were taken, by their numbers.
    var taken: [Int]
    /// What was left to chance, and the numbers that were drawn.
    var chances: [Chance]
    var draws: [Int]
    /// The wait that was over, by its number; nil where none was.
    var endedWait: Int?
  }

  /// The contacts that are not at rest at the start.
  let moved: [Int]
  /// The contacts that are unknown at the start.
  let unknown: [Int]
  /// What was kept at the start, other than the initial numbers: its names, and the numbers as one writes them.
  let kept: [(name: String, text: String)]
  /// The first is the start.
  private(set) var events: [Event] = []
  /// What the moments of the events keep to.
  private(set) var order: EventOrder
  /// What is violated at the end.
  private(set) var violations: [Violation] = []
  /// Of what is violated at the end, what the way is told for.
  var violation: Violation?

  /// - Parameter steps: a start, and what follows.
  init(_ steps: [MadeMove], in model: ProofModel) {
    guard case .start(let number)? = steps.first?.move else { preconditionFailure("a trace begins with a start") }
    moved = model.moved(in: number)
    unknown = model.unknown(in: number)
    kept = model.kept(in: number)
    order = EventOrder(model)
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
      let departure = Departure(from: before, alarms, in: model)
      var drawn: [Int] = []
      let ages = departure.ages(at: step.move)
      model.take(step.move, in: before, alarms, ages: ages.ages(step.age)) { chance, draws, after in
        guard chance == step.chance else { return true }
        (situation, drawn) = (after, draws)
        return false
      }
      let hand = Hand(for: step.move, in: before, of: model)
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
  /// The number of the wait that is over with a move; nil for one whose time is fixed, and for other moves.
  fileprivate func wait(endedBy move: Move, _ alarms: [Alarm]) -> Int? {
    guard case .alarm(let place) = move, case .deadline(let deadline) = alarms[Int(place)].source,
      let (state, index) = deadline.ofState, case .drawn(_, let wait) = panel.states[state].after[index].delay
    else { return nil }
    return wait
  }
}
