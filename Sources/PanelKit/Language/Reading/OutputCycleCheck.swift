import Terminal

/// Finds outputs whose look depends on itself: by a condition on the output, or on another one that depends on it.
struct OutputCycleCheck {
  let panel: PanelDefinition
  let problems: ProblemList

  /// Adds a problem for each output of a cycle, at the first place whose condition is part of it.
  ///
  /// - Parameter shown: every place where a state shows an output.
  func addCycles(_ shown: [(output: Int, state: Int, position: Position)]) {
    // Most panels have none.
    guard panel.states.contains(where: { $0.show.contains { $0.rule.readsOutputs } }) else { return }
    let conditional = shown.compactMap { place -> (output: Int, checked: Set<Int>, position: Position)? in
      let checked = checked(by: place.output, in: place.state)
      return checked.isEmpty ? nil : (place.output, checked, place.position)
    }
    let next = Dictionary(conditional.map { ($0.output, $0.checked) }) { $0.union($1) }
    var told: Set<Int> = []
    for (output, checked, position) in conditional where !told.contains(output) {
      var reached: Set<Int> = []
      var open = checked
      while let other = open.popFirst() {
        if reached.insert(other).inserted { open.formUnion(next[other] ?? []) }
      }
      guard reached.contains(output) else { continue }
      told.insert(output)
      let name = quoted(panel.outputs[output].name)
      problems.add(
        position, "the look of \(name) depends on what \(name) shows; use the state, or a value, in the condition")
    }
  }

  /// The outputs that the conditions of an output check in a state.
  private func checked(by output: Int, in state: Int) -> Set<Int> {
    var asked = Dependencies()
    for show in panel.states[state].show where show.output == output {
      for condition in show.rule.conditions { asked.add(condition) }
    }
    return asked.outputs
  }
}
