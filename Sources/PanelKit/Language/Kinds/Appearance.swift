/// The appearance of an output, as a panel file defines it.
public enum Appearance: Equatable, Sendable {
  case off
  case on
  /// Lit for `on`, dark for `off`, starting lit; endless if `times` is nil.
  case blink(on: Duration, off: Duration, times: Int?)
  /// One cycle of rising and falling brightness lasts the duration.
  case pulse(Duration)
  /// Brightness 0...1.
  case level(Double)
  /// The number of lit lamps of a bar.
  case count(Int)
  /// The index of a value whose min...max is mapped to none...all of a bar's lamps, or to dark...bright.
  case value(Int)
  /// The text of a display.
  case writing(DisplayText)
  /// An appearance that only its kind knows: a ``KindAppearance``.
  case special(SpecialAppearance)

  /// Whether the appearance depends on the panel's values, and not only on its states.
  package var dependsOnValues: Bool {
    switch self {
    case .value: true
    case .writing(let text): text.dependsOnValues
    case .special(let special): !special.value.followedValues.isEmpty
    case .off, .on, .blink, .pulse, .level, .count: false
    }
  }

  /// Whether the appearance changes with time.
  package var isMoving: Bool {
    switch self {
    case .blink, .pulse: true
    case .special(let special): special.value.isMoving
    case .off, .on, .level, .count, .value, .writing: false
    }
  }

  /// The appearance as a file writes it: `{ blink: 250ms }`.
  package var text: String {
    switch self {
    case .off: "off"
    case .on: "on"
    case .blink(let on, let off, nil) where on == off: "{ blink: \(Quantity.text(on)) }"
    case .blink(let on, let off, let times):
      "{ blink: { on: \(Quantity.text(on)), off: \(Quantity.text(off))\(times.map { ", times: \($0)" } ?? "") } }"
    case .pulse(let length): "{ pulse: \(Quantity.text(length)) }"
    case .level(let level): "{ level: \(level) }"
    case .count(let count): "\(count)"
    case .value: "a value"
    case .writing: "a text"
    case .special(let special): special.value.text
    }
  }

  /// Whether the output can keep the appearance when no program drives it.
  var staysWithoutProgram: Bool {
    switch self {
    case .off, .on, .count: true
    case .blink, .pulse, .level, .value: false
    case .writing: !dependsOnValues
    case .special(let special): special.value.staysWithoutProgram
    }
  }
}

extension Appearance {
  /// Makes an appearance that only a kind knows.
  public static func own(_ appearance: some KindAppearance) -> Appearance {
    .special(SpecialAppearance(value: appearance))
  }

  /// The kind's own appearance if it has this type; nil for anything else.
  public func own<Own: KindAppearance>(_ type: Own.Type) -> Own? {
    if case .special(let special) = self { special.value as? Own } else { nil }
  }
}

/// An appearance that only its kind of output knows, such as the colour of a lamp.
public protocol KindAppearance: Equatable, Sendable {
  /// The appearance as a file writes it after `show:`, for messages: `{ mood: red }`.
  var text: String { get }
  /// The indexes of the panel's values on which the appearance depends. The kind gets the values beside the appearance,
  /// and makes its model again when one of them has changed. The default is none.
  var followedValues: [Int] { get }
  /// The colour of a lamp with this appearance on the monitor's page. The default is nil, for a lamp without a colour.
  var colour: LampColour? { get }
  /// Whether the appearance changes with time, as blinking does. The default is false.
  var isMoving: Bool { get }
  /// Whether the output can keep the appearance when no program drives it, in `safe`. The default is true.
  var staysWithoutProgram: Bool { get }
}

extension KindAppearance {
  public var followedValues: [Int] { [] }
  public var colour: LampColour? { nil }
  public var isMoving: Bool { false }
  public var staysWithoutProgram: Bool { followedValues.isEmpty }

  fileprivate func isEqual(to other: any KindAppearance) -> Bool { other as? Self == self }
}

/// The colour of a lamp for a picture: its parts of red, green and blue, 0 to 1 each.
public struct LampColour: Equatable, Sendable {
  public var red: Double
  public var green: Double
  public var blue: Double

  /// Makes a colour of its parts; a part beyond 0 to 1 counts as the end of that range, and NaN as 0.
  public init(red: Double, green: Double, blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// The colour as HTML writes it: `#ff6600`.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef")
    var text = "#"
    for part in [red, green, blue] {
      let byte = part > 0 ? Int((min(part, 1) * 255).rounded()) : 0
      text.append(digits[byte / 16])
      text.append(digits[byte % 16])
    }
    return text
  }
}

/// A ``KindAppearance`` of any kind.
public struct SpecialAppearance: Equatable, Sendable {
  package let value: any KindAppearance

  public static func == (first: SpecialAppearance, second: SpecialAppearance) -> Bool {
    first.value.isEqual(to: second.value)
  }
}

/// The look of an output for a person in front of it.
public enum ObservedOutput: Equatable, Sendable {
  /// Dark, or open.
  case off
  /// At full brightness, or closed.
  case on
  /// On and off in turn, at any pace.
  case blinking
  /// Brighter and darker in turn, at any pace.
  case pulsing
  /// Brightness 0...1.
  case level(Double)
  /// The number of lit lamps of a bar.
  case count(Int)
  /// The text of a display, at least one row. Blanks at the end of a row and empty rows at the end are left out.
  case rows([String])
  /// A word of the kind, as a scenario expects it: `red`.
  case word(String)
}

extension ObservedOutput: CustomStringConvertible {
  public var description: String {
    switch self {
    case .off: "off"
    case .on: "on"
    case .blinking: "blinking"
    case .pulsing: "pulsing"
    case .level(let level): "\(level)"
    case .count(let count): "\(count)"
    case .rows(let rows): rows.joined(separator: " / ")
    case .word(let word): word
    }
  }
}
