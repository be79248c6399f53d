import CycleCore
import HardwareDrivers

/// A workbench: simulates the environment of an application, called "the world" here, in virtual time unless it gets a
/// real clock.
///
///     let bench = Bench()
///     let chip = SimulatedChip(bench)
///     let button = chip.contact(at: "GPIO17")
///     try bench.run(cycle)
///     try button.press()
///     try bench.advance(by: .seconds(3))
///
/// Simulated hardware has two sides: the program's, which drivers call, and the world's, which tests call to close
/// contacts or unplug chips. Both run on the thread that calls the bench. The same seed and the same calls give the
/// same run, to the byte.
public final class Bench {
  /// The clock that the application runs on.
  public let loop: any EventLoop
  /// The random numbers for bounces, noise and other faults.
  public var random: SeededGenerator
  /// The delay of each turn of the application: its drivers are woken this time after their alarm or after the
  /// hardware became ready. Virtual time only; the longest of ``latenesses``. Setting it applies to every turn.
  public var lateness: Duration {
    get { latenesses.max() ?? .zero }
    set { latenesses = [newValue] }
  }
  /// The delay of each turn of the application, repeated from the first after the last: `[.milliseconds(30), .zero]`
  /// delays every other turn. Alternating delays find drivers that measure a pause from its due beginning, not from its
  /// actual one: then the pause gets too short.
  public var latenesses: [Duration] = [.zero] {
    didSet {
      turn = 0
      isEverLate = latenesses.contains { $0 > .zero }
    }
  }
  @exclusivity(unchecked) private var isEverLate = false
  /// Called after every step of ``advance(to:while:)``: a program can handle POSIX signals there while it simulates a
  /// long time. ``advance(to:while:)`` returns early if a stop of the application has been requested.
  @exclusivity(unchecked) public var betweenSteps: (() -> Void)?

  /// The recorder of the application's recording, which also contains the actions of the world; nil for none. Set it
  /// before the application is run, and before any action on the hardware.
  public var recorder: Recorder?

  /// The earliest moment of the next application's first frame; nil for as soon as its inputs are known.
  public var earliestFirstFrame: Moment?

  private let virtualLoop: VirtualLoop?
  @exclusivity(unchecked) private var cycle: (any Application)?
  /// Whether ``settle()`` must not run the application: it is running already, or ``stall(for:)`` delays it.
  @exclusivity(unchecked) private var isStepping = false
  /// Whether the application calls its drivers now, and no planned action is being performed.
  @exclusivity(unchecked) private var isInDrivers = false
  /// Counts the delayed turns; modulo the count of ``latenesses`` it is the index of the current delay.
  @exclusivity(unchecked) private var turn = 0
  /// The moment at which a simulated device became ready for the application, whose turn is delayed; nil if none is
  /// ready.
  @exclusivity(unchecked) private var dueMoment: Moment?
  @exclusivity(unchecked) private var planned = ActionQueue()
  /// The planned moment of the action that is being performed; nil while none is performed.
  @exclusivity(unchecked) private var performedMoment: Moment?
  /// The chips on the bench, each until it is deallocated.
  private var chips: [PlacedChip] = []
  private var contactCount = 0
  @exclusivity(unchecked) private var visitCount = 0
  /// Stored, so that waiting allocates nothing.
  @exclusivity(unchecked) private var ready = ReadyList()

  /// - Parameters:
  ///   - seed: the seed of ``random``.
  ///   - loop: the clock; a virtual one unless given.
  public init(seed: UInt64 = 0, loop: any EventLoop = VirtualLoop()) {
    random = SeededGenerator(seed: seed)
    self.loop = loop
    virtualLoop = loop as? VirtualLoop
    virtualLoop?.onPause = { [unowned self] end in onPause(to: end) }
  }

  func add(_ chip: SimulatedChip) { chips.append(PlacedChip(chip: chip, id: ObjectIdentifier(chip))) }

  func remove(_ chip: ObjectIdentifier) { chips.removeAll { $0.id == chip } }

  /// The lines of all chips that the application holds.
  var heldLines: [SimulatedLine] { chips.flatMap { $0.chip.lines.filter(\.isOurs) } }

  /// The number of a new contact.
  func numberContact() -> Int {
    contactCount += 1
    return contactCount
  }

  /// The number of a new search through the closed contacts between lines.
  func beginVisit() -> Int {
    visitCount += 1
    return visitCount
  }

  /// Performs the actions that are planned up to `end`, while a driver pauses in virtual time.
  private func onPause(to end: Moment) {
    while let first = planned.removeFirst(dueAt: end) {
      virtualLoop?.advance(to: first.moment)
      perform(first)
    }
  }

