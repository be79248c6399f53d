/// The loop of an application. An event filter makes a frame from an event, frame filters make the models from the
/// frame, and drivers render the models and emit further events.
///
///     let cycle = Cycle(seed: Counter(), history: 4) {
///       Lens(Button(chip, line: "GPIO17"), on: { frame, event in
///         if event == .pressed { frame.count += 1 }
///       })
///       Lens(LEDBar(chip, lines: ["GPIO5", "GPIO6"]), show: { .init(level: $0.count) })
///     }
///     try cycle.run(on: LinuxLoop())
///
/// Everything runs on the thread that calls ``run(on:)``; only ``requestStop()`` may be called from another.
public final class Cycle<Frame: Equatable, Lenses: LensGroup & ~Copyable>: Application where Lenses.Frame == Frame {
  @usableFromInline let selfEmissionLimit: Int
  @usableFromInline let schedule: UnsafeMutablePointer<EventScheduler>
  @usableFromInline let observers = Observers<(Frame, Moment) -> Void>()
  /// The inner loops, as closures that are formed where the application is compiled. There the compiler knows all types
  /// and makes one function of the whole application.
  let drainLanes: (Cycle) -> Void
  private let wakeLens: (Cycle, Int, Wake) -> Void
  /// The check of an event from outside, formed in the same place: `LensGroup.checkNewest`.
  let checkNewest: (Cycle, Int) throws(RecordingTextFault) -> Void
  @exclusivity(unchecked) private(set) var isTurning = false
  @exclusivity(unchecked) private var isStopping = false
  @usableFromInline let cycleContext: CycleContext
  @exclusivity(unchecked) var isStarted = false
  /// Whether the first frame is not made yet.
  @exclusivity(unchecked) public private(set) var isStarting = false
  private var startDeadline = Moment.zero
  public private(set) var firstFrameMoment: Moment?
  public var earliestFirstFrame: Moment?
  public var readingLimit = Duration.milliseconds(100)
  /// Completes the seed after all readings are in it; nil if the seed needs no completion.
  private let completeFrame: ((inout Frame, Moment) -> Void)?
  /// The recorder, until the first frame is made; then it records.
  private var waitingRecorder: Recorder?
  private let stopRequest = StopRequest()
  @exclusivity(unchecked) private var ready = ReadyList()
  /// The conversion of frames to parts of a recording; nil while no recording is used.
  @exclusivity(unchecked) var frameCodec: TypedFrameCodec<Frame>?
  /// Returns why a frame from outside is rejected, or nil to accept it. Nil if every frame is accepted.
  private(set) var frameRefusal: ((Frame) -> String?)?
  // Declared after everything that a turn uses. The offset of a property after one of generic type depends on that
  // type, and would be looked up at each use.
  @usableFromInline @exclusivity(unchecked) var frames: FrameRing<Frame>
  @usableFromInline @exclusivity(unchecked) var lenses: Lenses
  /// Declared last, so that it is released after the lenses, which refer to it without retaining it.
  private let contextOfLenses: CycleContext

  /// - Parameters:
  ///   - seed: the frame before any hardware was read. The states of the inputs at the start turn it into the first
  ///     frame (`Lens.onFound`). The first frame's models exist before any output is requested.
  ///   - start: completes the first frame when it contains the state of all inputs. Only here can the first frame
  ///     depend on the state of several inputs.
  ///   - history: the number of frames that an event filter can read, the current one included; at least 1.
  ///   - selfEmissionLimit: the number of events that drivers may emit at one moment while they render, alarms
  ///     included. More are a livelock: the cycle ends with an error.
  ///   - lenses: the lenses, in the order of wiring.
  @inlinable
  public convenience init(
    seed: Frame, history: Int = 1, selfEmissionLimit: Int = 10_000,
    start: ((_ frame: inout Frame, _ moment: Moment) -> Void)? = nil, @LensBuilder<Frame> lenses: () -> Lenses
  ) {
    self.init(
      seed: seed, history: history, selfEmissionLimit: selfEmissionLimit, start: start, lenses: lenses(),
      drainLanes: { $0.reduceAll() }, wakeLens: { $0.lenses.wake($1, $2, showing: $0.frames.current) },
      checkNewest: { (cycle, lens) throws(RecordingTextFault) in try cycle.lenses.checkNewest(lens) })
  }

