extension Cycle where Lenses: ~Copyable {
  /// Plays the events and troubles of a film: the event filters make the frames again, and each must equal the film's.
  /// No driver is started, rendered or woken: the hardware is not used. The cycle can't be started afterwards.
  ///
  /// If records are missing in the film, the replay continues at the next whole frame. The same applies to a film whose
  /// beginning was removed.
  ///
  /// - Throws: ``Recordings/ReplayDifference`` at the first frame that differs, unless the options follow the replay;
  ///   ``Recordings/FilmError`` for a line that can't be read, and for an event of a lens that this application doesn't
  ///   have; `DriverError` if the frames or the events of a lens are neither ``Recordings/Filmed`` nor `Codable`.
  public func replay(_ film: Film, _ options: ReplayOptions) throws -> ReplayReport {
    let output = ReplayOutput(also: options.sink)
    let writes = options.hasDigest || options.sink != nil
    let recorder = Recorder(again: film.header, models: options.hasModels, to: writes ? output : nil)
    try record(with: recorder)
    try beginReplay(at: film.header.start)
    var state = ReplayState(film.header, lenses: lensNames)
    while let line = try film.next() {
      if let until = options.until, line.time > until.wholeNanoseconds { break }
      if let last = options.untilFrame, line.isCause, line.frame > last { break }
      var isSame = true
      do {
        switch line.kind {
        case .keyframe: isSame = try meetKeyframe(line, of: film, recorder, &state, options)
        case .event, .found, .trouble, .injection, .frameSet:
          isSame = try playCause(line, of: film, recorder, &state, options)
        case .loss: state.begin(holeOf: line.number)
        case .world, .edge, .model, .note, .approval, .check, .end, .foreign: break
        }
      } catch let fault as FilmFault {
        throw film.error(fault)
      }
      if let follow = options.follow, !follow(line, isSame) { break }
    }
    if let fault = recorder.fault { throw film.error(fault) }
    return ReplayReport(
      digest: output.digest, events: state.causes, frame: frameNumber, frames: state.frames, lost: state.lost,
      truncation: film.truncation)
  }

