import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `heat: { level: { sheet: mcp4725, i2c: 0x60 } }`: an output of a chip with a sheet, such as a digital-to-analog
/// converter.
package struct SheetLevelKind: DrivenOutputKind {
  static let place = FieldSet(
    name: "an output of a chip",
    keys: [
      SheetUse.sheetKey,
      Key(
        name: "output", takes: "the name of an output of the sheet: A", shape: .text,
        usual: "the only output of the sheet", meaning: "name of the output"),
    ] + SheetUse.placeKeys + SheetUse.settingNames.map { SheetUse.settingKey($0) })

  package static let grammar = FieldSet(
    name: "a level", summary: "analog output of a chip that a sheet describes, such as MCP4725",
    sample: "heat: { level: { sheet: mcp4725, i2c: 0x60 } }",
    keys: [
      Key(
        name: "level", takes: "its chip: { sheet: mcp4725, i2c: 0x60 }", shape: .fields(place),
        meaning: "chip with its place, and the output of a chip that has several")
    ])
  package static let plural = "levels"
  package static let isGroup = false
  package static var ports: [any Port.Type] { [I2CBusPort.self, SPIBusPort.self] }
  package static var isActing: Bool { true }

  private let sheet: Sheet
  private let isReplacement: Bool
  private let output: String
  private let settings: SheetSettings
  private let connection: SheetLocation.Place

  package init?(reading fields: DeviceFields) {
    guard let inner = fields.inside("level", Self.place) else { return nil }
    guard inner.has("sheet") else {
      fields.addProblem(at: "level", "a level is an output of a chip with a sheet; write { sheet: mcp4725 }")
      return nil
    }
    guard let (sheet, isReplacement) = SheetUse.sheet(of: inner, replacement: Self.replacement) else { return nil }
    guard !sheet.outputs.isEmpty else {
      inner.addProblem(at: "sheet", "\(sheet.name) has no levels; \(SheetUse.advice(on: sheet))")
      return nil
    }
    guard let output = Self.output(of: inner, sheet),
      let settings = isReplacement ? SheetSettings() : SheetUse.settings(of: inner, sheet),
      let connection = SheetUse.connection(of: inner, sheet),
      fields.take("the output \(output) of \(Self.name(of: connection))", at: "level")
    else { return nil }
    (self.sheet, self.isReplacement, self.output) = (sheet, isReplacement, output)
    (self.settings, self.connection) = (settings, connection)
  }

  /// A sheet for a panel that is read without it.
  private static func replacement(named name: String, of fields: DeviceFields) -> Sheet {
    let output = Sheet.Output(name: fields.text("output") ?? "out", slot: 0, range: 0...1, write: [SheetExpression(0)])
    return Sheet(
      name: name, about: "", source: "", bus: SheetUse.anyBus(of: fields), outputs: [output], valueCount: 1,
      example: SheetExample())
  }

  private static func output(of fields: DeviceFields, _ sheet: Sheet) -> String? {
    let names = sheet.outputs.map(\.name)
    guard fields.has("output") else {
      if names.count == 1 { return names[0] }
      fields.addProblem(
        at: "sheet", "\(sheet.name) has several outputs; write output: and one of \(listed(names))")
      return nil
    }
    guard let name = fields.text("output") else { return nil }
    if names.contains(name) { return name }
    fields.addProblem(at: "output", "\(sheet.name) has no output \(quoted(name)); it has \(listed(names))")
    return nil
  }

  private static func name(of place: SheetLocation.Place) -> String {
    switch place {
    case .i2c(let bus, let address): "\(address) of I²C bus \(bus)"
    case .spi(let bus, let chipSelect): "spidev\(bus).\(chipSelect)"
    case .serial(let path): path
    }
  }

  package var lines: [String] { [] }
  package var hardware: [DeviceHardware] { [SheetUse.hardware(at: connection)] }
  package var pagePicture: PagePicture { .screen }
  /// The time of a write at 100 kHz, after those of the chip's other outputs.
  package var lag: Duration { .milliseconds(20) }

  package func wiring(named name: String) -> WiringPlan.Device? {
    SheetUse.wiring(of: sheet, at: connection, named: name, isInput: false)
  }

  // MARK: - Driver

  private func driver(on platform: Platform, since moment: Moment?) -> SheetLevel {
    SheetLevel(
      SheetUse.chip(sheet, at: connection, on: platform), output: output, settings: settings, since: moment)
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: zip(devices, context.since).map { $0.driver(on: context.platform, since: $1) }, kind: plural
    ) { _, appearance, values in model(of: appearance, in: values) }
  }

  package func show(
    safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext
  ) throws(DriverError) {
    guard !isReplacement else {
      throw DriverError(
        .misconfigured, of: sheet.name, cannot: "set the output \(output) of \(sheet.name)",
        reason: "its sheet is missing or wrong", remedy: "Put \(sheet.name).sheet.yaml beside the panel file.")
    }
    try hardware.show(Self.model(of: safe, in: values), by: driver(on: hardware.platform, since: nil))
  }

  private static func model(of appearance: OutputAppearance, in values: PanelValues) -> SheetLevel.Model {
    switch appearance {
    case .special: appearance.own(LevelShow.self)?.light(in: values) ?? .off
    case .on: .on
    case .off, .blink, .pulse, .level, .count, .value, .writing: .off
    }
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    SheetUse.world(of: sheet, at: connection, on: platform).map { chip, isPlugged in
      SimulatedSheetOutput(chip, sheet, output: output, settings: settings, isPlugged: isPlugged)
    }
  }

  // MARK: - Appearance

  package static var shown: Shape { .oneOf([.switched, .number(0...1), .value, .fields(LevelShow.grammar)]) }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    if let switched = show.switched { return switched }
    guard let word = show.word else {
      if case .map = show.node.content { return LevelShow(reading: show).map { .own($0) } }
      return addMisfit(show)
    }
    if let level = Quantity.number(word) {
      guard (0...1).contains(level) else { return addMisfit(show) }
      return .own(LevelShow(.level(level), text: word))
    }
    guard word.first?.isLetter ?? false else { return addMisfit(show) }
    return show.value(word).map { .own(LevelShow(.value($0), text: word)) }
  }

  private func addMisfit(_ show: ShowField) -> OutputAppearance? {
    show.addMisfit("level", "a level 0...1, on, off, a value, or { fade: 1, over: 2s }")
    return nil
  }

  // MARK: - Look

  package var expectation: String { "off, on, fading, or a level 0...1" }

  package func look(named text: String) -> ObservedOutput? {
    switch text {
    case "off": .off
    case "on": .on
    case "fading": .word(text)
    default: Quantity.number(text).flatMap { (0...1).contains($0) ? LampPattern.look(of: Brightness($0)) : nil }
    }
  }

  /// The level that the chip has received.
  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    let model = Self.model(of: appearance, in: view.values)
    let state = LightState(model, at: .zero)
    if case .fade = model.pattern, let end = state.end, end > .zero + view.age { return .word("fading") }
    guard let output = view.world as? SimulatedSheetOutput else {
      return LampPattern.look(of: state.shown(at: .zero + view.age).look)
    }
    return output.level.map { LampPattern.look(of: Brightness($0)) } ?? .off
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    look == .off ? "\(Style.dark)  off" : "\(Style.lit)  \(look)"
  }
}

