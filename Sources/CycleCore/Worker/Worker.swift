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
/// Everything here is called on the cycle's thread; only ``waitForRequiredStart(_:)`` and ``stop(keeping:)`` wait. The
/// number of queued commands and reports is limited, and so are the times for coming to rest (``longestFinish``) and
/// for the wait for a work that hangs (``longestStop``).
public final class Worker<W: Work> {
  /// The default of the maximum number of queued commands, and of queued reports.
  public static var defaultCapacity: Int { 64 }
  /// The time that a work gets to come to rest: 0.5 s.
  public static var longestFinish: Duration { .milliseconds(500) }
  /// The time for which ``stop(keeping:)`` waits for a work that hangs before it abandons the thread: 1 s.
  public static var longestStop: Duration { .seconds(1) }
  /// The time for which ``waitForRequiredStart(_:)`` waits: 5 s, the limit of a driver's start.
  public static var longestStart: Duration { .seconds(5) }

  private let core: WorkerCore<W>
  /// The thread; nil if the driver's alarms run the steps on the cycle's thread.
  private let thread: WorkerThread?
  private let device: String
  private let isRequired: Bool
  private let reports: Postbox<WorkReport<W.Report>>
  private var room: () -> Int
  private var now: () -> Moment
  private let alarm: DriverAlarm
  private var setAlarm: (Moment?) -> Void
  private var isStopped = false
  private var reportToCycle: (Trouble) -> Void
  private var reporter = TroubleReporter()

  // Without a thread:

  /// Reports of the last step whose moment is still in the future.
  private let staged: Staged<W.Report>
  /// The moment of the next step, unless a command comes first.
  private var due: Moment?
  /// The moment at which the simulated calls of the last step return; the next step runs after that.
  private var busyUntil: Moment
  private var isUnpublished = false

  /// Starts immediately and returns without waiting: the first step opens the hardware.
  ///
  /// - Parameters:
  ///   - work: the work; from now on the worker owns it.
  ///   - device: the name of the hardware in errors, with its article: `the thermometer`.
  ///   - onThread: true for hardware whose calls take real time. If false, the driver's alarm runs the steps on the
  ///     cycle's thread: deterministic in virtual time.
  ///   - commandCapacity: the number of commands that can wait, at least 1; rounded up to a power of two.
  ///   - reportCapacity: the number of reports that can wait, at least 1; rounded up to a power of two.
  ///   - context: the context that the driver got at its start.
  ///   - alarm: the alarm that a worker without a thread sets; ``DriverAlarm/secondWorker`` for a driver's second
  ///     worker.
  /// - Throws: kind `failed` if the system can't create a thread or descriptors. Calls `pipe`, `pthread_create`.
  public init<Event: Sendable>(
    _ work: W, for device: String, onThread: Bool, commandCapacity: Int = defaultCapacity,
    reportCapacity: Int = defaultCapacity, in context: DriverContext<Event>, alarm: DriverAlarm = .worker
  ) throws(DriverError) {
    self.device = device
    self.alarm = alarm
    isRequired = context.isRequired
    let reports = context.makePostbox(of: WorkReport<W.Report>.self, capacity: reportCapacity)
    self.reports = reports
    room = { context.room }
    reportToCycle = { context.report($0) }
    now = { context.now }
    setAlarm = { context.setAlarm($0, named: alarm) }
    let staged = Staged<W.Report>()
    self.staged = staged
    busyUntil = context.now
    due = context.now
    let workContext = WorkContext<W>(
      clock: onThread ? .monotonic() : .ofWorker(at: context.now), commandCapacity: commandCapacity,
      deliver: onThread
        ? { reports.post(WorkReport(report: $0, moment: $1)) }
        : { report, moment in
          // The same limit as that of the postbox, which counts reports above it as lost.
          guard staged.reports.count < reportCapacity else { return reports.refuse() }
          staged.reports.append(WorkReport(report: report, moment: moment))
          return true
        })
    core = WorkerCore(work, workContext) { reports.raise() }
    thread = onThread ? try WorkerThread(for: device, core.run) : nil
    if !onThread { setAlarm(due) }
  }

  /// Stops the thread of a worker that was never stopped. A cycle stops every driver that it started.
  deinit {
    guard !isStopped, let thread else { return }
    core.context.end()
    if !thread.join(atMost: Self.longestStop) { core.giveUp(keeping: []) }
  }

  /// Moves to a driver of another application, which replaces the previous one. The work continues unchanged.
  ///
  /// - Parameter context: the context that the driver got at its start, on the same loop.
  package func move<Event: Sendable>(to context: DriverContext<Event>) {
    context.take(reports)
    room = { context.room }
    reportToCycle = { context.report($0) }
    now = { context.now }
    setAlarm = { [alarm] in context.setAlarm($0, named: alarm) }
    reporter = TroubleReporter()
    if thread == nil { arm() }
  }

