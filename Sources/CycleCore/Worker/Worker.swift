/// Does a driver's slow work beside the cycle's thread: commands go down, reports come up, and a state that can't be lost.
///
///     struct Thermometer: Driver {
///       enum Event { case measured(Double) }
///       let sensor: any TemperatureSensor
///       private var worker: Worker<ThermometerWork>!
///       private var context: DriverContext<Event>!
///
///       mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
///         self.context = context
///         worker = try Worker(
///           ThermometerWork(sensor), for: "the thermometer", onThread: sensor.needsThread, in: context)
///       }
///
///       mutating func wake(_ wake: Wake) throws(DriverError) {
///         worker.wake(wake) { context.emit(.measured($0), at: $1) }
///         worker.reportTrouble()
///       }
///
///       mutating func stop() { worker.stop() }
///     }
///
/// All of it is used on the cycle's thread, and nothing but ``checkStart(_:)`` and ``stop(keeping:)`` waits. What is
/// bounded: the commands and the reports that may wait, the time to come to rest (``longestFinish``), and the time that a work
/// which hangs is waited for (``longestStop``).
public final class Worker<W: Work> {
  /// How many commands, and how many reports, may wait unless told otherwise.
  public static var defaultCapacity: Int { 64 }
  /// How long a work is given to come to rest: 0.5 s.
  public static var longestFinish: Duration { .milliseconds(500) }
  /// How long ``stop(keeping:)`` waits for a work that hangs before it gives its thread up: 1 s.
  public static var longestStop: Duration { .seconds(1) }
  /// How long ``checkStart(_:)`` waits: 5 s, which is what a driver's start may take.
  public static var longestStart: Duration { .seconds(5) }

  private let core: WorkerCore<W>
  /// Nil where alarms step the work on the cycle's thread.
  private let thread: WorkerThread?
  private let device: String
  private let isRequired: Bool
  private let reports: Postbox<WorkReport<W.Report>>
  private let room: () -> Int
  private let now: () -> Moment
  private let setAlarm: (Moment?) -> Void
  private var isStopped = false
  private let reportToCycle: (Trouble) -> Void
  /// The kind of the error by which the hardware was last told as lost; nil while it is there.
  private var toldLoss: DriverError.Kind?

  // Without a thread:

  /// Reports of the last step whose moment hasn't come.
  private let staged: Staged<W.Report>
  /// When the next step is due, if no command comes.
  private var due: Moment?
  /// Until then the last step's calls hold the work.
  private var busyUntil: Moment
  private var isUnpublished = false

  /// Starts at once and returns without waiting: the hardware is opened by the first step.
  ///
  /// - Parameters:
  ///   - work: belongs to the worker from here on.
  ///   - device: what errors call the hardware, with its article: `the thermometer`.
  ///   - onThread: true for hardware that takes real time. False has the work stepped on the cycle's thread, by the driver's alarm:
  ///     deterministic in virtual time.
  ///   - commandCapacity: how many commands may wait, at least 1; rounded up to a power of two.
  ///   - reportCapacity: how many reports may wait, as above.
  ///   - alarm: is told when ``wake(_:_:)`` is wanted, nil for never; for a driver with deadlines of its own, which sets the earliest.
  ///     Otherwise the worker sets the driver's alarm.
  /// - Throws: kind `failed` where the system gives no thread or no descriptors. Calls `pipe`, `pthread_create`.
  public init<Event: Sendable>(
    _ work: W, for device: String, onThread: Bool, commandCapacity: Int = defaultCapacity,
    reportCapacity: Int = defaultCapacity, in context: DriverContext<Event>, alarm: ((Moment?) -> Void)? = nil
  ) throws(DriverError) {
    self.device = device
    isRequired = context.isRequired
    let reports = context.makePostbox(of: WorkReport<W.Report>.self, capacity: reportCapacity)
    self.reports = reports
    room = { context.room }
    reportToCycle = { context.report($0) }
    now = { context.now }
    setAlarm = alarm ?? { context.setAlarm($0) }
    let staged = Staged<W.Report>()
    self.staged = staged
    busyUntil = context.now
    due = context.now
    let desk = WorkContext<W>(
      clock: onThread ? .monotonic() : WorkClock(at: context.now), commandCapacity: commandCapacity,
      deliver: onThread
        ? { reports.post(WorkReport(report: $0, moment: $1)) }
        : { report, moment in
          // As many as the box would hold; those beyond are counted as its losses.
          guard staged.reports.count < reportCapacity else { return reports.refuse() }
          staged.reports.append(WorkReport(report: report, moment: moment))
          return true
        })
    core = WorkerCore(work, desk) { reports.raise() }
    thread = onThread ? try WorkerThread(for: device, core.run) : nil
    if !onThread { setAlarm(due) }
  }

  /// A worker that was never stopped stops its thread here; a cycle stops every driver that it started.
  deinit {
    guard !isStopped, let thread else { return }
    core.context.end()
    if !thread.join(atMost: Self.longestStop) { core.giveUp(keeping: []) }
  }

  // MARK: - Down

  /// How many more commands fit.
  public var commandRoom: Int { core.context.commands.capacity - core.context.commands.account.pending }

