import CycleCore

extension Bench {
  /// Performs an action of the world, and records it in the recording of ``recorder``.
  /// ``resimulate(_:of:until:perform:)`` must be able to perform the action again from its words.
  ///
  ///     try bench.act("press key") { () throws(DriverError) in try key.press() }
  ///
  /// - Parameters:
  ///   - words: the words to record.
  ///   - action: the action; its steps are not recorded separately unless they call this, too.
  public func act(_ words: String, _ action: () throws(DriverError) -> Void) throws(DriverError) {
    note(words)
    try action()
  }

  /// Records an action of the world that is about to begin; does nothing, and doesn't evaluate the words, without a
  /// ``recorder``.
  public func note(_ words: @autoclosure () -> String) {
    if let recorder { recorder.note(step: words(), at: now) }
  }

  /// Runs an application, and repeats the actions of a recording's world on the simulated hardware: each step at its
  /// moment, in virtual time. Drivers compute their events (timers, debouncing, sounds) again. Then the application is
  /// stopped.
  ///
  ///     let take = try EditedRecording(of: recording)
  ///     try bench.resimulate(take.steps, of: cycle, until: take.end) { words in
  ///       if words == "press key" { try key.press() } else { try key.release() }
  ///     }
  ///
  /// A step whose moment has passed, because the previous one takes longer, is performed as soon as that has ended.
  ///
  /// - Parameters:
  ///   - steps: the steps in the order of their moments, which count from the first frame; first those before the
  ///     start.
  ///   - cycle: the application, not yet started.
  ///   - end: the moment at which the application is stopped, in nanoseconds from the first frame.
  ///   - perform: performs a step from its words.
  public func resimulate(
    _ steps: [WorldAction], of cycle: any Application, until end: Int64, perform: (_ words: String) throws -> Void
  ) throws {
    let start = {
      try self.run(cycle)
      return cycle.firstFrameMoment ?? self.now
    }
    try resimulate(steps, until: end, start: start, perform: perform)
    stop()
  }

  /// Does the same as ``resimulate(_:of:until:perform:)``, for an application that the caller starts and stops.
  ///
  /// - Parameters:
  ///   - steps: the steps in the order of their moments, which count from the first frame; first those before the
  ///     start.
  ///   - end: the moment to which time advances, in nanoseconds from the first frame.
  ///   - start: starts the application, after the steps before the start, and returns the moment of its first frame.
  ///   - perform: performs a step from its words.
  public func resimulate(
    _ steps: [WorldAction], until end: Int64, start: () throws -> Moment, perform: (_ words: String) throws -> Void
  ) throws {
    let early = steps.prefix { $0.time == nil }
    for step in early { try perform(step.words) }
    // The moments of a recording count from its first frame. Drivers that start after it can let time pass.
    let beginning = try start()
    for step in steps.dropFirst(early.count) {
      try advance(to: beginning + .nanoseconds(step.time ?? 0))
      try perform(step.words)
    }
    try advance(to: beginning + .nanoseconds(end))
  }
}
