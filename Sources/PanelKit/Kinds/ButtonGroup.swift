import PanelLanguage

/// `pad: { buttons: [GPIO5, GPIO6, GPIO13] }`: buttons with the same settings, `pad(1)` to `pad(3)`. `pad` is the
/// number of the button that emitted the last event.
package enum ButtonGroup: InputDeclaration {
  package static let grammar = FieldSet(
    name: "a group of buttons", summary: "group of 2 to 16 buttons", sample: "pad: { buttons: [GPIO5, GPIO6] }",
    keys: [
      Key(name: "buttons", takes: "a list of 2...16 lines: [GPIO5, GPIO6]", shape: .list(of: .line, count: 2...16))
    ] + ButtonKind.grammar.keys.dropFirst())

  package static func members(reading fields: DeviceFields) -> [any InputKind]? {
    let settings = ButtonKind.Settings(reading: fields)
    guard let lines = fields.lines("buttons") else { return nil }
    for line in lines { fields.notePullDown(at: line) }
    return lines.map { ButtonKind(line: $0, settings: settings) }
  }
}
