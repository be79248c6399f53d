/// The shape of a value in a file, as far as it doesn't depend on the rest of the file. Readers check more than this; editors get it
/// in a JSON Schema.
public indirect enum Shape: Equatable, Sendable {
  /// Whatever the reader takes.
  case any
  /// Nothing after the key.
  case nothing
  /// A word or a number.
  case text
  /// What a file calls something.
  case name
  /// What a file calls something, or one of a group: `lamps(1)`.
  case member
  /// A state, with its region before it or without: `lights.red`.
  case statePath
  /// A value, or how long a list is: `code.count`.
  case value
  /// As `250ms`.
  case duration
  /// A duration in a range.
  case span(ClosedRange<Duration>)
  /// A duration, a range of two (`1s..4s`), or a value's name.
  case delay
  /// As `440Hz`.
  case frequency
  /// A GPIO line: `GPIO17`.
  case line
  /// An event, or several with `|` between them.
  case event
  /// `true` or `false`.
  case flag
  /// A number in a range: `0.8`.
  case number(ClosedRange<Double>)
  /// A whole number in a range.
  case whole(ClosedRange<Int>)
  /// One of these.
  case words([String])
  /// So many of them.
  case list(of: Shape, count: ClosedRange<Int> = 0...Int.max)
  /// A map whose keys the file chooses.
  case map(keys: Shape, to: Shape, count: ClosedRange<Int> = 0...Int.max)
  /// A map with fixed keys.
  case fields(Place)
  /// What has one of these shapes.
  case oneOf([Shape])
  /// A part of the language itself.
  case part(Part)

  /// What occurs in several places, or inside itself.
  public enum Part: String, CaseIterable, Sendable {
    /// What a name of the file stands for, in the maps `chips`, `inputs`, `outputs`, `sounds` and `values`.
    case chip, input, output, sound, value
    /// A state or a region of the statechart.
    case state, region
    /// What an output shows.
    case look
    /// What a value is set to.
    case assignment
    /// What an event, a time or a condition leads to.
    case transition
    /// Relays that exclude each other.
    case interlock
    /// A step of a scenario.
    case step
  }

  /// A map with names of the file as keys.
  static func names(of part: Part, count: ClosedRange<Int> = 0...Int.max) -> Shape {
    .map(keys: .name, to: .part(part), count: count)
  }

  /// A map of what happens and the transitions that it leads to.
  static func transitions(at keys: Shape) -> Shape { .map(keys: keys, to: .part(.transition)) }

  /// One of the words of a type.
  public static func choice<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type) -> Shape {
    .words(type.allCases.map(\.rawValue))
  }

  /// `on` or `off`.
  public static let switched = Shape.words(["on", "off"])
  static let states = Shape.names(of: .state, count: 1...Int.max)
  static let regions = Shape.names(of: .region, count: 1...64)
  static let shows = Shape.map(keys: .member, to: .part(.look))
  static let settings = Shape.names(of: .assignment)
  static let sounds = Shape.list(of: .text)
}