  // MARK: - Commands

  /// The number of further commands that fit.
  public var commandRoom: Int { core.context.commands.capacity - core.context.commands.account.pending }

  /// Passes a command to the work; wait-free.
  ///
  /// - Throws: kind `busy` if the queue of commands is full: the hardware is slower than the driver's requests, or
  ///   hangs. A driver rethrows this from its render: the cycle retries the render later.
  public func send(_ command: W.Command) throws(DriverError) {
    guard commandRoom > 0, core.context.commands.push(command) else {
      throw DriverError(
        .busy, of: device, cannot: "send a command to \(device)",
        reason: "it has not received the last \(core.context.commands.capacity)",
        remedy: "It hangs or is too slow; the command is retried.")
    }
    if let thread { thread.ring() } else { arm() }
  }

  /// Runs the step for the last command now. Does nothing if there is a thread, which runs it by itself.
  package func stepNow() {
    guard thread == nil, !isStopped else { return }
    advance(to: now())
    arm()
  }

  // MARK: - Reports

  /// The newest state of the work; its initial state until the first step has ended.
  public var state: W.State { core.states.load() }

  /// Call this from the driver's ``Driver/wake(_:)-(_)`` for each wake. It runs the step that is due, if there is no
  /// thread, and delivers as many queued reports as fit into the driver's lane.
  ///
  /// - Parameter take: called with each report and its moment.
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
  /// (``DriverContext/isRequired``), it waits for the first step, for at most ``longestStart``. If not, it does
  /// nothing, and failures are reported as trouble. It does not wait in virtual time.
  ///
  /// - Parameter fault: returns the error if the driver can't start with hardware in this state; nil if it can.
  /// - Throws: that error, or kind `busy` if the step takes longer. The worker is then stopped.
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

  /// Waits until the first step has ended.
  ///
  /// - Returns: false if the step takes longer than `bound`; the step then continues.
  func waitForFirstStep(atMost bound: Duration = longestStart) -> Bool {
    if thread != nil { return core.hasStepped.wait(for: bound) }
    advance(to: now())
    guard busyUntil - now() <= bound else { return false }
    publish()
    return true
  }

  /// Waits until the work has published a state for which `isSo` returns true. Called from a driver's start only,
  /// because it may block. Without a thread the steps run ahead of time.
  ///
  /// - Returns: false if there is no such state within `bound`.
  package func wait(atMost bound: Duration, until isSo: (W.State) -> Bool) -> Bool {
    if thread != nil { return core.wait(until: ConditionVariable.now + bound, isSo) }
    let end = now() + bound
    defer { arm() }
    while true {
      publish()
      if isSo(state) { return true }
      var moment = max(now(), busyUntil)
      if core.context.commands.account.pending == 0 { moment = max(moment, due ?? .distantFuture) }
      guard moment <= end else { return false }
      core.context.clock.begin(at: moment)
      due = core.step().deadline
      busyUntil = core.context.clock.now
    }
  }

  // MARK: - The end

  /// Brings the work to rest and closes the hardware. Does nothing if it was called before.
  ///
  /// - Parameter memory: objects of the driver that the work uses, such as samples that a command points to. They are
  ///   kept alive if the work hangs, because its call can still use them when the hardware responds.
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

  /// Takes the reports that have not been delivered. Call it after ``stop(keeping:)``.
  package func takeRemaining(_ take: (W.Report, Moment) -> Void) {
    while let waiting = reports.receive() { take(waiting.report, waiting.moment) }
    for report in staged.reports { take(report.report, report.moment) }
    staged.reports = []
  }

  // MARK: - Without a thread

  /// Runs the step if it is due, and posts the reports and the state whose moment has been reached.
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

  /// Posts the reports whose moment has been reached, and the state after the end of the step.
  private func release(at now: Moment) {
    // Most steps report nothing. Removing nothing from an empty array would cost as much as a step of the sound player.
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
  /// Waits like ``waitForRequiredStart(_:)``, for a work whose state is the error of missing hardware.
  public func waitForRequiredStart() throws(DriverError) { try waitForRequiredStart { $0 } }

  /// Reports to the application that the hardware is lost or restored, for a work whose state is the error of missing
  /// hardware. Call it at the end of the driver's ``Driver/wake(_:)``.
  ///
  /// A loss is reported once, with its first error, and again only if the error's ``CycleBase/DriverError/kind``
  /// changes. Other errors of the same kind, from attempts to open the hardware, are not reported.
  public func reportTrouble() { reporter.note(state.map(Trouble.lost), reportToCycle) }
}

/// A report and its moment.
struct WorkReport<Report: Sendable>: Sendable {
  var report: Report
  var moment: Moment
}

/// Reports whose moment is still in the future, in virtual time.
private final class Staged<Report: Sendable> {
  var reports: [WorkReport<Report>] = []
}
