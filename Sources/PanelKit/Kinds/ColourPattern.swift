import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import Terminal

/// The light of a lamp of colours, as a file has it: `orange`, `{ fade: red, over: 1s }`, `{ blink: [red, blue] }`.
struct ColourPattern: CustomAppearance {
  private let fixed: Light<Colour>
  /// The value that the brightness follows; nil for none.
  private let level: Int?
  let text: String

  private init(_ fixed: Light<Colour>, level: Int? = nil, text: String) {
    (self.fixed, self.level, self.text) = (fixed, level, text)
  }

  init(steady colour: Colour) { self.init(.steady(colour), text: colour.text) }

  func light(_ values: PanelValues) -> Light<Colour> {
    guard let level, case .steady(let colour) = fixed.pattern else { return fixed }
    return .steady(colour.dimmed(to: values.share(of: level)))
  }

  var followedValues: [Int] { level.map { [$0] } ?? [] }
  var isMoving: Bool { if case .steady = fixed.pattern { false } else { true } }
  var staysWithoutProgram: Bool {
    guard level == nil, case .steady(let colour) = fixed.pattern else { return false }
    return (0..<Colour.channelCount).allSatisfy { [0, 1].contains(colour[$0]) }
  }

  var colour: LampColour? {
    let look: Colour =
      switch fixed.pattern {
      case .steady(let look), .blink(let look, _, _, _, _), .fade(let look, _), .pulse(let look, _, _, _): look
      case .keys(let keys, _): keys.list.last?.value ?? .dark
      }
    let white = look.white
    return LampColour(red: max(look.red, white), green: max(look.green, white), blue: max(look.blue, white))
  }

  // MARK: - Look

  /// The look after some time. A fade begins with a look that is not known here, so it is `fading` until its end.
  static func look(of light: Light<Colour>, after age: Duration) -> ObservedOutput {
    let state = LightState(light, at: .zero)
    let hasEnded = state.end.map { $0 <= .zero + age } ?? false
    switch light.pattern {
    case .fade(let look, _): return hasEnded ? Self.look(of: look) : .word("fading")
    case .pulse: return hasEnded ? .off : .pulsing
    case .blink(_, let rest, _, _, _): return hasEnded ? Self.look(of: rest) : .blinking
    case .keys, .steady: return Self.look(of: state.shown(at: .zero + age).look)
    }
  }

  static func look(of colour: Colour) -> ObservedOutput {
    if colour == .dark { return .off }
    // White alone is the fourth LED.
    if colour.red == 0, colour.green == 0, colour.blue == 0 { return .word("white") }
    return .word(colour.text)
  }
}

// MARK: - Reading

extension ColourPattern {
  private static let spans = LampPattern.spans
  private static let keyCounts = 2...Keyframes<Colour>.limit

  static let grammar = FieldSet(
    name: "a colour's show",
    keys: [
      Key(
        name: "colour", takes: "a colour: orange, or \"#FF8000\"", shape: .colour,
        meaning: "colour, beside `level` or `pulse`"),
      Key(
        name: "hsv", takes: "a list of hue 0...360, saturation 0...1 and brightness 0...1: [30, 1, 1]",
        shape: .list(of: .number(0...360), count: 3...3), meaning: "colour by its hue, saturation and brightness"),
      Key(
        name: "white", takes: "a number 0...1", shape: .number(0...1),
        meaning: "brightness of the white LED, for a lamp with four lines"),
      Key(
        name: "level", takes: "a number 0...1 or a value's name", shape: .oneOf([.number(0...1), .value]),
        meaning: "brightness of `colour`. At the `min` of a value the lamp is dark, at its `max` bright"),
      Key(
        name: "blink", takes: "a colour, or a list of two: [red, blue]",
        shape: .oneOf([.colour, .list(of: .colour, count: 2...2)]),
        meaning: "colour that is shown for `on`, and the one that is shown for `off`; off if there is only one"),
      Key(name: "on", takes: "a duration: 200ms", shape: .span(spans), usual: "`500ms`", meaning: "on-time of `blink`"),
      Key(name: "off", takes: "a duration: 200ms", shape: .span(spans), usual: "`on`", meaning: "off-time of `blink`"),
      Key(
        name: "pulse", takes: "a duration: 2s", shape: .span(.milliseconds(10) ... .seconds(3_600)),
        meaning: "period in which `colour` brightens and dims once"),
      Key(
        name: "rise", takes: "a duration: 200ms", shape: .span(spans), usual: "half of the pulse",
        meaning: "part of a pulse in which the lamp brightens"),
      Key(
        name: "fade", takes: "a colour, with over: 2s beside it", shape: .colour,
        meaning: "colour at the end of a fade from the present one"),
      Key(name: "over", takes: "a duration: 2s", shape: .span(spans), meaning: "duration of the fade"),
      Key(
        name: "keys", takes: "a list of 2...8 times and colours: [[0s, red], [1s, green]]",
        shape: .list(of: .list(of: .oneOf([.duration, .colour]), count: 2...2), count: keyCounts),
        meaning: "times since the beginning, each with the colour at that time. The colour changes evenly between them"),
      Key(
        name: "times", takes: "a whole number 1...10000", shape: .whole(1...10_000),
        usual: "forever for `blink` and `pulse`, once for `keys`", meaning: "number of repetitions"),
      Key(
        name: "linear", takes: "true or false", shape: .flag, usual: "`false`",
        meaning: "`true` changes the light evenly, `false` the brightness for the eye"),
    ])

