import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `screen: { display: { i2c: 0x27 }, size: 16x2 }`: a character display on an I²C board, or on lines: `{ display: {
/// rs: GPIO25, e: GPIO24, data: [GPIO23, GPIO17, GPIO27, GPIO22] } }`.
package enum DisplayDeclaration: OutputDeclaration {
  package static let grammar = FieldSet(
    name: "a display", summary: "character display with an HD44780", sample: "screen: { display: { i2c: 0x27 } }",
    keys: [
      Key(
        name: "display", takes: "its connection: { i2c: 0x27 }, or { rs: LINE, e: LINE, data: [ 4 lines ] }",
        shape: .oneOf([.fields(I2CDisplayKind.place), .fields(LineDisplayKind.place)]),
        meaning:
          "connection of the display. On I²C, write the address: `{ i2c: 0x27 }`. Without I²C, write the lines of the "
          + "display: `{ rs: GPIO25, e: GPIO24, data: [GPIO23, GPIO17, GPIO27, GPIO22] }`"),
      Key(
        name: "size", takes: "columns and rows: 16x2", shape: .words(DisplaySettings.sizes.map(\.name)),
        usual: "`16x2`", meaning: "columns and rows"),
      Key(
        name: "characters", takes: "japanese or european", shape: .choice(DisplaySettings.Characters.self),
        usual: "`japanese`", meaning: "character set of the display's controller"),
    ])
  package static let isGroup = false
  package static var ports: [any Port.Type] { I2CDisplayKind.ports }
  package static var shown: Shape { shown(rows: 4) }

  /// The shape of the rows of a display.
  static func shown(rows: Int) -> Shape { .oneOf([.words(["off"]), .text, .list(of: .part(.row), count: 1...rows)]) }

  package static func members(reading fields: DeviceFields) -> [any OutputKind]? {
    guard case .map(let entries)? = fields["display"]?.node.content else {
      if let field = fields["display"] { fields.problems.addWrong(field) }
      return nil
    }
    let known = I2CDisplayKind.place.keys.map(\.name) + LineDisplayKind.place.keys.map(\.name)
    if let first = entries.first, entries.allSatisfy({ !known.contains($0.key) }),
      nearest(to: first.key, among: known) == nil
    {
      let remedy =
        KindAdvice.of(first, .display)
        ?? "only displays with an HD44780 are supported: { i2c: 0x27 }, or { rs: LINE, e: LINE, data: [ 4 lines ] }"
      fields.problems.add(first.position, "unknown display \(quoted(first.key)); \(remedy)")
      return nil
    }
    let isOnBus = entries.contains { $0.key == "i2c" || $0.key == "bus" }
    return isOnBus
      ? I2CDisplayKind(reading: fields).map { [$0] } : LineDisplayKind(reading: fields).map { [$0] }
  }
}

/// The common settings of displays of both wirings.
package struct DisplaySettings: Equatable, Sendable {
  /// The characters in a display's memory: see ``HardwareDrivers/CharacterROM``.
  package enum Characters: String, CaseIterable, Sendable {
    case japanese, european

    var rom: CharacterROM { self == .japanese ? .japanese : .european }
  }

  /// The sizes of displays that are sold. One row of 16 is wired as two rows of 8.
  static let sizes: [(name: String, size: CharacterDisplayLayout)] = [
    ("16x2", .init(columns: 16, rows: 2)), ("20x4", .init(columns: 20, rows: 4)), ("8x1", .init(columns: 8, rows: 1)),
    ("8x2", .init(columns: 8, rows: 2)), ("16x1", .init(columns: 16, rows: 1, isSplit: true)),
    ("16x4", .init(columns: 16, rows: 4)), ("20x2", .init(columns: 20, rows: 2)), ("24x2", .init(columns: 24, rows: 2)),
    ("40x2", .init(columns: 40, rows: 2)),
  ]

  var size = CharacterDisplayLayout.columns16rows2
  var characters = Characters.japanese

  /// The abilities of the display for a text in a file.
  var text: DisplayTextReader.Display {
    DisplayTextReader.Display(
      rows: size.rows, columns: size.columns, cut: "shows the first \(size.columns)",
      substitute: { character in
        if characters.rom.code(of: character) != nil { return nil }
        let hasOther = characters == .japanese && CharacterROM.european.code(of: character) != nil
        return "shows ? instead; write it in another way"
          + (hasOther ? ", or add characters: european if the display has them" : "")
      })
  }

  init(reading fields: DeviceFields) {
    if let characters: Characters = fields.choice("characters") { self.characters = characters }
    guard let field = fields["size"], let text = fields.problems.text(field) else { return }
    if let known = Self.sizes.first(where: { $0.name == text }) {
      size = known.size
    } else {
      fields.problems.add(
        field.node.position, "\"size\" is \(quoted(text)); it takes one of \(listed(Self.sizes.map(\.name)))")
    }
  }
}

/// A display with any wiring.
package protocol DisplayKind: DrivenOutputKind {
  var settings: DisplaySettings { get }
}

extension DisplayKind {
  package var pagePicture: PagePicture { .screen }
  package var lag: Duration { .milliseconds(100) }

  package static var grammar: FieldSet { DisplayDeclaration.grammar }
  package static var shown: Shape { DisplayDeclaration.shown }

