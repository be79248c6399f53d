/// Options of a replay besides the comparison.
public struct ReplayOptions {
  /// The last moment that is replayed, counted from the film's start; nil for all.
  public var until: Duration?
  /// The last frame that is replayed; nil for all.
  public var untilFrame: Int?
  /// Whether the models are written as they would be rendered.
  public var hasModels = false
  /// Whether the report has the digest of all records: for that each is written again.
  public var hasDigest = true
  /// Receives the lines that the replay writes; nil for none.
  public var sink: (any FilmSink)?

  /// - Parameters:
  ///   - until: the last moment that is replayed, counted from the film's start; nil for all.
  ///   - untilFrame: the last frame that is replayed; nil for all.
  ///   - hasModels: whether the models are written as they would be rendered.
  ///   - hasDigest: whether the report has the digest of all records: for that each is written again.
  ///   - sink: receives the lines that the replay writes; nil for none.
  public init(
    until: Duration? = nil, untilFrame: Int? = nil, hasModels: Bool = false, hasDigest: Bool = true,
    sink: (any FilmSink)? = nil
  ) {
    self.hasDigest = hasDigest
    self.until = until
    self.untilFrame = untilFrame
    self.hasModels = hasModels
    self.sink = sink
  }
}

/// The result of a replay that led to the same frames.
public struct ReplayReport: Equatable, Sendable {
  /// Over all records of events, troubles and frames as this application writes them, models included if they were
  /// asked for: equal on every machine and with every compiler. The digest of no bytes if it was not requested.
  public var digest = FilmDigest()
  /// How many events and troubles were replayed.
  public var events = 0
  /// The number of the last frame.
  public var frame = 0
  /// How many frames there were: the first of the film, and those that came of its causes.
  public var frames = 0
  /// How many records the film lacks, because there was no room for them when it was recorded.
  public var lost = 0
  /// A message about a film that was cut off; nil for a whole one.
  public var truncation: String?
}

/// A frame of a replay differs from the film's.
public struct ReplayDifference: Error, Equatable, Sendable, CustomStringConvertible {
  /// The film and its line: `tap.recording:3`.
  public var place: String
  /// The number of the first frame that differs.
  public var frame: Int
  /// When it was made, from the film's start.
  public var moment: Duration
  /// The cause of the frame: `event 1 of key: "pressed"`.
  public var cause: String
  /// The values that differ, one per line: `count  film 1  now 2`.
  public var differences: [String]

  public var description: String {
    let moment = Moment(nanoseconds: moment.wholeNanoseconds)
    return (["\(place): frame \(frame) differs, at \(moment), by \(cause)"] + differences.map { "  \($0)" })
      .joined(separator: "\n")
  }
}
