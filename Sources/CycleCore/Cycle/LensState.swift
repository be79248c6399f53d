/// A driver at work: the driver, its lane, the model that it shows, and what is done when it fails.
public struct LensState<D: Driver & ~Copyable>: ~Copyable {
  @usableFromInline
  enum Phase {
    /// Not started, or stopped.
    case idle
    case running
    /// Its hardware is not there: it is stopped, and started again as soon as that may work.
    case away
  }

  @usableFromInline var driver: D
  @usableFromInline let safeModel: D.Model
  @usableFromInline let lane: Lane<D.Event>
  @usableFromInline var mailbox: UnsafeMutablePointer<Mailbox>!
  /// The lens's bit in ``Mailbox/renderedLenses``.
  @usableFromInline var lensBit: UInt64 = 0
  /// The last model that was rendered without an error, however long ago; the safe one before the first.
  @usableFromInline var rendered: D.Model
  /// Whether the hardware shows ``rendered``: not before the first render and after one that failed.
  @usableFromInline var isShown = false
  /// Whether it runs and has rendered a model, nothing has failed and nobody times it: then a render is just that.
  @usableFromInline var isPlain = false
  @usableFromInline var phase = Phase.idle
  /// Nil until something has failed.
  private var failure: LensFailure<D.Model>?
  /// How many of the next renders are timed.
  private var rendersToTime = 0
  private var isTimed: Bool { rendersToTime > 0 }

  @usableFromInline
  init(_ driver: consuming D, safe: D.Model?, lane: Lane<D.Event>) {
    safeModel = safe ?? driver.safeModel
    rendered = safeModel
    self.driver = driver
    self.lane = lane
  }

  /// Whether the driver, or each of many devices of one kind, only listens. Known where the application is compiled.
  @inlinable
  static var showsNothing: Bool { D.Model.self == NoModel.self || D.Model.self == [NoModel].self }

  private var now: Moment { lane.mailbox.pointee.now }

  private mutating func updatePlain() {
    let isFailing = failure.map { $0.rendering != nil || $0.isWaking } ?? false
    isPlain = phase == .running && isShown && !isTimed && !isFailing
  }

  mutating func wire(_ wiring: Wiring, as lens: Int, name: String) {
    lane.lens = lens
    lane.mailbox = wiring.mailbox
    lane.wiring = wiring
    mailbox = wiring.mailbox
    lensBit = 1 &<< UInt64(truncatingIfNeeded: lens)
    wiring.add(name, driver.identity)
  }

  // MARK: - Rendering

  /// Notes that the driver renders, for whoever looks for a slow one.
  @inlinable @inline(__always)
  func noteRendering() { mailbox.unsafelyUnwrapped.pointee.renderedLenses |= lensBit }

  /// Renders the model unless it is what is rendered already.
  @inlinable @inline(__always)
  mutating func show(_ model: D.Model) {
    guard isPlain else { return showWithCare(model) }
    if rendered == model { return }
    noteRendering()
    do throws(DriverError) {
      try driver.render(model, replacing: rendered)
      rendered = model
    } catch {
      failWithCare(error, rendering: model)
    }
  }

  // As `showWithCare(_:)`.
  @inlinable @inline(never)
  mutating func failWithCare(_ error: DriverError, rendering model: D.Model) { fail(error, rendering: model) }

  // Kept apart and not inlined: it passes the model on to `renderWithCare`, which is not specialized and takes the model in memory. Inlined
  // into `show(_:)`, it would have that memory set up at every call, even if nothing has changed.
  @inlinable @inline(never)
  mutating func showWithCare(_ model: D.Model) { renderWithCare(model) }

