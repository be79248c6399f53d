/// An application going round: events make frames, frames make models, models are rendered, and what that leads to is
/// events again.
///
///     let cycle = Cycle(seed: Counter(), history: 4) {
///       Lens(Button(chip, line: "GPIO17"), on: { frame, event in
///         if event == .pressed { frame.count += 1 }
///       })
///       Lens(LEDBar(chip, lines: ["GPIO5", "GPIO6"]), show: { .init(level: $0.count) })
///     }
///     try cycle.run(on: LinuxLoop())
///
/// Everything happens on the thread that runs it; only ``requestStop()`` may be called from another.
public final class Cycle<Frame: Equatable, Lenses: LensGroup & ~Copyable>: Application where Lenses.Frame == Frame {
  @usableFromInline let selfEmissionLimit: Int
  @usableFromInline let mailbox: UnsafeMutablePointer<Mailbox>
  @usableFromInline let observers = Observers<(Frame, Moment) -> Void>()
  /// The inner loops, formed where the application is compiled: there the compiler knows every type in them, and makes
  /// one function of the whole application. Called from anywhere, they are as fast as if written out by hand.
  private let drainLanes: (Cycle) -> Void
  private let wakeLens: (Cycle, Int, Wake) -> Void
  @exclusivity(unchecked) private var isTurning = false
  @exclusivity(unchecked) private var isStopping = false
  private let wiring: Wiring
  @exclusivity(unchecked) private var isStarted = false
  private let stopRequest = StopRequest()
  @exclusivity(unchecked) private var ready = ReadyList()
  // Declared behind all that is used in a turn: the offset of a property behind one of generic type depends on that type, and would be looked
  // up at each use.
  @usableFromInline @exclusivity(unchecked) var frames: FrameRing<Frame>
  @usableFromInline @exclusivity(unchecked) var lenses: Lenses
  /// Declared last: what the lenses refer to is released after them.
  private let wiringOfLenses: Wiring

  /// - Parameters:
  ///   - seed: the first frame. What it shows is there before any hardware is taken.
  ///   - history: how many frames an event filter can look back on, the one that the event meets included; at least 1.
  ///   - selfEmissionLimit: how many events drivers may emit at one moment while frames go round, before that counts as a
  ///     livelock and ends the cycle.
  @inlinable
  public convenience init(
    seed: Frame, history: Int = 1, selfEmissionLimit: Int = 10_000, @LensBuilder<Frame> lenses: () -> Lenses
  ) {
    self.init(
      seed: seed, history: history, selfEmissionLimit: selfEmissionLimit, lenses: lenses(),
      drainLanes: { $0.reduceAll() }, wakeLens: { $0.lenses.wake($1, $2, showing: $0.frames.current) })
  }

  @usableFromInline
  init(
    seed: Frame, history: Int, selfEmissionLimit: Int, lenses: consuming Lenses,
    drainLanes: @escaping (Cycle) -> Void,
    wakeLens: @escaping (Cycle, Int, Wake) -> Void
  ) {
    precondition(history > 0, "an event filter sees at least the frame that the event meets")
    frames = FrameRing(seed: seed, depth: history)
    wiring = Wiring(lensCount: lenses.lensCount, depth: history, selfEmissionLimit: selfEmissionLimit)
    wiringOfLenses = wiring
    mailbox = wiring.mailbox
    self.lenses = lenses
    self.selfEmissionLimit = selfEmissionLimit
    self.drainLanes = drainLanes
    self.wakeLens = wakeLens
  }

  deinit {
    frames.deallocate()
  }

  /// The current frame.
  @inlinable
  public var frame: Frame { frames.current.pointee }

  /// The number of the current frame; the seed is 0.
  public var frameNumber: Int { frames.newest }

  @discardableResult
  public func observe(_ observer: @escaping (_ frame: Frame, _ moment: Moment) -> Void) -> Observation {
    mailbox.pointee.setIsObserved(true)
    return observers.add(observer)
  }

  @discardableResult
  public func tap(_ tap: any EventTap) -> Observation { wiring.add(tap) }

  /// Calls `observer` whenever a driver has held the cycle up for longer than it may; one observer. Where several drivers rendered in one
  /// turn that took too long, nobody is named, and the next 100 renders of each are timed. The seed's renders are not timed on a real clock.
  public func onOverrun(_ observer: @escaping (Overrun) -> Void) {
    wiring.overrunObserver = observer
  }

  /// Asks the cycle to end, from any thread: ``run(on:)`` then shows the safe models, stops the drivers and returns.
  public func requestStop() {
    stopRequest.raise()
  }

  // MARK: - Running

