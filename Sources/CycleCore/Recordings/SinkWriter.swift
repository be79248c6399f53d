/// The recording of a recorder in one of its sinks, with the state of its holes.
final class SinkWriter {
  let sink: any RecordingSink
  private let form: RecordingForm
  @exclusivity(unchecked) private var chain = RecordingChecksum()
  /// A line for this sink only: a check, a loss or the end.
  @exclusivity(unchecked) private var line = JSONWriter()
  @exclusivity(unchecked) private var bytesSinceKeyframe = 0
  @exclusivity(unchecked) private var causesSinceKeyframe = 0
  /// Whether the header and a whole frame have been taken.
  @exclusivity(unchecked) private var hasBegun: Bool
  /// The number of records that the sink has not taken, and that no line reports yet.
  @exclusivity(unchecked) private var untold = 0
  /// Whether a step of the world or an edge is missing before the next cause.
  @exclusivity(unchecked) private var lacksWorld = false

  init(_ sink: any RecordingSink) {
    self.sink = sink
    form = sink.form
    hasBegun = false
  }

  /// Makes a recording without header, checks and end. Its whole frames are in the same places as those of another
  /// recording.
  init(again sink: any RecordingSink) {
    self.sink = sink
    form = RecordingForm(bytesOfKeyframe: .max, causesOfKeyframe: .max, isChecked: false)
    hasBegun = true
  }

  /// Returns the counts of `offered` records.
  func account(of offered: Int) -> RecordingAccount {
    var account = sink.account
    account.lost += offered - account.offered
    account.offered = offered
    return account
  }

  /// Whether a whole frame must come next.
  var needsKeyframe: Bool {
    untold > 0 || !hasBegun || bytesSinceKeyframe >= form.bytesOfKeyframe
      || causesSinceKeyframe >= form.causesOfKeyframe
  }

  /// Appends the line of a cause, or counts it as lost.
  ///
  /// - Parameter isFaulty: whether its value could not be written.
  func put(cause number: Int, _ bytes: UnsafeRawBufferPointer, isFaulty: Bool) {
    causesSinceKeyframe += 1
    // After a hole, everything up to the next whole frame is part of the hole.
    guard !isFaulty, hasBegun, untold == 0, !lacksWorld, put(bytes, as: .cause(number)) else {
      untold += 1
      lacksWorld = false
      return
    }
  }

  /// Appends a line that is not a cause; drops it if it does not fit.
  func putOther(_ bytes: UnsafeRawBufferPointer, as part: RecordingPart = .other) {
    if hasBegun, untold == 0 { put(bytes, as: part) }
  }

  /// Appends a step of the world or an edge. If it does not fit, the next cause is dropped too: it may be a
  /// consequence.
  func put(world bytes: UnsafeRawBufferPointer) {
    if untold > 0 || hasBegun && !put(bytes, as: .other) { lacksWorld = true }
  }

  /// Appends a whole frame. If the sink takes it, a hole ends, and a recording that has not begun begins.
  ///
  /// - Parameters:
  ///   - keyframe: the line of the frame.
  ///   - header: the first line of a recording.
  ///   - time: the moment in nanoseconds since the recording's start.
  func put(keyframe: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer, at time: Int64) {
    let isNew = !hasBegun || sink.wantsNewRecording
    guard isNew || untold > 0 else {
      guard put(keyframe, as: .keyframe) else { return }
      return haveKeyframe()
    }
    line.removeAll()
    var count = 1
    // A recording that begins after a hole doesn't know how many records are missing before it.
    if isNew {
      line.add(header)
      count += 1
    } else {
      line.begin(.loss)
      line.write(time)
      line.write(untold)
      line.endArray()
      line.endLine()
      count += 1
    }
    line.add(keyframe)
    let before = chain
    if isNew { chain = RecordingChecksum() }
    guard put(line.written, as: isNew ? .beginning(headerBytes: header.count) : .keyframe, lines: count) else {
      chain = before
      return
    }
    hasBegun = true
    haveKeyframe()
  }

  private func haveKeyframe() {
    untold = 0
    bytesSinceKeyframe = 0
    causesSinceKeyframe = 0
  }

  /// Appends the last line.
  ///
  /// - Parameters:
  ///   - time: the moment in nanoseconds since the recording's start.
  ///   - reason: why the recording ends.
  ///   - causes: the number of the last cause.
  ///   - frame: the number of the last frame.
  func end(at time: Int64, _ reason: Recorder.End, causes: Int, frame: Int) {
    if form.isChecked, hasBegun, untold == 0 {
      line.removeAll()
      line.begin(.end)
      line.write(chain.lines + 1)
      line.write(time)
      line.write(reason.rawValue)
      line.write(causes)
      line.write(frame)
      line.write(chain.digest)
      line.endArray()
      line.endLine()
      _ = sink.take(line.written, as: .other)
    }
    sink.flush(.end)
  }

  @discardableResult
  private func put(_ bytes: UnsafeRawBufferPointer, as part: RecordingPart, lines count: Int = 1) -> Bool {
    guard sink.take(bytes, as: part) else { return false }
    bytesSinceKeyframe += bytes.count
    guard form.isChecked else { return true }
    chain.add(bytes, lines: count)
    if chain.isCheckDue { putCheck() }
    return true
  }

  private func putCheck() {
    line.removeAll()
    chain.writeCheck(to: &line)
    if sink.take(line.written, as: .other) { chain.addCheck(line.written) }
  }
}
