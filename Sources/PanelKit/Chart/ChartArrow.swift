import PanelLanguage

/// The transitions from one state to another, drawn as one arrow of the statechart.
package struct ChartArrow: Equatable {
  /// The numbers of the states in the panel. The source is 0 for a top-level transition, which applies in every state.
  var source: Int
  var target: Int
  var labels: [Label]

  /// A transition's trigger and condition, as they are written: `bell.pressed [level >= 3]`, `after 3s`, `when top ==
  /// on`.
  struct Label: Equatable {
    var text: String
    /// The position of the transition in the file.
    var position: Position
  }
}

extension PanelDefinition {
  /// Whether a region is drawn. Of the regions that a region with `each` stands for, only the first one is.
  func isDrawn(_ region: Int) -> Bool { regions[region].repeated.map { $0.number == $0.numbers.lowerBound } ?? true }

  /// The name of a region in a picture: `point(1..3)` for all that a region with `each` stands for.
  func drawnName(of region: Int) -> String? {
    guard let repeated = regions[region].repeated, let name = regions[region].name,
      let open = name.firstIndex(of: "(")
    else { return regions[region].name }
    return "\(name[..<open])(\(repeated.numbers.lowerBound)..\(repeated.numbers.upperBound))"
  }
}

extension StateTree {
  func isDrawn(_ state: Int) -> Bool {
    chain(from: state).allSatisfy { $0 == 0 || panel.isDrawn(panel.states[$0].region) }
  }

  func isDrawn(_ arrow: ChartArrow) -> Bool { isDrawn(arrow.source) && isDrawn(arrow.target) }
}

/// Reads the arrows from the text of a correct panel file, so that a picture shows conditions as their author wrote
/// them.
package struct ChartReader {
  private let panel: PanelDefinition
  private let names: Names
  /// Required by the readers; stays empty.
  private let problems = ProblemList()

  package init(of panel: PanelDefinition) {
    self.panel = panel
    names = Names(panel)
  }

  /// Returns the arrows in the order of the file.
  package func arrows(_ root: YAMLNode) -> [ChartArrow] {
    guard let fields = problems.fields(root, Grammar.panel, at: .start) else { return [] }
    var collector = StateCollector(names: names, problems: problems)
    collector.collect(fields)
    return collector.draft.states.enumerated().flatMap { state, draft in
      joined((state == 0 ? fields : draft.fields).map { arrows(from: state, $0) } ?? [])
    }
  }

  /// Joins the arrows that have the same target.
  private func joined(_ arrows: [ChartArrow]) -> [ChartArrow] {
    var places: [Int: Int] = [:]
    var joined: [ChartArrow] = []
    for arrow in arrows {
      if let place = places[arrow.target] {
        joined[place].labels += arrow.labels
      } else {
        places[arrow.target] = joined.count
        joined.append(arrow)
      }
    }
    return joined
  }

  private func arrows(from state: Int, _ fields: Fields) -> [ChartArrow] {
    fields.all.flatMap { field -> [ChartArrow] in
      switch field.key.name {
      case "on": entries(field).flatMap { arrows(from: state, $0.key, $0.value, at: $0.position) }
      case "after", "every", "untouched", "at", "when":
        entries(field).flatMap { arrows(from: state, "\(field.key.name) \($0.key)", $0.value, at: $0.position) }
      case "done": arrows(from: state, "done", field.node, at: field.position)
      default: []
      }
    }
  }

  private func entries(_ field: Field) -> [YAMLNode.Entry] { problems.entries(field) }

  private func arrows(
    from state: Int, _ trigger: String, _ node: YAMLNode, at position: Position
  ) -> [ChartArrow] {
    switch node.content {
    case .scalar(let name):
      return arrow(from: state, to: name, .init(text: trigger, position: position)).map { [$0] } ?? []
    case .list(let nodes): return nodes.flatMap { arrows(from: state, trigger, $0, at: $0.position) }
    case .map:
      guard let fields = problems.fields(node, Grammar.transition, at: node.position),
        let name = problems.text(fields["go"] ?? fields["resume"])
      else { return [] }
      let condition = problems.text(fields["if"]).map { " [\($0)]" } ?? ""
      let resumes = fields["resume"] == nil ? "" : ", as it was left"
      let label = ChartArrow.Label(text: trigger + condition + resumes, position: position)
      return arrow(from: state, to: name, label).map { [$0] } ?? []
    case .nothing, .refused: return []
    }
  }

  private func arrow(from state: Int, to name: String, _ label: ChartArrow.Label) -> ChartArrow? {
    let target =
      if state == 0 {
        names.state(name, at: .start, problems)
      } else {
        names.state(name, in: names.topRegions[state], at: .start, problems)
      }
    return target.map { ChartArrow(source: state, target: $0.state, labels: [label]) }
  }
}
