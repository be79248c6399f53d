import PanelEngine
import PanelLanguage
import Terminal

/// A statechart as a `stateDiagram-v2` of Mermaid.
package struct MermaidText {
  private let panel: PanelDefinition
  private let arrows: [ChartArrow]
  private let ids: ChartIDs
  /// The coverage of scenarios; nil for a picture without colours.
  private let coverage: Coverage?
  private var lines: [String] = []

  package init(_ panel: PanelDefinition, _ arrows: [ChartArrow], coverage: Coverage? = nil) {
    self.panel = panel
    self.arrows = arrows
    self.coverage = coverage
    ids = ChartIDs(of: panel)
  }

  package var text: String {
    var writer = self
    writer.write()
    return writer.lines.map { $0 + "\n" }.joined()
  }

  private mutating func write() {
    lines = ["---", "title: \(JSON.text(panel.name).line)", "---", "stateDiagram-v2"]
    let top = panel.states[0].regions
    if top.count == 1, panel.regions[top[0]].name == nil {
      write(region: top[0], "  ")
    } else {
      // Mermaid allows parallel regions only inside a state, not at the top of a diagram.
      open("  ", ids.top, panel.name)
      write(regions: top, "    ")
      lines.append("  }")
    }
    if arrows.contains(where: { $0.source == 0 }) { declare("  ", ids.anyState, "any state") }
    let tree = StateTree(panel)
    for arrow in arrows where tree.isDrawn(arrow) {
      let source = arrow.source == 0 ? ids.anyState : ids.states[arrow.source]
      let labels = arrow.labels.map {
        label($0.text) + (coverage?.isTaken(at: $0.position) ?? true ? "" : " (never fired)")
      }
      lines.append("  \(source) --> \(ids.states[arrow.target]) : \(labels.joined(separator: "<br/>"))")
    }
    if let coverage { colour(coverage) }
  }

  private mutating func colour(_ coverage: Coverage) {
    let tree = StateTree(panel)
    let states = panel.states.indices.dropFirst().filter(tree.isDrawn)
    for (name, colours, isEntered) in [
      ("entered", "fill:\(CoverageColour.tried.fill),stroke:\(CoverageColour.tried.line),color:#000", true),
      ("never", "fill:\(CoverageColour.untried.fill),stroke:\(CoverageColour.untried.line),color:#000", false),
    ] {
      let members = states.filter { coverage.isEntered($0) == isEntered }.map { ids.states[$0] }
      guard !members.isEmpty else { continue }
      lines.append("  classDef \(name) \(colours)")
      lines.append("  class \(members.joined(separator: ",")) \(name)")
    }
  }

  private mutating func write(regions: [Int], _ indentation: String) {
    for (place, region) in regions.filter(panel.isDrawn).enumerated() {
      if place > 0 { lines.append("\(indentation)--") }
      guard let name = panel.regions[region].name else {
        write(region: region, indentation)
        continue
      }
      open(indentation, ids.regions[region], panel.drawnName(of: region) ?? name)
      write(region: region, indentation + "  ")
      lines.append("\(indentation)}")
    }
  }

  private mutating func write(region: Int, _ indentation: String) {
    lines.append("\(indentation)[*] --> \(ids.states[panel.regions[region].initial])")
    for state in panel.regions[region].states {
      let (id, definition) = (ids.states[state], panel.states[state])
      if definition.regions.isEmpty {
        declare(indentation, id, definition.name)
      } else {
        open(indentation, id, definition.name)
        write(regions: definition.regions, indentation + "  ")
        lines.append("\(indentation)}")
      }
      if definition.isFinal { lines.append("\(indentation)\(id) --> [*]") }
    }
  }

  /// Writes a state's identifier, with its name if the two differ.
  private mutating func declare(_ indentation: String, _ id: String, _ name: String) {
    lines.append(indentation + (id == name ? id : "state \"\(caption(name))\" as \(id)"))
  }

  /// Writes the start of a state with inner states.
  private mutating func open(_ indentation: String, _ id: String, _ name: String) {
    if id != name { declare(indentation, id, name) }
    lines.append("\(indentation)state \(id) {")
  }

  /// Returns a text for use between quotation marks, with `"` replaced by `'`.
  private func caption(_ text: String) -> String { visible(text).map { $0 == "\"" ? "'" : "\($0)" }.joined() }

  /// Returns a text for use after a colon, where a semicolon ends it. Mermaid reads it as HTML, in which `<` before a
  /// letter begins a tag.
  private func label(_ text: String) -> String {
    var label = ""
    for character in visible(text) {
      if label.last == "<", character.isLetter { label += " " }
      label.append(character == ";" ? "," : character)
    }
    return label
  }
}