  func screen(_ appearance: OutputAppearance, in values: PanelValues) -> CharacterScreen {
    guard case .writing(let text) = appearance else { return .blank }
    return CharacterScreen(text.rows(in: values))
  }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    DisplayTextReader(show: show, display: settings.text).appearance(of: "display")
  }

  // MARK: - Look

  package var expectation: String { "off, or the rows of the display with / between them: \"Level 3 / Ready\"" }

  package func look(named text: String) -> ObservedOutput? { DisplayRows.look(named: text).map(shown) }

  /// A look as the display shows it: `E` in place of `€`.
  private func shown(_ look: ObservedOutput) -> ObservedOutput {
    guard case .rows(let rows) = look else { return look }
    let rom = settings.characters.rom
    return DisplayRows.look(
      rows.map { row in String(row.map { rom.code(of: $0).flatMap { rom.character(of: $0) } ?? "?" }) })
  }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let display = view.world as? SimulatedCharacterDisplay { return DisplayRows.look(display.rows) }
    let rows = screen(appearance, in: view.values).rows.prefix(settings.size.rows)
    return shown(DisplayRows.look(rows.map { String($0.prefix(settings.size.columns)) }))
  }

  /// The rows at their full width.
  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    DisplayRows.picture(of: look, columns: settings.size.columns, rows: settings.size.rows)
  }
}

/// A display on lines.
package struct LineDisplayKind: DisplayKind, LineOutputKind {
  static let place = FieldSet(
    name: "a display without I²C",
    keys: [
      Key(name: "rs", takes: "a line: GPIO25", isRequired: true, shape: .line, meaning: "line at RS"),
      Key(name: "e", takes: "a line: GPIO24", isRequired: true, shape: .line, meaning: "line at E"),
      Key(
        name: "data", takes: "a list of the 4 lines at D4 to D7: [GPIO23, GPIO17, GPIO27, GPIO22]", isRequired: true,
        shape: .list(of: .line, count: 4...4), meaning: "lines at D4 to D7"),
      Key(
        name: "backlight", takes: "a line: GPIO18", shape: .line,
        usual: "none: the panel does not switch the backlight",
        meaning: "line that switches the backlight"),
    ])

  package let settings: DisplaySettings
  private let registerSelect: String
  private let enable: String
  /// The lines of D4 to D7.
  private let data: [String]
  /// The line of the backlight; nil for a backlight that is always on.
  private let backlight: String?

  package init?(reading fields: DeviceFields) {
    settings = DisplaySettings(reading: fields)
    guard let wires = fields.inside("display", Self.place) else { return nil }
    let (registerSelect, enable) = (wires.line("rs"), wires.line("e"))
    let data = wires.lines("data")
    backlight = wires.line("backlight")
    guard let registerSelect, let enable, let data else { return nil }
    (self.registerSelect, self.enable, self.data) = (registerSelect, enable, data)
  }

  package var lines: [String] { [registerSelect, enable] + data + (backlight.map { [$0] } ?? []) }

  package func device(on chip: any GPIOChip) -> CharacterDisplay {
    CharacterDisplay(
      chip, registerSelect: LineName(registerSelect), enable: LineName(enable), data: data.map { LineName($0) },
      backlight: backlight.map { LineName($0) }, settings: .init(size: settings.size, rom: settings.characters.rom))
  }

  package func model(of appearance: OutputAppearance, in values: PanelValues) -> CharacterScreen {
    screen(appearance, in: values)
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "character display", direction: .output,
      circuits: [.characterDisplay(registerSelect: registerSelect, enable: enable, data: data)])
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    chip.map { chip in
      SimulatedCharacterDisplay(
        on: chip, registerSelect: LineName(registerSelect), enable: LineName(enable), data: data.map { LineName($0) },
        backlight: backlight.map { LineName($0) }, size: settings.size, rom: settings.characters.rom)
    }
  }
}

/// A display on a PCF8574 on an I²C bus.
package struct I2CDisplayKind: DisplayKind {
  static let place = FieldSet(
    name: "a display on I²C",
    keys: [
      Key(
        name: "i2c", takes: "an address 0x08...0x77: 0x27", isRequired: true, shape: .text,
        meaning: "address of the display on the I²C bus"),
      Key(
        name: "bus", takes: "the number of an I²C bus: 1", shape: .whole(0...255), usual: "`1`",
        meaning: "number of the I²C bus"),
    ])

  package let settings: DisplaySettings
  private let address: I2CAddress
  /// The number of the bus; 1 is on the header of a Raspberry Pi.
  private let bus: Int

  package init?(reading fields: DeviceFields) {
    settings = DisplaySettings(reading: fields)
    guard let place = fields.inside("display", Self.place) else { return nil }
    bus = place.whole("bus") ?? 1
    guard let address = place.i2cAddress("i2c", bus: bus) else { return nil }
    self.address = address
  }

  package static var ports: [any Port.Type] { [I2CBusPort.self] }
  private var port: I2CBusPort { I2CBusPort(.number(bus)) }
  package var lines: [String] { [] }

  private func driver(on bus: any I2CBus) -> I2CCharacterDisplay {
    I2CCharacterDisplay(
      bus, address: address, settings: .init(size: settings.size, rom: settings.characters.rom))
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: devices.map { $0.driver(on: context.platform.hardware(at: $0.port)) }, kind: plural
    ) { place, appearance, values in devices[place].screen(appearance, in: values) }
  }

  package func show(safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext) throws(DriverError) {
    try hardware.show(screen(safe, in: values), by: driver(on: hardware.platform.hardware(at: port)))
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(name: name, kind: "character display", direction: .output, circuits: [.i2cDisplay()])
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    platform.simulated(at: port).map { bus in
      SimulatedI2CCharacterDisplay(on: bus, at: address, size: settings.size, rom: settings.characters.rom).display
    }
  }
}
