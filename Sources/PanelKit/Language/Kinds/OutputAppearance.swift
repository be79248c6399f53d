/// The appearance of an output, as a panel file defines it.
public enum OutputAppearance: Equatable, Sendable {
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
  /// An appearance that only its kind knows: a ``CustomAppearance``.
  case special(AnyCustomAppearance)

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

extension OutputAppearance {
  /// Makes an appearance that only a kind knows.
  public static func own(_ appearance: some CustomAppearance) -> OutputAppearance {
    .special(AnyCustomAppearance(value: appearance))
  }

  /// The kind's own appearance if it has this type; nil for anything else.
  public func own<Own: CustomAppearance>(_ type: Own.Type) -> Own? {
    if case .special(let special) = self { special.value as? Own } else { nil }
  }
}
