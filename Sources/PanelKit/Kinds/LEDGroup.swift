import HardwareDrivers
import PanelLanguage

/// `lamps: { leds: [GPIO12, GPIO16, GPIO20] }`: lamps with the same settings, `lamps(1)` to `lamps(3)`.
package enum LEDGroup: OutputDeclaration {
  package static let grammar = FieldSet(
    name: "a group of leds", summary: "group of 2 to 32 lamps", sample: "lamps: { leds: [GPIO12, GPIO16] }",
    keys: [Key(name: "leds", takes: "a list of 2...32 lines: [GPIO12, GPIO16]", shape: .list(of: .line, count: 2...32))]
      + LEDKind.grammar.keys.dropFirst())

  package static var ports: [any Port.Type] { PWMLampKind<LEDKind>.ports }
  package static var shown: Shape { .group(of: LEDKind.shown) }

  package static func members(reading fields: DeviceFields) -> [any OutputKind]? {
    let active: ActiveLevel = fields.choice("active") ?? .high
    let use = PWMUse(reading: fields)
    guard let lines = fields.lines("leds"), let use else { return nil }
    return use.kinds(of: lines.map { LEDKind(line: $0, active: active) }, fields)
  }
}
