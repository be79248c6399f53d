import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `digits`: a row of seven-segment digits at a chip, on a bus or on two lines; or one digit at lines.
package enum DigitsDeclaration: OutputDeclaration {
  static let place = FieldSet(
    name: "a row of digits",
    keys: [
      Key(
        name: "max7219", takes: "the number of digits, 1...8: 8", shape: .whole(1...8),
        meaning: "number of digits, for a MAX7219 on SPI"),
      Key(
        name: "ht16k33", takes: "an address 0x70...0x77: 0x70", shape: .text,
        meaning: "address of an HT16K33 on I²C"),
      Key(
        name: "tm1637", takes: "a list of the 2 lines at CLK and DIO: [GPIO20, GPIO21]",
        shape: .list(of: .line, count: 2...2), meaning: "lines at CLK and DIO of a TM1637"),
      Key(
        name: "segments", takes: "a list of the 7 or 8 lines at the segments a to g, and at the point",
        shape: .list(of: .line, count: 7...8),
        meaning: "lines at the segments a to g of a single digit, and at its point"),
      Key(
        name: "active", takes: "low or high", shape: .choice(ActiveLevel.self), usual: "`high`",
        meaning: "level that lights a segment of a single digit: `low` for a digit with a common anode"),
      Key(
        name: "count", takes: "the number of digits, 1...8: 4", shape: .whole(1...8), usual: "`4`",
        meaning:
          "number of digits of an HT16K33, or of a TM1637, which has at most 6. Boards with 4 digits have a colon"),
      Key(
        name: "spi", takes: "a bus and a chip select of it: 0.0 for /dev/spidev0.0", shape: .text, usual: "`0.0`",
        meaning: "SPI bus and chip select of a MAX7219, as in the name of `/dev/spidev0.0`"),
      Key(
        name: "bus", takes: "the number of an I²C bus: 1", shape: .whole(0...255), usual: "`1`",
        meaning: "number of the I²C bus of an HT16K33"),
    ])

  package static let grammar = FieldSet(
    name: "digits", summary: "row of seven-segment digits at a MAX7219, HT16K33 or TM1637",
    sample: "clock: { digits: { ht16k33: 0x70 } }",
    keys: [
      Key(
        name: "digits", takes: "its chip: { max7219: 8, spi: 0.0 }, { ht16k33: 0x70 }, or { tm1637: [GPIO20, GPIO21] }",
        shape: .fields(place),
        meaning: "exactly one chip, an HT16K33, a TM1637 or a MAX7219, or the lines of a single digit"),
      Key(
        name: "brightness", takes: "a number 0...1", shape: .number(0...1), usual: "`1`",
        meaning: "brightness of the digits"),
      Key(
        name: "right", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "`true`: the text is at the right end. `false`: it is at the left end"),
    ])
  package static let isGroup = false
  package static var ports: [any Port.Type] { BusDigitsKind.ports }
  package static var shown: Shape { DisplayDeclaration.shown(rows: 1) }

  package static func members(reading fields: DeviceFields) -> [any OutputKind]? {
    guard let place = fields.inside("digits", place) else { return nil }
    let chips = ["max7219", "ht16k33", "tm1637", "segments"].filter { place.has($0) }
    guard let chip = chips.first, chips.count == 1 else {
      fields.addProblem(
        at: "digits",
        "digits take one chip: { max7219: 8, spi: 0.0 }, { ht16k33: 0x70 }, or { tm1637: [GPIO20, GPIO21] }")
      return nil
    }
    let others = [
      "max7219": ["bus", "count", "active"], "ht16k33": ["spi", "active"], "tm1637": ["spi", "bus", "active"],
      "segments": ["spi", "bus", "count"],
    ]
    for key in others[chip] ?? [] where place.has(key) {
      place.addProblem(at: key, "\(chip) has no \(quoted(key)); leave it out")
      return nil
    }
    if chip == "segments" { return SingleDigitKind(place, fields).map { [$0] } }
    let kind: (any OutputKind)? =
      chip == "tm1637" ? LineDigitsKind(place, fields) : BusDigitsKind(chip, place, fields)
    return kind.map { [$0] }
  }
}

/// The settings of a row of digits at any chip.
package struct DigitsSettings: Equatable, Sendable {
  var count: Int
  var hasColon: Bool
  /// Whether each digit has a point.
  var hasPoints = true
  var brightness: Double
  var isRightAligned: Bool

  init(count: Int, hasColon: Bool, hasPoints: Bool = true, _ fields: DeviceFields) {
    (self.count, self.hasColon, self.hasPoints) = (count, hasColon, hasPoints)
    brightness = fields.number("brightness") ?? 1
    isRightAligned = fields.flag("right") ?? false
  }

  func model(of text: String) -> SegmentText {
    SegmentText(text, isRightAligned: isRightAligned, brightness: brightness)
  }

  /// The segments that a person sees for a text.
  func frame(of text: SegmentText) -> SegmentFrame {
    let frame = text.frame(count: count, hasColon: hasColon)
    return hasPoints ? frame : frame.withColonOnly
  }
}

