import Terminal

/// Finds states that are over before the interlock lets a relay close that they show on.
struct ShortStateCheck {
  private let panel: PanelDefinition
  private let problems: ProblemList
  private let tree: StateTree

  init(panel: PanelDefinition, problems: ProblemList) {
    self.panel = panel
    self.problems = problems
    tree = StateTree(panel)
  }

  /// Adds a note for each such state that follows one that shows another relay of the interlock on.
  func addNotes() {
    for interlock in panel.interlocks where interlock.pause > .zero {
      for state in panel.states.indices.dropFirst() { addNotes(for: state, interlock) }
    }
  }

  private func addNotes(for state: Int, _ interlock: PanelDefinition.Interlock) {
    guard let (deadline, transition) = end(of: state, within: interlock.pause),
      let position = transition.written.source?.position
    else { return }
    for relay in interlock.relays where shows(relay, in: state) {
      let others = interlock.relays.filter { $0 != relay }
      guard let target = transition.target?.state, !entered(with: target).contains(where: { shows(relay, in: $0) }),
        follows(state, oneThatShows: others)
      else { continue }
      problems.note(
        position,
        "relay \(quoted(panel.outputs[relay].name)) may never close in \(quoted(panel.states[state].name)): the state lasts "
          + "\(deadline.delay.text(in: panel)), the interlock pauses for \(Quantity.text(interlock.pause)); make the state longer"
      )
    }
  }

  /// What ends a state for certain by the end of a span; nil if nothing does.
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

  /// Whether a relay is on in a state, by what it shows itself or a state around it.
  private func shows(_ relay: Int, in state: Int) -> Bool {
    for outer in tree.chain(from: state) {
      if let show = panel.states[outer].show.first(where: { $0.output == relay }) { return show.appearance == .on }
    }
    return false
  }

  /// The states that are entered with a state: itself, and the initial ones inside it.
  private func entered(with state: Int) -> [Int] {
    var states = [state]
    var place = 0
    while place < states.count {
      states += panel.states[states[place]].regions.map { panel.regions[$0].initial }
      place += 1
    }
    return states
  }

  /// Whether a transition leads to a state from one in which one of the relays is on, or can be.
  private func follows(_ state: Int, oneThatShows relays: [Int]) -> Bool {
    let showing = panel.states.indices.filter { other in other != state && relays.contains { shows($0, in: other) } }
    let sources = Set(showing.flatMap { tree.chain(from: $0) })
    return sources.contains { source in
      panel.states[source].transitions.contains { transition in
        transition.target.map { entered(with: $0.state).contains(state) } ?? false
      }
    }
  }
}