  @usableFromInline
  init(
    seed: Frame, history: Int, selfEmissionLimit: Int, start: ((inout Frame, Moment) -> Void)?,
    lenses: consuming Lenses, drainLanes: @escaping (Cycle) -> Void,
    wakeLens: @escaping (Cycle, Int, Wake) -> Void,
    checkNewest: @escaping (Cycle, Int) throws(RecordingTextFault) -> Void
  ) {
    precondition(history > 0, "an event filter sees at least the frame that the event meets")
    frames = FrameRing(seed: seed, depth: history)
    cycleContext = CycleContext(lensCount: lenses.lensCount, depth: history, selfEmissionLimit: selfEmissionLimit)
    contextOfLenses = cycleContext
    schedule = cycleContext.schedule
    self.lenses = lenses
    self.selfEmissionLimit = selfEmissionLimit
    completeFrame = start
    self.drainLanes = drainLanes
    self.wakeLens = wakeLens
    self.checkNewest = checkNewest
  }

  deinit {
    frames.deallocate()
  }

  /// The current frame.
  @inlinable
  public var frame: Frame { frames.current.pointee }

  /// Reads parts of the current frame where it is, without a copy of all of it.
  ///
  /// - Parameter part: reads a part. The pointer is valid only during the call.
  @inlinable
  public func read<Part>(_ part: (UnsafePointer<Frame>) -> Part) -> Part { part(frames.current) }

  /// The number of the current frame; the first one is 0.
  public var frameNumber: Int { frames.newest }

  @discardableResult
  public func observe(_ observer: @escaping (_ frame: Frame, _ moment: Moment) -> Void) -> Observation {
    schedule.pointee.setIsObserved(true)
    return observers.add(observer)
  }

  @discardableResult
  public func tap(_ tap: any EventTap) -> Observation { cycleContext.add(tap) }

  public func refuseFrames(_ reason: @escaping (Frame) -> String?) { frameRefusal = reason }

  /// Calls `observer` after each driver call that exceeded its time limit. Replaces the previous observer. If several
  /// drivers rendered in one turn that took too long, none is reported, and the next 100 renders of each are timed
  /// individually. The seed's renders are not timed on a real clock.
  public func onOverrun(_ observer: @escaping (DriverOverrun) -> Void) {
    cycleContext.overrunObserver = observer
  }

  /// Requests the end of the cycle, from any thread: ``run(on:)`` then renders the safe models, stops the drivers and
  /// returns.
  public func requestStop() {
    stopRequest.raise()
  }

  // MARK: - Running

  /// Runs until ``requestStop()``, then renders the safe models and stops every driver.
  ///
  /// - Throws: the error of a driver that could not be started, if its lens is required or the error is of kind
  ///   `misconfigured` or `unsupported`; drivers that have started are stopped first. Kind `misconfigured` if two
  ///   lenses have the same driver. The error of a livelock, which names the lens that keeps emitting.
  public func run(on loop: any EventLoop) throws(DriverError) {
    try start(on: loop)
    do throws(DriverError) {
      while !stopRequest.isRaised { try step(until: nil) }
    } catch {
      cycleContext.recorder?.endReason = .error
      stop()
      throw error
    }
    stop()
  }

  /// Starts the drivers of inputs. If they know the state of their hardware immediately, makes the first frame and
  /// starts all other drivers. If not, a later step does so when they know it, at most ``readingLimit`` later.
  public func start(on loop: any EventLoop) throws(DriverError) {
    precondition(!isStarted, "a cycle runs once")
    isStarted = true
    cycleContext.begin(on: loop)
    stopRequest.doorbell = loop.makeDoorbell()
    try wire()
    // Readings before the first frame are a part of it, and have no records of their own.
    (waitingRecorder, cycleContext.recorder) = (cycleContext.recorder, nil)
    setIsStarting(true)
    startDeadline = .distantFuture
    isTurning = true
    do throws(DriverError) {
      schedule.pointee.beginGathering(at: loop.now)
      try lenses.start(.inputs, showing: frames.current)
      schedule.pointee.endGathering()
      // The limit counts from here: shortly after boot, the start itself can take longer than the limit.
      startDeadline = max(loop.now + readingLimit, earliestFirstFrame ?? loop.now)
      if !loop.isVirtual { try makeFirstFrameIfKnown(on: loop) }
    } catch {
      isTurning = false
      stop()
      throw error
    }
    isTurning = false
    // In virtual time, the first frame contains what simulated hardware reports without delay. The number of turns is
    // limited, because a driver may request another wake at each wake.
    var turns = 0
    while isStarting, loop.isVirtual {
      if isDue(at: loop.now), !stopRequest.isRaised, turns < Self.restingTurns {
        turns += 1
        try step(until: loop.now)
      } else if awaitsReadings, turns < Self.restingTurns {
        return
      } else {
        try finishStart(on: nil)
      }
    }
  }

