import PanelLanguage

/// The choice of transitions: each innermost current state is checked, then the states around it.
extension PanelRules {
  /// Chooses a transition for each innermost current state, or for the states around it if it has none. All choices are
  /// made before any transition is applied, so all conditions see the same frame.
  ///
  /// - Parameters:
  ///   - regions: the regions that may have a transition, as places in the table's ``TransitionTable/hearingRegions``;
  ///     nil for all.
  ///   - answer: the transition of a state.
  /// - Returns: nil if there is none; `all` is nil if there is only one.
  @inline(__always)
  func chooseForAll(
    _ regions: Range<Int>?, in frame: PanelFrame, _ answer: (_ state: Int, _ frame: PanelFrame) -> Int?
  ) -> (first: Int, all: [Int]?)? {
    var first: Int?
    var others: [Int]?
    for place in regions ?? panel.regions.indices {
      let region = regions == nil ? place : table.hearingRegions[place]
      let leaf = frame[state: region]
      guard leaf >= 0, !isNested || panel.states[leaf].regions.isEmpty,
        let choice = choose(from: leaf, in: frame, answer), choice != first, others?.contains(choice) != true
      else { continue }
      if first == nil { first = choice } else if others?.append(choice) == nil { others = [choice] }
    }
    guard let first else { return nil }
    guard let others else { return (first, nil) }
    return (first, withoutConflicts([first] + others, in: frame))
  }

  /// The transition of an innermost state, or of the states around it. A transition of the top level with a target
  /// applies only to the region that contains the target.
  @inline(__always)
  private func choose(
    from leaf: Int, in frame: PanelFrame, _ answer: (_ state: Int, _ frame: PanelFrame) -> Int?
  ) -> Int? {
    var state = leaf
    while state > 0 {
      if let choice = answer(state, frame) { return choice }
      state = isNested ? tree.parents[state] : 0
    }
    guard let choice = answer(0, frame) else { return nil }
    if let target = table.targets[choice], tree.topRegions[target.state] != tree.topRegions[leaf] {
      return nil
    }
    return choice
  }

  /// The first transition by `when` of a state whose condition holds. A transition to a state that is already current
  /// is excluded, because it would be taken endlessly.
  func chooseWhen(of state: Int, in frame: PanelFrame) -> Int? {
    table.byWhen[state].first { index in
      guard let target = table.targets[index], !tree.isCurrent(target.state, in: frame) else { return false }
      return holds(index, in: frame)
    }
  }

  /// The first of these transitions that the event triggers and whose condition holds.
  // Inlined: a call would copy the inout frame, which is needed only for the few transitions that have a condition.
  @inline(__always)
  func choose(_ event: Int32, among candidates: Range<Int>, in frame: PanelFrame) -> Int? {
    for index in candidates where table.triggers[index] == event {
      if holds(index, in: frame) { return index }
    }
    return nil
  }

  /// Whether the condition of a transition holds, if it has one.
  @inline(__always)
  private func holds(_ transition: Int, in frame: PanelFrame) -> Bool {
    guard let condition = table.conditions[transition] else { return true }
    if let recorder, recorder.countsConditions {
      recorder.ask(table.transitions[transition], number: transition, in: frame)
    }
    return condition.holds(in: frame)
  }

  /// The first of these transitions that the event of a member, or the event of its group, triggers and whose condition
  /// holds.
  func choose(
    _ event: Int32, or wide: Int32, among candidates: Range<Int>, in frame: PanelFrame
  ) -> Int? {
    candidates.first { index in
      guard table.triggers[index] == event || table.triggers[index] == wide else { return false }
      return holds(index, in: frame)
    }
  }

  private func withoutConflicts(_ chosen: [Int], in frame: PanelFrame) -> [Int] {
    guard isNested else { return chosen }
    let leavings = chosen.map { transition in
      StateTree.Leaving(
        source: table.sources[transition],
        state: table.domains[transition] < 0 ? -1 : frame[state: table.domains[transition]])
    }
    return tree.withoutConflicts(leavings).map { chosen[$0] }
  }
}