/// A row of digits at any chip.
package protocol DigitsKind: DrivenOutputKind {
  var settings: DigitsSettings { get }
}

extension DigitsKind {
  package static var grammar: FieldSet { DigitsDeclaration.grammar }
  package static var plural: String { "digits" }
  package static var shown: Shape { DigitsDeclaration.shown }
  package var pagePicture: PagePicture { .screen }
  package var lag: Duration { .milliseconds(20) }

  package func model(of appearance: OutputAppearance, in values: PanelValues) -> SegmentText {
    guard case .writing(let text) = appearance else { return .blank }
    return settings.model(of: text.rows(in: values).first ?? "")
  }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    let settings = settings
    let display = DisplayTextReader.Display(
      rows: 1, columns: settings.count,
      width: { text in
        let length = text.filter { !SegmentText.points.contains($0) }.count
        return SegmentText(text).fits(count: settings.count, hasColon: settings.hasColon) ? 0 : length
      },
      cut: "has \(counted(settings.count, "digit")) and shows dashes",
      substitute: { character in
        SegmentText.points.contains(character) || SegmentFont.segments(of: character) != nil
          ? nil : "shows nothing instead; write it in another way"
      })
    return DisplayTextReader(show: show, display: display).appearance(of: "digits")
  }

  // MARK: - Look

  package var expectation: String { "off, or the text of the digits: \"12:34\"" }

  package func look(named text: String) -> ObservedOutput? {
    if text == "off" { return .off }
    // Nothing is expected to be dashes or dark digits.
    guard SegmentText(text).fits(count: settings.count, hasColon: settings.hasColon) else { return nil }
    return Self.text(seenIn: settings.frame(of: settings.model(of: text)))
  }

  /// The text that a person reads, without the blanks at its ends.
  fileprivate static func text(seenIn frame: SegmentFrame) -> ObservedOutput {
    let text = frame.text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return text.isEmpty ? .off : .word(String(text))
  }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let display = view.world as? any SimulatedSegmentDisplay { return Self.text(seenIn: display.frame) }
    return Self.text(seenIn: settings.frame(of: model(of: appearance, in: view.values)))
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    let text = if case .word(let text) = look { text } else { "" }
    let blanks = String(repeating: " ", count: max(0, settings.count - text.filter { !".:".contains($0) }.count))
    return "│\(Style.yellow)\(settings.isRightAligned ? blanks + text : text + blanks)\(Style.plain)│"
  }
}

/// `time: { digits: { tm1637: [GPIO20, GPIO21] } }`: digits at a TM1637.
package struct LineDigitsKind: DigitsKind, LineOutputKind {
  package let settings: DigitsSettings
  package let lines: [String]

  fileprivate init?(_ place: DeviceFields, _ fields: DeviceFields) {
    let count = place.whole("count") ?? 4
    guard let lines = place.lines("tm1637"), !place.has("count") || place.whole("count") != nil else { return nil }
    guard count <= 6 else {
      place.addProblem(at: "count", "a tm1637 has up to 6 digits, not \(count)")
      return nil
    }
    self.lines = lines
    settings = DigitsSettings(count: count, hasColon: count == 4, hasPoints: count != 4, fields)
  }

  package init?(reading fields: DeviceFields) { return nil }

  package func device(on chip: any GPIOChip) -> TM1637 {
    TM1637(chip, clock: LineName(lines[0]), data: LineName(lines[1]), digitCount: settings.count)
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      named: name, kind: "digits", isInput: false,
      .box("TM1637 board", lines: [(lines[0], "CLK"), (lines[1], "DIO")], supplies: ["VCC": .volts3, "GND": .ground]))
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    chip.map {
      SimulatedTM1637(on: $0, clock: LineName(lines[0]), data: LineName(lines[1]), digitCount: settings.count)
    }
  }
}

