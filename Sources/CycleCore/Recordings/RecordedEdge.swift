/// The level of a real input line in a recording: an edge with the kernel's timestamp, or the level when the line was
/// requested.
public struct RecordedEdge: Equatable, Sendable {
  /// The moment in nanoseconds since the recording's start.
  public var time: Int64
  public var line: String
  /// Whether the line is at high voltage from this moment on.
  public var isHigh: Bool
  /// The edge's number on its line, from 1; 0 for the level when the line was requested.
  public var sequence: Int64

  public init(time: Int64, line: String, isHigh: Bool, sequence: Int64) {
    self.time = time
    self.line = line
    self.isHigh = isHigh
    self.sequence = sequence
  }
}