  @usableFromInline
  mutating func renderWithCare(_ model: D.Model) {
    guard phase == .running, !(isShown && rendered == model) else { return }
    if let failure, failure.mustWait(with: model, at: now) { return }
    if isTimed { lane.wiring.beginCall() } else { noteRendering() }
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
      lane.wiring.endCall(.render, of: lane.lens)
      rendersToTime -= 1
    }
    updatePlain()
  }

  /// The last model that was rendered without an error, however long ago.
  private var shownBefore: D.Model? {
    isShown ? rendered : failure?.lastRendered
  }

  /// Times the next 100 renders: enough to find one that is slow again and again, and no cost for good where it was slow once.
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
    lane.wiring.beginCall()
    defer { lane.wiring.endCall(.start, of: lane.lens) }
    try driver.start(showing: model, in: DriverContext(lane: lane))
    phase = .running
    // It is never rendered.
    if Self.showsNothing { isShown = true }
    updatePlain()
  }

  /// Wakes the driver. False if it is stopped, and the one who watches for its return may have woken it.
  @inlinable
  mutating func wake(_ wake: Wake) -> Bool {
    guard phase == .running else { return false }
    do throws(DriverError) {
      try driver.wake(wake)
      if !isPlain { succeed(in: wake) }
    } catch {
      fail(error, in: wake)
    }
    return true
  }

  /// The moment has come to try again what failed.
  mutating func retry(showing model: @autoclosure () -> D.Model) {
    if phase == .away { return lookForReturn(showing: model()) }
    // The render first: a wake that fails again puts the next retry off, and the render's with it.
    if failure?.rendering != nil { renderWithCare(model()) }
    if failure?.failedWake != nil {
      _ = wake(.retry)
      lane.wiring.endCall(.wake, of: lane.lens)
    }
  }

  // MARK: - Failing

  @usableFromInline
  mutating func fail(_ error: DriverError, rendering model: D.Model) {
    if error.isLoss { return lose(error) }
    let failure = self.failure ?? LensFailure()
    self.failure = failure
    if isShown { failure.lastRendered = rendered }
    isShown = false
    failure.rendering = model
    fail(error, from: .rendering)
  }

  @usableFromInline
  mutating func fail(_ error: DriverError, in wake: Wake) {
    let failure = self.failure ?? LensFailure()
    self.failure = failure
    // What stays unreadable stays ready: the cycle would go round for nothing but this. A retry has its pauses.
    if wake != .retry { failure.failedWakes += 1 }
    if error.isLoss || failure.failedWakes >= LensFailure<D.Model>.failedWakeLimit { return lose(error) }
    if wake != .retry { failure.failedWake = wake }
    fail(error, from: .waking)
  }

  private mutating func fail(_ error: DriverError, from source: TroubleQueue.Source) {
    // At the end a retry would render what the application showed before, and there is nobody to tell.
    guard let failure, !lane.isClosed else { return }
    failure.fail(at: now)
    lane.mailbox.pointee.setRetry(of: lane.lens, to: failure.retry.moment)
    lane.report(.failed(error), from: source)
    updatePlain()
  }

  @usableFromInline
  mutating func succeed(in wake: Wake) {
    guard let failure, let failed = failure.failedWake, wake == failed || wake == .retry else { return }
    failure.failedWake = nil
    failure.failedWakes = 0
    recover(failure, from: .waking)
  }

  /// What failed works again.
  private mutating func recover(_ failure: LensFailure<D.Model>, from source: TroubleQueue.Source) {
    lane.report(.restored, from: source)
    guard failure.rendering == nil, failure.failedWake == nil else { return }
    failure.lastRendered = nil
    failure.retry.end()
    lane.mailbox.pointee.setRetry(of: lane.lens, to: nil)
    updatePlain()
  }

  // MARK: - Hardware that is not there

  /// Stops the driver and waits for its hardware; not where the application ends.
  private mutating func lose(_ error: DriverError) {
    let wasRunning = phase == .running
    let failure = self.failure ?? LensFailure()
    phase = lane.isClosed ? .idle : .away
    isShown = false
    failure.forget()
    if wasRunning { driver.stop() }
    lane.troubles.forgetAllButHardware()
    lane.mailbox.pointee.setAlarm(of: lane.lens, to: .distantFuture)
    lane.wiring.removePostboxes(of: lane.lens)
    updatePlain()
    // Started again, it would show what the application showed, and be left so.
    guard !lane.isClosed else { return }
    lane.report(.lost(error), from: .hardware)
    failure.watch = watchForReturn()
    // Hardware that works only until it is used would come and go without an end: its pauses go on growing.
    let comesAndGoes = failure.hasReturnedLately(at: now, isThere: error.isThere)
    if !comesAndGoes { failure.absence.end() }
    if comesAndGoes || failure.watch == nil {
      failure.absence.fail(at: now)
    } else {
      // What came back before the watch began is found by one try.
      failure.absence.fail(at: now, after: .zero)
    }
    lane.mailbox.pointee.setRetry(of: lane.lens, to: failure.absence.moment)
    self.failure = failure
  }

  private mutating func watchForReturn() -> (any ReturnWatch)? {
    do throws(DriverError) {
      return try driver.watchForReturn(Watcher(wiring: lane.wiring, lens: lane.lens))
    } catch {
      lane.report(.failed(error), from: .hardware)
      return nil
    }
  }

  /// A lens that is stopped was woken.
  mutating func noteWake(showing model: @autoclosure () -> D.Model) {
    guard phase == .away, failure?.watch?.acknowledge() == true else { return }
    lookForReturn(showing: model())
  }

  private mutating func lookForReturn(showing model: D.Model) {
    guard let failure else { return }
    do throws(DriverError) {
      try begin(showing: model)
      failure.watch?.release()
      failure.watch = nil
      failure.returned(at: now)
      lane.mailbox.pointee.setRetry(of: lane.lens, to: nil)
      lane.report(.restored, from: .hardware)
      updatePlain()
      show(model)
      lane.wiring.endCall(.render, of: lane.lens)
    } catch {
      lane.troubles.forgetAllButHardware()
      lane.wiring.removePostboxes(of: lane.lens)
      lane.mailbox.pointee.setAlarm(of: lane.lens, to: .distantFuture)
      if failure.watch == nil { failure.watch = watchForReturn() }
      if failure.watch != nil, error.isLoss || error.kind == .notPermitted {
        // Not there yet, or not yet open to this user: the watch tells when that changes.
        failure.absence.suspend()
      } else {
        // Nothing tells when another program gives a line back.
        if !error.isLoss { lane.report(.failed(error), from: .hardware) }
        failure.absence.fail(at: now)
      }
      lane.mailbox.pointee.setRetry(of: lane.lens, to: failure.absence.moment)
    }
  }

  // MARK: - Stopping

  /// Shows the safe model, whatever failed before. Nobody hears of what happens from here on.
  mutating func renderSafe() {
    lane.close()
    lane.mailbox.pointee.setRetry(of: lane.lens, to: nil)
    failure?.watch?.release()
    failure?.watch = nil
    failure?.rendering = nil
    if phase == .away { phase = .idle }
    tryToShowSafe()
  }

  private mutating func tryToShowSafe() {
    guard phase == .running, !(isShown && rendered == safeModel) else { return }
    // A failure counts as no rendering: the driver goes on with what it showed before.
    if (try? driver.render(safeModel, replacing: shownBefore)) != nil {
      rendered = safeModel
      isShown = true
    }
  }

  var isAtRest: Bool { phase != .running || driver.isAtRest }

  mutating func stop() {
    guard phase == .running else { return }
    // What kept the driver from its safe state may be over by now, and it is the last chance.
    tryToShowSafe()
    phase = .idle
    isPlain = false
    lane.mailbox.pointee.setAlarm(of: lane.lens, to: .distantFuture)
    lane.wiring.beginCall()
    driver.stop()
    lane.wiring.endCall(.stop, of: lane.lens)
  }
}