/// The level of an output, as a file has it: `0.5`, a value, `{ fade: 0.8, over: 2s }` or
/// `{ keys: [[0s, 0], [2s, 1]] }`. The level changes evenly.
struct LevelShow: CustomAppearance {
  enum Choice: Equatable {
    case level(Double)
    case value(Int)
    case moving(Light<Brightness>)
  }

  let choice: Choice
  let text: String

  init(_ choice: Choice, text: String) { (self.choice, self.text) = (choice, text) }

  var followedValues: [Int] { if case .value(let value) = choice { [value] } else { [] } }
  var isMoving: Bool { if case .moving = choice { true } else { false } }
  var staysWithoutProgram: Bool { if case .level = choice { true } else { false } }

  func light(in values: PanelValues) -> Light<Brightness> {
    switch choice {
    case .level(let level): .level(level)
    case .value(let value): .level(values.share(of: value))
    case .moving(let light): light
    }
  }

  static let grammar = FieldSet(
    name: "a level's show",
    keys: [
      Key(
        name: "level", takes: "a number 0...1 or a value's name", shape: .oneOf([.number(0...1), .value]),
        meaning: "the same as the number or the value alone. At the `min` of a value the level is 0, at its `max` 1"),
      Key(
        name: "fade", takes: "a number 0...1, with over: 2s beside it", shape: .number(0...1),
        meaning: "level at the end of an even change from the present one"),
      Key(name: "over", takes: "a duration: 2s", shape: .span(LampPattern.spans), meaning: "duration of the change"),
      Key(
        name: "keys", takes: "a list of 2...8 times and levels: [[0s, 0], [500ms, 1], [2s, 0.2]]",
        shape: .list(
          of: .list(of: .oneOf([.duration, .number(0...1)]), count: 2...2), count: 2...Keyframes<Brightness>.limit),
        meaning: "times since the beginning, each with the level at that time. The level changes evenly between them"),
      Key(
        name: "times", takes: "a whole number 1...10000", shape: .whole(1...10_000), usual: "`1`",
        meaning: "number of repetitions of the keys"),
    ])

