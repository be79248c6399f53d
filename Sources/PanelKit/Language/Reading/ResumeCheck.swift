import Terminal

/// Finds states in which a panel must not start, because they move an output that a `never` or an interlock protects.
struct ResumeCheck {
  let panel: PanelDefinition
  let problems: ProblemList

  /// Adds a problem for each state of a `resume`, except the initial one, that shows such an output differently from
  /// `safe`.
  func addMoving() {
    for region in panel.regions {
      for resume in region.resume where resume.state != region.initial {
        guard let (output, reason) = moved(by: resume.state) else { continue }
        let name = panel.outputs[output].name
        problems.add(
          resume.position,
          "\(quoted(panel.states[resume.state].name)) shows \(quoted(name)), which \(reason); a restart must not change it, leave the state out"
        )
      }
    }
  }

  /// Returns the first protected output that a state shows, or a state that is entered with it.
  private func moved(by state: Int) -> (output: Int, reason: String)? {
    guard panel.states.indices.contains(state) else { return nil }
    for show in panel.states[state].show where panel.safe.indices.contains(show.output) {
      guard show.selection != nil || show.appearance != panel.safe[show.output] else { continue }
      if let reason = reason(toKeep: show.output) { return (show.output, reason) }
    }
    return panel.states[state].regions.lazy.compactMap { moved(by: panel.regions[$0].initial) }.first
  }

  /// Returns the reason why an output must not be moved; nil if it may be.
  private func reason(toKeep output: Int) -> String? {
    for never in panel.nevers {
      var asked = Dependencies()
      asked.add(never.condition)
      if asked.outputs.contains(output) { return "is in never \(quoted(never.name))" }
    }
    return panel.interlocks.contains { $0.relays.contains(output) } ? "is in an interlock" : nil
  }
}

/// Reads the previous states in a scenario's `start`: `armed`, or `{ house: armed }`.
package struct ResumedStateReader {
  package let names: Names
  package let problems: ProblemList

  package init(names: Names, problems: ProblemList) {
    (self.names, self.problems) = (names, problems)
  }

  /// Reads the states as kept items by name. Adds a problem and returns none for a wrong state.
  package func numbers(_ field: Field) -> [String: Int] {
    guard let panel = names.panel else { return [:] }
    let resuming = panel.resumptions.map(\.region)
    guard case .map(let entries) = field.node.content else {
      guard resuming.count == 1 else {
        let regions = listed(resuming.map { panel.regions[$0].name ?? "main" })
        problems.add(field.node.position, "there are several regions; name one: { REGION: STATE } of \(regions)")
        return [:]
      }
      return numbers(of: resuming[0], field, panel)
    }
    return entries.reduce(into: [:]) { numbers, entry in
      guard let region = resuming.first(where: { panel.regions[$0].name == entry.key }) else {
        problems.add(
          entry.position,
          "no region \(quoted(entry.key)) with resume; write one of \(listed(resuming.compactMap { panel.regions[$0].name }))"
        )
        return
      }
      let field = Field(key: field.key, position: entry.position, node: entry.value)
      numbers.merge(self.numbers(of: region, field, panel)) { $1 }
    }
  }

  private func numbers(of region: Int, _ field: Field, _ panel: PanelDefinition) -> [String: Int] {
    guard let text = problems.text(field) else { return [:] }
    let all = panel.regions[region].resume.map(\.state) + [panel.regions[region].initial]
    let states = Set(all).sorted().map { panel.states[$0].name }
    guard states.contains(text) else {
      problems.add(field.node.position, "\(quoted(text)) is not in resume; write one of \(listed(states))")
      return [:]
    }
    var numbers: [String: Int] = [:]
    for item in panel.keptItems where item.region == region {
      if case .state(let state, _, _, _) = item.source { numbers[item.name] = panel.states[state].name == text ? 1 : 0 }
    }
    return numbers
  }
}