  private func setIsStarting(_ isStarting: Bool) {
    self.isStarting = isStarting
    cycleContext.isStarting = isStarting
  }

  private func makeFirstFrameIfKnown(on realLoop: (any EventLoop)?) throws(DriverError) {
    if awaitsReadings, cycleContext.readClock() < startDeadline { return }
    try makeFirstFrame(on: realLoop)
  }

  /// Whether the first frame waits for a reading. A full lane ends this wait: its driver can emit more events only
  /// after the queued ones are reduced.
  private var awaitsReadings: Bool {
    if cycleContext.hasFullLane { return false }
    return cycleContext.awaitsReadings || earliestFirstFrame.map { cycleContext.readClock() < $0 } ?? false
  }

  /// Calls ``makeFirstFrame(on:)``, between two turns; ends the application if it fails.
  private func finishStart(on realLoop: (any EventLoop)?) throws(DriverError) {
    isTurning = true
    do throws(DriverError) {
      try makeFirstFrame(on: realLoop)
    } catch {
      isTurning = false
      stop()
      throw error
    }
    isTurning = false
  }

  /// Makes the first frame from the states of the inputs, starts the drivers that show it, and renders it. Then reduces
  /// the events that were emitted during these calls.
  private func makeFirstFrame(on realLoop: (any EventLoop)?) throws(DriverError) {
    let loop = cycleContext.loop.unsafelyUnwrapped
    reduceFindings()
    let moment = loop.now
    schedule.pointee.moveTime(to: moment)
    setIsStarting(false)
    firstFrameMoment = moment
    var frame = frames.current.pointee
    completeFrame?(&frame, moment)
    frames.begin(with: frame, number: 0)
    lenses.forgetHistory(showing: frames.current)
    (cycleContext.recorder, waitingRecorder) = (waitingRecorder, nil)
    try beginRecording(isVirtual: loop.isVirtual)
    schedule.pointee.beginGathering(at: loop.now)
    try lenses.start(.outputs, showing: frames.current)
    schedule.pointee.endGathering()
    lenses.render(frames.current)
    // Shortly after boot, code that runs for the first time is slow. Its times are not those of the drivers.
    if !loop.isVirtual { cycleContext.forgetRendering() }
    try drain(on: realLoop ?? (loop.isVirtual ? nil : loop))
  }

  /// Reduces all readings before the first frame, without showing the frames.
  private func reduceFindings() {
    while true {
      let word = schedule.pointee.hasNext ? schedule.pointee.dequeue() : schedule.pointee.dequeueOnSlowPath()
      guard word >= 0 else { return }
      _ = lenses.reduceOnSlowPath(word & EventScheduler.lensMask, as: QueueEntryKind(word: word), in: &frames)
    }
  }

  /// Numbers the lenses.
  func wire() throws(DriverError) {
    lenses.wire(cycleContext, first: 0, showing: frames.current)
    if let name = cycleContext.lensWithUsedDriver {
      throw DriverError(
        .misconfigured, of: name, cannot: "wire \(name)", reason: "the same one is wired twice",
        remedy: "Make a driver for each lens; one lens can show all that a driver shows.")
    }
  }

  /// Waits until a descriptor is ready, a thread has posted, a stop is requested, an alarm is due, or `deadline` has
  /// passed. Then runs one turn.
  public func step(until deadline: Moment?) throws(DriverError) {
    precondition(isStarted, "a cycle is started before it is stepped")
    var alarm = schedule.pointee.earliestAlarm
    if isStarting { alarm = min(alarm, startDeadline) }
    var end = deadline
    if alarm != .distantFuture { end = min(alarm, deadline ?? alarm) }
    // A moment in the past: the loop checks the descriptors without waiting.
    if cycleContext.simulatedWakes.count > 0 || (stopRequest.isRaised && !isStopping) || cycleContext.hasVirtualPosts {
      end = cycleContext.virtualLoop?.now ?? .zero
    }
    ready.removeAll()
    let moment: Moment
    if let virtualLoop = cycleContext.virtualLoop {
      virtualLoop.jump(to: end)
      moment = try turn(on: nil)
    } else {
      let loop = cycleContext.loop.unsafelyUnwrapped
      try loop.wait(until: end, ready: &ready)
      moment = try turn(on: loop)
    }
    if isStarting, !isStopping { try continueStart(after: moment) }
  }

