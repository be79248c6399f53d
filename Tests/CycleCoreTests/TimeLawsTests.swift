import CycleCore
import TestSupport
import Testing

/// Laws 7 and 13: two clocks, one order, and a budget.
@Suite("The laws of time")
struct TimeLawsTests {
  @Test("Law 7: a moment that the clock has not reached counts as the clock's, is told once, and puts no alarm off")
  func future() throws {
    let (a, b) = (Probe("a"), Probe("b"))
    var moments: [Int64] = []
    var troubles: [String] = []
    let cycle = Cycle(seed: 0) {
      Lens(
        a, name: "encoder", show: { "\($0)" },
        on: { frame, _, past in
          moments.append(past.moment.nanoseconds)
          frame += 1
        },
        trouble: { _, trouble in troubles.append("\(trouble)") })
      Lens(b, show: { _ in "" })
    }
    let loop = VirtualLoop(beginning: Moment(nanoseconds: 1_000))
    try cycle.start(on: loop)
    a.onWake = { _ in
      a.emit("1.7e18", at: Moment(nanoseconds: 1_700_000_000_000_000_000))
      a.emit("again", at: Moment(nanoseconds: 5_000))
    }
    b.context?.setAlarm(Moment(nanoseconds: 3_000))
    a.context?.watcher.makeWaker().wake()
    try cycle.settle()
    #expect(moments == [1_000, 1_000])
    #expect(troubles.count == 1)
    #expect(troubles[0].contains("encoder"))
    try cycle.step(until: nil)
    #expect(loop.now == Moment(nanoseconds: 3_000))
  }

