/// The rules for the order of a recording's records: causes and frames are numbered without a gap, and time never goes
/// backwards.
struct RecordingOrder {
  /// The number of the last cause; nil before the first, in a recording that may be the end of a longer one.
  private var cause: Int?
  private var frame = 0
  private var time: Int64 = 0
  private var hasFrame = false
  /// The number of records missing in all holes.
  private var missing = 0
  /// Whether records are missing, up to the next whole frame.
  private var isInHole = false

  mutating func follow(_ line: ParsedRecordingLine) throws(RecordingTextFault) {
    switch line.kind {
    case .event, .found, .trouble, .injection, .frameSet: try followCause(line)
    case .keyframe: try followKeyframe(line)
    case .loss:
      try moveTime(to: line)
      // Sums of the counts of a recording are not greater than this one.
      missing += line.number
      guard missing <= ParsedRecordingLine.latest, cause ?? 0 <= ParsedRecordingLine.latest else {
        throw RecordingTextFault("the recording lacks more records than it can have had")
      }
      cause = cause.map { $0 + line.number }
      isInHole = true
    case .end:
      try moveTime(to: line)
      if let cause, line.lens != cause {
        throw RecordingTextFault("the recording has \(cause) events and faults, not \(line.lens)")
      }
      guard line.frame == frame else { throw RecordingTextFault("the last frame is \(frame), not \(line.frame)") }
    case .world, .edge, .model, .note, .approval, .check, .foreign: break
    }
  }

  private mutating func followCause(_ line: ParsedRecordingLine) throws(RecordingTextFault) {
    guard hasFrame else { throw RecordingTextFault("a whole frame should come before the first event") }
    guard !isInHole else { throw RecordingTextFault("a record follows a hole before the next whole frame") }
    try moveTime(to: line)
    if let cause, line.number != cause + 1 {
      throw RecordingTextFault("this should be event \(cause + 1), not \(line.number)")
    }
    cause = line.number
    frame += line.digest == nil ? 0 : 1
    guard line.frame == frame else { throw RecordingTextFault("this should lead to frame \(frame), not \(line.frame)") }
  }

  private mutating func followKeyframe(_ line: ParsedRecordingLine) throws(RecordingTextFault) {
    try moveTime(to: line)
    // The end of a longer recording begins with a later frame.
    guard !hasFrame || isInHole || line.number == frame else {
      throw RecordingTextFault("this should be frame \(frame), not \(line.number)")
    }
    frame = line.number
    (hasFrame, isInHole) = (true, false)
  }

  private mutating func moveTime(to line: ParsedRecordingLine) throws(RecordingTextFault) {
    guard line.time >= time else { throw RecordingTextFault("time runs back, from \(time) ns to \(line.time) ns") }
    time = line.time
  }
}
