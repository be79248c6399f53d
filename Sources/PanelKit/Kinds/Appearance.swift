/// What an output shows, as a panel file says it.
enum Appearance: Equatable, Sendable {
  case off, on
  /// `times` nil: for ever.
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

  /// Whether what is shown depends on the panel's values, not on its states alone.
  var dependsOnValues: Bool {
    switch self {
    case .value: true
    case .writing(let text): text.dependsOnValues
    case .off, .on, .blink, .pulse, .level, .count: false
    }
  }

  /// Whether it changes with time.
  var isMoving: Bool {
    switch self {
    case .blink, .pulse: true
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
    }
  }

  /// Whether an output can show it when no program drives it.
  var staysWithoutProgram: Bool {
    switch self {
    case .off, .on, .count: true
    case .blink, .pulse, .level, .value: false
    case .writing: !dependsOnValues
    }
  }
}

/// How an output looks to somebody in front of it.
enum ObservedOutput: Equatable, Sendable {
  case off, on, blinking, pulsing
  /// Brightness 0...1.
  case level(Double)
  /// The number of lit lamps of a bar.
  case count(Int)
  /// The text of a display, at least one row: without blanks behind each row, and without empty rows below the last text.
  case rows([String])
}

extension ObservedOutput: CustomStringConvertible {
  var description: String {
    switch self {
    case .off: "off"
    case .on: "on"
    case .blinking: "blinking"
    case .pulsing: "pulsing"
    case .level(let level): "\(level)"
    case .count(let count): "\(count)"
    case .rows(let rows): rows.joined(separator: " / ")
    }
  }
}
