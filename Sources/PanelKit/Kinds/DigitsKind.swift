import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `clock: { digits: { ht16k33: 0x70 } }`: a row of seven-segment digits at a chip.
package struct DigitsKind: DrivenOutputKind {
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
        name: "count", takes: "the number of digits, 1...8: 4", shape: .whole(1...8), usual: "`4`",
        meaning: "number of digits of an HT16K33. A board with 4 digits has a colon"),
      Key(
        name: "spi", takes: "a bus and a chip select of it: 0.0 for /dev/spidev0.0", shape: .text, usual: "`0.0`",
        meaning: "SPI bus and chip select of a MAX7219, as in the name of `/dev/spidev0.0`"),
      Key(
        name: "bus", takes: "the number of an I²C bus: 1", shape: .whole(0...255), usual: "`1`",
        meaning: "number of the I²C bus of an HT16K33"),
    ])

  package static let grammar = FieldSet(
    name: "digits", summary: "row of seven-segment digits at a MAX7219 or HT16K33",
    sample: "clock: { digits: { ht16k33: 0x70 } }",
    keys: [
      Key(
        name: "digits", takes: "its chip: { max7219: 8, spi: 0.0 }, or { ht16k33: 0x70 }", shape: .fields(place),
        meaning: "chip with its place on the bus"),
      Key(
        name: "brightness", takes: "a number 0...1", shape: .number(0...1), usual: "`1`",
        meaning: "brightness of the digits"),
      Key(
        name: "right", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "whether a text ends at the last digit. Otherwise it begins at the first one"),
    ])
  package static let plural = "digits"
  package static var ports: [any Port.Type] { [SPIBusPort.self, I2CBusPort.self] }

  /// The chip and its place.
  private enum Chip: Equatable {
    case max7219(bus: Int, chipSelect: Int)
    case ht16k33(bus: Int, address: I2CAddress)
  }

  private let chip: Chip
  private let count: Int
  private let brightness: Double
  private let isRightAligned: Bool

  package init?(reading fields: DeviceFields) {
    guard let place = fields.inside("digits", Self.place) else { return nil }
    brightness = fields.number("brightness") ?? 1
    isRightAligned = fields.flag("right") ?? false
    switch (place.has("max7219"), place.has("ht16k33")) {
    case (true, false):
      for key in ["bus", "count"] where place.has(key) {
        place.addProblem(at: key, "a max7219 has no \(quoted(key)); leave it out")
        return nil
      }
      guard let count = place.whole("max7219"), let device = place.spiDevice("spi", hasSelect: true) else { return nil }
      self.count = count
      chip = .max7219(bus: device.bus, chipSelect: device.chipSelect)
    case (false, true):
      if place.has("spi") {
        place.addProblem(at: "spi", "an ht16k33 is on I²C; leave spi out")
        return nil
      }
      let (bus, count) = (place.whole("bus") ?? 1, place.whole("count") ?? 4)
      guard let address = place.i2cAddress("ht16k33", in: 0x70...0x77, bus: bus) else { return nil }
      self.count = count
      chip = .ht16k33(bus: bus, address: address)
    default:
      fields.addProblem(at: "digits", "digits take one chip: { max7219: 8, spi: 0.0 }, or { ht16k33: 0x70 }")
      return nil
    }
  }

  private var hasColon: Bool { if case .ht16k33 = chip { count == 4 } else { false } }

  package var lines: [String] { [] }
  package var hardware: [DeviceHardware] {
    switch chip {
    case .max7219(let bus, _): [DeviceHardware(SPIBusPort(number: bus))]
    case .ht16k33(let bus, _): [DeviceHardware(I2CBusPort(.number(bus)))]
    }
  }
  package var pagePicture: PagePicture { .screen }
  package var lag: Duration { .milliseconds(20) }

  package func wiring(named name: String) -> WiringPlan.Device? {
    switch chip {
    case .max7219(let bus, let chipSelect):
      let isOnHeader = bus == 0
      let select = isOnHeader && chipSelect < 2 ? ["GPIO8", "GPIO7"][chipSelect] : "CS\(chipSelect) of SPI bus \(bus)"
      let terminals = [
        WiringTerminal(isOnHeader ? "GPIO10" : "MOSI of SPI bus \(bus)", "DIN", for: .spi),
        WiringTerminal(isOnHeader ? "GPIO11" : "SCLK of SPI bus \(bus)", "CLK", for: .spi),
        WiringTerminal(select, "CS", for: .spi),
      ]
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
    case .max7219(let bus, let chipSelect):
      SegmentDisplay(
        MAX7219(platform.hardware(at: SPIBusPort(number: bus)), chipSelect: chipSelect, digitCount: count))
    case .ht16k33(let bus, let address):
      SegmentDisplay(
        HT16K33(platform.hardware(at: I2CBusPort(.number(bus))), address: address, digitCount: count))
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

  private func model(of appearance: OutputAppearance, in values: PanelValues) -> SegmentText {
    guard case .writing(let text) = appearance else { return .blank }
    return model(of: text.rows(in: values).first ?? "")
  }

  private func model(of text: String) -> SegmentText {
    SegmentText(text, isRightAligned: isRightAligned, brightness: brightness)
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    switch self.chip {
    case .max7219(let bus, let chipSelect):
      platform.simulated(at: SPIBusPort(number: bus)).map { bus in
        let display = SimulatedMAX7219(bus.bench, digitCount: count)
        bus.connect(display, at: chipSelect)
        return display
      }
    case .ht16k33(let bus, let address):
      platform.simulated(at: I2CBusPort(.number(bus))).map { SimulatedHT16K33(on: $0, at: address, digitCount: count) }
    }
  }

  // MARK: - Appearance

  package static var shown: Shape { DisplayDeclaration.shown(rows: 1) }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    let display = DisplayTextReader.Display(
      rows: 1, columns: count, width: { SegmentText($0).digitCount(hasColon: hasColon) },
      cut: "has \(counted(count, "digit")) and shows dashes",
      substitute: { character in
        ".,:".contains(character) || SegmentFont.segments(of: character) != nil
          ? nil : "shows nothing instead; write it in another way"
      })
    return DisplayTextReader(show: show, display: display).appearance(of: "digits")
  }

  // MARK: - Look

  package var expectation: String { "off, or the text of the digits: \"12:34\"" }

  package func look(named text: String) -> ObservedOutput? {
    text == "off" ? .off : Self.look(of: model(of: text).frame(count: count, hasColon: hasColon))
  }

  /// The text that a person reads, without the blanks at its ends.
  private static func look(of frame: SegmentFrame) -> ObservedOutput {
    let text = frame.text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return text.isEmpty ? .off : .word(String(text))
  }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let display = view.world as? any SimulatedSegmentDisplay { return Self.look(of: display.frame) }
    return Self.look(of: model(of: appearance, in: view.values).frame(count: count, hasColon: hasColon))
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    let text = if case .word(let text) = look { text } else { "" }
    let blanks = String(repeating: " ", count: max(0, count - text.filter { !".:".contains($0) }.count))
    return "│\(Style.yellow)\(isRightAligned ? blanks + text : text + blanks)\(Style.plain)│"
  }
}
