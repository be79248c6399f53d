/// Runs a driver's slow calls beside the cycle's thread: the driver sends commands, the work sends reports, and the
/// newest state of the work always reaches the driver.
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
/// Everything here is called on the cycle's thread; only ``waitForRequiredStart(_:)`` and ``stop(keeping:)`` wait.
/// Limits apply to the queued commands and reports, to the time in which the work must come to rest
/// (``longestFinish``), and to the wait for a work that hangs (``longestStop``).
public final class Worker<W: Work> {
  /// How many commands, and how many reports, are queued at most unless another capacity is given.
  public static var defaultCapacity: Int { 64 }
  /// How long a work is given to come to rest: 0.5 s.
  public static var longestFinish: Duration { .milliseconds(500) }
  /// How long ``stop(keeping:)`` waits for a work that hangs before it gives its thread up: 1 s.
  public static var longestStop: Duration { .seconds(1) }
  /// How long ``waitForRequiredStart(_:)`` waits: 5 s, which is what a driver's start may take.
  public static var longestStart: Duration { .seconds(5) }

  private let core: WorkerCore<W>
  /// Nil if the driver's alarms run the steps on the cycle's thread.
  private let thread: WorkerThread?
  private let device: String
  private let isRequired: Bool
  private let reports: Postbox<WorkReport<W.Report>>
  private var room: () -> Int
  private var now: () -> Moment
  private var setAlarm: (Moment?) -> Void
  private var isStopped = false
  private var reportToCycle: (Trouble) -> Void
  /// The kind of the error last reported as lost hardware; nil while the hardware is there.
  private var toldLoss: DriverError.Kind?

  // Without a thread:

  /// Reports of the last step whose moment hasn't come.
  private let staged: Staged<W.Report>
  /// When the next step is due, if no command comes.
  private var due: Moment?
  /// When the simulated calls of the last step return: no step runs before.
  private var busyUntil: Moment
  private var isUnpublished = false

  /// Starts immediately and returns without waiting: the hardware is opened by the first step.
  ///
  /// - Parameters:
  ///   - work: owned by the worker from here on.
  ///   - device: the name of the hardware in errors, with its article: `the thermometer`.
  ///   - onThread: true for hardware whose calls take real time. If false, the driver's alarm runs the steps on the
  ///     cycle's thread: deterministic in virtual time.
  ///   - commandCapacity: how many commands may wait, at least 1; rounded up to a power of two.
  ///   - reportCapacity: how many reports may wait, as above.
  ///   - alarm: called with the moment at which ``wake(_:_:)`` must be called next, nil for never; for a driver with
  ///     deadlines of its own, which sets its alarm to the earliest. Without it the worker sets the driver's alarm.
  ///   - context: the context that the driver got at its start.
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
          // The same limit as the postbox's; reports beyond it count as lost by the postbox.
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

  /// Goes on for a driver of another application, which takes the place of the one before: its work doesn't notice.
  ///
  /// - Parameters:
  ///   - context: that the driver got at its start, on the same loop.
  ///   - alarm: as for ``init(_:for:onThread:commandCapacity:reportCapacity:in:alarm:)``.
  package func move<Event: Sendable>(to context: DriverContext<Event>, alarm: ((Moment?) -> Void)? = nil) {
    context.take(reports)
    room = { context.room }
    reportToCycle = { context.report($0) }
    now = { context.now }
    setAlarm = alarm ?? { context.setAlarm($0) }
    toldLoss = nil
    if thread == nil { arm() }
  }

  // MARK: - Down

  /// How many more commands fit.
  public var commandRoom: Int { core.context.commands.capacity - core.context.commands.account.pending }

  /// Hands a command to the work; wait-free.
  ///
  /// - Throws: kind `busy` when as many commands are queued as fit: the hardware is slower than the driver's requests,
  ///   or hangs. A driver rethrows this from its render: the cycle retries the render later.
  public func send(_ command: W.Command) throws(DriverError) {
    guard commandRoom > 0, core.context.commands.push(command) else {
      throw DriverError(
        .busy, of: device, cannot: "send a command to \(device)",
        reason: "it has not received the last \(core.context.commands.capacity)",
        remedy: "It hangs or is too slow; the command is retried.")
    }
    if let thread { thread.ring() } else { arm() }
  }

