/// A selection of a recording's causes, by their numbers, their moments or both.
public struct RecordingRange: Equatable, Sendable {
  /// The numbers of the selected causes.
  public var causes: ClosedRange<Int>
  /// The moments of the selected causes, in nanoseconds since the recording's start.
  public var times: ClosedRange<Int64>

  /// - Parameters:
  ///   - causes: the numbers of the selected causes.
  ///   - times: their moments, in nanoseconds since the recording's start.
  public init(causes: ClosedRange<Int> = .min ... .max, times: ClosedRange<Int64> = .min ... .max) {
    self.causes = causes
    self.times = times
  }

  /// Whether the range contains a line: a cause by its number and its moment, another line by its moment.
  package func contains(_ line: ParsedRecordingLine) -> Bool {
    times.contains(line.time) && (!line.kind.isCause || causes.contains(line.number))
  }

  /// Whether a cause precedes the range.
  func isBehind(_ cause: ParsedRecordingLine) -> Bool {
    cause.number < causes.lowerBound || cause.time < times.lowerBound
  }

  /// Whether a line follows the range.
  package func isOver(at line: ParsedRecordingLine) -> Bool {
    line.kind.isCause && line.number > causes.upperBound || line.time > times.upperBound
  }
}
