extension Cycle where Lenses: ~Copyable {
  public var clock: Moment { cycleContext.readClock() }

  public func frameText(setting values: [(path: String, value: String)]) throws(FilmFault) -> String {
    guard let recorder = cycleContext.recorder, let filming else { throw Self.unrecorded }
    var writer = FilmWriter()
    try filming.codec.write(frames.current, &writer)
    var text = writer.text
    for (path, value) in values {
      try UntrustedNumber.check(value)
      let changed = try FrameText(text, columns: recorder.columns).setting(path, to: value)
      text = String(decoding: changed, as: UTF8.self)
    }
    return text
  }

  public func put(event: String, into lens: Int) throws(FilmFault) {
    guard cycleContext.recorder != nil else { throw Self.unrecorded }
    precondition(!isTurning, "an event is put in between two turns")
    try UntrustedNumber.check(event)
    try FilmReader.read(event) { (reader) throws(FilmFault) in
      try put(.event, into: lens, at: clock, from: &reader)
    }
    cycleContext.injectedLens = lens
  }

  public func set(frame text: String) throws(FilmFault) {
    guard let recorder = cycleContext.recorder, filming != nil else { throw Self.unrecorded }
    precondition(!isTurning, "a frame is set between two turns")
    let frame = try FilmReader.read(text) { (reader) throws(FilmFault) in
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
  func readFrame(_ film: inout FilmReader) throws(FilmFault) -> Frame {
    let frame = try filming!.codec.read(&film, frames.current.pointee)
    if let reason = frameRefusal?(frame) { throw FilmFault("not a frame of the application: \(reason)") }
    return frame
  }

  /// Queues an event or a trouble of a lens, and throws if the lens or its driver rejects it. It is reduced next.
  func put(
    _ entry: QueuedEntry, into lens: Int, at moment: Moment, from film: inout FilmReader
  ) throws(FilmFault) {
    try cycleContext.lanes[lens].put(entry, from: &film)
    if entry != .trouble { try checkNewest(self, lens) }
    schedule.pointee.beginGathering(at: moment)
    schedule.pointee.enqueue(lens | entry.mark, at: moment)
    schedule.pointee.endGathering()
  }

  private static var unrecorded: FilmFault { FilmFault("the application is not recorded") }
}
