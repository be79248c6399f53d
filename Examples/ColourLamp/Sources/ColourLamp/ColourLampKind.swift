import HardwareDrivers
import PanelKinds

/// `sign: { colour-lamp: [GPIO17, GPIO27, GPIO22] }`: a lamp of three colours. It shows `red`, `{ red: 0.4, blue: 1 }`,
/// `{ colour: red, blink: 250ms }` or `{ colour: red, brightness: level }`, where `level` is a value of the panel.
public struct ColourLampKind: LineOutputKind {
  public static let grammar = FieldSet(
    name: "a colour lamp", summary: "lamp of three colours, at the lines of red, green and blue",
    sample: "sign: { colour-lamp: [GPIO17, GPIO27, GPIO22] }",
    keys: [
      Key(
        name: "colour-lamp", takes: "a list of three lines: [GPIO17, GPIO27, GPIO22]",
        shape: .list(of: .line, count: 3...3)),
      ActiveLevel.key,
    ])

  public let lines: [String]
  /// The level that lights an LED.
  private let active: ActiveLevel

  public init?(reading fields: DeviceFields) {
    active = fields.choice("active") ?? .high
    guard let lines = fields.lines("colour-lamp") else { return nil }
    self.lines = lines
  }

  /// A member of a group.
  init(lines: [String], active: ActiveLevel) { (self.lines, self.active) = (lines, active) }

  public func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      named: name, kind: "RGB LED", isInput: false,
      .leds(
        "RGB LED, common \(active == .high ? "cathode" : "anode")", lines: Array(zip(lines, ["R", "G", "B"])),
        isActiveHigh: active == .high))
  }

  public static var deviceClass: String? { "light" }

  public func device(on chip: any GPIOChip) -> ColourLamp {
    ColourLamp(
      chip, red: LineName(lines[0]), green: LineName(lines[1]), blue: LineName(lines[2]), isActiveLow: active == .low)
  }

  public func model(of appearance: OutputAppearance, in values: PanelValues) -> ColourLamp.Model {
    if let light = appearance.own(Light.self) { return light.model(values) }
    return .steady(appearance == .on ? .white : .off)
  }

  // MARK: - What a file has it show

  static let words: [(word: String, colour: Colour)] = [
    ("red", .red), ("green", .green), ("blue", .blue), ("white", .white), ("yellow", Colour(red: 1, green: 1)),
    ("cyan", Colour(green: 1, blue: 1)), ("magenta", Colour(red: 1, blue: 1)),
  ]

  private static let light = FieldSet(
    name: "a light",
    keys: ["red", "green", "blue"].map {
      Key(name: $0, takes: "a number 0...1", shape: .number(0...1), usual: "`0`", meaning: "its brightness")
    } + [
      Key(name: "colour", takes: "red, green or another colour", shape: .words(words.map(\.word))),
      Key(
        name: "blink", takes: "a duration: 250ms", shape: .span(.milliseconds(10) ... .seconds(60)),
        meaning: "lit and dark for this time each; only beside `colour`"),
      Key(
        name: "brightness", takes: "a value's name", shape: .value,
        meaning: "dark at the `min` of the value, bright at its `max`; only beside `colour`"),
    ])

  public static var shown: Shape { .oneOf([.words(["on", "off"] + words.map(\.word)), .fields(light)]) }

  public func appearance(reading show: ShowField) -> OutputAppearance? {
    if let switched = show.switched { return switched }
    if let known = Self.colour(named: show.word) { return .own(Light(colour: known)) }
    guard let fields = show.fields(Self.light) else {
      show.addMisfit("colour-lamp", "on, \(expectation), { red: 0.4, blue: 1 }, or { colour: red, blink: 250ms }")
      return nil
    }
    let parts = ["red", "green", "blue"].map { fields.number($0) }
    guard let colour = Self.colour(named: fields.text("colour")) else {
      for key in ["blink", "brightness"] where fields.has(key) {
        fields.addProblem(at: key, "\(key) needs a colour beside it; write { colour: red, \(key): … }")
        return nil
      }
      return .own(Light(colour: Colour(red: parts[0] ?? 0, green: parts[1] ?? 0, blue: parts[2] ?? 0)))
    }
    if parts.contains(where: { $0 != nil }) {
      fields.addProblem(at: "colour", "colour can't be beside red, green and blue; write one or the other")
      return nil
    }
    if fields.has("blink"), fields.has("brightness") {
      fields.addProblem(at: "blink", "a light that blinks is as bright as it can be; leave blink or brightness out")
      return nil
    }
    let brightness = fields.value("brightness", of: show)
    if fields.has("brightness"), brightness == nil { return nil }
    return .own(Light(colour: colour, blink: fields.duration("blink"), brightness: brightness))
  }

  private static func colour(named word: String?) -> Colour? { words.first { $0.word == word }?.colour }

  // MARK: - How it looks

  public var expectation: String { "off, blinking, a number 0...1, " + Self.words.map(\.word).joined(separator: ", ") }

  public func look(named text: String) -> ObservedOutput? {
    switch text {
    case "off": .off
    case "blinking": .blinking
    default:
      Self.colour(named: text) != nil
        ? .word(text) : Double(text).flatMap { $0 > 0 && $0 < 1 ? .level($0) : nil }
    }
  }

  // What is on for good is read from the levels of the lines, so that a lamp whose lines nobody drives looks off.
  public func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    var colour: Colour
    switch model(of: appearance, in: view.values) {
    case .blinking: return .blinking
    case .steady(let steady): colour = steady
    }
    if let light = appearance.own(Light.self), let value = light.brightness {
      let share = view.values.share(of: value)
      if share > 0, share < 1 { return .level(share) }
    }
    guard colour.levels.allSatisfy({ $0 == 0 || $0 == 1 }) else { return .word(Light(colour: colour).text) }
    let lit = lines.map { view.isActive($0, active) }
    if !lit.contains(nil) {
      let levels = lit.map { $0 == true ? 1.0 : 0 }
      colour = Colour(red: levels[0], green: levels[1], blue: levels[2])
    }
    return colour == .off ? .off : .word(Light(colour: colour).text)
  }
}