  /// Runs until ``requestStop()``, then leaves every driver in its safe state.
  ///
  /// - Throws: the error of the driver that could not be started, where its lens requires it or no waiting can mend it, after those
  ///   before it have been stopped; kind `misconfigured` where two lenses have the same driver; the error of a livelock, which names
  ///   the driver that keeps emitting.
  public func run(on loop: any EventLoop) throws(DriverError) {
    try start(on: loop)
    do throws(DriverError) {
      while !stopRequest.isRaised { try step(until: nil) }
    } catch {
      stop()
      throw error
    }
    stop()
  }

  /// Starts every driver with the seed's models, renders the seed, and reduces what was there from the beginning.
  public func start(on loop: any EventLoop) throws(DriverError) {
    precondition(!isStarted, "a cycle runs once")
    isStarted = true
    wiring.begin(on: loop)
    stopRequest.doorbell = loop.makeDoorbell()
    lenses.wire(wiring, first: 0)
    if let name = wiring.wiredTwice {
      throw DriverError(
        .misconfigured, of: name, cannot: "wire \(name)", reason: "the same one is wired twice",
        remedy: "Make a driver for each lens; one lens can show all that a driver shows.")
    }
    isTurning = true
    defer { isTurning = false }
    do throws(DriverError) {
      mailbox.pointee.beginGathering(at: loop.now)
      try lenses.start(showing: frames.current)
      mailbox.pointee.endGathering()
      lenses.render(frames.current)
      // On a machine that has just begun, code that nothing has run before is slow: that says nothing of the drivers.
      if !loop.isVirtual { wiring.forgetRendering() }
      try drain(on: loop)
    } catch {
      isTurning = false
      stop()
      throw error
    }
  }

  /// Waits for the next thing to happen, until `deadline` at the latest, and handles it.
  public func step(until deadline: Moment?) throws(DriverError) {
    precondition(isStarted, "a cycle is started before it is stepped")
    let alarm = mailbox.pointee.earliestAlarm
    var end = deadline
    if alarm != .distantFuture { end = min(alarm, deadline ?? alarm) }
    // A moment that has passed: the loop looks, and does not wait.
    if wiring.simulatedWakes.count > 0 || (stopRequest.isRaised && !isStopping) || wiring.hasVirtualPosts {
      end = .zero
    }
    ready.removeAll()
    if let virtualLoop = wiring.virtualLoop {
      virtualLoop.jump(to: end)
      try turn(on: nil)
    } else {
      let loop = wiring.loop.unsafelyUnwrapped
      try loop.wait(until: end, ready: &ready)
      try turn(on: loop)
    }
  }

  private static var alarmsOfATurn: Int { 1_000 }

  /// One turn: reads what is ready, then reduces it and rings the alarms that are due, in the order of their moments.
  @inline(__always)
  private func turn(on realLoop: (any EventLoop)?) throws(DriverError) {
    isTurning = true
    defer { isTurning = false }
    // Hardware is read before alarms are looked at: a release that the kernel stamped before a hold was due cancels it,
    // however late this thread is.
    let now = wiring.beginTurn(on: realLoop)
    for index in 0..<ready.count { wake(ready[index].lens, .ready(descriptor: ready[index].descriptor), on: realLoop) }
    // A device that asks for a wake meanwhile gets it the next time.
    for _ in 0..<wiring.simulatedWakes.count {
      wake(wiring.simulatedWakes.removeFirst(), .ready(descriptor: Watcher.simulatedDescriptor), on: realLoop)
    }
    wiring.deliverPosts { lens, lost in
      wake(lens, .posted, on: realLoop)
      if lost > 0 { lenses.tellLoss(lens, of: lost) }
    }
    mailbox.pointee.endGathering()
    try drain(on: realLoop)
    // Where there are more alarms than time, hardware and signals are read in between; the rest is due in the next turn.
    var alarms = 0
    while mailbox.pointee.earliestAlarm != .distantFuture, alarms < Self.alarmsOfATurn,
      let due = mailbox.pointee.takeAlarm(dueAt: now)
    {
      alarms += 1
      mailbox.pointee.beginAppending()
      switch due {
      case .alarm(let lens): wake(lens, .alarm, on: realLoop)
      case .retry(let lens): lenses.retry(lens, showing: frames.current)
      }
      mailbox.pointee.endAppending()
      try drain(on: realLoop)
    }
  }

  /// Wakes one lens, and times that.
  @inline(__always)
  private func wake(_ lens: Int, _ wake: Wake, on realLoop: (any EventLoop)?) {
    wakeLens(self, lens, wake)
    wiring.endCall(.wake, of: lens, on: realLoop)
  }

  // MARK: - Stopping

  /// Shows the safe models, in reverse order. Drivers go on being woken until ``isAtRest``; events that wait are not reduced, and what is
  /// emitted from here on has nobody to hear it. Does nothing before the start.
  public func beginStop() {
    guard isStarted, !isStopping else { return }
    isStopping = true
    // No event is behind these renders: a safe model that takes its time (a motor that runs out) counts from the clock.
    mailbox.pointee.moveTime(to: wiring.readClock())
    lenses.renderSafe()
    mailbox.pointee.dropAll()
  }