  /// The current moment of the loop. During a planned action on a real clock, it is the action's planned moment, even
  /// if the action is late.
  public var now: Moment {
    if let virtualLoop { return virtualLoop.now }
    return performedMoment ?? loop.now
  }

  private var clock: Moment {
    if let virtualLoop { return virtualLoop.now }
    return loop.now
  }

  private func perform(_ entry: ActionQueue.Entry) {
    let outer = (performedMoment, isInDrivers)
    (performedMoment, isInDrivers) = (entry.moment, false)
    entry.perform()
    (performedMoment, isInDrivers) = outer
  }

  /// Makes a call of simulated hardware take `span` on the caller's clock.
  ///
  /// A driver that calls on the cycle's thread, not in the step of a ``CycleCore/Worker``, is held up for that time as
  /// on the real thread: the bench's clock advances, and the actions that are planned until then are performed. Call it
  /// in virtual time instead of ``CycleCore/WorkClock/sleep(for:)`` from simulated hardware of your own.
  public func spend(_ span: Duration, on clock: WorkClock) {
    clock.sleep(for: span)
    if !clock.isOfWorker, span > .zero { holdUp(for: span) }
  }

  /// Holds up the application, if one of its drivers is making this call, in virtual time.
  func holdUp(for span: Duration) {
    if isInDrivers { virtualLoop?.pause(for: span) }
  }

  /// Starts the application, advances time until its first frame is made, 100 ms at most, and handles everything that
  /// is due then. A bench runs one application at a time.
  public func run(_ cycle: any Application) throws(DriverError) {
    precondition(self.cycle == nil, "this bench runs an application already: stop it first")
    (isStepping, isInDrivers) = (true, true)
    defer { (isStepping, isInDrivers) = (false, false) }
    if let earliestFirstFrame, earliestFirstFrame > now { cycle.earliestFirstFrame = earliestFirstFrame }
    try cycle.start(on: loop)
    self.cycle = cycle
    (isStepping, isInDrivers) = (false, false)
    do throws(DriverError) {
      try settle()
      while cycle.isStarting, !cycle.isStopRequested {
        // While a cycle starts it has an alarm: its own limit at the latest.
        try step(until: .distantFuture)
        betweenSteps?()
      }
      try settle()
    } catch {
      self.cycle = nil
      throw error
    }
  }

  /// Renders the safe models, steps until all drivers are at rest, for 1 s at most, and stops the application.
  ///
  /// - Returns: whether all drivers came to rest; also false if a driver wakes itself repeatedly without time passing.
  @discardableResult
  public func stop() -> Bool {
    guard let stopping = cycle else { return true }
    isInDrivers = true
    stopping.beginStop()
    isInDrivers = false
    let end = clock + .seconds(1)
    var (moment, turns) = (clock, 0)
    while !stopping.isAtRest, clock < end, turns < Self.turnLimit {
      guard (try? step(until: end)) != nil else { break }
      turns = clock == moment ? turns + 1 : 0
      moment = clock
    }
    let isAtRest = stopping.isAtRest
    cycle = nil
    isInDrivers = true
    stopping.stop(within: .zero)
    isInDrivers = false
    return isAtRest
  }

  /// Schedules an action of the world; actions for the same moment are performed in the order of planning.
  public func plan(at moment: Moment, _ action: @escaping () -> Void) {
    planned.add(at: moment, .closure(action))
  }

  /// Schedules `task.perform(number, at: moment)`, without allocating a closure.
  func plan(at moment: Moment, _ task: any SelfScheduling, _ number: Int) {
    planned.add(at: moment, .task(task, number))
  }

  /// The moment of the next planned action of the world; nil if nothing is planned.
  public var nextPlanned: Moment? { planned.firstMoment }

  /// Advances time by `span` and handles all that is due until then, the last moment included.
  public func advance(by span: Duration) throws(DriverError) {
    try advance(to: clock + span)
  }

  /// Advances time to `end` and handles all that is due until then, the last moment included.
  ///
  /// - Parameters:
  ///   - end: the moment at which to stop.
  ///   - goesOn: called each time the clock has moved and everything due has been handled; false ends the wait at that
  ///     moment.
  /// - Throws: the application's own error; kind `failed` if `end` is beyond the range of the clock.
  public func advance(to end: Moment, while goesOn: () -> Bool = { true }) throws(DriverError) {
    guard end < .distantFuture else {
      throw DriverError(
        .failed, cannot: "advance the clock at \(clock)", reason: "the range of the clock ends after 292 years",
        remedy: "Wait for less time.")
    }
    // When a planned action calls this, `now` must be the advanced time for the rest of that action.
    let outer = performedMoment
    performedMoment = nil
    defer { if outer != nil { performedMoment = clock } }
    try settle()
    while clock < end, cycle?.isStopRequested != true, goesOn() {
      try step(until: end)
      betweenSteps?()
    }
  }