  /// The keys that decide what is shown, each with those that can be beside it.
  private static let companions: KeyValuePairs = [
    "blink": ["on", "off", "times"], "pulse": ["colour", "rise", "times", "linear"], "fade": ["over", "linear"],
    "keys": ["times", "linear"], "hsv": ["white"], "level": ["colour"], "white": ["colour", "hsv"],
  ]

  /// Reads a map. Adds a problem and returns nil if it is wrong.
  static func read(_ show: ShowField) -> ColourPattern? {
    show.fields(grammar).flatMap { read($0, of: show) }
  }

  /// Reads the fields of a map, whose keys are those of the grammar, or more.
  static func read(_ fields: DeviceFields, of show: ShowField) -> ColourPattern? {
    guard let main = companions.first(where: { fields.has($0.key) }) else {
      if fields.has("colour") { return colour("colour", of: fields).map { ColourPattern(steady: $0) } }
      show.addMisfit("rgb", "a colour, { hsv: [30, 1, 1] }, { fade: red, over: 1s } or { pulse: 2s, colour: red }")
      return nil
    }
    if let stranger = fields.all.first(where: { $0.key.name != main.key && !main.value.contains($0.key.name) }) {
      fields.addProblem(
        at: stranger.key.name,
        "\(stranger.key.name) can't be beside \(main.key); beside it you can write \(main.value.joined(separator: ", "))"
      )
      return nil
    }
    let times = fields.whole("times")
    if fields.has("times"), times == nil { return nil }
    return switch main.key {
    case "blink": blink(fields, times)
    case "pulse": pulse(fields, times)
    case "fade": fade(fields)
    case "keys": keys(fields, times)
    case "level": level(fields, of: show)
    default: mixed(fields).map { ColourPattern(steady: $0) }
    }
  }

  private static func blink(_ fields: DeviceFields, _ times: Int?) -> ColourPattern? {
    let colours: [Colour]
    if case .list = fields["blink"]?.node.content {
      guard let elements = fields.elements("blink") else { return nil }
      colours = elements.compactMap { colour("blink", of: $0) }
      guard colours.count == 2 else { return nil }
    } else {
      guard let colour = colour("blink", of: fields) else { return nil }
      colours = [colour]
    }
    guard let on = span("on", of: fields, usual: .milliseconds(500)), let off = span("off", of: fields, usual: on)
    else { return nil }
    let names = colours.map(\.text)
    return ColourPattern(
      .blink(colours[0], colours.count > 1 ? colours[1] : .dark, on: on, off: off, times: times),
      text:
        "{ blink: \(names.count > 1 ? "[\(names.joined(separator: ", "))]" : names[0]), on: \(Quantity.text(on)), "
        + "off: \(Quantity.text(off))\(repeated(times)) }")
  }

