import PanelKinds

/// `signs: { colour-lamps: [GPIO17, GPIO27, GPIO22, GPIO23, GPIO24, GPIO25] }`: colour lamps with the same settings, `signs(1)`
/// and `signs(2)`. They show the same, or `{ only: room, as: red }`, where `room` is a value of the panel.
public enum ColourLampGroup: OutputDeclaration {
  public static let grammar = FieldSet(
    name: "a group of colour lamps", summary: "group of 2 to 16 lamps of three colours, at three lines each",
    sample: "signs: { colour-lamps: [GPIO17, GPIO27, GPIO22, GPIO23, GPIO24, GPIO25] }",
    keys: [
      Key(
        name: "colour-lamps",
        takes: "a list of three lines for each lamp: [GPIO17, GPIO27, GPIO22, GPIO23, GPIO24, GPIO25]",
        shape: .list(of: .line, count: 6...48)),
      ActiveLevel.key,
    ])

  public static var shown: Shape { .group(of: ColourLampKind.shown) }

  public static func members(reading fields: DeviceFields) -> [any OutputKind]? {
    guard let lines = fields.lines("colour-lamps") else { return nil }
    guard lines.count.isMultiple(of: 3) else {
      fields.addProblem(
        at: "colour-lamps", "\(lines.count) lines are not three for each lamp; write red, green and blue of each")
      return nil
    }
    return stride(from: 0, to: lines.count, by: 3).map {
      ColourLampKind(lines: Array(lines[$0..<$0 + 3]), active: fields.choice("active") ?? .high)
    }
  }
}
