/// The state of one lens while it runs: the driver, its lane, the last rendered model, and its failures.
public struct LensRunner<D: Driver & ~Copyable>: ~Copyable {
  @usableFromInline var driver: D
  @usableFromInline let safeModel: D.Model
  @usableFromInline let lane: Lane<D.Event>
  @usableFromInline var schedule: UnsafeMutablePointer<EventScheduler>!
  /// The lens's bit in ``EventScheduler/renderedLenses``.
  @usableFromInline var lensBit: UInt64 = 0
  /// The last model that was rendered without an error; the safe model before the first render.
  @usableFromInline var rendered: D.Model
  /// Whether the hardware is in the state of ``rendered``. False before the first render and after a failed one.
  @usableFromInline var isShown = false
  /// Whether `show(_:)` takes the fast path: the driver runs, has rendered, has no failure and is not timed.
  @usableFromInline var isOnFastPath = false
  /// Whether the driver is started.
  @usableFromInline var isRunning = false
  /// The failures; nil until something has failed.
  private var failure: DriverRetries<D.Model>?
  /// Whether the hardware is missing: the driver is stopped, and its start is retried.
  private var isLost: Bool { failure?.recovery.phase == .lost }
  /// The number of the next renders that are timed.
  private var rendersToTime = 0
  private var isTimed: Bool { rendersToTime > 0 }

  @usableFromInline
  init(_ driver: consuming D, safe: D.Model?, lane: Lane<D.Event>) {
    safeModel = safe ?? driver.safeModel
    rendered = safeModel
    self.driver = driver
    self.lane = lane
  }

  /// Whether the driver, or each of many devices of one kind, has no outputs. Known where the application is compiled.
  @inlinable
  static var showsNothing: Bool { D.Model.self == NoModel.self || D.Model.self == [NoModel].self }

  private var now: Moment { lane.schedule.pointee.now }

  private mutating func updatePlain() {
    let isFailing = failure.map { $0.rendering != nil || $0.isWaking } ?? false
    isOnFastPath = isRunning && isShown && !isTimed && !isFailing
  }

  mutating func wire(_ cycleContext: CycleContext, as lens: Int, name: String) {
    lane.lens = lens
    lane.schedule = cycleContext.schedule
    lane.cycleContext = cycleContext
    schedule = cycleContext.schedule
    lensBit = 1 &<< UInt64(truncatingIfNeeded: lens)
    cycleContext.add(name, driver.identity, type: D.recordingName)
    cycleContext.lanes.append(lane)
    guard cycleContext.recorder != nil else { return }
    lane.codec = ValueCodec()
    if lane.codec == nil { cycleContext.noteUnrecorded(name, "\(String(reflecting: D.Event.self))") }
  }

  // MARK: - Rendering

  /// Notes that the driver renders in this turn, so that an overrun can be attributed to it.
  @inlinable @inline(__always)
  func noteRendering() { schedule.unsafelyUnwrapped.pointee.renderedLenses |= lensBit }

  /// Renders the model unless it equals the last rendered one.
  @inlinable @inline(__always)
  mutating func show(_ model: D.Model) {
    guard isOnFastPath else { return showOnSlowPath(model) }
    if rendered == model { return }
    noteRendering()
    do throws(DriverError) {
      try driver.render(model, replacing: rendered)
      rendered = model
    } catch {
      failWithCare(error, rendering: model)
    }
  }

  // Not inlined, like `showOnSlowPath(_:)`.
  @inlinable @inline(never)
  mutating func failWithCare(_ error: DriverError, rendering model: D.Model) { fail(error, rendering: model) }

  // A separate function that is not inlined: it passes the model to `renderWithCare`, which is not specialized and
  // takes the model in memory. Inlined into `show(_:)`, it would set up that memory at every call, even if nothing has
  // changed.
  @inlinable @inline(never)
  mutating func showOnSlowPath(_ model: D.Model) {
    if schedule.unsafelyUnwrapped.pointee.hidesModels { return }
    renderWithCare(model)
  }

  @usableFromInline
  mutating func renderWithCare(_ model: D.Model) {
    guard isRunning else { return recordModel(model) }
    if isShown, rendered == model { return }
    if let failure, failure.mustWait(with: model, at: now) { return }
    if isTimed { lane.cycleContext.beginCall() } else { noteRendering() }
    do throws(DriverError) {
      try driver.render(model, replacing: shownBefore)
      rendered = model
      isShown = true
      if let failure, failure.rendering != nil {
        failure.rendering = nil
        recover(failure, from: .rendering)
      }
    } catch {
      fail(error, rendering: model)
    }
    if isTimed {
      lane.cycleContext.endCall(.render, of: lane.lens)
      rendersToTime -= 1
    }
    updatePlain()
  }