  private static func pulse(_ fields: DeviceFields, _ times: Int?) -> ColourPattern? {
    guard let length = fields.duration("pulse"), let rise = span("rise", of: fields, usual: length / 2),
      let colour = fields.has("colour") ? colour("colour", of: fields) : .full, let scale = scale(fields)
    else { return nil }
    guard rise <= length else {
      fields.addProblem(at: "rise", "rise is longer than the pulse of \(Quantity.text(length))")
      return nil
    }
    return ColourPattern(
      Light(.pulse(colour, rise: rise, fall: length - rise, times: times.map { Int32($0) }), on: scale),
      text:
        "{ pulse: \(Quantity.text(length)), colour: \(colour.text)"
        + "\(fields.has("rise") ? ", rise: \(Quantity.text(rise))" : "")\(repeated(times))\(end(scale))")
  }

  private static func fade(_ fields: DeviceFields) -> ColourPattern? {
    guard let colour = colour("fade", of: fields), let scale = scale(fields) else { return nil }
    guard fields.has("over") else {
      fields.addProblem(at: "fade", "a fade takes a time; write { fade: \(colour.text), over: 2s }")
      return nil
    }
    guard let span = fields.duration("over") else { return nil }
    return ColourPattern(
      .fade(to: colour, over: span, on: scale),
      text: "{ fade: \(colour.text), over: \(Quantity.text(span))\(end(scale))")
  }

  private static func keys(_ fields: DeviceFields, _ times: Int?) -> ColourPattern? {
    guard let keys = fields.keyframes("keys", value: { colour("keys", of: $0) }), let scale = scale(fields) else {
      return nil
    }
    let list = keys.list.map { "[\(Quantity.text($0.time)), \($0.value.text)]" }.joined(separator: ", ")
    return ColourPattern(
      Light(.keys(keys, times: Int32(times ?? 1)), on: scale), text: "{ keys: [\(list)]\(repeated(times))\(end(scale))")
  }

  private static func level(_ fields: DeviceFields, of show: ShowField) -> ColourPattern? {
    guard let colour = fields.has("colour") ? colour("colour", of: fields) : .full else { return nil }
    switch fields.level("level", of: show) {
    case .value(let value)?:
      return ColourPattern(
        .steady(colour), level: value, text: "{ colour: \(colour.text), level: \(fields.text("level") ?? "") }")
    case .level(let share)?: return ColourPattern(steady: colour.dimmed(to: share))
    default: return nil
    }
  }

  private static func scale(_ fields: DeviceFields) -> BrightnessScale? {
    guard fields.has("linear") else { return .perceived }
    return fields.flag("linear").map { $0 ? .linear : .perceived }
  }

  private static func repeated(_ times: Int?) -> String { times.map { ", times: \($0)" } ?? "" }
  private static func end(_ scale: BrightnessScale) -> String { scale == .linear ? ", linear: true }" : " }" }

  /// The colour of `hsv`, or of `colour`, with the white part.
  private static func mixed(_ fields: DeviceFields) -> Colour? {
    guard let white = fields.has("white") ? fields.number("white") : 0 else { return nil }
    var base = Colour.dark
    if fields.has("hsv") {
      guard let parts = fields.elements("hsv") else { return nil }
      let numbers = parts.enumerated().compactMap { place, element in
        element["hsv"].flatMap { element.problems.number($0, in: place == 0 ? 0...360 : 0...1) }
      }
      guard numbers.count == 3 else { return nil }
      base = Colour(hue: numbers[0], saturation: numbers[1], value: numbers[2])
    } else if fields.has("colour") {
      guard let colour = Self.colour("colour", of: fields) else { return nil }
      base = colour
    }
    return Colour(red: base.red, green: base.green, blue: base.blue, white: white)
  }

  static func colour(_ key: String, of fields: DeviceFields) -> Colour? {
    guard let text = fields.text(key) else { return nil }
    if text == "off" { return .dark }
    if let colour = Colour(text) { return colour }
    let near = nearest(to: text, among: Colour.names.map(\.name)).map { "did you mean \(quoted($0))?" }
    fields.addProblem(
      at: key, "\(quoted(text)) is not a colour; \(near ?? "write a name such as orange, or digits: \"#FF8000\"")")
    return nil
  }

  private static func span(_ key: String, of fields: DeviceFields, usual: Duration) -> Duration? {
    fields.has(key) ? fields.duration(key) : usual
  }
}
