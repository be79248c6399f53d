/// A part of a recording, as a separate recording: it begins with a whole frame.
///
///     let cut = RecordingCut(RecordingRange(causes: 12...40))
///     let report = try cut.copy(to: sink) { try Recording(RecordingFileReader(path: path), name: path) }
///
/// If frames are rows, the frame before the first cause is computed from the one before and the changed numbers. In
/// other recordings it can't be computed: the part then begins at the last whole frame before the cause.
public struct RecordingCut: Sendable {
  /// The result of a cut.
  public struct Report: Equatable, Sendable {
    /// The number of causes in the part.
    public var causes = 0
    /// The number of these causes that come before the range, because the part begins at a whole frame.
    public var causesBefore = 0
    /// A message about a recording that was cut off; nil for a complete one.
    public var truncation: String?
  }

  public let range: RecordingRange

  public init(_ range: RecordingRange) {
    self.range = range
  }

  /// Copies the part.
  ///
  /// - Parameters:
  ///   - sink: gets the part, with checks and an end.
  ///   - open: opens the recording; called twice.
  /// - Throws: ``RecordingError`` for a recording that can't be read, and any error of `open`.
  public func copy(to sink: any RecordingSink, _ open: () throws -> RecordingReader) throws -> Report {
    let start = try Start(of: range, in: open())
    let recording = try open()
    var header = JSONWriter()
    recording.header.write(to: &header)
    let strip = SinkWriter(sink)
    var line = JSONWriter()
    var report = Report()
    var (cause, frame, time, reason) = (0, 0, Int64(0), Recorder.End.stopped)
    if let row = start.row {
      line.writeKeyframe(start.frame, at: start.time, row)
      strip.put(keyframe: line.written, header: header.written, at: start.time)
      (cause, frame, time) = (start.cause, start.frame, start.time)
    }
    var isOver = false
    while let next = try recording.next() {
      guard recording.lineNumber >= start.line else { continue }
      isOver = isOver || range.isOver(at: next)
      switch next.kind {
      case .check: continue
      case .end:
        if !isOver {
          time = next.time
          reason = next.reason(in: recording.text)
        }
        continue
      // These lines belong to a cause, wherever they are.
      case .note, .approval:
        guard (start.cause + 1...max(cause, start.cause + 1)).contains(next.number) else { continue }
      default: if isOver { continue }
      }
      line.removeAll()
      line.add(recording.text)
      line.endLine()
      time = max(time, next.time)
      if next.kind == .keyframe {
        frame = next.number
        strip.put(keyframe: line.written, header: header.written, at: next.time)
      } else if next.kind.isCause {
        (cause, frame) = (next.number, next.frame)
        report.causes += 1
        if range.isBehind(next) { report.causesBefore += 1 }
        strip.put(cause: next.number, line.written, isFaulty: false)
      } else {
        strip.putOther(line.written)
      }
    }
    strip.end(at: time, reason, causes: cause, frame: frame)
    report.truncation = recording.truncation
    return report
  }

  /// The place where the part begins.
  private struct Start {
    /// The first line that is copied.
    var line = 0
    /// The frame before it; nil if that line is a whole frame.
    var row: [Int]?
    /// The number and the moment of that frame, and the number of the last cause before the line.
    var frame = 0
    var time: Int64 = 0
    var cause = 0

    init(of range: RecordingRange, in recording: RecordingReader) throws {
      var follower = RowDeltaDecoder()
      /// The line of the last whole frame, and the last cause before it.
      var keyframe: (line: Int, cause: Int)?
      while let next = try recording.next() {
        if next.kind.isCause, !range.isBehind(next) { break }
        try follower.follow(next, of: recording)
        switch next.kind {
        case .keyframe:
          keyframe = (recording.lineNumber, cause)
          (frame, time) = (next.number, next.time)
        case .loss:
          time = next.time
          cause += next.number
        case _ where next.kind.isCause: (cause, frame, time) = (next.number, next.frame, next.time)
        default: break
        }
        line = recording.lineNumber + 1
      }
      if line == 0 { line = 2 }
      guard let keyframe else { return }
      guard follower.row != nil else {
        (line, cause) = keyframe
        return
      }
      guard follower.isRight else {
        throw recording.error(
          RecordingTextFault("the changes before this line don't lead to the frame in the recording"))
      }
      row = follower.row
    }
  }
}

extension JSONWriter {
  /// Writes the line of a whole frame that is a row.
  fileprivate mutating func writeKeyframe(_ number: Int, at time: Int64, _ row: [Int]) {
    var digest = FNV1aHash()
    digest.add(row: row)
    removeAll()
    begin(.keyframe)
    write(number)
    write(time)
    row.write(to: &self)
    write(digest)
    endArray()
    endLine()
  }
}