/// What has failed in a driver, and when it is tried again. An object, because most drivers never have one.
final class LensFailure<Model: Equatable> {
  /// How many wakes in a row may fail before the hardware counts as lost; retries are not among them.
  static var failedWakeLimit: Int { 8 }
  /// How many failed renders at one moment make the next one wait for the retry, whatever the model.
  private static var triesAtOneMoment: Int { 8 }
  /// Hardware that goes away within so long after its return comes and goes.
  private static var lasting: Duration { .seconds(60) }
  /// The same where it is there all the time, so that a pause would only keep it from working.
  private static var lastingThere: Duration { .seconds(1) }

  /// The model that could not be rendered; nil if rendering works.
  var rendering: Model?
  /// The last model that was rendered without an error before that.
  var lastRendered: Model?
  /// The wake that threw; nil if waking works.
  var failedWake: Wake?
  var failedWakes = 0
  /// When a render or a wake that failed is tried again.
  var retry = Retry()
  /// When hardware that is away is looked for again. Apart from the other: a long absence says nothing of the next write that fails.
  var absence = Retry()
  var watch: (any ReturnWatch)?
  private var restored: Moment?
  private var tries: (moment: Moment, count: Int) = (.zero, 0)

  var isWaking: Bool { failedWake != nil || failedWakes > 0 }

  /// Whether the model is not to be tried now: the same one before its retry is due, or any other after many tries at one moment.
  func mustWait(with model: Model, at now: Moment) -> Bool {
    guard let rendering, let due = retry.moment, now < due else { return false }
    return rendering == model || (tries.moment == now && tries.count >= Self.triesAtOneMoment)
  }

  func fail(at now: Moment) {
    if tries.moment != now { tries = (now, 0) }
    tries.count += 1
    // Another model that fails before the retry is due doesn't put the retry off.
    if (retry.moment ?? .zero) <= now { retry.fail(at: now) }
  }

  /// The driver is stopped: only its hardware counts.
  func forget() {
    rendering = nil
    lastRendered = nil
    failedWake = nil
    failedWakes = 0
    retry.end()
  }

  /// The hardware is back; the pauses between tries go on growing until it has stayed.
  func returned(at now: Moment) {
    restored = now
    absence.suspend()
  }

  func hasReturnedLately(at now: Moment, isThere: Bool) -> Bool {
    guard let restored else { return false }
    return now - restored < (isThere ? Self.lastingThere : Self.lasting)
  }
}

extension DriverError {
  /// Whether it says that the hardware is not there.
  @usableFromInline
  var isLoss: Bool { kind == .lost || kind == .absent }
}
