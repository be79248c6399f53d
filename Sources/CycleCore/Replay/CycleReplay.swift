extension Cycle where Lenses: ~Copyable {
  /// Plays the events and troubles of a recording: the event filters make the frames again, and each must equal the
  /// recording's. No driver is started, rendered or woken: the hardware is not used. The cycle can't be started
  /// afterwards.
  ///
  /// If records are missing in the recording, the replay continues at the next whole frame. The same applies to a
  /// recording whose beginning was removed.
  ///
  /// - Throws: ``Recordings/ReplayDifference`` at the first frame that differs, unless the options follow the replay;
  ///   ``Recordings/RecordingError`` for a line that can't be read, and for an event of a lens that this application
  ///   doesn't have; `DriverError` if the frames or the events of a lens are neither ``Recordings/Recordable`` nor
  ///   `Codable`.
  public func replay(_ recording: RecordingReader, _ options: ReplayOptions) throws -> ReplayReport {
    let output = DigestingSink(also: options.sink)
    let writes = options.hasDigest || options.sink != nil
    let recorder = Recorder(again: recording.header, models: options.hasModels, to: writes ? output : nil)
    try record(with: recorder)
    try beginReplay(at: recording.header.start)
    var state = ReplayProgress(recording.header, lenses: lensNames)
    while let line = try recording.next() {
      if let until = options.until, line.time > until.wholeNanoseconds { break }
      if let last = options.untilFrame, line.isCause, line.frame > last { break }
      var isSame = true
      do {
        switch line.kind {
        case .keyframe: isSame = try meetKeyframe(line, of: recording, recorder, &state, options)
        case .event, .found, .trouble, .injection, .frameSet:
          isSame = try playCause(line, of: recording, recorder, &state, options)
        case .loss: state.begin(holeOf: line.number)
        case .world, .edge, .model, .note, .approval, .check, .end, .foreign: break
        }
      } catch let fault as RecordingTextFault {
        throw recording.error(fault)
      }
      if let follow = options.follow, !follow(line, isSame) { break }
    }
    if let fault = recorder.fault { throw recording.error(fault) }
    return ReplayReport(
      digest: output.digest, events: state.causes, frame: frameNumber, frames: state.frames, lost: state.lost,
      truncation: recording.truncation)
  }

  /// Plays an edited recording: its causes make new frames, in their order and at their moments.
  ///
  /// - Parameters:
  ///   - take: the causes.
  ///   - sink: gets the records of the edited recording, with the digests of all frames, as they follow the header of a
  ///     recording.
  /// - Throws: ``Recordings/RecordingError`` for an event that does not belong to its lens, and
  ///   ``CycleBase/DriverError`` as ``replay(_:_:)`` does.
  public func play(_ take: EditedRecording, to sink: (any RecordingSink)?) throws -> ReplayReport {
    let output = DigestingSink(also: sink)
    let recorder = Recorder(again: take.header, models: false, to: output)
    try record(with: recorder)
    try beginReplay(at: take.header.start)
    let state = ReplayProgress(take.header, lenses: lensNames)
    if let beginning = take.beginning {
      let frame: Frame = try JSONReader.read(beginning.text) { (recording) throws(RecordingTextFault) in
        try readFrame(&recording)
      }
      frames.begin(with: frame, number: beginning.number)
      lenses.render(frames.current)
    }
    var causes = take.earlierCauses
    output.isMuted = true
    func beginWriting() {
      output.isMuted = false
      recorder.skip(toCause: causes + 1, frame: frameNumber)
      recorder.writeKeyframe(frames.current)
    }
    if take.written == nil { beginWriting() }
    for (cause, time) in take.played {
      if let written = take.written, let number = cause.number {
        if number > written.upperBound { break }
        if output.isMuted, number >= written.lowerBound { beginWriting() }
      }
      let name = cause.number.map { "event \($0)" } ?? "an event that was put in"
      let moment = Moment(nanoseconds: take.header.start.nanoseconds + time)
      var value = Array(cause.value.utf8)
      do throws(RecordingTextFault) {
        if cause.isEdited { try UntrustedNumber.check(cause.value) }
        try play(
          &value, cause.kind, of: cause.kind == .frameSet ? -1 : state.lens(called: cause.lens), at: moment, recorder)
        causes += 1
        for edit in take.frameEdits[cause.number ?? 0] ?? [] {
          try UntrustedNumber.check(edit.value)
          var frame = try text(of: frames.current, columns: take.header.columns).setting(edit.path, to: edit.value)
          try play(&frame, .frameSet, of: -1, at: moment, recorder)
          causes += 1
        }
      } catch {
        throw RecordingError(recording: name, line: 0, fault: error)
      }
    }
    return ReplayReport(
      digest: output.digest, events: causes - take.earlierCauses, frame: frameNumber,
      frames: frameNumber - (take.beginning?.number ?? 0) + 1, lost: 0, truncation: nil)
  }

  private func play(
    _ bytes: inout [UInt8], _ kind: ParsedRecordingLine.Kind, of lens: Int, at moment: Moment, _ recorder: Recorder
  ) throws(RecordingTextFault) {
    // A typed error does not pass through `withUnsafeBytes` of older compilers.
    let result = bytes.withUnsafeBytes { bytes in
      var value = JSONReader(bytes)
      do throws(RecordingTextFault) {
        try play(&value, kind, of: lens, at: moment, recorder)
        return RecordingTextFault?.none
      } catch {
        return error
      }
    }
    if let result { throw result }
  }

  /// Reduces one cause, and records it.
  private func play(
    _ value: inout JSONReader, _ kind: ParsedRecordingLine.Kind, of lens: Int, at moment: Moment, _ recorder: Recorder
  ) throws(RecordingTextFault) {
    schedule.pointee.moveTime(to: moment)
    // If the frame is new, its parts follow it, and models are written if requested. No driver runs.
    guard kind == .frameSet else {
      try put(kind == .trouble ? .trouble : kind == .found ? .found : .event, into: lens, at: moment, from: &value)
      return drainLanes(self)
    }
    let frame = try readFrame(&value)
    recorder.beginCause(.frameSet, of: nil, at: moment)
    withUnsafePointer(to: frame) { recorder.write(frame: $0) }
    let isNew = frames.advance { $0 = frame }
    endRecord(isNew: isNew)
    if isNew { lenses.render(frames.current) }
  }

  /// Plays a cause. Returns whether its frame is the same as the recording's.
  private func playCause(
    _ line: ParsedRecordingLine, of recording: RecordingReader, _ recorder: Recorder, _ state: inout ReplayProgress,
    _ options: ReplayOptions
  ) throws -> Bool {
    let lens = line.kind == .frameSet ? -1 : try state.lens(of: line)
    let number = frameNumber
    recorder.skip(toCause: line.number, frame: frameNumber)
    var value = recording.reader(of: line)
    let moment = Moment(nanoseconds: recording.header.start.nanoseconds + line.time)
    try play(&value, line.kind, of: lens, at: moment, recorder)
    state.causes += 1
    if line.digest != nil { state.frames += 1 }
    guard frameNumber != line.frame || !recorder.hasMadeFrame(of: line) else { return true }
    let before = frameNumber == number ? frames.current : frames.previous
    guard options.follow == nil else {
      try adopt(line, of: recording, after: before)
      return false
    }
    let name = state.lenses.indices.contains(line.lens) ? state.lenses[line.lens] : nil
    let cause = ReplayCause(recording, line, name: name)
    // The line's text is not used after this: reading on may find the recording's frame.
    throw try difference(from: cause, before: before, of: recording)
  }

  /// Compares with a whole frame of the recording, or begins with it. Returns whether the frame is the same as the
  /// recording's.
  private func meetKeyframe(
    _ line: ParsedRecordingLine, of recording: RecordingReader, _ recorder: Recorder, _ state: inout ReplayProgress,
    _ options: ReplayOptions
  ) throws -> Bool {
    let isBeginning = state.isInHole
    recorder.skip(toCause: state.causes + state.lost + 1, frame: line.number)
    if state.endHole() {
      var value = recording.reader(of: line)
      frames.begin(with: try readFrame(&value), number: line.number)
    }
    if isBeginning { lenses.render(frames.current) }
    recorder.writeKeyframe(frames.current)
    guard frameNumber != line.number || !recorder.hasMadeFrame(of: line) else { return true }
    guard options.follow == nil else {
      var value = recording.reader(of: line)
      frames.begin(with: try readFrame(&value), number: line.number)
      lenses.render(frames.current)
      return false
    }
    throw try difference(
      from: ReplayCause(recording, line, name: nil), before: frames.current, of: recording)
  }

  /// Continues with the recording's frame after a cause. Frames that are not rows continue with their own frame: the
  /// recording's is unknown until the next whole frame.
  private func adopt(_ line: ParsedRecordingLine, of recording: RecordingReader, after before: UnsafePointer<Frame>)
    throws(RecordingTextFault)
  {
    var frame = line.digest == nil ? before.pointee : frames.current.pointee
    if line.digest != nil, let changes = line.rowChanges(in: recording.text) {
      var writer = JSONWriter()
      try frameCodec!.codec.write(before, &writer)
      var row = try JSONReader.read(writer.text) { (reader) throws(RecordingTextFault) in try [Int](from: &reader) }
      for (column, number) in changes {
        guard row.indices.contains(column) else { throw RecordingTextFault("the frame has no number \(column)") }
        row[column] = number
      }
      writer.removeAll()
      row.write(to: &writer)
      frame = try JSONReader.read(writer.text) { (reader) throws(RecordingTextFault) in try readFrame(&reader) }
    }
    frames.begin(with: frame, number: line.frame)
    lenses.render(frames.current)
  }

  private func difference(
    from cause: ReplayCause, before: UnsafePointer<Frame>, of recording: RecordingReader
  ) throws(RecordingTextFault) -> ReplayDifference {
    let columns = recording.header.columns
    // If a whole frame is next, it is the frame after the cause.
    var frame: FlattenedFrame?
    if let next = try? recording.next(), next.kind == .keyframe {
      frame = FlattenedFrame(
        String(decoding: JSONReader(recording.text).text(in: next.value), as: UTF8.self), columns: columns)
    }
    let now = try text(of: frames.current, columns: columns)
    let earlier = try text(of: before, columns: columns)
    return cause.difference(from: now, number: frameNumber, before: earlier, recording: frame)
  }

  private func text(of frame: UnsafePointer<Frame>, columns: [String]) throws(RecordingTextFault) -> FlattenedFrame {
    var writer = JSONWriter()
    try frameCodec!.codec.write(frame, &writer)
    return FlattenedFrame(writer.text, columns: columns)
  }
}

extension Application {
  /// Plays an edited recording like ``play(_:to:)``, and makes a complete recording of it: with its header, notes,
  /// approvals, checks and end.
  ///
  /// The recording contains the steps and edges of the world only if no edit changes an event: they led to the
  /// recording's events.
  ///
  /// - Parameters:
  ///   - take: the causes.
  ///   - sink: gets the recording.
  /// - Throws: the errors of ``play(_:to:)``; ``Recordings/RecordingError`` if the sink has no room for the recording.
  @discardableResult
  public func record(_ take: EditedRecording, to sink: any RecordingSink) throws -> ReplayReport {
    let recording = EditedRecordingWriter(take, to: sink)
    let report = try play(take, to: recording)
    guard recording.end(report) else {
      throw RecordingError(
        recording: take.header.app, line: 1, fault: RecordingTextFault("there is no room for the recording; free some"))
    }
    return report
  }
}