/// `count: { digits: { segments: [GPIO5, …] } }`: a single digit at lines.
package struct SingleDigitKind: DigitsKind, LineOutputKind {
  package let settings: DigitsSettings
  package let lines: [String]
  private let active: ActiveLevel

  fileprivate init?(_ place: DeviceFields, _ fields: DeviceFields) {
    active = place.choice("active") ?? .high
    guard let lines = place.lines("segments") else { return nil }
    if let brightness = fields["brightness"], fields.number("brightness") != 1 {
      fields.problems.add(
        brightness.node.position,
        "a digit at lines is lit or dark; leave brightness out, or use a chip such as the TM1637")
      return nil
    }
    self.lines = lines
    settings = DigitsSettings(count: 1, hasColon: false, fields)
  }

  package init?(reading fields: DeviceFields) { return nil }

  package func device(on chip: any GPIOChip) -> SegmentLines {
    SegmentLines(chip, lines: lines.map { LineName($0) }, settings: .init(isActiveLow: active == .low))
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    let names = ["a", "b", "c", "d", "e", "f", "g", "point"]
    var device = WiringPlan.Device(
      named: name, kind: "digit", isInput: false,
      .box(
        "seven-segment digit", lines: zip(lines, names).map { ($0, $1) },
        supplies: active == .low ? ["common": .volts3] : ["common": .ground]))
    device.parts += [WiringPart("resistor 330 Ω, one per segment")]
    return device
  }

  /// The segments of the lines, from their levels.
  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    let levels = lines.map { view.isActive($0, active) }
    guard !levels.contains(nil) else {
      return Self.text(seenIn: settings.frame(of: model(of: appearance, in: view.values)))
    }
    let segments = levels.enumerated().reduce(UInt8(0)) { $0 | ($1.element == true ? 1 << UInt8($1.offset) : 0) }
    return Self.text(seenIn: SegmentFrame(digits: [segments]))
  }
}

/// `clock: { digits: { ht16k33: 0x70 } }`: digits at a chip on a bus.
package struct BusDigitsKind: DigitsKind {
  package static var ports: [any Port.Type] { [SPIBusPort.self, I2CBusPort.self] }

  /// The chip and its place.
  private enum Chip: Equatable {
    case max7219(SPIPlace)
    case ht16k33(bus: Int, address: I2CAddress)
  }

  package let settings: DigitsSettings
  private let chip: Chip

  fileprivate init?(_ chip: String, _ place: DeviceFields, _ fields: DeviceFields) {
    if chip == "max7219" {
      guard let count = place.whole("max7219"), let spi = SPIPlace(reading: place) else { return nil }
      settings = DigitsSettings(count: count, hasColon: false, fields)
      self.chip = .max7219(spi)
    } else {
      let bus = place.whole("bus") ?? 1
      guard let address = place.i2cAddress("ht16k33", in: 0x70...0x77, bus: bus) else { return nil }
      let count = place.whole("count") ?? 4
      settings = DigitsSettings(count: count, hasColon: count == 4, fields)
      self.chip = .ht16k33(bus: bus, address: address)
    }
  }

  package init?(reading fields: DeviceFields) { return nil }

  package var lines: [String] { [] }
  package var hardware: [DeviceHardware] {
    switch chip {
    case .max7219(let place): [DeviceHardware(place.port)]
    case .ht16k33(let bus, _): [DeviceHardware(I2CBusPort(.number(bus)))]
    }
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    switch chip {
    case .max7219(let place):
      let terminals = [place.data(to: "DIN"), place.clock(to: "CLK"), place.select(to: "CS")]
      return WiringPlan.Device(
        name: name, kind: "digits", direction: .output,
        circuits: [
          .box(
            "MAX7219 board", terminals: terminals, supplies: ["VCC": .volts5, "GND": .ground], notes: [.segmentLevel])
        ], parts: [WiringPart("level shifter 74AHCT125")])
    case .ht16k33:
      return WiringPlan.Device(named: name, kind: "digits", isInput: false, .i2c("HT16K33 board"))
    }
  }

  // MARK: - Driver

  private func driver(on platform: Platform) -> SegmentDisplay {
    switch chip {
    case .max7219(let place):
      SegmentDisplay(
        MAX7219(platform.hardware(at: place.port), chipSelect: place.chipSelect, digitCount: settings.count))
    case .ht16k33(let bus, let address):
      SegmentDisplay(
        HT16K33(platform.hardware(at: I2CBusPort(.number(bus))), address: address, digitCount: settings.count))
    }
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(of: devices.map { $0.driver(on: context.platform) }, kind: plural) { place, appearance, values in
      devices[place].model(of: appearance, in: values)
    }
  }

  package func show(safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext) throws(DriverError) {
    try hardware.show(model(of: safe, in: values), by: driver(on: hardware.platform))
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    switch self.chip {
    case .max7219(let place):
      platform.simulated(at: place.port).map { bus in
        let display = SimulatedMAX7219(bus.bench, digitCount: settings.count)
        bus.connect(display, at: place.chipSelect)
        return display
      }
    case .ht16k33(let bus, let address):
      platform.simulated(at: I2CBusPort(.number(bus))).map {
        SimulatedHT16K33(on: $0, at: address, digitCount: settings.count)
      }
    }
  }
}
