import PanelEngine
import PanelLanguage
import Terminal

/// A statechart in the Graphviz language, for `dot`.
package struct GraphvizText {
  private let panel: PanelDefinition
  private let arrows: [ChartArrow]
  private let tree: StateTree
  /// The coverage of scenarios; nil for a picture without colours.
  private let coverage: Coverage?
  private var lines: [String] = []

  package init(_ panel: PanelDefinition, _ arrows: [ChartArrow], coverage: Coverage? = nil) {
    self.panel = panel
    self.arrows = arrows
    self.coverage = coverage
    tree = StateTree(panel)
  }

  package var text: String {
    var writer = self
    writer.write()
    return writer.lines.map { $0 + "\n" }.joined()
  }

  private mutating func write() {
    lines = [
      "digraph \(quoted(panel.name)) {",
      "  label=\(quoted(panel.name)); labelloc=t; compound=true; rankdir=TB; nodesep=0.4; ranksep=0.6;",
      "  graph [fontname=\"Helvetica\", fontsize=12, style=rounded];",
      "  node [fontname=\"Helvetica\", fontsize=12, shape=box, style=rounded, height=0.35];",
      "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];",
    ]
    write(regions: panel.states[0].regions, "  ")
    if arrows.contains(where: { $0.source == 0 }) {
      lines.append("  any [label=\"any state\", style=\"rounded,dashed\"];")
    }
    for arrow in arrows where tree.isDrawn(arrow) { write(arrow) }
    lines.append("}")
  }

  private mutating func write(regions: [Int], _ indentation: String) {
    for region in regions where panel.isDrawn(region) {
      guard let name = panel.regions[region].name else {
        write(region: region, indentation)
        continue
      }
      lines.append("\(indentation)subgraph cluster_region\(region) {")
      lines.append("\(indentation)  label=\(quoted(panel.drawnName(of: region) ?? name)); style=\"rounded,dashed\";")
      write(region: region, indentation + "  ")
      lines.append("\(indentation)}")
    }
  }

  private mutating func write(region: Int, _ indentation: String) {
    lines.append("\(indentation)begin\(region) [shape=point, width=0.12, label=\"\"];")
    for state in panel.regions[region].states {
      let definition = panel.states[state]
      guard definition.regions.isEmpty else {
        lines.append("\(indentation)subgraph cluster_state\(state) {")
        let colour = colour(of: state).map { " color=\"\($0.line)\"; fontcolor=\"\($0.line)\";" } ?? ""
        lines.append("\(indentation)  label=\(quoted(definition.name)); style=rounded;\(colour)")
        write(regions: definition.regions, indentation + "  ")
        lines.append("\(indentation)}")
        continue
      }
      let border = definition.isFinal ? ", peripheries=2" : ""
      let colour =
        colour(of: state).map { ", style=\"rounded,filled\", color=\"\($0.line)\", fillcolor=\"\($0.fill)\"" } ?? ""
      lines.append("\(indentation)state\(state) [label=\(quoted(definition.name))\(border)\(colour)];")
    }
    let initial = panel.regions[region].initial
    lines.append("\(indentation)begin\(region) -> \(node(of: initial))\(attributes([head(at: initial, from: nil)]));")
  }

  private mutating func write(_ arrow: ChartArrow) {
    let source = arrow.source == 0 ? "any" : node(of: arrow.source)
    let labels = arrow.labels.map { label in label.text + (isTaken(label) ? "" : " (never fired)") }
    let colour = coverage.map { _ in arrow.labels.contains { isTaken($0) } ? CoverageColour.tried : .untried }
    let attributes = attributes([
      "label=\(quoted(labels))", colour.map { "color=\"\($0.line)\", fontcolor=\"\($0.line)\"" },
      arrow.source == 0 ? nil : tail(at: arrow.source, to: arrow.target),
      head(at: arrow.target, from: arrow.source),
    ])
    lines.append("  \(source) -> \(node(of: arrow.target))\(attributes);")
  }

  private func isTaken(_ label: ChartArrow.Label) -> Bool { coverage?.isTaken(at: label.position) ?? true }

  private func colour(of state: Int) -> CoverageColour? { coverage.map { $0.isEntered(state) ? .tried : .untried } }

  private func attributes(_ attributes: [String?]) -> String {
    let given = attributes.compactMap(\.self)
    return given.isEmpty ? "" : " [\(given.joined(separator: ", "))]"
  }

  /// Returns the node for the edges of a state. A state with inner states uses the start of its first region.
  private func node(of state: Int) -> String {
    panel.states[state].regions.first.map { "begin\($0)" } ?? "state\(state)"
  }

  /// Returns the attribute that ends an edge at the border of a state with inner states; nil if the edge starts inside
  /// it.
  private func head(at state: Int, from source: Int?) -> String? { border("lhead", state, source) }

  private func tail(at state: Int, to target: Int) -> String? { border("ltail", state, target) }

  private func border(_ attribute: String, _ state: Int, _ other: Int?) -> String? {
    guard !panel.states[state].regions.isEmpty else { return nil }
    if let other, tree.chain(from: other).contains(state) { return nil }
    return "\(attribute)=cluster_state\(state)"
  }

  private func quoted(_ text: String) -> String { quoted([text]) }

  /// Quotes several lines of text.
  private func quoted(_ lines: [String]) -> String {
    let escaped = lines.map { visible($0).map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() }
    return "\"\(escaped.joined(separator: "\\n"))\""
  }
}