  /// Reads a map. Adds a problem and returns nil if it is wrong.
  init?(reading show: ShowField) {
    guard let fields = show.fields(Self.grammar) else { return nil }
    let main = ["level", "fade", "keys"].filter { fields.has($0) }
    guard main.count == 1 else {
      if main.count > 1 {
        fields.addProblem(at: main[1], "\(main[1]) can't be beside \(main[0]); write one of them")
      } else {
        show.addMisfit("level", "a level 0...1, { fade: 1, over: 2s } or { keys: [[0s, 0], [2s, 1]] }")
      }
      return nil
    }
    for (key, owner) in [("over", "fade"), ("times", "keys")] where fields.has(key) && main[0] != owner {
      fields.addProblem(at: key, "\(key) can't be beside \(main[0]); it belongs to \(owner)")
      return nil
    }
    switch main[0] {
    case "level":
      guard let field = fields["level"], let read = show.level(field) else { return nil }
      switch read {
      case .level(let level): self.init(.level(level), text: "\(level)")
      case .value(let value): self.init(.value(value), text: fields.text("level") ?? "")
      default: return nil
      }
    case "fade":
      guard let level = fields.number("fade") else { return nil }
      guard fields.has("over") else {
        fields.addProblem(at: "fade", "a fade takes a time; write { fade: \(level), over: 2s }")
        return nil
      }
      guard let span = fields.duration("over") else { return nil }
      self.init(
        .moving(.fade(to: Brightness(level), over: span, on: .linear)),
        text: "{ fade: \(level), over: \(Quantity.text(span)) }")
    default:
      let times = fields.whole("times")
      if fields.has("times"), times == nil { return nil }
      let keys = fields.keyframes("keys") { pair in
        pair["keys"].flatMap { pair.problems.number($0, in: 0...1) }.map { Brightness($0) }
      }
      guard let keys else { return nil }
      let list = keys.list.map { "[\(Quantity.text($0.time)), \($0.value.share)]" }.joined(separator: ", ")
      self.init(
        .moving(Light(.keys(keys, times: Int32(times ?? 1)), on: .linear)),
        text: "{ keys: [\(list)]\(times.map { ", times: \($0)" } ?? "") }")
    }
  }
}