  /// Hands a command to the work; wait-free.
  ///
  /// - Throws: kind `busy` when the work has not received the last commands: the hardware is slower than what is asked of it, or
  ///   hangs. A driver lets that be its render's error: the cycle renders again later.
  public func send(_ command: W.Command) throws(DriverError) {
    guard commandRoom > 0, core.context.commands.push(command) else {
      throw DriverError(
        .busy, of: device, cannot: "send a command to \(device)",
        reason: "it has not received the last \(core.context.commands.capacity)",
        remedy: "It hangs or is too slow; the command is tried again.")
    }
    if let thread { thread.ring() } else { arm() }
  }

  // MARK: - Up

  /// The work's newest state; that of the beginning before the first step is over.
  public var state: W.State { core.states.load() }

  /// To be called from the driver's ``Driver/wake(_:)-(_)`` with each wake: makes the step that is due where there is no thread, and hands
  /// over the reports that wait, as many as fit into the driver's lane.
  ///
  /// - Parameter take: gets each report, with the moment at which it was made.
  public func wake(_ wake: Wake, _ take: (W.Report, Moment) -> Void) {
    guard !isStopped else { return }
    if thread == nil, wake != .posted {
      if case .ready = wake { due = now() }
      advance(to: now())
    }
    while room() > 0, let waiting = reports.receive() { take(waiting.report, waiting.moment) }
    if thread == nil { arm() }
  }

  /// For the end of a driver's start. Where the application can't do without the hardware (``DriverContext/isRequired``), waits for the
  /// first step, for ``longestStart`` at most; elsewhere does nothing, and the application hears of trouble. Does not wait in virtual time.
  ///
  /// - Parameter fault: why the driver can't start with hardware in such a state; nil if it can.
  /// - Throws: that, or kind `busy` if the step takes longer. The worker is stopped then.
  public func checkStart(_ fault: (W.State) -> DriverError?) throws(DriverError) {
    guard isRequired else { return }
    let hasOutcome = waitForFirstStep()
    let fault = fault(state)
    if hasOutcome, fault == nil { return }
    stop()
    throw fault
      ?? DriverError(
        .busy, of: device, cannot: "start \(device)",
        reason: "it has not answered for \(Self.longestStart.components.seconds) s",
        remedy: "Look whether its bus, its server or its driver in the kernel hangs.")
  }

  /// Waits until the first step is over.
  ///
  /// - Returns: false if the step takes longer; it goes on.
  func waitForFirstStep(atMost bound: Duration = longestStart) -> Bool {
    if thread != nil { return core.hasStepped.wait(for: bound) }
    advance(to: now())
    guard busyUntil - now() <= bound else { return false }
    publish()
    return true
  }

  // MARK: - The end

  /// Lets the work come to rest and close the hardware. Does nothing when it has been called before.
  ///
  /// - Parameter memory: what the work uses and the driver owns, as samples behind a pointer in a command. A work that hangs goes
  ///   on using it when the hardware answers after all, so it is kept until then.
  /// - Returns: false if the work hangs: after ``longestStop`` its thread is given up, and leaves the hardware as it is.
  @discardableResult
  public func stop(keeping memory: @autoclosure () -> [AnyObject] = []) -> Bool {
    guard !isStopped else { return true }
    isStopped = true
    core.context.end()
    guard let thread else {
      setAlarm(nil)
      return core.finish(from: max(now(), busyUntil), began: now())
    }
    if thread.join(atMost: Self.longestStop) { return true }
    core.giveUp(keeping: memory())
    return false
  }

  // MARK: - Without a thread

  /// Makes the step that is due, and hands over what is ready.
  private func advance(to now: Moment) {
    release(at: now)
    let isDue = (due ?? .distantFuture) <= now || core.context.commands.account.pending > 0
    guard busyUntil <= now, isDue else { return }
    core.context.clock.begin(at: now)
    due = core.step().deadline
    busyUntil = core.context.clock.now
    isUnpublished = true
    release(at: now)
  }

  /// Posts the reports whose moment has come, and the state when the step is over.
  private func release(at now: Moment) {
    let count = staged.reports.prefix { $0.moment <= now }.count
    for report in staged.reports.prefix(count) { reports.post(report) }
    staged.reports.removeFirst(count)
    if busyUntil <= now, isUnpublished { publish() }
  }

  private func publish() {
    isUnpublished = false
    core.publish()
  }

  /// Sets the alarm to when something is to be done.
  private func arm() {
    var next = isUnpublished ? busyUntil : .distantFuture
    if let first = staged.reports.first { next = min(next, first.moment) }
    if core.context.commands.account.pending > 0 { next = min(next, max(busyUntil, now())) }
    if let due { next = min(next, max(busyUntil, due)) }
    setAlarm(next == .distantFuture ? nil : next)
  }
}

extension Worker where W.State == DriverError? {
  /// For the end of a driver's start, where the state is why the hardware is away.
  public func checkStart() throws(DriverError) { try checkStart { $0 } }

  /// Tells the application whether the hardware is there, where the state is why it is away. For the end of the driver's
  /// ``Driver/wake(_:)``.
  ///
  /// One loss is told once, with its first error, and again only when the error is of another ``DriverError/kind``: what is tried while the
  /// hardware is away, and fails with other words, is no news.
  public func reportTrouble() {
    let error = state
    guard error?.kind != toldLoss else { return }
    toldLoss = error?.kind
    reportToCycle(error.map(Trouble.lost) ?? .restored)
  }
}

/// A report and when it was made.
struct WorkReport<Report: Sendable>: Sendable {
  var report: Report
  var moment: Moment
}

/// Reports on their way in virtual time.
private final class Staged<Report: Sendable> {
  var reports: [WorkReport<Report>] = []
}
