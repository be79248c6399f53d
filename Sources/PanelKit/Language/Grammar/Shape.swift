/// The shape of a value in a file, as far as it doesn't depend on the rest of the file. Readers check more than this.
/// The JSON Schema for editors contains it.
public indirect enum Shape: Equatable, Sendable {
  /// Any value; the reader alone checks it.
  case any
  /// No value after the key.
  case nothing
  /// A word or a number.
  case text
  /// A name that the file declares.
  case name
  /// A name that the file declares, or a member of a group: `lamps(1)`.
  case member
  /// A value that the file declares, or an element of a list: `minutes(zone)`.
  case settable
  /// A state, with or without its region before it: `lights.red`.
  case statePath
  /// A value, or the length of a list: `code.count`.
  case value
  /// A duration: `250ms`.
  case duration
  /// A duration in a range.
  case span(ClosedRange<Duration>)
  /// Two durations in a range, the shorter one first: `1ms..2ms`.
  case spans(ClosedRange<Duration>)
  /// A duration, a range of durations (`1s..4s`), or a value's name.
  case delay
  /// A frequency: `440Hz`.
  case frequency
  /// A level in decibels: `-6dB`.
  case decibels
  /// A colour: `orange`, or six digits, `"#FF8000"`.
  case colour
  /// A tone: `A4`.
  case tone
  /// A GPIO line: `GPIO17`.
  case line
  /// An event, or several with `|` between them.
  case event
  /// `true` or `false`.
  case flag
  /// A number in a range: `0.8`.
  case number(ClosedRange<Double>)
  /// Two different numbers in a range, the lower one first: `-90..90`.
  case numbers(ClosedRange<Double>)
  /// A whole number in a range.
  case whole(ClosedRange<Int>)
  /// One of these words.
  case words([String])
  /// A list with a number of elements in a range.
  case list(of: Shape, count: ClosedRange<Int> = 0...Int.max)
  /// A map whose keys the file can choose.
  case map(keys: Shape, to: Shape, count: ClosedRange<Int> = 0...Int.max)
  /// A map with fixed keys.
  case fields(FieldSet)
  /// A value with one of these shapes.
  case oneOf([Shape])
  case part(Part)

  /// A shape that occurs in several places, or inside itself.
  public enum Part: String, CaseIterable, Sendable {
    /// The definition of a name, in the maps `chips`, `inputs`, `outputs`, `sounds` and `values`.
    case chip, input, output, sound, value
    /// A state or a region of the statechart.
    case state, region
    /// The appearance of an output.
    case look
    /// A row of a text.
    case row
    /// The new value of a value.
    case assignment
    /// The transition of an event, a time or a condition.
    case transition
    /// Relays that exclude each other.
    case interlock
    /// A step of a scenario.
    case step
  }

  /// The looks of a group of outputs: those of one member, for all of them, or a map with the numbers of those that
  /// are on.
  public static func group(of member: Shape) -> Shape { .oneOf([member, .fields(Grammar.selection)]) }

  /// A map whose keys are names of the file.
  static func names(of part: Part, count: ClosedRange<Int> = 0...Int.max) -> Shape {
    .map(keys: .name, to: .part(part), count: count)
  }

  /// A map of triggers and their transitions.
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
  static let settings = Shape.map(keys: .settable, to: .part(.assignment))
  static let sounds = Shape.list(of: .text)
  /// Sounds of which each may have settings.
  static let setSounds = Shape.list(
    of: .oneOf([.text, .map(keys: .text, to: .fields(Grammar.playSettings), count: 1...1)]))
}