  /// Makes the first frame if all readings that it waits for have arrived, or the wait is over.
  ///
  /// - Parameter moment: the moment at which the last turn began. The wait is over after a turn that began at the
  ///   deadline or later: this turn has read the hardware and called all alarms that were due by then, however late
  ///   this thread runs.
  private func continueStart(after moment: Moment) throws(DriverError) {
    let loop = cycleContext.loop.unsafelyUnwrapped
    let isOver = cycleContext.hasFullLane || (!awaitsReadings && !isDue(at: loop.now))
    if isOver || moment >= startDeadline { try finishStart(on: loop.isVirtual ? nil : loop) }
  }

  private static var alarmsOfATurn: Int { 1_000 }

  /// One turn: wakes the drivers whose descriptors are ready, reduces their events and calls the due alarms, in the
  /// order of their moments. Returns the moment at which it began.
  @inline(__always)
  private func turn(on realLoop: (any EventLoop)?) throws(DriverError) -> Moment {
    isTurning = true
    defer { isTurning = false }
    // Hardware is read before alarms are called: if the kernel's timestamp of a button's release is before its hold
    // alarm, the release cancels that alarm, however late this thread runs.
    let now = cycleContext.beginTurn(on: realLoop)
    for index in 0..<ready.count { wake(ready[index].lens, .ready(descriptor: ready[index].descriptor), on: realLoop) }
    // A device that requests a wake during this loop gets it in the next turn.
    for _ in 0..<cycleContext.simulatedWakes.count {
      wake(cycleContext.simulatedWakes.removeFirst(), .ready(descriptor: Watcher.simulatedDescriptor), on: realLoop)
    }
    cycleContext.deliverPosts { lens, lost in
      wake(lens, .posted, on: realLoop)
      if lost > 0 { lenses.tellLoss(lens, of: lost) }
    }
    schedule.pointee.endGathering()
    try drain(on: realLoop)
    // After this number of alarms the turn ends, so that hardware and signals are read. The next turn calls the other
    // alarms.
    var alarms = 0
    while schedule.pointee.earliestAlarm != .distantFuture, alarms < Self.alarmsOfATurn,
      !isStarting || schedule.pointee.earliestAlarm <= now, let due = schedule.pointee.takeAlarm(dueAt: now)
    {
      alarms += 1
      schedule.pointee.beginAppending()
      switch due {
      case .alarm(let lens): wake(lens, .alarm, on: realLoop)
      case .retry(let lens): lenses.retry(lens, showing: frames.current)
      }
      schedule.pointee.endAppending()
      try drain(on: realLoop)
    }
    return now
  }

  /// Wakes one lens, and times the call.
  @inline(__always)
  private func wake(_ lens: Int, _ wake: Wake, on realLoop: (any EventLoop)?) {
    wakeLens(self, lens, wake)
    cycleContext.endCall(.wake, of: lens, on: realLoop)
  }

  // MARK: - Stopping

  /// Renders the safe models, in reverse order of wiring. Drops all queued events and all events emitted from now on.
  /// Further steps still wake the drivers, until ``isAtRest``. Does nothing before the start.
  public func beginStop() {
    guard isStarted, !isStopping else { return }
    isStopping = true
    // No event caused these renders, so their moment is the clock's. A safe model that takes time (a motor that slows
    // down) counts from it.
    schedule.pointee.moveTime(to: cycleContext.readClock())
    endRecording()
    lenses.renderSafe()
    schedule.pointee.dropAll()
  }

  /// Whether all drivers are at rest: their hardware has reached the state of the last rendered model.
  public var isAtRest: Bool { lenses.isAtRest }

