extension Cycle where Lenses: ~Copyable {
  public var clock: Moment { cycleContext.readClock() }

  public func frameText(setting values: [(path: String, value: String)]) throws(RecordingTextFault) -> String {
    guard let recorder = cycleContext.recorder, let frameCodec else { throw Self.unrecorded }
    var writer = JSONWriter()
    try frameCodec.codec.write(frames.current, &writer)
    var text = writer.text
    for (path, value) in values {
      try UntrustedNumber.check(value)
      let changed = try FlattenedFrame(text, columns: recorder.columns).setting(path, to: value)
      text = String(decoding: changed, as: UTF8.self)
    }
    return text
  }

  public func put(event: String, into lens: Int) throws(RecordingTextFault) {
    guard cycleContext.recorder != nil else { throw Self.unrecorded }
    precondition(!isTurning, "an event is put in between two turns")
    try UntrustedNumber.check(event)
    try JSONReader.read(event) { (reader) throws(RecordingTextFault) in
      try put(.event, into: lens, at: clock, from: &reader)
    }
    cycleContext.injectedLens = lens
  }

  public func set(frame text: String) throws(RecordingTextFault) {
    guard let recorder = cycleContext.recorder, frameCodec != nil else { throw Self.unrecorded }
    precondition(!isTurning, "a frame is set between two turns")
    let frame = try JSONReader.read(text) { (reader) throws(RecordingTextFault) in
      try readFrame(&reader)
    }
    let moment = clock
    schedule.pointee.moveTime(to: moment)
    recorder.beginCause(.frameSet, of: nil, at: moment)
    withUnsafePointer(to: frame) { recorder.write(frame: $0) }
    let isNew = frames.advance { $0 = frame }
    endRecord(isNew: isNew)
    guard isNew else { return }
    lenses.render(frames.current)
    if schedule.pointee.isObserved { tellObservers() }
  }

  /// Reads a frame from outside, and throws if the application rejects it.
  func readFrame(_ recording: inout JSONReader) throws(RecordingTextFault) -> Frame {
    let frame = try frameCodec!.codec.read(&recording, frames.current.pointee)
    if let reason = frameRefusal?(frame) { throw RecordingTextFault("not a frame of the application: \(reason)") }
    return frame
  }

  /// Queues an event or a trouble of a lens, and throws if the lens or its driver rejects it. It is reduced next.
  func put(
    _ entry: QueueEntryKind, into lens: Int, at moment: Moment, from recording: inout JSONReader
  ) throws(RecordingTextFault) {
    try cycleContext.lanes[lens].put(entry, from: &recording)
    if entry != .trouble { try checkNewest(self, lens) }
    schedule.pointee.beginGathering(at: moment)
    schedule.pointee.enqueue(lens | entry.mark, at: moment)
    schedule.pointee.endGathering()
  }

  private static var unrecorded: RecordingTextFault { RecordingTextFault("the application is not recorded") }
}
