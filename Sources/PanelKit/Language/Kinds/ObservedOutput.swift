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
