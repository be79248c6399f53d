import CycleCore
import HardwareDrivers

/// A workbench: the world around an application, in virtual time unless it is given a real clock.
///
///     let bench = Bench()
///     let chip = SimulatedChip(bench)
///     let button = chip.contact(at: "GPIO17")
///     try bench.run(cycle)
///     try button.press()
///     try bench.advance(by: .seconds(3))
///
/// What the world does (contacts that close, bounces, chips that go away) is its own side, apart from what the program does. All
/// of it happens on the bench's thread. The same seed and the same calls give the same run, to the byte.
public final class Bench {
  /// The clock that the application runs on.
  public let loop: any EventLoop
  /// Where chance comes from: bounces and faults.
  public var random: SeededGenerator
  /// How much later than it could the application gets to run, each time: its alarms ring so late, and what hardware tells is read so late.
  /// In virtual time only.
  public var lateness: Duration {
    get { latenesses.max() ?? .zero }
    set { latenesses = [newValue] }
  }
  /// How late it gets to run by turns, from the first again after the last: `[.milliseconds(30), .zero]` is late every other time, as a
  /// real one is. A pause that counts from when it should have begun is too short then.
  public var latenesses: [Duration] = [.zero] {
    didSet {
      turn = 0
      isEverLate = latenesses.contains { $0 > .zero }
    }
  }
  @exclusivity(unchecked) private var isEverLate = false
  /// Called after every step of ``advance(to:)``, which ends early when the application has been asked to stop: for a program
  /// that must hear signals during a long time of virtual time.
  @exclusivity(unchecked) public var betweenSteps: (() -> Void)?

  private let virtualLoop: VirtualLoop?
  @exclusivity(unchecked) private var cycle: (any Application)?
  /// The application is at work: what the world does now it sees afterwards.
  @exclusivity(unchecked) private var isStepping = false
  /// Which of the latenesses counts.
  @exclusivity(unchecked) private var turn = 0
  /// Since when a device has something for an application that is late.
  @exclusivity(unchecked) private var dueMoment: Moment?
  @exclusivity(unchecked) private var planned = Schedule()
  /// The moment of the action that the world performs; nil if it performs none.
  @exclusivity(unchecked) private var performedMoment: Moment?
  /// Kept, so that waiting allocates nothing.
  @exclusivity(unchecked) private var ready = ReadyList()

  /// - Parameters:
  ///   - seed: where chance begins.
  ///   - loop: the clock; a virtual one unless given.
  public init(seed: UInt64 = 0, loop: any EventLoop = VirtualLoop()) {
    random = SeededGenerator(seed: seed)
    self.loop = loop
    virtualLoop = loop as? VirtualLoop
    virtualLoop?.passTime = { [unowned self] end in passTime(to: end) }
  }

  /// The world goes on while the application pauses.
  private func passTime(to end: Moment) {
    while let first = planned.removeFirst(dueAt: end) {
      virtualLoop?.advance(to: first.moment)
      perform(first)
    }
  }

  /// What time it is: on the loop's clock, and for what the world has planned the moment that it was planned for, however late it happens
  /// on a real clock.
  public var now: Moment {
    if let virtualLoop { return virtualLoop.now }
    return performedMoment ?? loop.now
  }

  private var clock: Moment {
    if let virtualLoop { return virtualLoop.now }
    return loop.now
  }

  private func perform(_ entry: Schedule.Entry) {
    let outer = performedMoment
    performedMoment = entry.moment
    entry.perform()
    performedMoment = outer
  }

  /// Starts the application and lets it come to rest. One bench runs one application at a time.
  public func run(_ cycle: any Application) throws(DriverError) {
    precondition(self.cycle == nil, "this bench runs an application already: stop it first")
    isStepping = true
    defer { isStepping = false }
    try cycle.start(on: loop)
    self.cycle = cycle
    isStepping = false
    try settle()
  }

  /// Shows the safe models, lets the hardware come to rest, for a second at most, and stops the application.
  ///
  /// - Returns: whether the hardware came to rest; false also where a driver has itself woken at one moment for ever.
  @discardableResult
  public func stop() -> Bool {
    guard let stopping = cycle else { return true }
    stopping.beginStop()
    let end = clock + .seconds(1)
    var (moment, turns) = (clock, 0)
    while !stopping.isAtRest, clock < end, turns < Self.turnLimit {
      guard (try? step(until: end)) != nil else { break }
      turns = clock == moment ? turns + 1 : 0
      moment = clock
    }
    let isAtRest = stopping.isAtRest
    cycle = nil
    stopping.stop(within: .zero)
    return isAtRest
  }

  /// Has the world do something at a moment; of several at one moment, the first planned first.
  public func plan(at moment: Moment, _ action: @escaping () -> Void) {
    planned.add(at: moment, .closure(action))
  }

  /// As the other, for what plans again and again.
  func plan(at moment: Moment, _ task: any PlannedTask, _ number: Int) {
    planned.add(at: moment, .task(task, number))
  }

  /// When the world next does something; nil if nothing is planned.
  public var nextPlanned: Moment? { planned.firstMoment }

  /// Lets time pass, with all that happens in it, up to and including the end.
  public func advance(by span: Duration) throws(DriverError) {
    try advance(to: clock + span)
  }

  /// Lets time pass up to `end`, and what is due then happen.
  ///
  /// - Throws: the application's own error; kind `failed` where the clock ends before.
  public func advance(to end: Moment) throws(DriverError) {
    guard end < .distantFuture else {
      throw DriverError(
        .failed, cannot: "let so much time pass at \(clock)", reason: "a clock ends after 292 years",
        remedy: "Wait for shorter.")
    }
    // An action of the world's that lets time pass goes on at the moment to which it has passed.
    let outer = performedMoment
    performedMoment = nil
    defer { if outer != nil { performedMoment = clock } }
    try settle()
    while clock < end, cycle?.isStopRequested != true {
      try step(until: end)
      betweenSteps?()
    }
  }

  /// Lets the next thing happen: the application's, the world's, or the end of the time. In virtual time, of two things at one moment the
  /// world's comes first: an application that is awake finds what one finds that is late.
  public func step(until end: Moment?) throws(DriverError) {
    // On a real clock with nothing planned there is only the application.
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

  /// The application runs when its lateness is over; until then only the world does.
  private func stepLate(_ cycle: any Application, until end: Moment?) throws(DriverError) {
    if let turn = lateTurn(of: cycle), turn <= end ?? .distantFuture {
      try wait(until: turn)
      beginTurn()
      try step(cycle, until: clock)
    } else {
      try wait(until: end)
    }
  }

  /// When the application gets to run; nil if it has nothing to do.
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
    isStepping = true
    let outer = performedMoment
    performedMoment = nil
    defer {
      isStepping = false
      performedMoment = outer
    }
    try cycle.step(until: end)
  }

  private func wait(until end: Moment?) throws(DriverError) {
    if let virtualLoop { return virtualLoop.jump(to: end) }
    ready.removeAll()
    try loop.wait(until: end, ready: &ready)
  }

  /// Lets everything happen that is due now; no time passes in virtual time. Does nothing while the application is at work:
  /// what the world then does happens as soon as that is done.
  ///
  /// - Throws: the application's own error; kind `failed` when there is no end to what happens at this moment.
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
        "Look for a device that asks for steps whenever its steps are done, and for a driver, a worker or a plan that has itself "
        + "woken at the same moment again and again.")
  }

  /// The world goes on, and the application does not get to run: edges queue up and alarms come late. Afterwards it runs
  /// again, and finds all of that.
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

/// Chance from a seed: SplitMix64, after Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
