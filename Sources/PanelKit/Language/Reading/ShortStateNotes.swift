import Terminal

/// Finds states that end before the interlock permits the relay that they show on to close.
struct ShortStateNotes {
  /// The maximum number of relays of short states that are checked: each of them needs a search of the whole
  /// statechart.
  private static let most = 100

  private let panel: PanelDefinition
  private let problems: ProblemList
  private let tree: StateTree
  /// The interlock of each relay that has one.
  private let interlocks: [Int: PanelDefinition.Interlock]
  /// The relays of interlocks that are on in each state, shown by the state itself or a state around it; empty without
  /// interlocks.
  private let relaysOn: [[Int]]

  init(panel: PanelDefinition, problems: ProblemList) {
    self.panel = panel
    self.problems = problems
    tree = StateTree(panel)
    let pairs = panel.interlocks.flatMap { interlock in interlock.relays.map { ($0, interlock) } }
    let interlocks = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    self.interlocks = interlocks
    guard !interlocks.isEmpty else {
      relaysOn = []
      return
    }
    let relays = panel.states.map { state in state.show.filter { interlocks[$0.output] != nil } }
    relaysOn = panel.states.indices.map { [tree] state in
      var told: Set<Int> = []
      return tree.chain(from: state).flatMap { relays[$0] }
        .filter { told.insert($0.output).inserted && $0.rule == .always(.on) }
        .map(\.output)
    }
  }

  /// Adds a note for each such state that follows a state that shows another relay of the interlock on.
  func addNotes() {
    guard !interlocks.isEmpty else { return }
    var rest = Self.most
    for state in panel.states.indices.dropFirst() where rest > 0 {
      for relay in relaysOn[state] where rest > 0 {
        guard let interlock = interlocks[relay], let end = end(of: state, within: interlock.pause) else { continue }
        rest -= 1
        addNote(about: relay, in: state, end, interlock)
      }
    }
  }

  private func addNote(
    about relay: Int, in state: Int,
    _ end: (deadline: PanelDefinition.Deadline, transition: PanelDefinition.Transition),
    _ interlock: PanelDefinition.Interlock
  ) {
    let others = interlock.relays.filter { $0 != relay }
    guard let position = end.transition.written.source?.position, let target = end.transition.target?.state,
      !entered(with: target).contains(where: { relaysOn[$0].contains(relay) }),
      follows(state, oneThatShows: others)
    else { return }
    problems.note(
      position,
      "relay \(quoted(panel.outputs[relay].name)) may never close in \(quoted(panel.states[state].name)): the state lasts "
        + "\(end.deadline.delay.text(in: panel)), the interlock pauses for \(Quantity.text(interlock.pause)); make the state longer"
    )
  }

  /// The deadline and transition that certainly end a state within a span; nil if it may last longer.
  private func end(
    of state: Int, within span: Duration
  ) -> (PanelDefinition.Deadline, PanelDefinition.Transition)? {
    for deadline in panel.states[state].after where deadline.recurrence == .once {
      let longest: Duration? =
        switch deadline.delay {
        case .fixed(let duration): duration
        case .drawn(let range, _): .milliseconds(range.upperBound)
        case .value: nil
        }
      guard let longest, longest <= span, let last = deadline.transitions.first, last.condition == nil,
        last.target.map({ $0.state != state }) ?? false
      else { continue }
      return (deadline, last)
    }
    return nil
  }

  /// The states that are entered with a state: itself, and the initial states inside it.
  private func entered(with state: Int) -> [Int] {
    var states = [state]
    var place = 0
    while place < states.count {
      states += panel.states[states[place]].regions.map { panel.regions[$0].initial }
      place += 1
    }
    return states
  }

  /// Whether a transition leads to a state from one in which one of the relays is or can be on.
  private func follows(_ state: Int, oneThatShows relays: [Int]) -> Bool {
    let showing = panel.states.indices.filter { other in
      other != state && relaysOn[other].contains(where: relays.contains)
    }
    let sources = Set(showing.flatMap { tree.chain(from: $0) })
    return sources.contains { source in
      panel.states[source].transitions.contains { transition in
        transition.target.map { entered(with: $0.state).contains(state) } ?? false
      }
    }
  }
}