  @Test("Law 7: a driver that emits at ever later moments while it renders ends in an error, not in a turn without end")
  func runningAhead() throws {
    struct Runaway: Driver {
      var context: DriverContext<Int>?
      var safeModel: Int { 0 }
      mutating func start(showing model: Int, in context: DriverContext<Int>) throws(DriverError) {
        self.context = context
      }
      mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
        // A turn that the cycle doesn't end ends here.
        guard let context, model < 20_000 else { return }
        context.pause(for: .zero)
        context.emit(1, at: context.clock)
      }
      mutating func stop() {}
    }
    let cycle = Cycle(seed: 0) { Lens(Runaway(), show: { $0 }, on: { frame, event in frame += event }) }
    #expect(throws: DriverError.self) { try cycle.start(on: VirtualLoop()) }
  }

  @Test("Law 7: events are stamped by the moment that is handled, pauses are counted on the clock")
  func twoClocks() throws {
    let probe = Probe("a")
    var seen: [String] = []
    let cycle = Cycle(seed: 0) {
      Lens(probe, show: { "\($0)" }, on: { _, _, past in seen.append("event at \(past.moment)") })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    probe.onWake = { _ in
      guard let context = probe.context else { return }
      seen.append("now \(context.now), clock \(context.clock)")
      context.emit(.value("x"))
    }
    probe.context?.setAlarm(.zero + .milliseconds(1))
    loop.advance(to: .zero + .milliseconds(30))
    try cycle.settle()
    #expect(seen == ["now 0.001000000s, clock 0.030000000s", "event at 0.001000000s"])
  }

  /// Two lenses with one moment in common: what comes first, however late the cycle is.
  private func order(isLate: Bool, alarmFirst: Bool) throws -> [String] {
    let (a, b) = (Probe("a"), Probe("b"))
    let moment = Moment(nanoseconds: 100)
    var seen: [String] = []
    let (alarm, edge) = alarmFirst ? (a, b) : (b, a)
    let cycle = Cycle(seed: 0) {
      Lens(a, show: { "\($0)" }, on: { _, event, past in seen.append("a \(event) \(past.moment.nanoseconds)") })
      Lens(b, show: { "\($0)" }, on: { _, event, past in seen.append("b \(event) \(past.moment.nanoseconds)") })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    alarm.onWake = { _ in alarm.emit("due") }
    edge.onWake = { _ in edge.emit("edge", at: moment) }
    alarm.context?.setAlarm(moment)
    loop.advance(to: isLate ? Moment(nanoseconds: 500) : moment)
    edge.context?.watcher.makeWaker().wake()
    try cycle.settle()
    return seen
  }

  @Test(
    "Law 7: of two things at one moment that of the lens which is wired first comes first", arguments: [false, true])
  func ties(isLate: Bool) throws {
    #expect(try order(isLate: isLate, alarmFirst: false) == ["a value(\"edge\") 100", "b value(\"due\") 100"])
    #expect(try order(isLate: isLate, alarmFirst: true) == ["a value(\"due\") 100", "b value(\"edge\") 100"])
  }

  @Test("Law 7: events of two lenses at one moment come in the order of wiring, whichever was read first")
  func simultaneousEvents() throws {
    let (a, b) = (Probe("a"), Probe("b"))
    let cycle = LawsTests.pair(seed: "", a, b)
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    loop.advance(to: Moment(nanoseconds: 100))
    a.onWake = { _ in a.emit("a", at: Moment(nanoseconds: 50)) }
    b.onWake = { _ in b.emit("b", at: Moment(nanoseconds: 50)) }
    b.context?.watcher.makeWaker().wake()
    a.context?.watcher.makeWaker().wake()
    try cycle.settle()
    #expect(cycle.frame == "ab")
  }

  /// Takes so long to render.
  struct Slow: Driver {
    let span: Duration
    var context: DriverContext<Probe.Event>?
    var safeModel: Int { 0 }

    init(_ span: Duration, _ context: DriverContext<Probe.Event>? = nil) {
      self.span = span
      self.context = context
    }

    mutating func start(showing model: Int, in context: DriverContext<Probe.Event>) throws(DriverError) {
      self.context = context
    }
    mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) { work() }
    mutating func wake(_ wake: Wake) throws(DriverError) { work() }
    func work() {
      var rest = span
      while rest > .zero {
        context?.pause(for: min(rest, .microseconds(100)))
        rest -= .microseconds(100)
      }
    }
    mutating func stop() {}
  }

  @Test("Law 7: what a render emits is reduced before time moves on, however late the cycle is", arguments: [6, 20])
  func momentsEnd(clock: Int64) throws {
    let (timer, echo, sensor) = (Probe("timer"), Probe("echo"), Probe("sensor"))
    timer.onStart = { $0.setAlarm(Moment(nanoseconds: 5)) }
    timer.onWake = { _ in timer.emit("a") }
    echo.answer = { $0.hasSuffix("a") ? ["b"] : [] }
    sensor.onWake = { _ in sensor.emit("c", at: Moment(nanoseconds: 10)) }
    let append: (inout String, Probe.Event, borrowing Past<String>) -> Void = { frame, event, past in
      if case .value(let value) = event { frame += "\(past.moment.nanoseconds)\(value)" }
    }
    let cycle = Cycle(seed: "") {
      Lens(timer, show: { _ in "" }, on: append)
      Lens(echo, show: { $0 }, on: append)
      Lens(sensor, show: { _ in "" }, on: append)
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    // At 6 the timer's alarm is rung before the sensor tells what happens at 10; at 20 both wait.
    loop.advance(to: Moment(nanoseconds: clock))
    if clock < 10 {
      try cycle.step(until: loop.now)
      loop.advance(to: Moment(nanoseconds: 10))
    }
    sensor.context?.watcher.makeWaker().wake()
    try cycle.step(until: loop.now)
    #expect(cycle.frame == "5a5b10c")
    cycle.stop()
  }

  @Test("Law 13: the watchdog names the driver that rendered for longer than it may, and what it did")
  func watchdog() throws {
    let button = Probe("button")
    var overruns: [DriverOverrun] = []
    let cycle = Cycle(seed: 0) {
      Lens(button, show: { _ in "" }, on: { frame, _ in frame += 1 })
      Lens(Slow(.microseconds(900)), name: "fast", show: { $0 })
      Lens(Slow(.milliseconds(3)), name: "display", show: { $0 })
    }
    cycle.onOverrun { overruns.append($0) }
    try cycle.start(on: VirtualLoop())
    for _ in 0..<202 {
      button.emit("x")
      try cycle.settle()
    }
    // Of several that rendered in one turn none can be named; so the next hundred renders of each are timed,
    // and the one after them begins that anew. The seed's was the first.
    let expected = DriverOverrun(lens: 2, name: "display", call: .render, took: .milliseconds(3))
    #expect(overruns.count == 200)
    #expect(overruns.allSatisfy { $0 == expected })
  }

  @Test("Law 13: the seed's renders are not timed on a real clock, and all after them are")
  func seedOnARealClock() throws {
    let button = Probe("button")
    var overruns: [DriverOverrun] = []
    let cycle = Cycle(seed: 0) {
      Lens(button, show: { _ in "" }, on: { frame, _ in frame += 1 })
      Lens(Slow(.milliseconds(2)), name: "lamp", show: { $0 })
      Lens(Slow(.milliseconds(3)), name: "display", show: { $0 })
    }
    cycle.onOverrun { overruns.append($0) }
    let loop = RealClock()
    try cycle.start(on: loop)
    button.emit("x")
    try cycle.step(until: loop.now)
    #expect(overruns == [], "of several that rendered in the first turn that counts, none can be named")
    button.emit("x")
    try cycle.step(until: loop.now)
    #expect(overruns.map(\.name) == ["lamp", "display"])
  }

  /// Absent at the start; takes 3 ms to render.
  private final class SlowWhenBack: Driver, ReturnWatch {
    var isHardwarePresent = false
    private var hasNews = false
    private var context: DriverContext<Probe.Event>?
    var safeModel: Int { 0 }

    func start(showing model: Int, in context: DriverContext<Probe.Event>) throws(DriverError) {
      self.context = context
      if !isHardwarePresent { throw DriverError(.absent, cannot: "start", reason: "it is away", remedy: "Plug it in.") }
    }
    func render(_ model: Int, replacing previous: Int?) throws(DriverError) { Slow(.milliseconds(3), context).work() }
    func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { self }
    func acknowledge() -> Bool {
      defer { hasNews = false }
      return hasNews
    }
    func release() {}
    func stop() {}

    func comeBack() {
      isHardwarePresent = true
      hasNews = true
      context?.watcher.makeWaker().wake()
    }
  }

  @Test("Law 13: what hardware that is back takes to show its model is a render, and no wake")
  func slowWhenBack() throws {
    let driver = SlowWhenBack()
    var overruns: [DriverOverrun] = []
    let cycle = Cycle(seed: 0) { Lens(driver, name: "display", show: { $0 }, trouble: { _, _ in }) }
    cycle.onOverrun { overruns.append($0) }
    try cycle.start(on: VirtualLoop())
    try cycle.settle()
    driver.comeBack()
    try cycle.settle()
    #expect(overruns == [DriverOverrun(lens: 0, name: "display", call: .render, took: .milliseconds(3))])
  }

  @Test("Law 13: one that is slow to wake is named at the first time")
  func slowWake() throws {
    let probe = Probe("waker")
    var overruns: [DriverOverrun] = []
    let cycle = Cycle(seed: 0) {
      Lens(probe, show: { _ in "" })
      Lens(Slow(.milliseconds(2)), name: "bus", show: { _ in 0 })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    cycle.onOverrun { overruns.append($0) }
    probe.onWake = { _ in Slow(.milliseconds(4), probe.context).work() }
    probe.context?.setAlarm(loop.now + .seconds(1))
    try cycle.step(until: nil)
    #expect(overruns == [DriverOverrun(lens: 0, name: "Probe", call: .wake, took: .milliseconds(4))])
  }
}
