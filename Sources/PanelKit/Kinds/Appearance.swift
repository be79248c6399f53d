/// What an output shows, as a panel file says it.
public enum Appearance: Equatable, Sendable {
  case off
  case on
  /// Lit for `on`, dark for `off`, beginning lit; `times` nil: for ever.
  case blink(on: Duration, off: Duration, times: Int?)
  /// Swells and fades once in the duration.
  case pulse(Duration)
  /// Brightness 0...1.
  case level(Double)
  /// The number of lit lamps of a bar.
  case count(Int)
  /// The index of a value whose min...max is mapped to none...all of a bar's lamps, or to dark...bright.
  case value(Int)
  /// The text of a display.
  case writing(DisplayText)
  /// What a kind shows in terms of its own: a ``KindAppearance``.
  case special(SpecialAppearance)

  /// Whether what is shown depends on the panel's values, not on its states alone.
  var dependsOnValues: Bool {
    switch self {
    case .value: true
    case .writing(let text): text.dependsOnValues
    case .off, .on, .blink, .pulse, .level, .count, .special: false
    }
  }

  /// Whether it changes with time.
  var isMoving: Bool {
    switch self {
    case .blink, .pulse: true
    case .special(let special): special.value.isMoving
    case .off, .on, .level, .count, .value, .writing: false
    }
  }

  /// As one writes it: `{ blink: 250ms }`.
  var text: String {
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

  /// Whether an output can show it when no program drives it.
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
  /// What a kind shows in terms of its own.
  public static func own(_ appearance: some KindAppearance) -> Appearance {
    .special(SpecialAppearance(value: appearance))
  }

  /// What a kind shows, if it is of this type; nil for anything else.
  public func own<Own: KindAppearance>(_ type: Own.Type) -> Own? {
    if case .special(let special) = self { special.value as? Own } else { nil }
  }
}

/// What a kind of output shows in terms of its own, as the colour of a lamp. It depends on no value of the panel.
public protocol KindAppearance: Equatable, Sendable {
  /// As one writes it behind `show:`, for messages: `{ mood: red }`.
  var text: String { get }
  /// Whether it changes with time, as blinking does; false unless a kind says otherwise.
  var isMoving: Bool { get }
  /// Whether the output can show it when no program drives it, in `safe`; true unless a kind says otherwise.
  var staysWithoutProgram: Bool { get }
}

extension KindAppearance {
  public var isMoving: Bool { false }
  public var staysWithoutProgram: Bool { true }

  fileprivate func isEqual(to other: any KindAppearance) -> Bool { other as? Self == self }
}

/// A ``KindAppearance`` of any kind.
public struct SpecialAppearance: Equatable, Sendable {
  let value: any KindAppearance

  public static func == (first: SpecialAppearance, second: SpecialAppearance) -> Bool {
    first.value.isEqual(to: second.value)
  }
}

/// How an output looks to somebody in front of it.
public enum ObservedOutput: Equatable, Sendable {
  /// Dark, or open.
  case off
  /// Lit as bright as it can be, or closed.
  case on
  /// On and off in turn, at whatever pace.
  case blinking
  /// Brighter and darker in turn, at whatever pace.
  case pulsing
  /// Brightness 0...1.
  case level(Double)
  /// The number of lit lamps of a bar.
  case count(Int)
  /// The text of a display, at least one row: without blanks behind each row, and without empty rows below the last text.
  case rows([String])
  /// What a kind calls it, as a scenario expects it: `red`.
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
