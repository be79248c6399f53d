import Terminal

/// Checks of the statechart as a whole. Written without recursion, because a file can have a chain of a hundred
/// thousand states.
struct Reachability {
  let panel: PanelDefinition
  let problems: ProblemList

  /// Adds a problem for each state of a region that can't be reached from the initial one. `positions` are those of the
  /// states.
  func addUnreachable(region: Int, positions: [Position]) {
    let states = panel.regions[region].states
    var isReached = [Bool](repeating: false, count: states.count)
    var open: [Int] = []
    func reach(_ target: PanelDefinition.Target?) {
      guard let target, target.region == region, !isReached[target.state] else { return }
      isReached[target.state] = true
      open.append(target.state)
    }
    reach(.init(region: region, state: panel.regions[region].initial))
    for reaction in panel.on { for transition in reaction.transitions { reach(transition.target) } }
    while let state = open.popLast() {
      for reaction in states[state].on { for transition in reaction.transitions { reach(transition.target) } }
      for deadline in states[state].after { for transition in deadline.transitions { reach(transition.target) } }
    }
    let initial = quoted(states[panel.regions[region].initial].name)
    for (state, isReached) in zip(states.indices, isReached) where !isReached {
      problems.add(
        positions[state], "state \(quoted(states[state].name)) can't be reached from \(initial); add a transition to it"
      )
    }
  }

  /// Adds a problem for each circle of states that follow each other for ever without time passing.
  func addEndless(region: Int, positions: [Position]) {
    let states = panel.regions[region].states
    // The state that follows each state after 0s in any case: by its first transition without a condition.
    let next = states.map { state -> Int? in
      guard let now = state.after.first(where: { $0.delay == .zero }) else { return nil }
      return now.transitions.first { $0.condition == nil }?.target?.state
    }
    var visitedFrom = [Int?](repeating: nil, count: states.count)
    for start in states.indices where visitedFrom[start] == nil {
      var state = start
      while visitedFrom[state] == nil {
        visitedFrom[state] = start
        guard let following = next[state] else { break }
        state = following
      }
      // A walk that came back to one of its own states has closed a circle; one that ended at a state without a
      // successor, or met an earlier walk, has not.
      guard visitedFrom[state] == start, next[state] != nil else { continue }
      addEndless(from: state, next, positions)
    }

    func addEndless(from state: Int, _ next: [Int?], _ positions: [Position]) {
      var circle = [state]
      while let following = next[circle[circle.count - 1]], following != state { circle.append(following) }
      let first = circle.min() ?? state
      let names = circle.map { states[$0].name }
      problems.add(
        positions[first], "after 0s without end: \(listed(names)); give one of these states a duration above 0s")
    }
  }
}
