/// The rules for the order of a film's records: causes and frames are numbered without a gap, and time never goes
/// backwards.
struct FilmOrder {
  /// The number of the last cause; nil before the first, in a film that may be the end of a longer one.
  private var cause: Int?
  private var frame = 0
  private var time: Int64 = 0
  private var hasFrame = false
  /// The number of records missing in all holes.
  private var missing = 0
  /// Whether records are missing, up to the next whole frame.
  private var isInHole = false

  mutating func follow(_ line: FilmLine) throws(FilmFault) {
    switch line.kind {
    case .event, .found, .trouble, .injection, .frameSet: try followCause(line)
    case .keyframe: try followKeyframe(line)
    case .loss:
      try moveTime(to: line)
      // Sums of the counts of a film are not greater than this one.
      missing += line.number
      guard missing <= FilmLine.latest, cause ?? 0 <= FilmLine.latest else {
        throw FilmFault("the recording lacks more records than it can have had")
      }
      cause = cause.map { $0 + line.number }
      isInHole = true
    case .end:
      try moveTime(to: line)
      if let cause, line.lens != cause {
        throw FilmFault("the recording has \(cause) events and faults, not \(line.lens)")
      }
      guard line.frame == frame else { throw FilmFault("the last frame is \(frame), not \(line.frame)") }
    case .world, .edge, .model, .note, .approval, .check, .foreign: break
    }
  }

  private mutating func followCause(_ line: FilmLine) throws(FilmFault) {
    guard hasFrame else { throw FilmFault("a whole frame should come before the first event") }
    guard !isInHole else { throw FilmFault("a record follows a hole before the next whole frame") }
    try moveTime(to: line)
    if let cause, line.number != cause + 1 {
      throw FilmFault("this should be event \(cause + 1), not \(line.number)")
    }
    cause = line.number
    frame += line.digest == nil ? 0 : 1
    guard line.frame == frame else { throw FilmFault("this should lead to frame \(frame), not \(line.frame)") }
  }

  private mutating func followKeyframe(_ line: FilmLine) throws(FilmFault) {
    try moveTime(to: line)
    // The end of a longer film begins with a later frame.
    guard !hasFrame || isInHole || line.number == frame else {
      throw FilmFault("this should be frame \(frame), not \(line.number)")
    }
    frame = line.number
    (hasFrame, isInHole) = (true, false)
  }

  private mutating func moveTime(to line: FilmLine) throws(FilmFault) {
    guard line.time >= time else { throw FilmFault("time runs back, from \(time) ns to \(line.time) ns") }
    time = line.time
  }
}
