import PanelLanguage

/// The identifiers of states and regions in the text of a picture: their names as far as the language allows, without
/// duplicates.
struct ChartIDs {
  private(set) var states: [String] = []
  /// The identifiers of the regions; empty for a region without a name.
  private(set) var regions: [String] = []
  /// The identifier of the node at which top-level transitions begin.
  private(set) var anyState = ""
  /// The identifier of the box around several top-level regions.
  private(set) var top = ""

  private var used: Set<String> = []

  /// The keywords of Mermaid's state diagrams, and its name of the whole diagram.
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

  /// Returns an unused identifier. Mermaid ends a name at a hyphen, and uses one `_` in its own names: these have two.
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
