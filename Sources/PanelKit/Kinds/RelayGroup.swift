import HardwareDrivers
import PanelLanguage

/// `valves: { relays: [GPIO5, GPIO6, GPIO13] }`: relays with the same settings, `valves(1)` to `valves(3)`. With names,
/// `motor: { relays: { up: GPIO5, down: GPIO6 } }`, they are `motor(up)` and `motor(down)`.
package enum RelayGroup: OutputDeclaration {
  package static let grammar = FieldSet(
    name: "a group of relays", summary: "group of 2 to 32 relays", sample: "valves: { relays: [GPIO5, GPIO6] }",
    keys: [
      Key(
        name: "relays", takes: "a list of 2...32 lines: [GPIO5, GPIO6], or a map of names and lines",
        shape: .oneOf([.list(of: .line, count: 2...32), .map(keys: .name, to: .line, count: 2...32)]),
        meaning: "lines of the relays. With a map, such as `{ up: GPIO5, down: GPIO6 }`, the relays have names instead "
          + "of numbers: `valves(up)`")
    ] + RelayKind.grammar.keys.dropFirst())

  package static var shown: Shape { .group(of: RelayKind.shown) }

  package static func members(reading fields: DeviceFields) -> [any OutputKind]? {
    let active: ActiveLevel = fields.choice("active") ?? .high
    let rest = fields.duration("rest") ?? .zero
    guard let lines = fields.memberLines("relays") else { return nil }
    return lines.map { RelayKind(line: $0, active: active, restTime: rest) }
  }
}
