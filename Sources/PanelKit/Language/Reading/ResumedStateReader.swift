import Terminal

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
