import CycleCore
import TestSupport
import Testing

/// Law 2 and law 13: how much a driver may do at one moment, and how long a call may take.
@Suite("The limits of drivers")
struct LimitsTests {
  @Test(
    "Law 2: a driver that sets its alarm to the moment that is, again and again, is an error that names it, not a hang")
  func alarms() throws {
    let probe = Probe("a")
    let cycle = Cycle(seed: "1", selfEmissionLimit: 100) { Lens(probe, name: "clock", show: { $0 }) }
    try cycle.start(on: VirtualLoop())
    var wakes = 0
    probe.onWake = { _ in
      wakes += 1
      probe.context?.setAlarm(.zero + .seconds(1))
    }
    probe.context?.setAlarm(.zero + .seconds(1))
    #expect {
      try cycle.step(until: nil)
    } throws: { error in
      "\(error)"
        == "cannot come to rest at 1.000000000s: more than 100 events and alarms of drivers at one moment, "
        + "the last of clock. Find the model that makes clock emit an event which changes that model again."
    }
    #expect(wakes == 101)
  }

  @Test("Law 13: a start may take 5 s, a stop 1 s", arguments: [(5_000, 1_000, 0), (5_001, 1_001, 2)])
  func startAndStop(start: Int, stop: Int, count: Int) throws {
    final class Slow: Driver {
      let (startTime, stopTime): (Int, Int)
      var context: DriverContext<Never>?
      var safeModel: Int { 0 }
      init(_ start: Int, _ stop: Int) { (startTime, stopTime) = (start, stop) }
      func start(showing model: Int, in context: DriverContext<Never>) throws(DriverError) {
        self.context = context
        take(startTime)
      }
      func render(_ model: Int, replacing previous: Int?) throws(DriverError) {}
      func stop() { take(stopTime) }
      private func take(_ milliseconds: Int) {
        for _ in 0..<10 * milliseconds { context?.pause(for: .microseconds(100)) }
      }
    }
    var overruns: [String] = []
    let cycle = Cycle(seed: 0) { Lens(Slow(start, stop), show: { $0 }) }
    cycle.onOverrun { overruns.append("\($0.call) \($0.took)") }
    try cycle.start(on: VirtualLoop())
    cycle.stop()
    #expect(overruns == ["start 5.001 seconds", "stop 1.001 seconds"].prefix(count).map { $0 })
  }

  /// An input that posts more messages at the start than its lane holds. It can also await a reading that never
  /// arrives.
  private final class Overfull: Driver {
    typealias Model = NoModel
    let awaits: Bool
    private var context: DriverContext<Int>!
    private var postbox: Postbox<Int>!
    var safeModel: NoModel { NoModel() }

    init(awaits: Bool) { self.awaits = awaits }

    func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {
      self.context = context
      postbox = context.makePostbox(of: Int.self, capacity: 16)
      if awaits { context.awaitReading() }
      for number in 1...10 { postbox.post(number) }
    }

    func wake(_ wake: Wake) throws(DriverError) {
      while context.room > 0, let number = postbox.receive() { context.emit(number) }
    }

    func stop() {}
  }

  @Test("Law 13: a lane that is full at the start ends the wait for readings", arguments: [false, true])
  func fullLane(awaits: Bool) throws {
    let cycle = Cycle(seed: [Int]()) {
      Lens(Overfull(awaits: awaits), on: { frame, event in frame.append(event) }, laneCapacity: 4)
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    #expect(!cycle.isStarting)
    for _ in 0..<2 { try cycle.step(until: loop.now) }
    #expect(cycle.frame == Array(1...10))
    #expect(loop.now == .zero)
  }

  /// An input that asks for another wake at each wake.
  private final class Restless: Driver {
    typealias Model = NoModel
    private var waker: DriverWaker!
    var safeModel: NoModel { NoModel() }

    func start(showing model: NoModel, in context: DriverContext<Never>) throws(DriverError) {
      waker = context.watcher.makeWaker()
      waker.wake()
    }

    func wake(_ wake: Wake) throws(DriverError) { waker.wake() }
    func stop() {}
  }

  @Test("Law 13: a driver that asks for another wake at each wake does not delay the first frame forever")
  func endlessWakes() throws {
    let cycle = Cycle(seed: 0) { Lens(Restless(), on: { _, _ in }) }
    try cycle.start(on: VirtualLoop())
    #expect(!cycle.isStarting)
  }

  /// An input that has a reading some milliseconds after its start. Its calls take time, as on a slow or busy computer.
  private final class LateInput: Driver {
    typealias Model = NoModel
    private let settles: Duration
    private let startTime: Duration
    private let wakeTime: Duration
    private var context: DriverContext<Int>!
    var safeModel: NoModel { NoModel() }

    init(settles: Duration, startTime: Duration = .zero, wakeTime: Duration = .zero) {
      (self.settles, self.startTime, self.wakeTime) = (settles, startTime, wakeTime)
    }

    func start(showing model: NoModel, in context: DriverContext<Int>) throws(DriverError) {
      self.context = context
      take(startTime)
      context.awaitReading()
      context.setAlarm(context.now + settles)
    }

    func wake(_ wake: Wake) throws(DriverError) {
      take(wakeTime)
      context.emit(1)
      context.endReading()
    }

    private func take(_ span: Duration) {
      for _ in 0..<Int(span / .microseconds(100)) { context.pause(for: .microseconds(100)) }
    }

    func stop() {}
  }

  /// Starts a cycle on a clock like the real one, and returns its first frame.
  private func firstFrame(of first: LateInput, _ second: LateInput) throws -> Int {
    let cycle = Cycle(seed: 0) {
      Lens(first, on: { frame, reading in frame += reading })
      Lens(second, on: { frame, reading in frame += reading })
    }
    let loop = RealClock()
    try cycle.start(on: loop)
    while cycle.isStarting { try cycle.step(until: nil) }
    return cycle.frame
  }

  @Test("Law 13: the limit for readings counts from the end of the inputs' start", arguments: [0, 99, 150, 1_000])
  func slowStart(milliseconds: Int) throws {
    let slow = LateInput(settles: .milliseconds(20), startTime: .milliseconds(milliseconds))
    #expect(try firstFrame(of: slow, LateInput(settles: .milliseconds(20))) == 2)
    let first = LateInput(settles: .milliseconds(20))
    let second = LateInput(settles: .milliseconds(20), startTime: .milliseconds(milliseconds))
    #expect(try firstFrame(of: first, second) == 2)
  }

  @Test("Law 13: every reading that is due before the limit is in the first frame, however late the thread runs")
  func lateReading() throws {
    let slow = LateInput(settles: .milliseconds(90), wakeTime: .milliseconds(50))
    #expect(try firstFrame(of: slow, LateInput(settles: .milliseconds(95))) == 2)
    let prompt = LateInput(settles: .milliseconds(90))
    #expect(try firstFrame(of: prompt, LateInput(settles: .milliseconds(101))) == 1)
  }
}
