import CycleBase

/// Options of a replay besides the comparison.
public struct ReplayOptions {
  /// The last moment that is replayed, counted from the recording's start; nil for all.
  public var until: Duration?
  /// The last frame that is replayed; nil for all.
  public var untilFrame: Int?
  /// Whether the models are written as they would be rendered.
  public var hasModels = false
  /// Whether the report contains the digest of all records, each of which is then written again.
  public var hasDigest = true
  /// Receives the lines that the replay writes; nil for none.
  public var sink: (any RecordingSink)?
  /// Called after each line of the recording was played, with whether the frame is the same as the recording's. Returns
  /// whether the replay continues. With it, a different frame is no error: the replay continues with the recording's
  /// frame.
  package var follow: ((_ line: ParsedRecordingLine, _ isSame: Bool) -> Bool)?

  /// - Parameters:
  ///   - until: the last moment that is replayed, counted from the recording's start; nil for all.
  ///   - untilFrame: the last frame that is replayed; nil for all.
  ///   - hasModels: whether the models are written as they would be rendered.
  ///   - hasDigest: whether the report contains the digest of all records, each of which is then written again.
  ///   - sink: receives the lines that the replay writes; nil for none.
  public init(
    until: Duration? = nil, untilFrame: Int? = nil, hasModels: Bool = false, hasDigest: Bool = true,
    sink: (any RecordingSink)? = nil
  ) {
    self.hasDigest = hasDigest
    self.until = until
    self.untilFrame = untilFrame
    self.hasModels = hasModels
    self.sink = sink
  }
}

/// The result of a replay in which all frames were equal.
public struct ReplayReport: Equatable, Sendable {
  /// The digest of all records of events, troubles and frames as this application writes them, and of models if
  /// requested. It is equal on every machine and with every compiler. The digest of no bytes if it was not requested.
  public var digest: FNV1aHash
  /// The number of events and troubles that were replayed.
  public var events: Int
  /// The number of the last frame.
  public var frame: Int
  /// The number of frames: the first of the recording, and those made by its causes.
  public var frames: Int
  /// The number of records that are missing in the recording, because there was no room for them when it was recorded.
  public var lost: Int
  /// A message about a recording that was cut off; nil for a complete one.
  public var truncation: String?

  package init(digest: FNV1aHash, events: Int, frame: Int, frames: Int, lost: Int, truncation: String?) {
    (self.digest, self.events, self.frame, self.frames, self.lost, self.truncation) = (
      digest, events, frame, frames, lost, truncation
    )
  }
}

/// The error of a replay in which a frame differs from the recording's.
public struct ReplayDifference: Error, Equatable, Sendable, CustomStringConvertible {
  /// The recording and its line: `tap.recording:3`.
  public var place: String
  /// The number of the first frame that differs.
  public var frame: Int
  /// The moment of the frame, from the recording's start.
  public var moment: Duration
  /// The cause of the frame: `event 1 of key: "pressed"`.
  public var cause: String
  /// The values that differ, one per line: `count  recorded 1  now 2`.
  public var differences: [String]

  public var description: String {
    let moment = Moment(nanoseconds: moment.wholeNanoseconds)
    return (["\(place): frame \(frame) differs, at \(moment), by \(cause)"] + differences.map { "  \($0)" })
      .joined(separator: "\n")
  }
}