  /// Whether the hardware of every driver has come to where its model wants it.
  public var isAtRest: Bool { lenses.isAtRest }

  /// Shows the safe models, lets the hardware come to rest, and stops every driver, in reverse order. Called by an observer or a driver,
  /// amid a turn, it is a ``requestStop()``; before the start it does nothing.
  ///
  /// - Parameter restingTime: after so long, hardware that is not at rest is stopped as it is.
  public func stop(within restingTime: Duration) {
    guard isStarted else { return }
    guard !isTurning else { return requestStop() }
    beginStop()
    let loop = wiring.loop!
    let end = loop.now + restingTime
    var (moment, turns) = (loop.now, 0)
    while !isAtRest, loop.now < end, turns < Self.restingTurns {
      // An event loop that fails lets nothing come to rest.
      guard (try? step(until: end)) != nil else { break }
      turns = loop.now == moment ? turns + 1 : 0
      moment = loop.now
    }
    lenses.stop()
  }

  /// A driver that has itself woken again and again holds virtual time up: after so many turns at one moment its hardware is stopped as it is.
  private static var restingTurns: Int { 10_000 }

  @inline(__always)
  private func drain(on realLoop: (any EventLoop)?) throws(DriverError) {
    if isStopping { return mailbox.pointee.dropAll() }
    drainLanes(self)
    if mailbox.pointee.livelockedLens >= 0 { throw livelock(of: mailbox.pointee.livelockedLens) }
    if wiring.endRendering(on: realLoop) { lenses.beginTiming() }
  }

  /// Reduces every event that waits, and what comes of it, breadth first, until all is at rest or too much has been emitted at one moment.
  @inlinable
  func reduceAll() {
    while true {
      if mailbox.pointee.hasNext {
        if lenses.reduce(mailbox.pointee.dequeue(), in: &frames) { lenses.render(frames.current) }
      } else {
        let word = mailbox.pointee.dequeueWithCare()
        guard word >= 0 else { return }
        let isTrouble = word & Mailbox.troubleMark != 0
        guard lenses.reduceWithCare(word & Mailbox.lensMask, isTrouble: isTrouble, in: &frames) else { continue }
        lenses.render(frames.current)
        if mailbox.pointee.isObserved { tellObservers() }
      }
    }
  }

  // Not inlined: most applications have no observers.
  @inlinable @inline(never)
  func tellObservers() {
    let moment = mailbox.pointee.now
    var number = 0
    while let next = observers.next(after: number) {
      next.observer(frames.current.pointee, moment)
      number = next.number
    }
    if number == 0 { mailbox.pointee.setIsObserved(false) }
  }

  /// The error of a livelock, whose last event or alarm was this lens's.
  private func livelock(of lens: Int) -> DriverError {
    DriverError(
      .failed, of: name(of: lens), cannot: "come to rest at \(mailbox.pointee.now)",
      reason:
        "more than \(selfEmissionLimit) events and alarms of drivers at one moment, the last of \(name(of: lens))",
      remedy: "Look for a model that makes \(name(of: lens)) emit an event which changes that model again.")
  }

  // MARK: - Stepping

  public var nextAlarm: Moment? {
    mailbox.pointee.earliestAlarm != .distantFuture ? mailbox.pointee.earliestAlarm : nil
  }

  public func name(of lens: Int) -> String { wiring.name(of: lens) }

  public var isIdle: Bool { wiring.simulatedWakes.count == 0 && !wiring.hasPosts }

  public func isDue(at moment: Moment) -> Bool {
    guard !stopRequest.isRaised else { return false }
    return mailbox.pointee.earliestAlarm <= moment || !isIdle
  }

  public var isStopRequested: Bool { stopRequest.isRaised }

  /// What became of the events of each driver, in the order of wiring. Nothing has before the start.
  public var accounts: [LaneAccount] {
    // Lenses don't know their numbers before.
    guard isStarted else {
      return Array(repeating: LaneAccount(offered: 0, delivered: 0, lost: 0, pending: 0), count: lenses.lensCount)
    }
    return (0..<lenses.lensCount).map { lenses.account(of: $0) }
  }

  /// How many troubles of drivers there were whose lenses have no filter for them.
  public var unheardTroubles: Int { wiring.unheard }
}

// What looks at everything there is, as a failed expectation of a test does, would come to drivers that can't be copied, and
// stop the program.
extension Cycle: CustomReflectable where Lenses: ~Copyable {
  public var customMirror: Mirror { Mirror(self, children: ["frame": frame, "frameNumber": frameNumber]) }
}
