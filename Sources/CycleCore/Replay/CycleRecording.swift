extension Recorder {
  /// The codec for troubles. It can't be nil: a trouble is Codable.
  static var trouble: ValueCodec<Trouble> { ValueCodec()! }

  func write(_ trouble: Trouble) {
    write { (recording) throws(RecordingTextFault) in
      try withUnsafePointer(to: trouble) { (trouble) throws(RecordingTextFault) in
        try Self.trouble.write(trouble, &recording)
      }
    }
  }
}

extension Cycle where Lenses: ~Copyable {
  public func record(with recorder: Recorder) throws(DriverError) {
    precondition(!isStarted, "a recording begins before the start")
    guard let codec = FrameCodec<Frame>() else {
      throw DriverError(
        .misconfigured, cannot: "record the frames", reason: "\(String(reflecting: Frame.self)) is not Codable",
        remedy: "Make it Codable, or Recordable.")
    }
    let frameCodec = TypedFrameCodec(codec)
    self.frameCodec = frameCodec
    recorder.frameCodec = frameCodec
    cycleContext.recorder = recorder
  }

  /// Writes the header and the first frame, if there is a recorder.
  func beginRecording(isVirtual: Bool) throws(DriverError) {
    guard let recorder = cycleContext.recorder else { return }
    if let (lens, type) = cycleContext.unrecorded {
      guard !recorder.isDispensable else {
        cycleContext.recorder = nil
        return
      }
      throw DriverError(
        .misconfigured, of: lens, cannot: "record the events of \(lens)", reason: "\(type) is not Codable",
        remedy: "Make it Codable, or Recordable.")
    }
    let lenses = zip(cycleContext.names, cycleContext.driverTypes).map { RecordingHeader.Lens(name: $0, driver: $1) }
    recorder.begin(
      lenses, clock: isVirtual ? .virtual : .monotonic, at: schedule.pointee.now, due: earliestFirstFrame,
      frames.current)
  }

  /// Ends the record of the event or trouble that was reduced.
  // Not inlined: most applications are not recorded.
  @inlinable @inline(never)
  func endRecord(isNew: Bool) {
    cycleContext.recorder?.endCause(frame: frames.newest, isNew: isNew, frames.current, after: frames.previous)
  }

  /// Ends the recording at the current moment.
  func endRecording() { cycleContext.recorder?.end(at: schedule.pointee.now, frames.current) }

  /// Wires the lenses without starting a driver.
  func beginReplay(at start: Moment) throws(DriverError) {
    isStarted = true
    schedule.pointee.begin(at: start)
    schedule.pointee.hidesModels = cycleContext.recorder?.writesModels == false
    try wire()
    try beginRecording(isVirtual: true)
  }
}