  /// Writes the model into the recording, if requested: in a replay, which has started no driver.
  private mutating func recordModel(_ model: D.Model) {
    guard let recorder = lane.cycleContext.recorder, recorder.writesModels, !(isShown && rendered == model) else {
      return
    }
    rendered = model
    isShown = true
    if D.Model.self != NoModel.self, let codec = ValueCodec<D.Model>.forWriting {
      withUnsafePointer(to: model) { recorder.write(model: $0, codec, of: lane.lens) }
    }
  }

  /// The last model rendered without an error since the driver's start; nil if there is none.
  private var shownBefore: D.Model? {
    isShown ? rendered : failure?.lastRendered
  }

  /// Times the next 100 renders: enough to find a repeatedly slow driver, without a lasting cost for the others.
  mutating func beginTiming() {
    rendersToTime = 100
    updatePlain()
  }

  // MARK: - Starting and waking

  mutating func start(showing model: D.Model) throws(DriverError) {
    do throws(DriverError) {
      try begin(showing: model)
    } catch {
      if lane.isRequired || error.kind == .misconfigured || error.kind == .unsupported { throw error }
      lose(error)
    }
  }

  private mutating func begin(showing model: D.Model) throws(DriverError) {
    lane.cycleContext.beginCall()
    defer { lane.cycleContext.endCall(.start, of: lane.lens) }
    try driver.start(showing: model, in: DriverContext(lane: lane))
    isRunning = true
    // A driver without outputs is never rendered.
    if Self.showsNothing { isShown = true }
    updatePlain()
  }

  /// Wakes the driver. Returns false if the driver is stopped: its ``ReturnWatch`` may then have caused the wake.
  @inlinable
  mutating func wake(_ wake: Wake) -> Bool {
    guard isRunning else { return false }
    do throws(DriverError) {
      try driver.wake(wake)
      if !isOnFastPath { succeed(in: wake) }
    } catch {
      fail(error, in: wake)
    }
    return true
  }

  /// Retries the start, render or wake that failed, when the retry is due.
  mutating func retry(showing model: @autoclosure () -> D.Model) {
    if isLost { return lookForReturn(showing: model()) }
    // Renders first: a wake that fails again would postpone the retry of both.
    if failure?.rendering != nil { renderWithCare(model()) }
    if failure?.isWaking ?? false {
      _ = wake(.retry)
      lane.cycleContext.endCall(.wake, of: lane.lens)
    }
  }

  // MARK: - Failing

  @usableFromInline
  mutating func fail(_ error: DriverError, rendering model: D.Model) {
    if error.isLoss { return lose(error) }
    let failure = self.failure ?? DriverRetries()
    self.failure = failure
    if isShown { failure.lastRendered = rendered }
    isShown = false
    failure.rendering = model
    fail(error, from: .rendering)
  }

  @usableFromInline
  mutating func fail(_ error: DriverError, in wake: Wake) {
    let failure = self.failure ?? DriverRetries()
    self.failure = failure
    let isHopeless = failure.fail(in: wake)
    if error.isLoss || isHopeless { return lose(error) }
    fail(error, from: .waking)
  }

  private mutating func fail(_ error: DriverError, from source: TroubleQueue.Source) {
    // At the end, a retry would render the application's model again, and no report is reduced.
    guard let failure, !lane.isClosed else { return }
    failure.fail(at: now)
    lane.schedule.pointee.setRetry(of: lane.lens, to: failure.recovery.due)
    lane.report(.failed(error), from: source)
    updatePlain()
  }

  @usableFromInline
  mutating func succeed(in wake: Wake) {
    guard let failure, failure.succeed(in: wake) else { return }
    recover(failure, from: .waking)
  }

  /// Reports that the failed render or wake works again, and cancels the retry if both do.
  private mutating func recover(_ failure: DriverRetries<D.Model>, from source: TroubleQueue.Source) {
    lane.report(.restored, from: source)
    guard failure.rendering == nil, !failure.isWaking else { return }
    failure.lastRendered = nil
    failure.recovery.note(.succeed, at: now)
    lane.schedule.pointee.setRetry(of: lane.lens, to: nil)
    updatePlain()
  }

  // MARK: - Missing hardware

