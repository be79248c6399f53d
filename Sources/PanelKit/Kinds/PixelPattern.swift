import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage

/// The light of a strip, as a file has it, if its pixels differ or blend: `{ bar: level, of: green }`,
/// `{ chase: red, every: 50ms }`, `{ fill: red, over: 1s }`, each with a `level`.
struct PixelPattern: CustomAppearance {
  /// The light; its share is 0 if a value decides on it.
  private let fixed: PixelLight
  /// The value that decides how much of the strip is lit, or where; nil for none.
  private let level: Int?
  /// The value that decides on the brightness; nil for none.
  private let brightness: Int?
  let text: String

  private init(fixed: PixelLight, level: Int?, brightness: Int? = nil, text: String) {
    (self.fixed, self.level, self.brightness, self.text) = (fixed, level, brightness, text)
  }

  /// One colour for all pixels.
  init(fill colour: Colour) {
    self.init(fixed: PixelLight(.fill(.steady(colour))), level: nil, text: colour.text)
  }

  func light(_ values: PanelValues) -> PixelLight {
    var light = fixed
    if let brightness { light.brightness = values.share(of: brightness) }
    guard let level else { return light }
    let share = values.share(of: level)
    switch fixed.pattern {
    case .bar(_, let colour, let rest): light.pattern = .bar(share: share, of: colour, rest: rest)
    case .dot(_, let colour, let rest, let tail): light.pattern = .dot(share: share, of: colour, rest: rest, tail: tail)
    case .fill, .pixels, .chase, .rainbow: break
    }
    return light
  }

  var followedValues: [Int] { [level, brightness].compactMap(\.self) }

  var isMoving: Bool {
    switch fixed.pattern {
    case .chase, .rainbow: true
    case .fill, .pixels, .bar, .dot: fixed.over > .zero
    }
  }

  var staysWithoutProgram: Bool { followedValues.isEmpty && !isMoving }

  var colour: LampColour? {
    let look: Colour =
      switch fixed.pattern {
      case .fill(let light): if case .steady(let look) = light.pattern { look } else { .full }
      case .pixels(let list): list.first { $0 != .dark } ?? .dark
      case .bar(_, let colour, _), .dot(_, let colour, _, _), .chase(let colour, _): colour
      case .rainbow: .full
      }
    return LampColour(
      red: max(look.red, look.white), green: max(look.green, look.white), blue: max(look.blue, look.white))
  }
}

// MARK: - Reading

extension PixelPattern {
  private static let spans = LampPattern.spans

  /// The keys of a strip, and those of a colour.
  static let grammar = FieldSet(
    name: "a strip's show",
    keys: [
      Key(name: "fill", takes: "a colour: orange, or \"#FF8000\"", shape: .colour, meaning: "colour of all pixels"),
      Key(
        name: "pixels", takes: "a list of 1...10000 colours: [red, off, red]",
        shape: .list(of: .colour, count: 1...10_000),
        meaning: "colour of each pixel. The pixels after the last one are dark"),
      Key(
        name: "bar", takes: "a number 0...1 or a value's name", shape: .oneOf([.number(0...1), .value]),
        meaning: "part of the strip that has the colour `of`, from the first pixel on"),
      Key(
        name: "dot", takes: "a number 0...1 or a value's name", shape: .oneOf([.number(0...1), .value]),
        meaning: "place of one pixel that has the colour `of`: 0 is the first pixel, 1 the last one"),
      Key(
        name: "of", takes: "a colour: green", shape: .colour, usual: "white", meaning: "colour of `bar` and `dot`"),
      Key(
        name: "rest", takes: "a colour: navy", shape: .colour, usual: "`off`",
        meaning: "colour of the other pixels beside `bar` and `dot`"),
      Key(
        name: "tail", takes: "a whole number 0...1000", shape: .whole(0...1_000), usual: "`0`",
        meaning: "number of pixels on both sides of `dot` that fade to `rest`"),
      Key(
        name: "chase", takes: "a colour, with every: 50ms beside it", shape: .colour,
        meaning: "colour of each pixel of three, which all move along the strip"),
      Key(
        name: "every", takes: "a duration 20ms...1h: 50ms", shape: .span(.milliseconds(20) ... .seconds(3_600)),
        meaning: "time in which `chase` moves by one pixel"),
      Key(
        name: "rainbow", takes: "a duration 100ms...1h: 5s", shape: .span(.milliseconds(100) ... .seconds(3_600)),
        meaning: "time in which the colours of the rainbow move along the strip once"),
      Key(
        name: "from", takes: "start or end", shape: .choice(End.self), usual: "`start`",
        meaning: "end of the strip at which the picture begins"),
    ] + ColourPattern.grammar.keys)

