/// The identifiers of states and regions in the text of a picture: their names as far as the language allows, each used once.
struct ChartIDs {
  private(set) var states: [String] = []
  /// Of regions with a name; empty text for others.
  private(set) var regions: [String] = []
  /// Of the node that transitions of the top level begin at.
  private(set) var anyState = ""
  /// Of the box around several regions of the top level.
  private(set) var top = ""

  private var used: Set<String> = []

  /// Words with a meaning of their own in Mermaid's state diagrams, and its name of the whole diagram.
  private static let reserved: Set = [
    "accdescr", "acctitle", "class", "classdef", "click", "default", "direction", "end", "hide", "href", "note", "root",
    "scale", "state", "style",
  ]

  init(of panel: PanelDefinition) {
    states = panel.states.map { $0.name.isEmpty ? "" : id($0.name) }
    regions = panel.regions.map { $0.name.map { id($0) } ?? "" }
    anyState = id("any")
    top = id("panel")
  }

  /// Mermaid ends a name at a hyphen, and makes names of its own with one `_`: these have two.
  private mutating func id(_ name: String) -> String {
    let base = name.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "__")
    var id = Self.reserved.contains(base.lowercased()) ? base + "__" : base
    var number = 2
    while !used.insert(id.lowercased()).inserted {
      id = "\(base)__\(number)"
      number += 1
    }
    return id
  }
}
