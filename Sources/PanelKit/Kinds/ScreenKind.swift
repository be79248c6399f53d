import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `face: { screen: { ssd1306: 0x3C } }`: an OLED that shows rows of text.
package struct ScreenKind: DrivenOutputKind {
  static let place = FieldSet(
    name: "a screen",
    keys: [
      Key(
        name: "ssd1306", takes: "an address 0x08...0x77: 0x3C", shape: .text,
        meaning: "address of an OLED with an SSD1306"),
      Key(
        name: "sh1106", takes: "an address 0x08...0x77: 0x3C", shape: .text,
        meaning: "address of an OLED with an SH1106, which most OLEDs of 1.3 inches have"),
      Key(
        name: "bus", takes: "the number of an I²C bus: 1", shape: .whole(0...255), usual: "`1`",
        meaning: "number of the I²C bus"),
    ])

  private static let sizes = ["128x64", "128x32"]

  package static let grammar = FieldSet(
    name: "a screen", summary: "OLED with an SSD1306 or SH1106", sample: "face: { screen: { ssd1306: 0x3C } }",
    keys: [
      Key(
        name: "screen", takes: "its chip and its place: { ssd1306: 0x3C }", shape: .fields(place),
        meaning: "chip with its address on the I²C bus"),
      Key(
        name: "size", takes: "128x64 or 128x32", shape: .words(sizes), usual: "`128x64`",
        meaning: "columns and rows of pixels"),
      Key(
        name: "rows", takes: "a whole number 1...8", shape: .whole(1...8),
        usual: "8 on 128x64, 4 on 128x32",
        meaning: "rows of text: 8, 4 or 2 on 128x64, and 4, 2 or 1 on 128x32. The fewer rows, the larger the letters"),
      Key(
        name: "brightness", takes: "a number 0...1", shape: .number(0...1), usual: "`0.8`",
        meaning: "brightness of the pixels that are lit"),
      Key(
        name: "inverted", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "`true`: dark letters on a lit background"),
      Key(
        name: "rotated", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "`true`: the picture is turned by 180°"),
    ])
  package static let plural = "screens"
  package static var ports: [any Port.Type] { [I2CBusPort.self] }

  private let address: I2CAddress
  private let bus: Int
  private let settings: SSD1306.Settings
  private let rows: Int
  private let contrast: UInt8
  private let isInverted: Bool

  package init?(reading fields: DeviceFields) {
    guard let place = fields.inside("screen", Self.place) else { return nil }
    let chips = ["ssd1306", "sh1106"].filter { place.has($0) }
    guard let chip = chips.first, chips.count == 1 else {
      fields.addProblem(at: "screen", "a screen takes one chip: { ssd1306: 0x3C }, or { sh1106: 0x3C }")
      return nil
    }
    bus = place.whole("bus") ?? 1
    isInverted = fields.flag("inverted") ?? false
    contrast = UInt8(((fields.number("brightness") ?? 0.8) * 255).rounded())
    var height = 64
    if fields.has("size") {
      guard let text = fields.text("size") else { return nil }
      guard Self.sizes.contains(text) else {
        fields.addProblem(at: "size", "\"size\" is \(quoted(text)); it takes 128x64 or 128x32")
        return nil
      }
      if text == "128x32" { height = 32 }
    }
    let most = height / PixelFont.height
    let rows = fields.has("rows") ? fields.whole("rows") : most
    guard let address = place.i2cAddress(chip, bus: bus), let rows else { return nil }
    guard [most, most / 2, most / 4].contains(rows) else {
      fields.addProblem(
        at: "rows", "\(height) rows of pixels show \(most), \(most / 2) or \(most / 4) rows of text, not \(rows)")
      return nil
    }
    self.address = address
    self.rows = rows
    settings = SSD1306.Settings(
      controller: chip == "sh1106" ? .sh1106 : .ssd1306, height: height, isRotated: fields.flag("rotated") ?? false)
  }

  /// The size of a pixel of the font.
  private var scale: Int { settings.height / PixelFont.height / rows }
  private var columns: Int { SSD1306.width / (PixelFont.width * scale) }
  private var port: I2CBusPort { I2CBusPort(.number(bus)) }

  package var lines: [String] { [] }
  package var hardware: [DeviceHardware] { [DeviceHardware(port)] }
  package var pagePicture: PagePicture { .screen }
  package var lag: Duration { .milliseconds(200) }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      named: name, kind: "OLED", isInput: false,
      .i2c(settings.controller == .sh1106 ? "OLED SH1106" : "OLED SSD1306"))
  }

  // MARK: - Driver

  private func driver(on platform: Platform) -> SSD1306 {
    SSD1306(platform.hardware(at: port), address: address, settings: settings)
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(of: devices.map { $0.driver(on: context.platform) }, kind: plural) { place, appearance, values in
      devices[place].model(of: appearance, in: values)
    }
  }

  package func show(safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext) throws(DriverError) {
    try hardware.show(model(of: safe, in: values), by: driver(on: hardware.platform))
  }

  private func model(of appearance: OutputAppearance, in values: PanelValues) -> SSD1306.Model {
    var pixels = PixelBuffer(width: SSD1306.width, height: settings.height)
    guard case .writing(let text) = appearance else { return SSD1306.Model(pixels, contrast: contrast) }
    for (row, text) in text.rows(in: values).prefix(rows).enumerated() {
      pixels.draw(text, y: row * PixelFont.height * scale, scale: scale)
    }
    // A screen without text is dark.
    return SSD1306.Model(
      pixels, contrast: contrast,
      isInverted: isInverted && pixels != PixelBuffer(width: SSD1306.width, height: settings.height))
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    platform.simulated(at: port).map { bus in
      SimulatedOLED(on: bus, at: address, controller: settings.controller, height: settings.height)
    }
  }

  // MARK: - Appearance

  package static var shown: Shape { DisplayDeclaration.shown(rows: 8) }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    let display = DisplayTextReader.Display(
      rows: rows, columns: columns, cut: "shows the first \(columns)",
      substitute: { PixelFont.columns(of: $0) == nil ? "shows ? instead; write it in another way" : nil })
    return DisplayTextReader(show: show, display: display).appearance(of: "screen")
  }

  // MARK: - Look

  package var expectation: String { "off, or the rows of the screen with / between them: \"21.5 °C / 40 %\"" }

  /// The look of a text. Letters with the same picture, such as those of Latin and Cyrillic, are the same here.
  package func look(named text: String) -> ObservedOutput? {
    guard case .rows(let rows)? = DisplayRows.look(named: text) else { return DisplayRows.look(named: text) }
    return .rows(
      rows.map { row in
        String(row.map { character in PixelFont.columns(of: character).flatMap(PixelFont.character) ?? character })
      })
  }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let oled = view.world as? SimulatedOLED {
      guard let pixels = oled.visible else { return .off }
      return DisplayRows.look((oled.isInverted ? pixels.inverted : pixels).texts(scale: scale))
    }
    return DisplayRows.look(model(of: appearance, in: view.values).pixels.texts(scale: scale))
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    DisplayRows.picture(of: look, columns: columns, rows: rows)
  }
}
