import CycleCore
import TestSupport
import Testing

/// A test or more for each law of the cycle, by its number.
@Suite("The laws of the cycle")
struct LawsTests {
  /// A cycle of two probes over a string: each event is appended, both probes show the whole frame.
  static func pair(
    seed: String = "1", history: Int = 1, _ a: Probe, _ b: Probe
  ) -> Cycle<String, Zip<Lens<String, Probe>, Lens<String, Probe>>> {
    Cycle(seed: seed, history: history) {
      Lens(a, show: { $0 }, on: append)
      Lens(b, show: { $0 }, on: append)
    }
  }

  static func append(
    _ frame: inout String, _ event: Probe.Event
  ) {
    if case .value(let value) = event { frame += value }
  }

  @Test(
    "Law 1: one event at a time, to completion: every changed model is rendered, in wiring order, before the next event"
  )
  func oneEventAtATime() throws {
    let log = Log()
    let (a, b) = (Probe("a", log), Probe("b", log))
    let cycle = Self.pair(a, b)
    b.onStart = {
      $0.emit(.value("x"))
      $0.emit(.value("y"))
    }
    try cycle.start(on: VirtualLoop())
    #expect(
      log.lines == [
        "a start 1", "b start 1", "a nil→1", "b nil→1", "a 1→1x", "b 1→1x", "a 1x→1xy", "b 1x→1xy",
      ])
  }

  @Test("Law 2: what a driver emits while rendering is queued, breadth first: 1, 12, 13, 122, 123, 132, 133")
  func breadthFirst() throws {
    let (a, b) = (Probe("a"), Probe("b"))
    a.answer = { $0.count > 2 ? [] : [$0 + "2"] }
    b.answer = { $0.count > 2 ? [] : [$0 + "3"] }
    var recording: [String] = []
    let cycle = Cycle(seed: "1") {
      Lens(a, show: { $0 }, on: { frame, event in if case .value(let value) = event { frame = value } })
      Lens(b, show: { $0 }, on: { frame, event in if case .value(let value) = event { frame = value } })
    }
    recording.append(cycle.frame)
    cycle.observe { frame, _ in recording.append(frame) }
    try cycle.start(on: VirtualLoop())
    #expect(recording == ["1", "12", "13", "122", "123", "132", "133"])
  }

  @Test("Law 2: a livelock is an error that names the driver, not a hang")
  func livelock() throws {
    struct Forever: Driver {
      var context: DriverContext<Int>?
      var safeModel: Int { 0 }
      mutating func start(showing model: Int, in context: DriverContext<Int>) throws(DriverError) {
        self.context = context
      }
      mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) { context?.emit(1) }
      mutating func stop() {}
    }
    let cycle = Cycle(seed: 0) {
      Lens(Forever(), show: { $0 }, on: { frame, event in frame += event })
    }
    #expect {
      try cycle.run(on: VirtualLoop())
    } throws: { error in
      "\(error)"
        == "cannot come to rest at 0.000000000s: more than 10000 events and alarms of drivers at one moment, "
        + "the last of Forever. Find the model that makes Forever emit an event which changes that model again."
    }
  }

  @Test("Law 2: a million self-emitted events don't grow the stack")
  func millionSelfEmitted() throws {
    struct Echo: Driver {
      var context: DriverContext<Int>?
      var safeModel: Int { 0 }
      /// The lowest and highest stack address that a render has seen.
      let stack: Extent
      mutating func start(showing model: Int, in context: DriverContext<Int>) throws(DriverError) {
        self.context = context
      }
      mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
        var marker = 0
        withUnsafePointer(to: &marker) { stack.include(UInt(bitPattern: $0)) }
        if model < 1_000_000 { context?.emit(1) }
      }
      mutating func stop() {}
    }
    final class Extent {
      var low = UInt.max
      var high = UInt.min
      func include(_ address: UInt) {
        low = min(low, address)
        high = max(high, address)
      }
    }
    let stack = Extent()
    let cycle = Cycle(seed: 0, selfEmissionLimit: 1_000_001) {
      Lens(Echo(stack: stack), show: { $0 }, on: { frame, event in frame += event })
    }
    try cycle.start(on: VirtualLoop())
    #expect(cycle.frame == 1_000_000)
    #expect(stack.high - stack.low < 4096)
  }

  @Test("a list of lenses: each has its own events, all are rendered in order, and stopped in reverse order")
  func list() throws {
    let log = Log()
    let probes = ["a", "b", "c"].map { Probe($0, log) }
    let first = Probe("first", log)
    let cycle = Cycle(seed: "1") {
      Lens(first, show: { $0 }, on: Self.append)
      LensList(count: 3) { index in
        Lens(
          probes[index], show: { $0 },
          on: { frame, event in if case .value(let value) = event { frame += "\(index)\(value)" } })
      }
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    #expect(log.lines.suffix(4) == ["first nil→1", "a nil→1", "b nil→1", "c nil→1"])
    probes[2].context?.emit(.value("z"))
    probes[1].context?.setAlarm(loop.now + .seconds(1))
    probes[1].onWake = { _ in probes[1].context?.emit(.value("y")) }
    try cycle.step(until: loop.now + .seconds(2))
    #expect(cycle.frame == "12z1y")
    #expect(cycle.accounts.map(\.delivered) == [0, 0, 1, 1])
    cycle.stop()
    #expect(
      log.lines.suffix(8) == [
        "c 12z1y→safe", "b 12z1y→safe", "a 12z1y→safe", "first 12z1y→safe", "c stop", "b stop", "a stop", "first stop",
      ])
    let empty = Cycle(seed: "1") {
      Lens(Probe("only", log), show: { $0 }, on: Self.append)
      LensList(count: 0) { _ in Lens(Probe("none", log), show: { $0 }, on: Self.append) }
    }
    try empty.start(on: VirtualLoop())
    empty.stop()
  }

  @Test("a cycle can be looked at from outside, with drivers in it that can't be copied")
  func reflection() throws {
    struct Single: Driver, ~Copyable {
      var safeModel: NoModel { NoModel() }
      mutating func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {}
      mutating func stop() {}
    }
    let cycle = Cycle(seed: "seed") { Lens(Single(), on: { _, _ in }) }
    try cycle.start(on: VirtualLoop())
    #expect(Mirror(reflecting: cycle).children.map { "\($0.label!) \($0.value)" } == ["frame seed", "frameNumber 0"])
  }

  @Test("Law 3: an event meets the frame that is current when it is reduced, so two fast presses count two")
  func pairing() throws {
    let probe = Probe("button")
    probe.onStart = {
      $0.emit(.value("+"))
      $0.emit(.value("+"))
    }
    let cycle = Cycle(seed: 0) {
      Lens(probe, show: { "\($0)" }, on: { frame, _ in frame += 1 })
    }
    try cycle.start(on: VirtualLoop())
    #expect(cycle.frame == 2)
  }

  @Test("Law 4: drivers start with the seed's model; all have started before one renders; events come after")
  func seed() throws {
    let log = Log()
    let (a, b) = (Probe("a", log), Probe("b", log))
    a.onStart = { $0.emit(.value("!")) }
    let cycle = Self.pair(a, b)
    try cycle.start(on: VirtualLoop())
    #expect(log.lines == ["a start 1", "b start 1", "a nil→1", "b nil→1", "a 1→1!", "b 1→1!"])
  }

  @Test("Law 5: an equal frame is nothing, an equal model is not rendered")
  func dedupe() throws {
    let log = Log()
    let (a, b) = (Probe("a", log), Probe("b", log))
    var frames: [String] = []
    let cycle = Cycle(seed: "1") {
      Lens(a, show: { $0 }, on: Self.append)
      Lens(b, show: { "\($0.count / 2)" }, on: Self.append)
    }
    cycle.observe { frame, _ in frames.append(frame) }
    a.onStart = { for value in ["", "x", "", "y"] { $0.emit(.value(value)) } }
    try cycle.start(on: VirtualLoop())
    #expect(frames == ["1x", "1xy"])
    #expect(log.lines == ["a start 1", "b start 0", "a nil→1", "b nil→0", "a 1→1x", "b 0→1", "a 1x→1xy"])
  }

  @Test("Law 6: past[0] is the frame that the event meets, [1] the one before, nil before it exists")
  func history() throws {
    var seen: [[Int?]] = []
    let probe = Probe("a")
    probe.onStart = { for value in ["+", "+", "=", "+", "+"] { $0.emit(.value(value)) } }
    let cycle = Cycle(seed: 0, history: 3) {
      Lens(
        probe, show: { "\($0)" },
        on: { frame, event, past in
          seen.append([past[0], past[1], past[2], past[3]])
          if event == .value("+") { frame += 1 }
        })
    }
    try cycle.start(on: VirtualLoop())
    #expect(
      seen == [
        [0, nil, nil, nil], [1, 0, nil, nil], [2, 1, 0, nil], [2, 1, 0, nil], [3, 2, 1, nil],
      ])
  }

  @Test("Law 7: time is an input: events carry moments, alarms come at theirs, and nothing waits for nothing")
  func time() throws {
    var moments: [Int64] = []
    let cycle = Cycle(seed: [Int]()) {
      Lens(
        Timer<Int>(),
        show: { fired in fired.count < 3 ? [.after(.milliseconds(10), fired.count)] : [] },
        on: { frame, event, past in
          moments.append(past.moment.nanoseconds)
          if case .due(let id) = event { frame.append(id) }
        })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    while cycle.nextAlarm != nil { try cycle.step(until: nil) }
    #expect(moments == [10_000_000, 20_000_000, 30_000_000])
    #expect(cycle.frame == [0, 1, 2])
    #expect(cycle.nextAlarm == nil)
    #expect(loop.now == Moment(nanoseconds: 30_000_000))
  }

  @Test("Law 7: time never runs back: an event stamped before one that was reduced is taken as that moment")
  func timeNeverRunsBack() throws {
    let probe = Probe("a")
    var moments: [Int64] = []
    let cycle = Cycle(seed: 0) {
      Lens(
        probe, show: { "\($0)" },
        on: { frame, _, past in
          moments.append(past.moment.nanoseconds)
          frame += 1
        })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    loop.advance(to: Moment(nanoseconds: 100))
    probe.emit("late", at: Moment(nanoseconds: 50))
    probe.emit("early", at: Moment(nanoseconds: 20))
    probe.context?.setAlarm(.zero)
    try cycle.settle()
    #expect(moments == [50, 50])
  }

  @Test("Law 7: however late the cycle reads, events and alarms come in the order of their moments, each at its own")
  func lateReader() throws {
    let (a, b) = (Probe("a"), Probe("b"))
    var seen: [String] = []
    let cycle = Cycle(seed: 0) {
      Lens(a, show: { "\($0)" }, on: { _, event, past in seen.append("a \(event) \(past.moment.nanoseconds)") })
      Lens(b, show: { "\($0)" }, on: { _, event, past in seen.append("b \(event) \(past.moment.nanoseconds)") })
    }
    var waker: DriverWaker?
    a.onStart = { waker = $0.watcher.makeWaker() }
    a.onWake = { _ in
      a.emit("before", at: Moment(nanoseconds: 30))
      a.emit("after", at: Moment(nanoseconds: 70))
    }
    b.onStart = { $0.setAlarm(Moment(nanoseconds: 50)) }
    b.onWake = { _ in b.emit("alarm") }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    var nothing = ReadyList()
    try loop.wait(until: Moment(nanoseconds: 100), ready: &nothing)
    waker?.wake()
    try cycle.settle()
    #expect(seen == ["a value(\"before\") 30", "b value(\"alarm\") 50", "a value(\"after\") 70"])
  }

  @Test("Law 7: alarms at moments that move on are no livelock, however many")
  func manyAlarms() throws {
    let probe = Probe("clock")
    var rings = 0
    let cycle = Cycle(seed: 0, selfEmissionLimit: 10) { Lens(probe, show: { "\($0)" }, on: { _, _ in }) }
    probe.onStart = { $0.setAlarm(Moment(nanoseconds: 1)) }
    probe.onWake = { _ in
      rings += 1
      if rings < 100, let context = probe.context { context.setAlarm(context.now + .nanoseconds(1)) }
    }
    try cycle.start(on: VirtualLoop())
    while cycle.nextAlarm != nil { try cycle.step(until: nil) }
    #expect(rings == 100)
  }

  @Test("Law 8: the same events at the same moments give the same frames and models, in every run")
  func determinism() throws {
    func run() throws -> [String] {
      let log = Log()
      let (a, b) = (Probe("a", log), Probe("b", log))
      a.answer = { $0.count < 40 && $0.count.isMultiple(of: 3) ? ["p"] : [] }
      b.answer = { $0.count < 40 && $0.count.isMultiple(of: 2) ? ["q", "r"] : [] }
      let cycle = Self.pair(a, b)
      cycle.observe { frame, moment in log.write("\(moment) \(frame)") }
      a.onStart = { context in for number in 0..<20 { context.emit(.value("\(number)"), at: Moment(nanoseconds: 7)) } }
      try cycle.start(on: VirtualLoop(beginning: Moment(nanoseconds: 10)))
      cycle.stop()
      return log.lines
    }
    let first = try run()
    #expect(first.count > 60)
    for _ in 0..<5 { #expect(try run() == first) }
  }

  @Test("Law 8: hardware that is read in one turn is reduced in the order of its moments, whichever driver read first")
  func orderOfMoments() throws {
    let (a, b) = (Probe("a"), Probe("b"))
    let cycle = Self.pair(seed: "", a, b)
    var wakers: [DriverWaker] = []
    a.onStart = { wakers.append($0.watcher.makeWaker()) }
    b.onStart = { wakers.append($0.watcher.makeWaker()) }
    let loop = VirtualLoop()
    a.onWake = { _ in
      a.emit("3", at: Moment(nanoseconds: 30))
      a.emit("5", at: Moment(nanoseconds: 50))
    }
    b.onWake = { _ in
      b.emit("1", at: Moment(nanoseconds: 10))
      b.emit("4", at: Moment(nanoseconds: 40))
    }
    try cycle.start(on: loop)
    loop.advance(to: Moment(nanoseconds: 60))
    for waker in wakers { waker.wake() }
    try cycle.settle()
    #expect(cycle.frame == "1345")
  }
}
