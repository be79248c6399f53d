import HardwareDrivers
import PanelLanguage

/// `lamps: { leds: [GPIO12, GPIO16, GPIO20] }`: lamps with the same settings, `lamps(1)` to `lamps(3)`. With names,
/// `lights: { leds: { red: GPIO9, green: GPIO11 } }`, they are `lights(red)` and `lights(green)`.
package enum LEDGroup: OutputDeclaration {
  package static let grammar = FieldSet(
    name: "a group of leds", summary: "group of 2 to 32 lamps", sample: "lamps: { leds: [GPIO12, GPIO16] }",
    keys: [
      Key(
        name: "leds", takes: "a list of 2...32 lines: [GPIO12, GPIO16], or a map of names and lines",
        shape: .oneOf([.list(of: .line, count: 2...32), .map(keys: .name, to: .line, count: 2...32)]),
        meaning:
          "lines of the lamps. With a map, such as `{ red: GPIO9, green: GPIO11 }`, the lamps have names instead "
          + "of numbers: `lamps(red)`")
    ]
      + LEDKind.grammar.keys.dropFirst())

  package static var ports: [any Port.Type] { PWMLampKind<LEDKind>.ports }
  package static var shown: Shape { .group(of: LEDKind.shown) }

  package static func members(reading fields: DeviceFields) -> [any OutputKind]? {
    let active: ActiveLevel = fields.choice("active") ?? .high
    let use = PWMUse(reading: fields)
    guard let lines = fields.memberLines("leds"), let use else { return nil }
    return use.kinds(of: lines.map { LEDKind(line: $0, active: active) }, fields)
  }
}