  /// Stops the driver and schedules its restart, except at the end of the application.
  private mutating func lose(_ error: DriverError) {
    let wasRunning = isRunning
    let failure = self.failure ?? DriverRetries()
    isRunning = false
    isShown = false
    failure.forget()
    if wasRunning { driver.stop() }
    lane.awaitedReadings = 0
    lane.troubles.forgetAllButHardware()
    lane.schedule.pointee.cancelAlarms(of: lane.lens)
    lane.cycleContext.removePostboxes(of: lane.lens)
    updatePlain()
    // At the end, a restarted driver would render the application's model and keep it.
    guard !lane.isClosed else { return }
    lane.report(.lost(error), from: .hardware)
    failure.watch = watchForReturn()
    // Hardware that is always present and fails is used again soon: a pause would only prevent it from working.
    let stableTime: Duration? = error.isHardwarePresent ? .seconds(1) : nil
    failure.recovery.note(.lose, at: now, stableTime: stableTime)
    if failure.watch != nil, !failure.recovery.isUnstable(at: now, stableTime: stableTime) {
      // One immediate try finds hardware that came back before the watch was set up. Hardware that fails on first use
      // would be restarted endlessly.
      failure.recovery.note(.announce, at: now, stableTime: stableTime)
    }
    lane.schedule.pointee.setRetry(of: lane.lens, to: failure.recovery.due)
    self.failure = failure
  }

  private mutating func watchForReturn() -> (any ReturnWatch)? {
    do throws(DriverError) {
      return try driver.watchForReturn(Watcher(cycleContext: lane.cycleContext, lens: lane.lens))
    } catch {
      lane.report(.failed(error), from: .hardware)
      return nil
    }
  }

  /// Called when a stopped lens was woken: restarts the driver if its ``ReturnWatch`` caused the wake.
  mutating func noteWake(showing model: @autoclosure () -> D.Model) {
    guard isLost, let failure, failure.watch?.acknowledge() == true else { return }
    failure.recovery.note(.announce, at: now)
    lookForReturn(showing: model())
  }

  private mutating func lookForReturn(showing model: D.Model) {
    guard let failure else { return }
    do throws(DriverError) {
      try begin(showing: model)
      failure.watch?.release()
      failure.watch = nil
      failure.recovery.note(.succeed, at: now)
      lane.schedule.pointee.setRetry(of: lane.lens, to: nil)
      lane.report(.restored, from: .hardware)
      updatePlain()
      show(model)
      lane.cycleContext.endCall(.render, of: lane.lens)
    } catch {
      lane.troubles.forgetAllButHardware()
      lane.awaitedReadings = 0
      lane.cycleContext.removePostboxes(of: lane.lens)
      lane.schedule.pointee.cancelAlarms(of: lane.lens)
      if failure.watch == nil { failure.watch = watchForReturn() }
      // The rights to a device that has just appeared may follow, and the watch announces them.
      let isPending = error.isLoss || (failure.watch != nil && error.kind == .notPermitted)
      if !isPending { lane.report(.failed(error), from: .hardware) }
      // Not every return is announced, for example that another program releases a line: it is retried beside the
      // watch.
      failure.recovery.note(.lose, at: now)
      lane.schedule.pointee.setRetry(of: lane.lens, to: failure.recovery.due)
    }
  }

  // MARK: - Stopping

  /// Closes the lane, cancels the retries and renders the safe model, whatever failed before.
  mutating func renderSafe() {
    lane.close()
    lane.schedule.pointee.setRetry(of: lane.lens, to: nil)
    failure?.watch?.release()
    failure?.watch = nil
    failure?.rendering = nil
    failure?.recovery.note(.end, at: now)
    tryToShowSafe()
  }

  private mutating func tryToShowSafe() {
    guard isRunning, !(isShown && rendered == safeModel) else { return }
    // After an error the previous model still counts as the last rendered one.
    if (try? driver.render(safeModel, replacing: shownBefore)) != nil {
      rendered = safeModel
      isShown = true
    }
  }

  var isAtRest: Bool { !isRunning || driver.isAtRest }

  mutating func stop() {
    guard isRunning else { return }
    // The last chance to render the safe model, if that failed before: the cause may have gone.
    tryToShowSafe()
    isRunning = false
    isOnFastPath = false
    lane.schedule.pointee.cancelAlarms(of: lane.lens)
    lane.cycleContext.beginCall()
    driver.stop()
    lane.cycleContext.endCall(.stop, of: lane.lens)
  }
}