  /// An end of the strip.
  private enum End: String, CaseIterable, Sendable {
    case start, end
  }

  /// The keys that decide what is shown, each with those that can be beside it.
  private static let companions: KeyValuePairs = [
    "fill": ["over", "level"], "pixels": ["over", "level", "from"], "bar": ["of", "rest", "over", "level", "from"],
    "dot": ["of", "rest", "tail", "over", "level", "from"], "chase": ["every", "level", "from"],
    "rainbow": ["over", "level", "from"],
  ]

  /// Reads a map. Adds a problem and returns nil if it is wrong.
  ///
  /// - Parameter hasWhite: whether the pixels have a white LED.
  static func read(_ show: ShowField, hasWhite: Bool) -> OutputAppearance? {
    guard let fields = show.fields(grammar) else { return nil }
    if fields.has("white"), !hasWhite {
      fields.addProblem(at: "white", "the strip has no white LED; write order: grbw beside strip, or leave white out")
      return nil
    }
    guard let main = companions.first(where: { fields.has($0.key) }) else {
      return ColourPattern.read(fields, of: show).map { .own($0) }
    }
    if let stranger = fields.all.first(where: { $0.key.name != main.key && !main.value.contains($0.key.name) }) {
      fields.addProblem(
        at: stranger.key.name,
        "\(stranger.key.name) can't be beside \(main.key); beside it you can write \(main.value.joined(separator: ", "))"
      )
      return nil
    }
    guard let over = fields.has("over") ? fields.duration("over") : .zero else { return nil }
    func colour(_ key: String, usual: Colour) -> Colour? {
      fields.has(key) ? ColourPattern.colour(key, of: fields) : usual
    }
    var (share, brightness): (Double, Int?) = (1, nil)
    if fields.has("level") {
      switch fields.level("level", of: show) {
      case .value(let value)?: brightness = value
      case .level(let number)?: share = number
      default: return nil
      }
    }
    var isReversed = false
    if fields.has("from") {
      guard let end: End = fields.choice("from") else { return nil }
      isReversed = end == .end
    }
    func made(_ pattern: PixelLight.Pattern, level: Int? = nil, _ text: String) -> OutputAppearance {
      let light = PixelLight(pattern, over: over, brightness: share, isReversed: isReversed)
      var text = text
      if let level = fields.text("level") { text += ", level: \(level)" }
      if isReversed { text += ", from: end" }
      if over > .zero { text += ", over: \(Quantity.text(over))" }
      return .own(PixelPattern(fixed: light, level: level, brightness: brightness, text: "{ \(text) }"))
    }
    switch main.key {
    case "fill":
      guard let colour = ColourPattern.colour("fill", of: fields) else { return nil }
      return made(.fill(.steady(colour)), "fill: \(colour.text)")
    case "pixels":
      guard let elements = fields.elements("pixels") else { return nil }
      let colours = elements.compactMap { ColourPattern.colour("pixels", of: $0) }
      guard colours.count == elements.count else { return nil }
      return made(.pixels(colours), "pixels: [\(colours.map(\.text).joined(separator: ", "))]")
    case "chase":
      guard let colour = ColourPattern.colour("chase", of: fields) else { return nil }
      guard fields.has("every") else {
        fields.addProblem(at: "chase", "a chase takes a time; write { chase: \(colour.text), every: 50ms }")
        return nil
      }
      guard let every = fields.duration("every") else { return nil }
      return made(.chase(colour, every: every), "chase: \(colour.text), every: \(Quantity.text(every))")
    case "rainbow":
      guard let round = fields.duration("rainbow") else { return nil }
      return made(.rainbow(round: round), "rainbow: \(Quantity.text(round))")
    default:
      guard let of = colour("of", usual: .full), let rest = colour("rest", usual: .dark) else { return nil }
      let tail = fields.whole("tail") ?? 0
      if fields.has("tail"), fields.whole("tail") == nil { return nil }
      var (part, level): (Double, Int?) = (0, nil)
      switch fields.level(main.key, of: show) {
      case .value(let value)?: level = value
      case .level(let number)?: part = number
      default: return nil
      }
      let words = "\(main.key): \(fields.text(main.key) ?? "\(part)"), of: \(of.text), rest: \(rest.text)"
      return main.key == "bar"
        ? made(.bar(share: part, of: of, rest: rest), level: level, words)
        : made(
          .dot(share: part, of: of, rest: rest, tail: tail), level: level,
          words + (tail > 0 ? ", tail: \(tail)" : ""))
    }
  }
}
