import Terminal

/// Checks the statechart as a whole, without recursion, because a file can have a chain of a hundred thousand states.
struct StatechartCheck {
  let panel: PanelDefinition
  let draft: StateDraft
  let problems: ProblemList

  /// Adds a problem for each state that can't be reached from the initial states. States of a region with a wrong
  /// initial state are left out.
  func addUnreachable() {
    var isReached = [Bool](repeating: false, count: panel.states.count)
    var open: [Int] = []
    // Entering a state also enters the states around it, and the initial states inside it.
    func reach(_ state: Int) {
      var state = state
      while !isReached[state] {
        isReached[state] = true
        open.append(state)
        guard panel.states[state].region >= 0 else { return }
        state = panel.regions[panel.states[state].region].owner
      }
    }
    reach(0)
    for never in panel.nevers { if let target = never.transition?.target { reach(target.state) } }
    while let state = open.popLast() {
      for region in panel.states[state].regions where !panel.regions[region].states.isEmpty {
        reach(panel.regions[region].initial)
      }
      let source = panel.states[state]
      let transitions =
        source.on.lazy.flatMap(\.transitions) + source.after.lazy.flatMap(\.transitions) + source.done
        + source.when
      for transition in transitions { if let target = transition.target { reach(target.state) } }
    }
    for (state, isReached) in zip(panel.states.indices, isReached) where !isReached {
      let region = panel.states[state].region
      guard draft.regions[region].hasInitial else { continue }
      let initial = quoted(panel.states[panel.regions[region].initial].name)
      problems.add(
        draft.states[state].position,
        "state \(quoted(panel.states[state].name)) can't be reached from \(initial); add a transition to it")
    }
  }

  /// Adds a note for each event of the top level that a state of a region reacts to as well, if the transition of the
  /// top level doesn't lead to that region. Then both transitions fire.
  ///
  /// - Parameter positions: the positions of the top level's events.
  func noteTopLevel(at positions: [Position]) {
    let regions = panel.states[0].regions
    guard regions.count > 1 else { return }
    let tree = StateTree(panel)
    for (reaction, position) in zip(panel.states[0].on, positions) {
      let reacting = panel.states.indices.dropFirst().first { state in
        panel.states[state].on.contains { $0.event == reaction.event }
      }
      guard let state = reacting else { continue }
      let own = tree.topRegions[state]
      let isAsked = regions.contains { region in
        region != own
          && reaction.transitions.contains { $0.target.map { tree.topRegions[$0.state] == region } ?? true }
      }
      guard isAsked, let region = panel.regions[own].name,
        let deed = reaction.transitions.lazy.compactMap({ deed(of: $0) }).first
      else { continue }
      problems.note(
        position,
        "\(panel.name(of: reaction.event)) also \(deed): the top level reacts in every state of region \(quoted(region)); "
          + "to prevent it write if: state.\(region) != \(panel.states[state].name)")
    }
  }

  /// The effect of a transition as the end of a sentence; nil if it has none.
  private func deed(of transition: PanelDefinition.Transition) -> String? {
    if let target = transition.target { return "leads to \(panel.states[target.state].name)" }
    if let assignment = transition.assignments.first { return "changes \(panel.values[assignment.value].name)" }
    if !transition.play.isEmpty { return "plays a sound" }
    if !transition.send.isEmpty { return "sends a message" }
    return transition.power.map { $0 == .off ? "turns the machine off" : "restarts the machine" }
  }

  /// Adds a note for each `when` that leads to its own state, or to one around it: that state is always current when
  /// the condition is checked.
  func noteWhenToItself() {
    let tree = StateTree(panel)
    for state in panel.states.indices.dropFirst() {
      for transition in panel.states[state].when {
        guard let target = transition.target?.state, tree.chain(from: state).contains(target),
          let position = transition.written.source?.position
        else { continue }
        let name = quoted(panel.states[target].name)
        problems.note(
          position, "never fires: state \(name) is already current here; let \"when\" lead to another state")
      }
    }
  }
}
