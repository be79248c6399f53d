/// The nesting of states, computed once because a statechart's rules need it at every event.
package struct StateTree: Sendable {
  package let panel: PanelDefinition
  /// The state around each state; 0 for a state of the top level, and for the top level itself.
  package let parents: [Int]
  /// The region of the top level that contains each state; -1 for the top level itself.
  package let topRegions: [Int]

  package init(_ panel: PanelDefinition) {
    self.panel = panel
    let parents = panel.states.map { $0.region < 0 ? 0 : panel.regions[$0.region].owner }
    var topRegions: [Int] = []
    // A state comes after the state around it.
    for (state, parent) in zip(panel.states, parents) {
      topRegions.append(parent == 0 ? state.region : topRegions[parent])
    }
    self.parents = parents
    self.topRegions = topRegions
  }

  /// A state and all states around it, the innermost first, the top level last.
  package func chain(from state: Int) -> [Int] {
    var chain = [state]
    while let last = chain.last, last != 0 { chain.append(parents[last]) }
    return chain
  }

  /// The region in which a transition leaves a state: the innermost one that contains its source and its target. A
  /// transition to a state inside its source does not leave the source. A transition to the source itself, or to a
  /// state around it, leaves that state.
  package func domain(from source: Int, to target: Int) -> Int {
    if source == target { return panel.states[target].region }
    let targets = chain(from: target)
    for state in chain(from: source) {
      if state == target { return panel.states[target].region }
      if let place = targets.firstIndex(of: state) { return panel.states[targets[place - 1]].region }
    }
    preconditionFailure("the top level is around every state")
  }

  /// The states on the path from a region to a state inside it, the outermost first.
  package func path(to state: Int, below region: Int) -> [Int] {
    var path = [state]
    while let last = path.last, panel.states[last].region != region { path.append(parents[last]) }
    return path.reversed()
  }

  /// The region around a state that is parallel to a region around another state, both inside one state. Nil if one
  /// state contains the other, or if both are in one region there.
  func parallelRegion(of state: Int, beside other: Int) -> Int? {
    let others = Set(chain(from: other))
    var last = state
    for outer in chain(from: state) {
      guard others.contains(outer) else {
        last = outer
        continue
      }
      guard outer != state, let beside = chain(from: other).first(where: { parents[$0] == outer && $0 != 0 }) else {
        return nil
      }
      let (one, two) = (panel.states[last].region, panel.states[beside].region)
      return one == two ? nil : one
    }
    return nil
  }

  /// The data of a transition that conflicts depend on: its source state, and the state that it leaves; -1 for none.
  package struct Leaving {
    package var source: Int
    package var state: Int

    package init(source: Int, state: Int) {
      (self.source, self.state) = (source, state)
    }
  }

  /// The places of the transitions that are taken. Of two transitions that would leave the same state, the one of the
  /// inner source is taken, or else the first one.
  package func withoutConflicts(_ chosen: [Leaving]) -> [Int] {
    var kept: [Int] = []
    for (place, one) in chosen.enumerated() {
      let rivals = kept.filter { other in
        one.state >= 0 && chosen[other].state >= 0
          && (contains(one.state, chosen[other].state) || contains(chosen[other].state, one.state))
      }
      let isInner = rivals.allSatisfy { chosen[$0].source != one.source && contains(chosen[$0].source, one.source) }
      guard isInner else { continue }
      kept.removeAll { rivals.contains($0) }
      kept.append(place)
    }
    return kept
  }

  /// Whether a state is the same as another one, or around it.
  private func contains(_ outer: Int, _ inner: Int) -> Bool { chain(from: inner).contains(outer) }
}
