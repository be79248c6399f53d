import CycleCore

/// Counts the events, states and transitions that the runs of an exploration reach.
final class ExplorerReach<Frame: Equatable>: EventTap {
  /// An event without its payload.
  private struct Cause: Hashable {
    var lens: String
    var event: String

    var text: String { "\(lens) \(event)" }
  }

  private struct Transition: Hashable {
    var from: AnyHashable
    var to: AnyHashable
    var cause: Cause
  }

  private let actions: [String]
  private let aims: [(name: String, holds: (Frame) -> Bool)]
  private let state: ((Frame) -> AnyHashable)?
  private var done: Set<Int> = []
  private var reachedAims: Set<Int> = []
  private var causes: Set<Cause> = []
  private var states: Set<AnyHashable> = []
  private var transitions: Set<Transition> = []

  // The properties of the current run:
  private var name: (Int) -> String = { _ in "" }
  private var current: AnyHashable?
  private var cause: Cause?

  init<World>(actions: [String], aims: [Explorer<World, Frame>.Rule], state: ((Frame) -> AnyHashable)?) {
    self.actions = actions
    self.aims = aims.map { ($0.name, $0.holds) }
    self.state = state
  }

  /// The number of actions, goals, events and states reached so far. Transitions don't count: most of them lead back.
  var count: Int { done.count + reachedAims.count + causes.count + states.count }

  func report(runs: Int) -> ExplorationCoverage {
    ExplorationCoverage(
      runs: runs, events: causes.map(\.text).sorted(), states: states.map { "\($0)" }.sorted(),
      transitions: transitions.map { "\($0.from) -> \($0.to) by \($0.cause.text)" }.sorted(),
      unreached: actions.indices.filter { !done.contains($0) }.map { actions[$0] }
        + aims.indices.filter { !reachedAims.contains($0) }.map { aims[$0].name })
  }

  // MARK: - One run

  /// Begins a run of an application that has not been started.
  func begin(_ cycle: any Application<Frame>) {
    name = { [unowned cycle] in cycle.name(of: $0) }
    current = nil
    cause = nil
  }

  func perform(_ action: Int) { done.insert(action) }

  /// Records a frame that the application has reached.
  func meet(_ frame: Frame) {
    for place in aims.indices where !reachedAims.contains(place) && aims[place].holds(frame) {
      reachedAims.insert(place)
    }
    guard let state = state?(frame) else { return }
    states.insert(state)
    if let current, current != state, let cause {
      transitions.insert(Transition(from: current, to: state, cause: cause))
    }
    current = state
  }

  func receive<Event: Sendable>(_ event: Event, of lens: Int, at moment: Moment) { note(Self.word(for: event), lens) }

  func receive(_ trouble: Trouble, of lens: Int, at moment: Moment) { note("trouble", lens) }

  private func note(_ event: String, _ lens: Int) {
    let cause = Cause(lens: name(lens), event: event)
    causes.insert(cause)
    self.cause = cause
  }

  /// The name of an enumeration's case, because there are few of them, or else of the type.
  private static func word(for event: some Any) -> String {
    guard Mirror(reflecting: event).displayStyle == .enum else { return "\(type(of: event))" }
    return String("\(event)".prefix { $0 != "(" })
  }
}