  /// Plays an edited film: its causes make new frames, in their order and at their moments.
  ///
  /// - Parameters:
  ///   - take: the causes.
  ///   - sink: gets the records of the edited film, with the digests of all frames, as they follow the header of a
  ///     film.
  /// - Throws: ``Recordings/FilmError`` for an event that does not belong to its lens, and ``CycleBase/DriverError`` as
  ///   ``replay(_:_:)`` does.
  public func play(_ take: EditedFilm, to sink: (any FilmSink)?) throws -> ReplayReport {
    let output = ReplayOutput(also: sink)
    let recorder = Recorder(again: take.header, models: false, to: output)
    try record(with: recorder)
    try beginReplay(at: take.header.start)
    let state = ReplayState(take.header, lenses: lensNames)
    if let beginning = take.beginning {
      let frame: Frame = try FilmReader.read(beginning.text) { (film) throws(FilmFault) in
        try readFrame(&film)
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
      do throws(FilmFault) {
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
        throw FilmError(film: name, line: 0, fault: error)
      }
    }
    return ReplayReport(
      digest: output.digest, events: causes - take.earlierCauses, frame: frameNumber,
      frames: frameNumber - (take.beginning?.number ?? 0) + 1, lost: 0, truncation: nil)
  }

  private func play(
    _ bytes: inout [UInt8], _ kind: FilmLine.Kind, of lens: Int, at moment: Moment, _ recorder: Recorder
  ) throws(FilmFault) {
    // A typed error does not pass through `withUnsafeBytes` of older compilers.
    let result = bytes.withUnsafeBytes { bytes in
      var value = FilmReader(bytes)
      do throws(FilmFault) {
        try play(&value, kind, of: lens, at: moment, recorder)
        return FilmFault?.none
      } catch {
        return error
      }
    }
    if let result { throw result }
  }

  /// Reduces one cause, and records it.
  private func play(
    _ value: inout FilmReader, _ kind: FilmLine.Kind, of lens: Int, at moment: Moment, _ recorder: Recorder
  ) throws(FilmFault) {
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

  /// Plays a cause. Returns whether its frame is the same as the film's.
  private func playCause(
    _ line: FilmLine, of film: Film, _ recorder: Recorder, _ state: inout ReplayState, _ options: ReplayOptions
  ) throws -> Bool {
    let lens = line.kind == .frameSet ? -1 : try state.lens(of: line)
    let number = frameNumber
    recorder.skip(toCause: line.number, frame: frameNumber)
    var value = film.reader(of: line)
    let moment = Moment(nanoseconds: film.header.start.nanoseconds + line.time)
    try play(&value, line.kind, of: lens, at: moment, recorder)
    state.causes += 1
    if line.digest != nil { state.frames += 1 }
    guard frameNumber != line.frame || !recorder.hasMadeFrame(of: line) else { return true }
    let before = frameNumber == number ? frames.current : frames.previous
    guard options.follow == nil else {
      try adopt(line, of: film, after: before)
      return false
    }
    let name = state.lenses.indices.contains(line.lens) ? state.lenses[line.lens] : nil
    let cause = FilmedCause(film, line, name: name)
    // The line's text is not used after this: reading on may find the film's frame.
    throw try difference(from: cause, before: before, of: film)
  }

  /// Compares with a whole frame of the film, or begins with it. Returns whether the frame is the same as the film's.
  private func meetKeyframe(
    _ line: FilmLine, of film: Film, _ recorder: Recorder, _ state: inout ReplayState, _ options: ReplayOptions
  ) throws -> Bool {
    let isBeginning = state.isInHole
    recorder.skip(toCause: state.causes + state.lost + 1, frame: line.number)
    if state.endHole() {
      var value = film.reader(of: line)
      frames.begin(with: try readFrame(&value), number: line.number)
    }
    if isBeginning { lenses.render(frames.current) }
    recorder.writeKeyframe(frames.current)
    guard frameNumber != line.number || !recorder.hasMadeFrame(of: line) else { return true }
    guard options.follow == nil else {
      var value = film.reader(of: line)
      frames.begin(with: try readFrame(&value), number: line.number)
      lenses.render(frames.current)
      return false
    }
    throw try difference(
      from: FilmedCause(film, line, name: nil), before: frames.current, of: film)
  }

  /// Continues with the film's frame after a cause. Frames that are not rows continue with their own frame: the film's
  /// is unknown until the next whole frame.
  private func adopt(_ line: FilmLine, of film: Film, after before: UnsafePointer<Frame>) throws(FilmFault) {
    var frame = line.digest == nil ? before.pointee : frames.current.pointee
    if line.digest != nil, let changes = line.rowChanges(in: film.text) {
      var writer = FilmWriter()
      try filming!.codec.write(before, &writer)
      var row = try FilmReader.read(writer.text) { (reader) throws(FilmFault) in try [Int](from: &reader) }
      for (column, number) in changes {
        guard row.indices.contains(column) else { throw FilmFault("the frame has no number \(column)") }
        row[column] = number
      }
      writer.removeAll()
      row.write(to: &writer)
      frame = try FilmReader.read(writer.text) { (reader) throws(FilmFault) in try readFrame(&reader) }
    }
    frames.begin(with: frame, number: line.frame)
    lenses.render(frames.current)
  }

  private func difference(
    from cause: FilmedCause, before: UnsafePointer<Frame>, of film: Film
  ) throws(FilmFault) -> ReplayDifference {
    let columns = film.header.columns
    // If a whole frame is next, it is the frame after the cause.
    var frame: FrameText?
    if let next = try? film.next(), next.kind == .keyframe {
      frame = FrameText(String(decoding: FilmReader(film.text).text(in: next.value), as: UTF8.self), columns: columns)
    }
    let now = try text(of: frames.current, columns: columns)
    let earlier = try text(of: before, columns: columns)
    return cause.difference(from: now, number: frameNumber, before: earlier, film: frame)
  }

  private func text(of frame: UnsafePointer<Frame>, columns: [String]) throws(FilmFault) -> FrameText {
    var writer = FilmWriter()
    try filming!.codec.write(frame, &writer)
    return FrameText(writer.text, columns: columns)
  }
}

extension Application {
  /// Plays an edited film like ``play(_:to:)``, and makes a complete film of it: with its header, notes, approvals,
  /// checks and end.
  ///
  /// The film contains the steps and edges of the world only if no edit changes an event: they led to the film's
  /// events.
  ///
  /// - Parameters:
  ///   - take: the causes.
  ///   - sink: gets the film.
  /// - Throws: the errors of ``play(_:to:)``; ``Recordings/FilmError`` if the sink has no room for the film.
  @discardableResult
  public func film(_ take: EditedFilm, to sink: any FilmSink) throws -> ReplayReport {
    let film = EditedFilmMaker(take, to: sink)
    let report = try play(take, to: film)
    guard film.end(report) else {
      throw FilmError(film: take.header.app, line: 1, fault: FilmFault("there is no room for the recording; free some"))
    }
    return report
  }
}
