import CycleCore
import TestSupport
import Testing

/// Law 11: what drivers get, and what they are spared, while the application comes to rest.
@Suite("The laws of the end")
struct EndLawsTests {
  typealias Frame = TroubleLawsTests.Frame

  /// A motor that runs to its end switch. The switch's edges and the messages of a thread wait until the driver's lane
  /// has room.
  final class Motor: Driver {
    enum Way: CaseIterable, Sendable {
      case edges
      case posts
    }

    let way: Way
    /// What the end switch and the thread have told and nobody has read.
    var edges: [Int] = []
    var wakes = 0
    private var postbox: Postbox<Int>!
    private var context: DriverContext<Int>!
    private var isRunning = false
    var safeModel: Int { 0 }

    init(_ way: Way) { self.way = way }

    func start(showing model: Int, in context: DriverContext<Int>) throws(DriverError) {
      self.context = context
      postbox = context.makePostbox(of: Int.self, capacity: 4)
    }

    func render(_ model: Int, replacing previous: Int?) throws(DriverError) { isRunning = model == safeModel }

    /// The motor is at its end.
    func arrive() {
      switch way {
      case .edges:
        edges.append(1)
        context.watcher.makeWaker().wake()
      case .posts: postbox.post(1)
      }
    }

    func wake(_ wake: Wake) throws(DriverError) {
      wakes += 1
      while context.room > 0, let edge = edges.popLast() ?? postbox.receive() {
        isRunning = false
        context.emit(edge)
      }
      if !edges.isEmpty { context.watcher.makeWaker().wake() }
      // A test that waits for ever tells nothing.
      if wakes > 1_000 { isRunning = false }
    }

    var isAtRest: Bool { !isRunning }
    func stop() {}
  }

  @Test(
    "Law 11: what a driver hears while the application comes to rest it can read, and no time is spent on what it leaves",
    arguments: Motor.Way.allCases)
  func heardAtTheEnd(way: Motor.Way) throws {
    let motor = Motor(way)
    var events = 0
    let cycle = Cycle(seed: 1) { Lens(motor, show: { $0 }, on: { _, _ in events += 1 }, laneCapacity: 2) }
    try cycle.start(on: VirtualLoop())
    cycle.beginStop()
    for _ in 0..<3 { motor.arrive() }
    #expect(!cycle.isAtRest)
    cycle.stop()
    #expect(motor.wakes == 1)
    #expect(events == 0)
    #expect(cycle.accounts == [LaneEventCounts(offered: 3, delivered: 0, lost: 3, pending: 0)])
  }

  @Test("Law 11: events that waited when the application ended leave as much room as there is")
  func roomAtTheEnd() throws {
    let probe = Probe("a")
    let cycle = Cycle(seed: Frame()) {
      Lens(probe, show: { $0.text }, on: { _, _ in }, laneCapacity: 2)
    }
    try cycle.start(on: VirtualLoop())
    probe.emit("x")
    cycle.beginStop()
    #expect(probe.context?.room == 2)
    probe.emit("y")
    #expect(probe.context?.account == LaneEventCounts(offered: 2, delivered: 0, lost: 1, pending: 1))
    cycle.stop()
  }

  /// A lamp whose next writes fail.
  private final class Lamp: Driver {
    let log: Log
    var failures = 0
    var safeModel: Int { 0 }

    init(_ log: Log) { self.log = log }

    func start(showing model: Int, in context: DriverContext<Never>) throws(DriverError) {}
    func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
      if failures > 0 {
        failures -= 1
        log.write("fail \(model)")
        throw .broken
      }
      log.write("\(previous.map(String.init) ?? "nil")→\(model)")
    }
    func stop() { log.write("stop") }
  }

  @Test("Law 11: a safe model that could not be rendered is rendered once more before the driver is stopped")
  func secondTry() throws {
    for (failures, expected) in [
      (0, ["1→0", "stop"]), (1, ["fail 0", "1→0", "stop"]), (2, ["fail 0", "fail 0", "stop"]),
    ] {
      let log = Log()
      let lamp = Lamp(log)
      let cycle = Cycle(seed: 1) { Lens(lamp, show: { $0 }) }
      try cycle.start(on: VirtualLoop())
      lamp.failures = failures
      cycle.stop()
      #expect(log.lines == ["nil→1"] + expected)
    }
  }

  @Test("Law 11: hardware that goes away while the application comes to rest is stopped, and not started again")
  func lostAtTheEnd() throws {
    let log = Log()
    let (a, b) = (Probe("a", log), Probe("b", log))
    let cycle = Cycle(seed: Frame()) {
      TroubleLawsTests.lens(a)
      TroubleLawsTests.lens(b)
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    (a.isAtRest, b.isAtRest) = (false, false)
    a.wakeError = DriverError(.lost, cannot: "read it", reason: "it is gone", remedy: "Plug it in.")
    a.context?.setAlarm(loop.now + .milliseconds(10))
    cycle.stop(within: .seconds(5))
    #expect(
      log.lines == [
        "a start 1", "b start 1", "a nil→1", "b nil→1", "b 1→safe", "a 1→safe", "a alarm", "a stop", "b stop",
      ])
    #expect(loop.now == .zero + .seconds(5))
    #expect(cycle.nextAlarm == nil)
  }

  @Test("Law 11: a driver that has itself woken for ever, and so holds virtual time up, is stopped as it is")
  func wakesItselfForEver() throws {
    let probe = Probe("a")
    let cycle = Cycle(seed: Frame()) { TroubleLawsTests.lens(probe) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    probe.isAtRest = false
    probe.onWake = { [unowned probe] _ in probe.context?.watcher.makeWaker().wake() }
    probe.context?.watcher.makeWaker().wake()
    cycle.stop(within: .seconds(5))
    #expect(loop.now == .zero)
    #expect(probe.log.lines.last == "a stop")
  }

  @Test("Law 11: what failed before the end is not tried again after the safe model was rendered")
  func failedBeforeTheEnd() throws {
    let log = Log()
    let probe = Probe("a", log)
    let cycle = Cycle(seed: Frame()) { TroubleLawsTests.lens(probe) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    probe.renderError = .broken
    probe.emit("x")
    try cycle.settle()
    probe.renderError = nil
    probe.isAtRest = false
    probe.wakeError = .broken
    probe.context?.setAlarm(loop.now + .milliseconds(10))
    cycle.stop(within: .seconds(5))
    #expect(log.lines == ["a start 1", "a nil→1", "a fail 1x", "a 1→safe", "a alarm", "a stop"])
  }

  @Test(
    "Law 11: a cycle that was never started can be stopped and asked, whatever its lenses are, and started after that")
  func neverStarted() throws {
    let log = Log()
    let probes = ["a", "b", "c"].map { Probe($0, log) }
    let cycle = Cycle(seed: Frame()) {
      TroubleLawsTests.lens(probes[0])
      LensList(count: 2) { TroubleLawsTests.lens(probes[$0 + 1]) }
    }
    let nothing = LaneEventCounts(offered: 0, delivered: 0, lost: 0, pending: 0)
    #expect(cycle.accounts == [nothing, nothing, nothing])
    #expect((0..<4).map { cycle.name(of: $0) } == ["lens 0", "lens 1", "lens 2", "lens 3"])
    cycle.beginStop()
    #expect(cycle.isAtRest)
    cycle.stop()
    #expect(log.lines == [])
    try cycle.start(on: VirtualLoop())
    #expect((0..<4).map { cycle.name(of: $0) } == ["a", "b", "c", "lens 3"])
    cycle.stop()
    #expect(log.lines.suffix(3) == ["c stop", "b stop", "a stop"])
  }
}
