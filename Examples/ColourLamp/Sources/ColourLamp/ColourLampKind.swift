import HardwareDrivers
import PanelKit

/// `sign: { rgb: [GPIO17, GPIO27, GPIO22] }`, which a file has show `red` or `{ red: 0.4, blue: 1 }`.
public struct ColourLampKind: LineOutputKind {
  public static let grammar = Place(
    name: "an rgb lamp", summary: "lamp of three colours, at the lines of red, green and blue",
    sample: "sign: { rgb: [GPIO17, GPIO27, GPIO22] }",
    keys: [
      Key(
        name: "rgb", takes: "a list of three lines: [GPIO17, GPIO27, GPIO22]", shape: .list(of: .line, count: 3...3)),
      ActiveLevel.key,
    ])

  public let lines: [String]
  /// The level that lights an LED.
  private let active: ActiveLevel

  public init?(reading fields: DeviceFields) {
    active = fields.choice("active") ?? .high
    guard let lines = fields.lines("rgb") else { return nil }
    self.lines = lines
  }

  public func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      named: name, kind: "RGB LED", isInput: false,
      .leds(
        "RGB LED, common \(active == .high ? "cathode" : "anode")", lines: Array(zip(lines, ["R", "G", "B"])),
        isActiveHigh: active == .high))
  }

  public func device(on chip: any GPIOChip) -> ColourLamp {
    ColourLamp(
      chip, red: LineName(lines[0]), green: LineName(lines[1]), blue: LineName(lines[2]), isActiveLow: active == .low)
  }

  public func model(of appearance: Appearance, in values: PanelValues) -> Colour {
    appearance.own(Colour.self) ?? (appearance == .on ? .white : .off)
  }

  // MARK: - What a file has it show

  private static let words: [(word: String, colour: Colour)] = [
    ("red", .red), ("green", .green), ("blue", .blue), ("white", .white), ("yellow", Colour(red: 1, green: 1)),
    ("cyan", Colour(green: 1, blue: 1)), ("magenta", Colour(red: 1, blue: 1)),
  ]

  private static let mixture = Place(
    name: "a mixture of colours",
    keys: ["red", "green", "blue"].map {
      Key(name: $0, takes: "a number 0...1", shape: .number(0...1), usual: "`0`", meaning: "its brightness")
    })

  public static var shown: Shape { .oneOf([.words(["on", "off"] + words.map(\.word)), .fields(mixture)]) }

  public func appearance(reading show: ShowField) -> Appearance? {
    if let switched = show.switched { return switched }
    if let known = Self.words.first(where: { $0.word == show.word }) { return .own(known.colour) }
    if let mixed = show.fields(Self.mixture) {
      return .own(
        Colour(
          red: mixed.number("red") ?? 0, green: mixed.number("green") ?? 0, blue: mixed.number("blue") ?? 0))
    }
    show.addMisfit("rgb", "on, \(expectation), or { red: 0.4, blue: 1 }")
    return nil
  }

  // MARK: - How it looks

  public var expectation: String { "off, " + Self.words.map(\.word).joined(separator: ", ") }

  public func look(named text: String) -> ObservedOutput? {
    if text == "off" { return .off }
    return Self.words.contains { $0.word == text } ? .word(text) : nil
  }

  // What is on for good is read from the levels of the lines, so that a lamp whose lines nobody drives looks off.
  public func look(of appearance: Appearance, in view: OutputView) -> ObservedOutput {
    var colour = model(of: appearance, in: view.values)
    guard colour.levels.allSatisfy({ $0 == 0 || $0 == 1 }) else { return .word(colour.text) }
    let lit = lines.map { view.isActive($0, active) }
    if !lit.contains(nil) {
      let levels = lit.map { $0 == true ? 1.0 : 0 }
      colour = Colour(red: levels[0], green: levels[1], blue: levels[2])
    }
    return colour == .off ? .off : .word(colour.text)
  }
}

extension Colour: KindAppearance {
  /// `red`, or `{ red: 0.4, blue: 1.0 }`.
  public var text: String {
    if let word = ColourLampKind.word(of: self) { return word }
    let mixed = zip(["red", "green", "blue"], levels).filter { $0.1 > 0 }.map { "\($0): \($1)" }
    return mixed.isEmpty ? "off" : "{ \(mixed.joined(separator: ", ")) }"
  }
}

extension ColourLampKind {
  fileprivate static func word(of colour: Colour) -> String? { words.first { $0.colour == colour }?.word }
}
