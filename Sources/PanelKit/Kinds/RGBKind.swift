import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `mood: { rgb: [GPIO12, GPIO13, GPIO19] }`: a lamp of three colours, or of four with white.
package struct RGBKind: DimmableKind {
  package static let grammar = FieldSet(
    name: "an rgb lamp", summary: "lamp of red, green and blue, and white",
    sample: "mood: { rgb: [GPIO12, GPIO13, GPIO19] }",
    keys: [
      Key(
        name: "rgb", takes: "a list of 3 or 4 lines: [GPIO12, GPIO13, GPIO19]", shape: .list(of: .line, count: 3...4),
        meaning: "lines of red, green, blue, and white if there are four"),
      ActiveLevel.key,
    ] + PWMUse.keys)
  package static let plural = "rgb lamps"
  package static var deviceClass: String? { "light" }

  package let lines: [String]
  /// The level that lights an LED.
  private let active: ActiveLevel

  package init?(reading fields: DeviceFields) {
    active = fields.choice("active") ?? .high
    guard let lines = fields.lines("rgb") else { return nil }
    self.lines = lines
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      named: name, kind: lines.count == 4 ? "RGBW LED" : "RGB LED", isInput: false,
      .leds(
        "\(lines.count == 4 ? "RGBW" : "RGB") LED, common \(active == .high ? "cathode" : "anode")",
        lines: Array(zip(lines, ["R", "G", "B", "W"])), isActiveHigh: active == .high))
  }

  package func device(on chip: any GPIOChip) -> RGBLED { device(on: chip, since: nil) }

  package func device(in context: OutputLensContext, at place: Int) -> RGBLED {
    device(on: context.chip, since: context.since[place])
  }

  package func device(on chip: any GPIOChip, since moment: Moment?) -> RGBLED {
    RGBLED(chip, lines: lines.map { LineName($0) }, settings: .init(isActiveLow: active == .low), since: moment)
  }

  package func device(on channels: [any PWMChannel], hertz: Int, since moment: Moment?) -> RGBPWMLED {
    RGBPWMLED(channels, settings: .init(isActiveLow: active == .low, hertz: hertz), since: moment)
  }

  package func model(of appearance: OutputAppearance, in values: PanelValues) -> Light<Colour> {
    appearance.own(ColourPattern.self)?.light(values) ?? (appearance == .on ? .on : .off)
  }

  // MARK: - Appearance

  package static var shown: Shape {
    .oneOf([.switched, .colour, .fields(ColourPattern.grammar)])
  }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    if let switched = show.switched { return switched }
    if let word = show.word {
      if let colour = Colour(word) { return .own(ColourPattern(steady: colour)) }
    } else if case .map = show.node.content {
      return ColourPattern.read(show).map { .own($0) }
    }
    show.addMisfit("rgb", "on, off, orange, \"#FF8000\", { fade: red, over: 1s } or { blink: [red, blue], on: 200ms }")
    return nil
  }

  // MARK: - Look

  package var expectation: String { "off, the name of a colour, \"#FF8000\", blinking, pulsing or fading" }

  package func look(named text: String) -> ObservedOutput? {
    switch text {
    case "off", "black": .off
    case "on": .word("white")
    case "blinking": .blinking
    case "pulsing": .pulsing
    case "fading": .word("fading")
    default: Colour(text).map { ColourPattern.look(of: $0) }
    }
  }

  // A colour whose parts are on or off is read from the levels of the lines, so that a lamp whose lines are not driven
  // looks off.
  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    if let chip = view.chip, !chip.isPlugged { return .off }
    let light = model(of: appearance, in: view.values)
    if case .steady(let colour) = light.pattern, view.chip != nil,
      lines.indices.allSatisfy({ [0, 1].contains(colour[$0]) })
    {
      let lit = lines.map { view.isActive($0, active) == true ? 1.0 : 0 }
      return ColourPattern.look(
        of: Colour(red: lit[0], green: lit[1], blue: lit[2], white: lit.count > 3 ? lit[3] : 0))
    }
    return ColourPattern.look(of: light, after: view.age)
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    look == .off ? Style.dark + "  off" : "\(Style.lit)  \(look)"
  }
}

/// `rgb`: a lamp of colours on lines, or on the PWM channels of the lines.
package enum RGBDeclaration: OutputDeclaration {
  package static var grammar: FieldSet { RGBKind.grammar }
  package static let isGroup = false
  package static var ports: [any Port.Type] { PWMLampKind<RGBKind>.ports }
  package static var shown: Shape { RGBKind.shown }

  package static func members(reading fields: DeviceFields) -> [any OutputKind]? {
    let use = PWMUse(reading: fields)
    guard let lamp = RGBKind(reading: fields), let use else { return nil }
    return use.kinds(of: [lamp], fields)
  }
}