  /// Advances to the next planned action, the next turn of the application or `end`, whichever is first, and handles
  /// it. In virtual time a planned action is handled before a turn at the same moment, so that an application on time
  /// sees the same state of the world as one that is late.
  public func step(until end: Moment?) throws(DriverError) {
    // On a real clock, without a planned action, only the application runs.
    if virtualLoop == nil, planned.isEmpty, let cycle { return try step(cycle, until: end) }
    let planned = nextPlanned
    var next = end
    if let planned { next = min(planned, next ?? planned) }
    if virtualLoop != nil, let cycle, isEverLate {
      try stepLate(cycle, until: next)
    } else if let cycle,
      virtualLoop == nil || !cycle.isIdle || next != planned || (cycle.nextAlarm ?? .distantFuture) < next!
    {
      try step(cycle, until: next)
    } else {
      try wait(until: next)
    }
    try settle()
  }

  /// Runs the application's next turn if its delay ends by `end`; otherwise only waits until `end`.
  private func stepLate(_ cycle: any Application, until end: Moment?) throws(DriverError) {
    if let turn = lateTurn(of: cycle), turn <= end ?? .distantFuture {
      try wait(until: turn)
      beginTurn()
      try step(cycle, until: clock)
    } else {
      try wait(until: end)
    }
  }

  /// The moment of the application's next turn, including the delay; nil if it has nothing to do.
  private func lateTurn(of cycle: any Application) -> Moment? {
    if !cycle.isIdle {
      if dueMoment == nil { dueMoment = clock }
    } else {
      dueMoment = nil
    }
    let due = [dueMoment, cycle.nextAlarm].compactMap { $0 }.min()
    return due.map { max($0 + latenesses[turn % latenesses.count], clock) }
  }

  private func beginTurn() {
    dueMoment = nil
    if isEverLate { turn += 1 }
  }

  private func step(_ cycle: any Application, until end: Moment?) throws(DriverError) {
    (isStepping, isInDrivers) = (true, true)
    let outer = performedMoment
    performedMoment = nil
    defer {
      (isStepping, isInDrivers) = (false, false)
      performedMoment = outer
    }
    try cycle.step(until: end)
  }

  private func wait(until end: Moment?) throws(DriverError) {
    if let virtualLoop { return virtualLoop.jump(to: end) }
    ready.removeAll()
    try loop.wait(until: end, ready: &ready)
  }

  /// Performs the planned actions and runs the application's turns that are due now, until none is left; virtual time
  /// does not pass. Does nothing if the application is running (when a driver or a device calls this): everything due
  /// is then handled after the application's turn.
  ///
  /// - Throws: the application's own error; kind `failed` after 100 000 actions and turns at one moment.
  public func settle() throws(DriverError) {
    guard !isStepping else { return }
    var turns = 0
    while true {
      let now = clock
      if let first = planned.removeFirst(dueAt: now) {
        perform(first)
      } else if let cycle, cycle.isDue(at: now), !isEverLate || (lateTurn(of: cycle) ?? .distantFuture) <= now {
        beginTurn()
        try step(cycle, until: now)
      } else {
        return
      }
      try count(&turns)
    }
  }

  private static let turnLimit = 100_000

  private func count(_ turns: inout Int) throws(DriverError) {
    turns += 1
    guard turns > Self.turnLimit else { return }
    throw DriverError(
      .failed, cannot: "come to rest at \(clock)", reason: "more than \(Self.turnLimit) things happened at one moment",
      remedy:
        "Check for a device that requests steps whenever its steps are done, and for a driver, a worker or a plan that is "
        + "woken again and again at the same moment.")
  }

  /// Advances time by `span` without running the application, as if it got no processor time: edges queue up and alarms
  /// become overdue. Afterwards handles everything that is due.
  public func stall(for span: Duration) throws(DriverError) {
    let end = clock + span
    while clock < end {
      try wait(until: min(end, nextPlanned ?? end))
      while let first = planned.removeFirst(dueAt: clock) { withoutApplication { perform(first) } }
    }
    try settle()
  }

  private func withoutApplication(_ action: () -> Void) {
    isStepping = true
    defer { isStepping = false }
    action()
  }
}

/// A chip that keeps its bench, and leaves it when it is deallocated.
private struct PlacedChip {
  unowned let chip: SimulatedChip
  let id: ObjectIdentifier
}
