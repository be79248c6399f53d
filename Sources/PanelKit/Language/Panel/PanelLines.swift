extension PanelDefinition {
  /// The number of a line's chip in `chips`; nil for the panel's own chip.
  package func chip(ofLine line: String) -> Int? {
    guard let name = LineUsers.chipName(of: line) else { return nil }
    return chips.firstIndex { $0.name == name }
  }

  /// The number of a device's chip; nil for the panel's own chip, and for a device without lines.
  package func chip(of device: any DeviceKind) -> Int? { device.lines.first.flatMap { chip(ofLine: $0) } }

  /// All lines on a chip, each once: keys of a keypad share lines.
  package func lines(on chip: Int?) -> [String] {
    var found: Set<String> = []
    let all = inputs.flatMap(\.device.lines) + outputs.flatMap(\.device.lines) + chips.flatMap(\.kind.lines)
    return all.filter { self.chip(ofLine: $0) == chip && found.insert($0).inserted }
  }
}