  /// Renders the safe models, steps until all drivers are at rest, and stops every driver, in reverse order of wiring.
  /// Called during a turn, by an observer or a driver, it only calls ``requestStop()``; before the start it does
  /// nothing.
  ///
  /// - Parameter restingTime: the time to wait for drivers to come to rest. After it, the remaining drivers are stopped
  ///   as they are.
  public func stop(within restingTime: Duration) {
    guard isStarted else { return }
    guard !isTurning else { return requestStop() }
    beginStop()
    let loop = cycleContext.loop!
    let end = loop.now + restingTime
    var (moment, turns) = (loop.now, 0)
    while !isAtRest, loop.now < end, turns < Self.restingTurns {
      // If the event loop fails, no driver can come to rest.
      guard (try? step(until: end)) != nil else { break }
      turns = loop.now == moment ? turns + 1 : 0
      moment = loop.now
    }
    lenses.stop()
  }

  /// The limit of turns at one moment in ``stop(within:)``. In virtual time, the clock does not advance while a driver
  /// keeps requesting wakes.
  private static var restingTurns: Int { 10_000 }

  @inline(__always)
  private func drain(on realLoop: (any EventLoop)?) throws(DriverError) {
    if isStopping { return schedule.pointee.dropAll() }
    if isStarting { return }
    drainLanes(self)
    if schedule.pointee.livelockedLens >= 0 { throw livelock(of: schedule.pointee.livelockedLens) }
    if cycleContext.endRendering(on: realLoop) { lenses.beginTiming() }
  }

  /// Reduces all queued events and those that drivers emit while they render, breadth first. Stops when none is left,
  /// when an alarm comes first, or when too many were emitted at one moment.
  @inlinable
  func reduceAll() {
    while true {
      if schedule.pointee.hasNext {
        if lenses.reduce(schedule.pointee.dequeue(), in: &frames) { lenses.render(frames.current) }
      } else {
        let word = schedule.pointee.dequeueOnSlowPath()
        guard word >= 0 else { return }
        let isNew = lenses.reduceOnSlowPath(
          word & EventScheduler.lensMask, as: QueueEntryKind(word: word), in: &frames)
        if schedule.pointee.isRecorded { endRecord(isNew: isNew) }
        guard isNew else { continue }
        lenses.render(frames.current)
        if schedule.pointee.isObserved { tellObservers() }
      }
    }
  }

  // Not inlined: most applications have no observers.
  @inlinable @inline(never)
  func tellObservers() {
    let moment = schedule.pointee.now
    var number = 0
    while let next = observers.next(after: number) {
      next.observer(frames.current.pointee, moment)
      number = next.number
    }
    if number == 0 { schedule.pointee.setIsObserved(false) }
  }

  /// Returns the error of a livelock whose last event or alarm was this lens's.
  private func livelock(of lens: Int) -> DriverError {
    DriverError(
      .failed, of: name(of: lens), cannot: "come to rest at \(schedule.pointee.now)",
      reason:
        "more than \(selfEmissionLimit) events and alarms of drivers at one moment, the last of \(name(of: lens))",
      remedy: "Find the model that makes \(name(of: lens)) emit an event which changes that model again.")
  }

  // MARK: - Stepping

  public var nextAlarm: Moment? {
    let alarm = schedule.pointee.earliestAlarm
    if isStarting { return min(alarm, startDeadline) }
    return alarm != .distantFuture ? alarm : nil
  }

  public func name(of lens: Int) -> String { cycleContext.name(of: lens) }

  public var isIdle: Bool { cycleContext.simulatedWakes.count == 0 && !cycleContext.hasPosts }

  public func isDue(at moment: Moment) -> Bool {
    guard !stopRequest.isRaised else { return false }
    if isStarting, startDeadline <= moment { return true }
    return schedule.pointee.earliestAlarm <= moment || !isIdle
  }

  public var isStopRequested: Bool { stopRequest.isRaised }

  /// The counts of each driver's events (offered, delivered, lost, pending), in the order of wiring; all 0 before the
  /// start.
  public var accounts: [LaneEventCounts] {
    // Lenses are numbered at the start.
    guard isStarted else {
      return Array(repeating: LaneEventCounts(offered: 0, delivered: 0, lost: 0, pending: 0), count: lenses.lensCount)
    }
    return (0..<lenses.lensCount).map { lenses.account(of: $0) }
  }

  /// The number of troubles that were not reduced, because the driver's lens has no `trouble` filter.
  public var unheardTroubles: Int { cycleContext.unheard }
}

// Reflection over all stored properties, as in a failed expectation of a test, would reach drivers that can't be
// copied, and crash the program.
extension Cycle: CustomReflectable where Lenses: ~Copyable {
  public var customMirror: Mirror { Mirror(self, children: ["frame": frame, "frameNumber": frameNumber]) }
}
