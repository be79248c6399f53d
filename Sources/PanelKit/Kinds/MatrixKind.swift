import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `sign: { matrix: { max7219: 4 } }`: dot matrix modules that show a row of text.
package struct MatrixKind: DrivenOutputKind {
  private static let place = FieldSet(
    name: "a matrix",
    keys: [
      Key(
        name: "max7219", takes: "the number of modules, 1...16: 4", isRequired: true, shape: .whole(1...16),
        meaning: "number of 8×8 modules with a MAX7219 each"),
      Key(
        name: "spi", takes: "the SPI bus and the chip select: 0.0", shape: .text, usual: "`0.0`",
        meaning: "SPI bus and chip select"),
    ])

  package static let grammar = FieldSet(
    name: "a matrix", summary: "row of 8×8 dot matrix modules that shows a text",
    sample: "sign: { matrix: { max7219: 4 } }",
    keys: [
      Key(
        name: "matrix", takes: "its modules and their place: { max7219: 4, spi: 0.0 }", shape: .fields(place),
        meaning: "number of modules, and their place on the SPI bus"),
      Key(
        name: "brightness", takes: "a number 0...1", shape: .number(0...1), usual: "`0.3`",
        meaning: "brightness of the dots that are lit, in 16 steps"),
      Key(
        name: "every", takes: "a duration: 60ms", shape: .span(.milliseconds(20) ... .seconds(10)), usual: "`60ms`",
        meaning: "time for which a text that moves stays at each column"),
      Key(
        name: "rotated", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "`true`: the row of modules is upside down"),
    ])
  package static let plural = "matrices"
  package static var ports: [any Port.Type] { [SPIBusPort.self] }

  private let place: SPIPlace
  private let moduleCount: Int
  private let settings: DotMatrix.Settings
  private let brightness: Double

  package init?(reading fields: DeviceFields) {
    brightness = fields.number("brightness") ?? 0.3
    settings = DotMatrix.Settings(
      pace: fields.duration("every") ?? .milliseconds(60), isRotated: fields.flag("rotated") ?? false)
    guard let inner = fields.inside("matrix", Self.place), let count = inner.whole("max7219"),
      let place = SPIPlace(reading: inner)
    else { return nil }
    (moduleCount, self.place) = (count, place)
  }

  private var width: Int { 8 * moduleCount }

  package var lines: [String] { [] }
  package var hardware: [DeviceHardware] { [DeviceHardware(place.port)] }
  package var pagePicture: PagePicture { .screen }
  package var lag: Duration { .milliseconds(20) }

  package func wiring(named name: String) -> WiringPlan.Device? {
    let terminals = [place.data(to: "DIN"), place.clock(to: "CLK"), place.select(to: "CS")]
    return WiringPlan.Device(
      name: name, kind: "dot matrix", direction: .output,
      circuits: [
        .box(
          "MAX7219 modules", terminals: terminals, supplies: ["VCC": .volts5, "GND": .ground], notes: [.segmentLevel])
      ], parts: [WiringPart("level shifter 74AHCT125")])
  }

  // MARK: - Driver

  private func driver(on platform: Platform) -> DotMatrix {
    DotMatrix(
      platform.hardware(at: place.port), chipSelect: place.chipSelect, moduleCount: moduleCount, settings: settings)
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(of: devices.map { $0.driver(on: context.platform) }, kind: plural) { place, appearance, values in
      devices[place].model(of: appearance, in: values)
    }
  }

  package func show(safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext) throws(DriverError) {
    try hardware.show(model(of: safe, in: values), by: driver(on: hardware.platform))
  }

  private func text(of appearance: OutputAppearance, in values: PanelValues) -> String {
    guard case .writing(let text) = appearance else { return "" }
    return String((text.rows(in: values).first ?? "").prefix(MovingText.longest))
  }

  private func model(of appearance: OutputAppearance, in values: PanelValues) -> DotMatrix.Model {
    DotMatrix.Model(text(of: appearance, in: values), brightness: brightness)
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    platform.simulated(at: place.port).map { bus in
      let sign = SimulatedDotMatrix(bus.bench, moduleCount: moduleCount)
      bus.connect(sign, at: place.chipSelect)
      return sign
    }
  }

  // MARK: - Appearance

  package static var shown: Shape { DisplayDeclaration.shown(rows: 1) }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    let display = DisplayTextReader.Display(
      rows: 1, columns: MovingText.longest, cut: "shows the first \(MovingText.longest)",
      substitute: { PixelFont.columns(of: $0) == nil ? "shows ? instead; write it in another way" : nil })
    return DisplayTextReader(show: show, display: display).appearance(of: "matrix")
  }

  // MARK: - Look

  package var expectation: String { "off, or the text of the matrix: \"Hello\"" }

  package func look(named text: String) -> ObservedOutput? { text == "off" ? .off : .word(text) }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    let text = text(of: appearance, in: view.values)
    let wanted: ObservedOutput = text.allSatisfy { $0 == " " } ? .off : .word(text)
    guard let sign = view.world as? SimulatedDotMatrix else { return wanted }
    guard var seen = sign.visible, seen != PixelBuffer(width: width, height: 8) else { return .off }
    if settings.isRotated { seen = seen.rotated }
    let moving = MovingText(text, width: width)
    if (0..<moving.stepCount).contains(where: { moving.frame(at: $0) == seen }) { return wanted }
    let read = seen.texts(scale: 1).first ?? ""
    return .word(String(read.reversed().drop { $0 == " " }.reversed()))
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    let text = if case .word(let text) = look { text } else { "" }
    return "│\(Style.yellow)\(text.prefix(40))\(Style.plain)│"
  }
}

extension PixelBuffer {
  /// The picture turned by 180°.
  fileprivate var rotated: PixelBuffer {
    var turned = PixelBuffer(width: width, height: height)
    for x in 0..<width {
      for y in 0..<height where self[x, y] { turned[width - 1 - x, height - 1 - y] = true }
    }
    return turned
  }
}
