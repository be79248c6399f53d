/// A record of a recording after which a replay has a different frame.
package struct ReplayCause {
  private let place: String
  private let line: ParsedRecordingLine
  private let name: String
  /// The changed numbers of a row in the recording, by column; nil for other frames.
  private let changes: [Int: Int]?

  /// - Parameter name: the lens's name; nil for a whole frame.
  package init(_ recording: RecordingReader, _ line: ParsedRecordingLine, name lens: String?) {
    place = "\(recording.name):\(recording.lineNumber)"
    self.line = line
    let text = JSONReader(recording.text).text(in: line.value)
    let value = String(decoding: text.prefix(200), as: UTF8.self) + (text.count > 200 ? "..." : "")
    switch line.kind {
    case .trouble: name = "fault \(line.number) of \(lens ?? "a lens"): \(value)"
    case .injection: name = "event \(line.number), put in, of \(lens ?? "a lens"): \(value)"
    case .keyframe: name = "nothing: it is a whole frame of the recording"
    default: name = "event \(line.number) of \(lens ?? "a lens"): \(value)"
    }
    changes = line.rowChanges(in: recording.text).map { Dictionary($0) { _, last in last } }
  }

  /// - Parameters:
  ///   - now: the current frame of the replay, and its number.
  ///   - before: the frame before the cause.
  ///   - recording: the recording's frame after the cause, if the recording contains it as a whole frame.
  package func difference(from now: FlattenedFrame, number: Int, before: FlattenedFrame, recording: FlattenedFrame?)
    -> ReplayDifference
  {
    ReplayDifference(
      place: place, frame: line.kind == .keyframe ? line.number : max(line.frame, number),
      moment: .nanoseconds(line.time), cause: name,
      differences: differences(from: now, number: number, before: before, recording: recording))
  }

  private func differences(from now: FlattenedFrame, number: Int, before: FlattenedFrame, recording: FlattenedFrame?)
    -> [String]
  {
    // A frame that only the recording or only the replay has made is compared with the frame before.
    let isNewInRecording = line.digest != nil
    guard isNewInRecording else {
      return ["the recording has no new frame here"]
        + now.differences(from: before) { "\($0)  recorded \($2)  now \($1)" }
    }
    var found = recording?.digest == line.digest ? recording : nil
    if found == nil { found = changes.map { before.changed($0) } ?? now.search(for: line.digest!, near: before) }
    guard let recording = found else {
      let digest = now.digest == before.digest && number != line.frame ? "nothing has changed" : "\(now.digest)"
      return ["digest  recorded \(line.digest!)  now \(digest)"]
    }
    return now.differences(from: recording) { "\($0)  recorded \($2)  now \($1)" }
  }
}