/// The light of a colour lamp: a colour, which can blink, or whose brightness follows a value of the panel.
public struct Light: CustomAppearance {
  public var shade: Colour
  public var blink: Duration?
  /// The value that its brightness follows.
  public var brightness: Int?

  public init(colour: Colour, blink: Duration? = nil, brightness: Int? = nil) {
    (shade, self.blink, self.brightness) = (colour, blink, brightness)
  }

  func model(_ values: PanelValues) -> ColourLamp.Model {
    if let blink { return .blinking(shade, blink) }
    return .steady(brightness.map { shade.dimmed(to: values.share(of: $0)) } ?? shade)
  }

  public var followedValues: [Int] { brightness.map { [$0] } ?? [] }
  public var isMoving: Bool { blink != nil }
  public var staysWithoutProgram: Bool { blink == nil && brightness == nil }
  public var colour: LampColour? { LampColour(red: shade.red, green: shade.green, blue: shade.blue) }

  /// `red`, or `{ red: 0.4, blue: 1.0 }`.
  public var text: String {
    let word = ColourLampKind.words.first { $0.colour == shade }?.word
    if let blink { return "{ colour: \(word ?? "a mixture"), blink: \(Int(blink / .milliseconds(1)))ms }" }
    if brightness != nil { return "{ colour: \(word ?? "a mixture"), brightness: a value }" }
    if let word { return word }
    let mixed = zip(["red", "green", "blue"], shade.levels).filter { $0.1 > 0 }.map { "\($0): \($1)" }
    return mixed.isEmpty ? "off" : "{ \(mixed.joined(separator: ", ")) }"
  }
}