  /// Runs the step that the last command asks for now, if there is no thread; a thread runs it by itself.
  package func stepNow() {
    guard thread == nil, !isStopped else { return }
    advance(to: now())
    arm()
  }

  // MARK: - Up

  /// The newest state of the work; its initial state until the first step is over.
  public var state: W.State { core.states.load() }

  /// Call this from the driver's ``Driver/wake(_:)-(_)`` for each wake: it runs the step that is due, if there is no
  /// thread, and delivers the queued reports, as many as fit into the driver's lane.
  ///
  /// - Parameter take: called with each report and the moment at which it was made.
  /// - Parameter wake: the wake that the driver got.
  public func wake(_ wake: Wake, _ take: (W.Report, Moment) -> Void) {
    guard !isStopped else { return }
    if thread == nil, wake != .posted {
      if case .ready = wake { due = now() }
      advance(to: now())
    }
    while room() > 0, let waiting = reports.receive() { take(waiting.report, waiting.moment) }
    if thread == nil { arm() }
  }

  /// Call this at the end of the driver's start. If the application requires the hardware
  /// (``DriverContext/isRequired``), it waits for the first step, for ``longestStart`` at most. If not, it does
  /// nothing, and failures are reported as trouble. It does not wait in virtual time.
  ///
  /// - Parameter fault: returns the error if the driver can't start with hardware in this state; nil if it can.
  /// - Throws: that error, or kind `busy` if the step takes longer. The worker is stopped then.
  public func waitForRequiredStart(_ fault: (W.State) -> DriverError?) throws(DriverError) {
    guard isRequired else { return }
    let hasOutcome = waitForFirstStep()
    let fault = fault(state)
    if hasOutcome, fault == nil { return }
    stop()
    throw fault
      ?? DriverError(
        .busy, of: device, cannot: "start \(device)",
        reason: "it has not answered for \(Self.longestStart.components.seconds) s",
        remedy: "Check whether its bus, its server or its driver in the kernel hangs.")
  }

  /// Waits until the first step is over.
  ///
  /// - Returns: false if the step takes longer than `bound`; it continues then.
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
  /// - Parameter memory: objects of the driver that the work uses, such as samples behind a pointer in a command. They
  ///   are kept alive if the work hangs, because its call may use them when the hardware answers after all.
  /// - Returns: false if the work hangs: after ``longestStop`` its thread is abandoned, and the hardware stays as it
  ///   is.
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

  /// Runs the step if it is due, and posts the reports and the state whose moment has come.
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
    // Most steps report nothing: to take no report out of an empty array would cost as much as the step of a sound.
    if !staged.reports.isEmpty { postReports(until: now) }
    if busyUntil <= now, isUnpublished { publish() }
  }

  private func postReports(until now: Moment) {
    let count = staged.reports.prefix { $0.moment <= now }.count
    for report in staged.reports.prefix(count) { reports.post(report) }
    staged.reports.removeFirst(count)
  }

  private func publish() {
    isUnpublished = false
    core.publish()
  }

  /// Sets the alarm to the next moment at which a step, a report or a state is due.
  private func arm() {
    var next = isUnpublished ? busyUntil : .distantFuture
    if !staged.reports.isEmpty { next = min(next, staged.reports[0].moment) }
    if core.context.commands.account.pending > 0 { next = min(next, max(busyUntil, now())) }
    if let due { next = min(next, max(busyUntil, due)) }
    setAlarm(next == .distantFuture ? nil : next)
  }
}

extension Worker where W.State == DriverError? {
  /// As ``waitForRequiredStart(_:)``, for a work whose state is the error by which its hardware is away.
  public func waitForRequiredStart() throws(DriverError) { try waitForRequiredStart { $0 } }

  /// Reports to the application that the hardware is lost or restored, for a work whose state is the error by which its
  /// hardware is away. Call it at the end of the driver's ``Driver/wake(_:)``.
  ///
  /// A loss is reported once, with its first error, and again only when the error's ``DriverError/kind`` changes: other
  /// errors of the same kind, from attempts to open the hardware, are not reported.
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

/// Reports whose moment has not come yet in virtual time.
private final class Staged<Report: Sendable> {
  var reports: [WorkReport<Report>] = []
}
