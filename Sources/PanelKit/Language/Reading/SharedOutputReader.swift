import Terminal

/// Reads the regions that show an output, and checks that the file orders regions that are current at the same time.
struct SharedOutputReader {
  let names: Names
  let problems: ProblemList
  let panel: PanelDefinition
  private let tree: StateTree
  /// Every place where a state shows an output.
  private let shown: [(output: Int, state: Int, position: Position)]

  init(
    names: Names, problems: ProblemList, panel: PanelDefinition,
    shown: [(output: Int, state: Int, position: Position)]
  ) {
    self.names = names
    self.problems = problems
    self.panel = panel
    self.shown = shown
    tree = StateTree(panel)
  }

  /// The regions in `shown-by`, by output.
  ///
  /// - Parameter fields: the fields with their outputs. The outputs of a group have one together.
  func regions(_ fields: [(outputs: Range<Int>, field: Field)]) -> [Int: [Int]] {
    // A state that could not be read may show the output.
    let isComplete = problems.count == 0
    var result: [Int: [Int]] = [:]
    for (outputs, field) in fields {
      guard let items = problems.items(field) else { continue }
      if items.isEmpty { problems.add(field.position, "\"shown-by\" is empty; it takes \(field.key.takes)") }
      var regions: [Int] = []
      for item in items {
        guard names.regions.contains(where: { $0.name != nil }) else {
          problems.add(item.position, "this file has no regions; leave shown-by out")
          break
        }
        guard let name = problems.text(item, in: field), let region = names.region(name, at: item.position, problems)
        else { continue }
        if regions.contains(region) {
          problems.add(item.position, "\(quoted(name)) is in the list twice; write it once")
        } else if isComplete, !shown.contains(where: { outputs.contains($0.output) && isIn(region, $0.state) }) {
          problems.add(
            item.position,
            "region \(quoted(name)) doesn't show \(quoted(self.name(of: outputs.lowerBound))); leave it out")
        }
        regions.append(region)
      }
      for output in outputs { result[output] = regions }
    }
    return result
  }

  /// The name of an output in the file; for a member of a group, the group's name.
  private func name(of output: Int) -> String {
    names.outputGroups.first { $0.members.contains(output) }?.name ?? names.outputs[output]
  }

  private func isIn(_ region: Int, _ state: Int) -> Bool {
    tree.chain(from: state).contains { panel.states[$0].region == region }
  }

  /// Adds a problem for each region that shows the same output as another one, unless the output's `shown-by` lists
  /// both. Without it, their order isn't defined.
  func addUnordered(_ shownBy: [Int: [Int]]) {
    var others: [Int: [(state: Int, line: Int)]] = [:]
    // A group is reported once, not for each of its outputs.
    var told: Set<Position> = []
    for (output, state, position) in shown {
      let listed = shownBy[output] ?? []
      let rival = (others[output] ?? []).lazy.compactMap { other -> (own: Int, other: Int, line: Int)? in
        guard let region = tree.parallelRegion(of: other.state, beside: state),
          let own = tree.parallelRegion(of: state, beside: other.state),
          !isListed(listed, state, below: own) || !isListed(listed, other.state, below: region)
        else { return nil }
        return (own, region, other.line)
      }.first
      if let rival {
        if told.insert(position).inserted { addUnordered(output, at: position, rival, listed) }
      } else if others[output]?.contains(where: { panel.states[$0.state].region == panel.states[state].region }) != true
      {
        // One state of each region is enough, because all its states are beside the same regions.
        others[output, default: []].append((state, position.line))
      }
    }
  }

  /// Whether the list contains a region around the state: a given one, or one inside it.
  private func isListed(_ listed: [Int], _ state: Int, below region: Int) -> Bool {
    var inner = panel.states[state].region
    while inner != region {
      if listed.contains(inner) { return true }
      inner = panel.states[panel.regions[inner].owner].region
    }
    return listed.contains(region)
  }

  private func addUnordered(
    _ output: Int, at position: Position, _ rival: (own: Int, other: Int, line: Int), _ listed: [Int]
  ) {
    let name = quoted(name(of: output))
    let siblings = panel.states[panel.regions[rival.own].owner].regions.filter { region in
      shown.contains { $0.output == output && isIn(region, $0.state) }
    }
    let list = (listed + siblings.filter { !listed.contains($0) }).compactMap { panel.regions[$0].name }
    let other = quoted(panel.regions[rival.other].name ?? "")
    problems.add(
      position,
      "output \(name) is already shown by region \(other) on line \(rival.line); show it in one region, or give \(name) "
        + "shown-by: [\(list.joined(separator: ", "))] (the first one that shows it wins)")
  }
}
