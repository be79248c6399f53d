import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `lights: { strip: { ws2812: 60, spi: 0.0 } }`: a strip of LEDs with a chip in each of them.
package struct StripKind: DrivenOutputKind {
  static let place = FieldSet(
    name: "a strip",
    keys: LEDStripChip.allCases.map { chip in
      Key(
        name: chip.rawValue, takes: "the number of pixels, 1...10000: 60", shape: .whole(1...10_000),
        meaning: "number of pixels, for \(chip.words)")
    } + [
      Key(
        name: "spi", takes: "a bus and a chip select of it: 0.0 for /dev/spidev0.0", shape: .text, usual: "`0.0`",
        meaning: "SPI bus and chip select, as in the name of `/dev/spidev0.0`")
    ])

  package static let grammar = FieldSet(
    name: "a strip", summary: "strip of LEDs with a chip in each, such as WS2812",
    sample: "lights: { strip: { ws2812: 60, spi: 0.0 } }",
    keys: [
      Key(
        name: "strip", takes: "its chip with the number of pixels, and its place: { ws2812: 60, spi: 0.0 }",
        shape: .fields(place), meaning: "chip with the number of pixels, and the place on the SPI bus"),
      Key(
        name: "order", takes: "the letters r, g and b, and w: grb", shape: .text,
        usual: "`grb`, or `bgr` for an APA102",
        meaning: "order in which a pixel takes its colours. With `w` it has a white LED, too"),
      Key(
        name: "power", takes: "a current 0.1A...100A: 2A", shape: .text, usual: "no limit",
        meaning: "maximum current of the strip. If a picture needs more, all its pixels are dimmed alike"),
      Key(
        name: "buffer", takes: "a whole number 4096...1048576", shape: .whole(4_096...1_048_576), usual: "`4096`",
        meaning: "size of the kernel's SPI buffer in bytes, if `spidev.bufsiz` in `cmdline.txt` sets another"),
    ])
  package static let plural = "strips"
  package static let isGroup = false
  package static var ports: [any Port.Type] { [SPIBusPort.self] }
  package static var deviceClass: String? { "light" }

  private let chip: LEDStripChip
  private let count: Int
  private let spi: SPIPlace
  private let settings: LEDStrip.Settings

  package init?(reading fields: DeviceFields) {
    guard let place = fields.inside("strip", Self.place) else { return nil }
    let chips = LEDStripChip.allCases.filter { place.has($0.rawValue) }
    guard let chip = chips.first, chips.count == 1 else {
      fields.addProblem(
        at: "strip",
        "a strip takes the number of pixels of one chip: \(listed(LEDStripChip.allCases.map(\.rawValue)))")
      return nil
    }
    let count = place.whole(chip.rawValue)
    let device = SPIPlace(reading: place, hasSelect: false)
    guard let order = Self.order(of: fields, chip), let power = Self.power(of: fields), let count, let device else {
      return nil
    }
    (self.chip, self.count) = (chip, count)
    spi = device
    settings = LEDStrip.Settings(order: order, power: power.amperes)
    let bytes = chip.byteCount(count, channels: order.count)
    let room = fields.whole("buffer") ?? SPIDevice.usualByteLimit
    guard bytes <= room else {
      let limit = chip.pixelLimit(byteLimit: room, channels: order.count)
      // The sizes that are powers of two: 32 768 is enough for 2 720 pixels.
      var size = 32_768
      while size < bytes { size *= 2 }
      place.addProblem(
        at: chip.rawValue,
        "\(count) pixels take \(bytes) bytes in one transfer, and the kernel's buffer has \(room), for \(limit) pixels; "
          + "add spidev.bufsiz=\(size) to cmdline.txt, and buffer: \(size) here")
      return nil
    }
  }

  private static func order(of fields: DeviceFields, _ chip: LEDStripChip) -> String? {
    guard fields.has("order") else { return chip.usualOrder }
    guard let text = fields.text("order") else { return nil }
    let letters = text.sorted()
    if letters == ["b", "g", "r"] || (chip.isTimed && letters == ["b", "g", "r", "w"]) { return text }
    fields.addProblem(
      at: "order",
      "\"order\" is \(quoted(text)); it takes each of the letters r, g and b once"
        + (chip.isTimed ? ", and w for pixels with a white LED" : ""))
    return nil
  }

  /// The limit of the current; nil inside if there is none.
  private static func power(of fields: DeviceFields) -> (amperes: Double?, Void)? {
    guard fields.has("power") else { return (nil, ()) }
    guard let text = fields.text("power") else { return nil }
    if text.hasSuffix("A"), let amperes = Double(text.dropLast()), (0.1...100).contains(amperes) {
      return (amperes, ())
    }
    fields.addProblem(at: "power", "\"power\" is \(quoted(text)); it takes a current 0.1A...100A: 2A")
    return nil
  }

  package var lines: [String] { [] }
  package var hardware: [DeviceHardware] { [DeviceHardware(spi.port, isRequired: true)] }
  package var pagePicture: PagePicture { .lamp }
  /// The time of two frames on the wire.
  package var lag: Duration { .milliseconds(1) + .microseconds(100 * count) }

  package func wiring(named name: String) -> WiringPlan.Device? {
    let terminals = [spi.data(to: "DIN")] + (chip.isTimed ? [] : [spi.clock(to: "CLK")])
    return WiringPlan.Device(
      name: name, kind: "LED strip", direction: .output,
      circuits: [
        .box(
          "\(chip.rawValue.uppercased()) strip", terminals: terminals, supplies: ["GND": .ground],
          notes: [.stripLevel, .stripSupply])
      ], parts: [WiringPart("level shifter 74AHCT125")])
  }

  // MARK: - Driver

  private func driver(on platform: Platform, since moment: Moment?) -> LEDStrip {
    LEDStrip(
      platform.hardware(at: spi.port), chipSelect: spi.chipSelect, chip, count: count, settings: settings, since: moment
    )
  }

  package static func lenses(of devices: [Self], in context: OutputLensContext) -> LensBundle {
    context.lenses(
      of: zip(devices, context.since).map { $0.driver(on: context.platform, since: $1) }, kind: plural
    ) { place, appearance, values in devices[place].model(of: appearance, in: values) }
  }

  package func show(safe: OutputAppearance, in values: PanelValues, on hardware: SafeStateContext) throws(DriverError) {
    try hardware.show(model(of: safe, in: values), by: driver(on: hardware.platform, since: nil))
  }

  private func model(of appearance: OutputAppearance, in values: PanelValues) -> PixelLight {
    if let pattern = appearance.own(PixelPattern.self) { return pattern.light(values) }
    if let pattern = appearance.own(ColourPattern.self) { return PixelLight(.fill(pattern.light(values))) }
    return PixelLight(.fill(appearance == .on ? .on : .off))
  }

  package func world(on chip: SimulatedChip?, _ platform: Platform) -> (any SimulatedOutput)? {
    platform.simulated(at: spi.port).map { bus in
      let strip = SimulatedLEDStrip(self.chip, count: count, order: settings.order)
      bus.connect(strip, at: spi.chipSelect)
      return strip
    }
  }

  // MARK: - Appearance

  package static var shown: Shape {
    .oneOf([.switched, .colour, .fields(PixelPattern.grammar)])
  }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    if let switched = show.switched { return switched }
    if let word = show.word {
      if let colour = Colour(word) { return .own(PixelPattern(fill: colour)) }
    } else if case .map = show.node.content {
      return PixelPattern.read(show, hasWhite: (settings.order ?? "").contains("w"))
    }
    show.addMisfit("strip", "on, off, a colour, { bar: level, of: green }, { rainbow: 5s } or { fade: red, over: 1s }")
    return nil
  }

  // MARK: - Look

  package var expectation: String {
    "off, the name of a colour, \"#FF8000\", blinking, pulsing, fading, chase, rainbow, or the colours of the pixels: "
      + "\"3 green, 57 off\""
  }

  package func look(named text: String) -> ObservedOutput? {
    switch text {
    case "off", "black": return .off
    case "on": return .word("white")
    case "blinking": return .blinking
    case "pulsing": return .pulsing
    case "fading", "chase", "rainbow": return .word(text)
    default:
      if let colour = Colour(text) { return ColourPattern.look(of: colour) }
      return pixels(named: text).map { Self.look(of: $0) }
    }
  }

  /// The pixels of a text with the number of each colour: `3 green, 57 off`.
  private func pixels(named text: String) -> [Colour]? {
    var pixels: [Colour] = []
    for part in text.parts(between: ", ") {
      let words = part.split(separator: " ")
      guard words.count == 2, let number = Int(words[0]), number > 0, number <= count - pixels.count,
        let colour = words[1] == "off" ? .dark : Colour(String(words[1]))
      else { return nil }
      pixels += repeatElement(colour, count: number)
    }
    return pixels.count == count ? pixels : nil
  }

  /// The look of pixels: one colour, or the number of each.
  private static func look(of pixels: [Colour]) -> ObservedOutput {
    guard let first = pixels.first else { return .off }
    if pixels.allSatisfy({ $0 == first }) { return ColourPattern.look(of: first) }
    var runs: [(count: Int, colour: Colour)] = []
    for pixel in pixels {
      if runs.last?.colour == pixel { runs[runs.count - 1].count += 1 } else { runs.append((1, pixel)) }
    }
    return .word(runs.map { "\($0.count) \($0.colour == .dark ? "off" : $0.colour.text)" }.joined(separator: ", "))
  }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    let light = model(of: appearance, in: view.values)
    switch light.pattern {
    case .chase: return .word("chase")
    case .rainbow: return .word("rainbow")
    case .fill(let colour):
      // A light that fades or blinks is a word.
      if case .steady = colour.pattern { break }
      return ColourPattern.look(of: colour, after: view.age)
    case .pixels, .bar, .dot: break
    }
    if view.age < light.over { return .word("fading") }
    let pixels = light.pixels(count: count)
    let look = Self.look(of: pixels)
    guard let strip = view.world as? SimulatedLEDStrip else { return look }
    // Pixels that the limit of the current dims have the look that the file gives them.
    let limited = Self.look(of: LEDStrip.limited(pixels, on: chip, settings))
    let shown = Self.look(of: strip.pixels)
    return shown == limited ? look : shown
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    look == .off ? Style.dark + "  off" : "\(Style.lit)  \(look)"
  }
}

extension LEDStripChip {
  /// The chip in a sentence.
  var words: String {
    switch self {
    case .ws2812: "a WS2812 (NeoPixel)"
    case .sk6812: "an SK6812"
    case .apa102: "an APA102 (DotStar)"
    case .sk9822: "an SK9822"
    }
  }
}
