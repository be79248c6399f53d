/// Some of the causes of a film, by their numbers, by their moments or by both.
public struct FilmRange: Equatable, Sendable {
  /// The numbers of the causes that are in it.
  public var causes: ClosedRange<Int>
  /// When they happened, in nanoseconds since the film's start.
  public var times: ClosedRange<Int64>

  /// - Parameters:
  ///   - causes: the numbers of the causes that are in it.
  ///   - times: when they happened, in nanoseconds since the film's start.
  public init(causes: ClosedRange<Int> = .min ... .max, times: ClosedRange<Int64> = .min ... .max) {
    self.causes = causes
    self.times = times
  }

  /// Whether a line is in it: a cause by its number and its moment, another line by its moment.
  package func contains(_ line: FilmLine) -> Bool {
    times.contains(line.time) && (!line.kind.isCause || causes.contains(line.number))
  }

  /// Whether a cause lies before all that are in it.
  func isBehind(_ cause: FilmLine) -> Bool { cause.number < causes.lowerBound || cause.time < times.lowerBound }

  /// Whether a line lies behind all that is in it.
  func isOver(at line: FilmLine) -> Bool {
    line.kind.isCause && line.number > causes.upperBound || line.time > times.upperBound
  }
}
