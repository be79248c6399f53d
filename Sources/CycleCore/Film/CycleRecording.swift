/// How the frames of a cycle become parts of a film. A class, so that a cycle without a film holds no more than a reference.
final class Filming<Frame: Equatable> {
  let codec: FrameCodec<Frame>

  init(_ codec: FrameCodec<Frame>) {
    self.codec = codec
  }
}

extension Cycle where Lenses: ~Copyable {
  public func record(with recorder: Recorder) throws(DriverError) {
    precondition(!isStarted, "a recording begins before the start")
    guard let codec = FrameCodec<Frame>() else {
      throw DriverError(
        .misconfigured, cannot: "film the frames", reason: "\(String(reflecting: Frame.self)) is not Codable",
        remedy: "Make it Codable, or Filmed.")
    }
    filming = Filming(codec)
    cycleContext.recorder = recorder
  }

  /// Writes the header and the first frame, if there is a recorder.
  func beginRecording(isVirtual: Bool) throws(DriverError) {
    guard let recorder = cycleContext.recorder, let filming else { return }
    if let (lens, type) = cycleContext.unfilmed {
      guard !recorder.isDispensable else {
        cycleContext.recorder = nil
        return
      }
      throw DriverError(
        .misconfigured, of: lens, cannot: "film the events of \(lens)", reason: "\(type) is not Codable",
        remedy: "Make it Codable, or Filmed.")
    }
    let lenses = zip(cycleContext.names, cycleContext.driverTypes).map { FilmHeader.Lens(name: $0, driver: $1) }
    recorder.begin(
      lenses, clock: isVirtual ? .virtual : .monotonic, at: schedule.pointee.now
    ) { (writer) throws(FilmFault) in try filming.codec.write(frames.current, &writer) }
  }

  /// Ends the record of the event or trouble that has been reduced.
  @usableFromInline
  func endRecord(isNew: Bool) {
    guard let recorder = cycleContext.recorder, let filming else { return }
    let frame = frames.current
    let writeFrame: Recorder.FrameWriter = { (writer) throws(FilmFault) in try filming.codec.write(frame, &writer) }
    guard isNew, let writeChanges = filming.codec.writeChanges else {
      return recorder.endCause(frame: frameNumber, isNew: isNew, writeFrame, changes: nil)
    }
    recorder.endCause(frame: frameNumber, isNew: true, writeFrame) { [frames] in
      writeChanges(frames.previous, frame, &$0)
    }
  }

  /// Ends the film at the current moment.
  func endRecording() {
    guard let recorder = cycleContext.recorder, let filming else { return }
    recorder.end(at: schedule.pointee.now) { [frames] (writer) throws(FilmFault) in
      try filming.codec.write(frames.current, &writer)
    }
  }

  /// Wires the lenses without starting a driver.
  func beginReplay(at start: Moment) throws(DriverError) {
    isStarted = true
    schedule.pointee.begin(at: start)
    try wire(isVirtual: true)
  }
}
