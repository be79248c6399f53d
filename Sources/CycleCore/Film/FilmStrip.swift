/// The film of a recorder in one of its sinks: what it has, and what it lacks.
final class FilmStrip {
  let sink: any FilmSink
  private let form: FilmForm
  @exclusivity(unchecked) private var chain = FilmChain()
  /// What only this sink gets: its checks, its losses, its end.
  @exclusivity(unchecked) private var line = FilmWriter()
  @exclusivity(unchecked) private var bytesSinceKeyframe = 0
  @exclusivity(unchecked) private var causesSinceKeyframe = 0
  /// Whether the header and a whole frame are there.
  @exclusivity(unchecked) private var hasBegun: Bool
  /// How many records it has not taken, and no line tells yet.
  @exclusivity(unchecked) private var untold = 0
  /// Whether a step of the world or an edge is missing before the next cause.
  @exclusivity(unchecked) private var lacksWorld = false

  init(_ sink: any FilmSink) {
    self.sink = sink
    form = sink.form
    hasBegun = false
  }

  /// A film without header, checks and end, whose whole frames come where another film has them.
  init(again sink: any FilmSink) {
    self.sink = sink
    form = FilmForm(bytesOfKeyframe: .max, causesOfKeyframe: .max, isChecked: false)
    hasBegun = true
  }

  /// What has become of `offered` records.
  func account(of offered: Int) -> FilmAccount {
    var account = sink.account
    account.lost += offered - account.offered
    account.offered = offered
    return account
  }

  /// Whether a whole frame has to come next.
  var needsKeyframe: Bool {
    untold > 0 || !hasBegun || bytesSinceKeyframe >= form.bytesOfKeyframe
      || causesSinceKeyframe >= form.causesOfKeyframe
  }

  /// Puts the line of a cause behind the others, or counts it as lost.
  ///
  /// - Parameter isFaulty: whether it could not be written.
  func put(cause number: Int, _ bytes: UnsafeRawBufferPointer, isFaulty: Bool) {
    causesSinceKeyframe += 1
    // Behind a hole, everything up to the next whole frame is part of it.
    guard !isFaulty, hasBegun, untold == 0, !lacksWorld, put(bytes, as: .cause(number)) else {
      untold += 1
      lacksWorld = false
      return
    }
  }

  /// Puts a line that is no cause behind the others; it is left out where there is no room for it.
  func putOther(_ bytes: UnsafeRawBufferPointer, as part: FilmPart = .other) {
    if hasBegun, untold == 0 { put(bytes, as: part) }
  }

  /// Puts what the world did behind the others. Where there is no room for it, the next cause is left out, too: it may have come of that.
  func put(world bytes: UnsafeRawBufferPointer) {
    if untold > 0 || hasBegun && !put(bytes, as: .other) { lacksWorld = true }
  }

  /// Puts a whole frame behind the others. A hole ends with it, or not yet; so does the wait for a beginning.
  ///
  /// - Parameters:
  ///   - keyframe: its line.
  ///   - header: the first line of a film.
  ///   - time: nanoseconds since the film's start.
  func put(keyframe: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer, at time: Int64) {
    let isNew = !hasBegun || sink.wantsNewFilm
    guard isNew || untold > 0 else {
      guard put(keyframe, as: .keyframe) else { return }
      return haveKeyframe()
    }
    line.removeAll()
    var count = 1
    // A film that begins behind a hole doesn't know how many records are missing before it.
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
    if isNew { chain = FilmChain() }
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

  /// Puts the last line behind the others.
  ///
  /// - Parameters:
  ///   - time: nanoseconds since the film's start.
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
  private func put(_ bytes: UnsafeRawBufferPointer, as part: FilmPart, lines count: Int = 1) -> Bool {
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
