import CycleCore
import TestSupport
import Testing

/// Laws 4, 5, 10 and 11: what is done when a driver fails.
@Suite("The laws of trouble")
struct TroubleLawsTests {
  /// A frame that keeps all trouble, as many applications do: each of them makes a new frame.
  struct Frame: Equatable {
    var text = "1"
    var troubles: [Trouble] = []
  }

  static func lens(_ probe: Probe, isRequired: Bool = false) -> Lens<Frame, Probe> {
    Lens(
      probe, name: probe.name, show: { $0.text },
      on: { frame, event in if case .value(let text) = event { frame.text += text } },
      trouble: { frame, trouble in frame.troubles.append(trouble) }, isRequired: isRequired)
  }

  private func error(_ kind: DriverError.Kind) -> DriverError {
    DriverError(kind, cannot: "reach it", reason: "it is \(kind)", remedy: "Wait.")
  }

  @Test(
    "Law 4: a driver that is required and can't start ends the start: those before it show their safe models and stop")
  func failedStart() throws {
    let log = Log()
    let (a, b) = (Probe("a", log), Probe("b", log))
    b.startError = .broken
    let cycle = Cycle(seed: Frame()) {
      Self.lens(a)
      Self.lens(b, isRequired: true)
    }
    #expect(throws: DriverError.broken) { try cycle.run(on: VirtualLoop()) }
    #expect(log.lines == ["a start 1", "a nil→safe", "a stop"])
  }

  @Test(
    "Law 5: a failed render is told once, tried again after 1 s, 2 s, 4 s without a frame, and restored when it is good"
  )
  func failedRender() throws {
    let log = Log()
    let probe = Probe("a", log)
    probe.renderError = .broken
    let cycle = Cycle(seed: Frame()) { Self.lens(probe) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    var moments: [Moment] = []
    for _ in 0..<4 {
      moments.append(try #require(cycle.nextAlarm))
      try cycle.step(until: nil)
    }
    let seconds = moments.map { $0.nanoseconds / 1_000_000_000 }
    #expect(seconds == [1, 3, 7, 15])
    #expect(cycle.frame.troubles == [.failed(.broken)])
    probe.renderError = nil
    try cycle.step(until: nil)
    #expect(cycle.frame.troubles == [.failed(.broken), .restored])
    #expect(cycle.nextAlarm == nil)
    let failures = Array(repeating: "a fail 1", count: 5)
    #expect(log.lines == ["a start 1"] + failures + ["a nil→1"])
  }

  @Test("a trouble has the moment at which it was found, and the frames before it")
  func moments() throws {
    let probe = Probe("a")
    probe.renderError = .broken
    let cycle = Cycle(seed: Frame()) {
      Lens(probe, name: "a", show: { $0.text }, on: { _, _ in }).onTrouble { frame, trouble, past in
        frame.troubles.append(trouble)
        frame.text += " \(past.moment.nanoseconds / 1_000_000_000)/\(past[0]?.troubles.count ?? -1)"
      }
    }
    try cycle.start(on: VirtualLoop())
    for _ in 0..<2 { try cycle.step(until: nil) }
    probe.renderError = nil
    try cycle.step(until: nil)
    #expect(cycle.frame.troubles == [.failed(.broken), .restored])
    #expect(cycle.frame.text.hasPrefix("1 0/0 "))
    #expect(cycle.frame.text.hasSuffix("/1"))
  }

  @Test("each lens of a list has the trouble filter")
  func listedMoments() throws {
    let probes = [Probe("a"), Probe("b")]
    probes[1].renderError = .broken
    let cycle = Cycle(seed: Frame()) {
      LensList(count: 2) { Lens(probes[$0], show: { $0.text }, on: { _, _ in }) }
        .onTrouble { frame, trouble, past in frame.troubles.append(trouble) }
    }
    try cycle.start(on: VirtualLoop())
    #expect(cycle.frame.troubles == [.failed(.broken)])
  }

  @Test("Law 5: retries are a minute apart at most, however long it fails")
  func longFailure() throws {
    let probe = Probe("a")
    probe.renderError = .broken
    let cycle = Cycle(seed: Frame()) { Self.lens(probe) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    var tries = 0
    while loop.now < .zero + .seconds(3600) {
      try cycle.step(until: nil)
      tries += 1
    }
    #expect(tries == 65)
    #expect(cycle.frame.troubles.count == 1)
  }

  @Test("Law 5: another model is tried at once, the same one not before its retry is due")
  func anotherModel() throws {
    let log = Log()
    let probe = Probe("a", log)
    let cycle = Cycle(seed: Frame()) { Self.lens(probe) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    probe.renderError = .broken
    probe.emit("x")
    try cycle.settle()
    probe.emit("")
    try cycle.settle()
    #expect(log.lines.suffix(1) == ["a fail 1x"])
    probe.renderError = nil
    probe.emit("y")
    try cycle.settle()
    #expect(log.lines.suffix(2) == ["a fail 1x", "a 1→1xy"])
    #expect(cycle.frame.troubles == [.failed(.broken), .restored])
    #expect(cycle.nextAlarm == nil)
  }

  @Test("Law 5: an application that shows how often it failed, on what fails, ends in no livelock")
  func failureThatShowsItself() throws {
    struct Screen: Driver {
      var tries = 0
      var safeModel: Int { 0 }
      mutating func start(showing model: Int, in context: DriverContext<Never>) throws(DriverError) {}
      mutating func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
        tries += 1
        // Each error is another one.
        throw DriverError(.failed, cannot: "show \(model)", reason: "no \(tries)", remedy: "Wait.")
      }
      mutating func stop() {}
    }
    let cycle = Cycle(seed: 0) {
      Lens(Screen(), show: { $0 }, trouble: { frame, _ in frame += 1 })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    #expect(cycle.frame == 8)
    for _ in 0..<5 { try cycle.step(until: nil) }
    #expect(cycle.frame < 100)
  }

  @Test("Law 5: a wake that throws is told once and tried again")
  func failedWake() throws {
    let log = Log()
    let probe = Probe("a", log)
    let cycle = Cycle(seed: Frame()) { Self.lens(probe) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    probe.wakeError = .broken
    probe.context?.setAlarm(.zero + .seconds(1))
    try cycle.step(until: nil)
    try cycle.step(until: nil)
    #expect(log.lines.suffix(2) == ["a alarm", "a retry"])
    #expect(cycle.frame.troubles == [.failed(.broken)])
    probe.wakeError = nil
    try cycle.step(until: nil)
    #expect(cycle.frame.troubles == [.failed(.broken), .restored])
    #expect(loop.now == .zero + .seconds(4))
    #expect(cycle.nextAlarm == nil)
  }

  @Test(
    "Law 5: wakes that go on failing make the hardware lost: it is stopped and started anew, and not without a pause")
  func unreadable() throws {
    let log = Log()
    let probe = Probe("a", log)
    probe.wakeError = .broken
    let cycle = Cycle(seed: Frame()) { Self.lens(probe) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    var starts = 0
    while loop.now < .zero + .seconds(60) {
      probe.context?.watcher.makeWaker().wake()
      try cycle.step(until: loop.now + .milliseconds(10))
      loop.advance(to: loop.now + .milliseconds(10))
      starts = log.lines.count { $0.hasPrefix("a start") }
    }
    #expect((3...8).contains(starts), "\(starts) starts in a minute")
    #expect(log.lines.count { $0 == "a stop" } >= starts - 1)
  }

  @Test("Law 10: trouble is told to the lens of the driver that has it, and to no other")
  func troubleIsItsOwn() throws {
    let (a, b) = (Probe("a"), Probe("b"))
    b.renderError = .broken
    var told: [String] = []
    let cycle = Cycle(seed: "1") {
      Lens(a, show: { $0 }, on: { _, _ in }, trouble: { _, trouble in told.append("a \(trouble == .restored)") })
      Lens(
        b, show: { $0 }, on: { _, _ in },
        trouble: { _, trouble in told.append("b \(trouble == .failed(.broken))") })
    }
    try cycle.start(on: VirtualLoop())
    #expect(told == ["b true"])
  }

  @Test(
    "Law 10: hardware that is not there at the start is trouble; the others begin, and it is looked for",
    arguments: [DriverError.Kind.absent, .busy, .notPermitted, .lost, .failed])
  func absentAtStart(kind: DriverError.Kind) throws {
    let log = Log()
    let (a, b) = (Probe("a", log), Probe("b", log))
    b.startError = error(kind)
    let cycle = Cycle(seed: Frame()) {
      Self.lens(a)
      Self.lens(b)
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    #expect(cycle.frame.troubles == [.lost(error(kind))])
    a.emit("x")
    try cycle.settle()
    b.startError = nil
    while log.lines.last?.hasPrefix("b") != true { try cycle.step(until: nil) }
    #expect(log.lines == ["a start 1", "a nil→1", "a 1→1x", "b start 1x", "b nil→1x"])
    #expect(cycle.frame.troubles == [.lost(error(kind)), .restored])
    #expect(loop.now <= .zero + .seconds(1))
    cycle.stop()
    #expect(log.lines.suffix(2) == ["b stop", "a stop"])
  }

  @Test("Law 10: what no waiting can mend ends the start", arguments: [DriverError.Kind.misconfigured, .unsupported])
  func hopelessStart(kind: DriverError.Kind) throws {
    let probe = Probe("a")
    probe.startError = error(kind)
    let cycle = Cycle(seed: Frame()) { Self.lens(probe) }
    #expect(throws: error(kind)) { try cycle.start(on: VirtualLoop()) }
  }

  @Test(
    "Law 10: hardware that goes away is stopped; who watches for its return starts it again at once",
    arguments: [1, 200])
  func comesAndGoes(times: Int) throws {
    final class Plug: ReturnWatch {
      var hasNews = false
      func acknowledge() -> Bool {
        defer { hasNews = false }
        return hasNews
      }
      func release() {}
    }
    final class Pluggable: Driver {
      var isPlugged = true
      var starts = 0
      var watch: Plug?
      var context: DriverContext<Never>?
      var safeModel: Int { 0 }
      func start(showing model: Int, in context: DriverContext<Never>) throws(DriverError) {
        self.context = context
        if !isPlugged { throw DriverError(.absent, cannot: "start", reason: "it is away", remedy: "Plug it in.") }
        starts += 1
      }
      func render(_ model: Int, replacing previous: Int?) throws(DriverError) {}
      func wake(_ wake: Wake) throws(DriverError) {
        if !isPlugged { throw DriverError(.lost, cannot: "read", reason: "it is gone", remedy: "Plug it in.") }
      }
      func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
        watch = Plug()
        return watch
      }
      func stop() {}
      func change() {
        isPlugged.toggle()
        watch?.hasNews = true
        context?.watcher.makeWaker().wake()
      }
    }
    let driver = Pluggable()
    var troubles = 0
    let cycle = Cycle(seed: 0) { Lens(driver, show: { $0 }, trouble: { frame, _ in troubles += 1 }) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    for _ in 0..<times {
      driver.change()
      try cycle.step(until: loop.now + .milliseconds(10))
      driver.change()
      try cycle.step(until: loop.now + .milliseconds(10))
    }
    #expect(driver.starts == 1 + times)
    #expect(troubles == 2 * times)
    #expect(loop.now < .zero + .milliseconds(21 * times))
  }

  @Test("Law 11: stopping shows every safe model, then stops, in reverse order")
  func shutdown() throws {
    let log = Log()
    let (a, b) = (Probe("a", log), Probe("b", log))
    let cycle = Cycle(seed: "1") {
      Lens(a, show: { $0 }, safe: "dark")
      Lens(b, show: { $0 })
    }
    cycle.requestStop()
    try cycle.run(on: VirtualLoop())
    #expect(
      log.lines == [
        "a start 1", "b start 1", "a nil→1", "b nil→1", "b 1→safe", "a 1→dark", "b stop", "a stop",
      ])
  }

  /// Comes to rest after so many alarms, 10 ms apart.
  final class Coasting: Driver {
    let steps: Int
    let log: Log
    var left = 0
    var context: DriverContext<Int>?
    var safeModel: Int { 0 }

    init(steps: Int, _ log: Log) {
      self.steps = steps
      self.log = log
    }

    func start(showing model: Int, in context: DriverContext<Int>) throws(DriverError) { self.context = context }
    func render(_ model: Int, replacing previous: Int?) throws(DriverError) {
      log.write("render \(model)")
      left = steps
      setAlarm()
    }
    func wake(_ wake: Wake) throws(DriverError) {
      left -= 1
      context?.emit(left)
      setAlarm()
    }
    func setAlarm() {
      if let context { context.setAlarm(left > 0 ? context.clock + .milliseconds(10) : nil) }
    }
    var isAtRest: Bool { left == 0 }
    func stop() { log.write("stop with \(left) left") }
  }

  @Test(
    "Law 11: a driver whose safe state takes several wakes gets them before it is stopped, and nobody hears of its events"
  )
  func comingToRest() throws {
    let log = Log()
    let cycle = Cycle(seed: 1) {
      Lens(Coasting(steps: 5, log), show: { $0 }, on: { frame, event in log.write("event \(event)") })
    }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    cycle.stop()
    #expect(log.lines == ["render 1", "render 0", "stop with 0 left"])
    #expect(loop.now == .zero + .milliseconds(50))
  }

  @Test("Law 11: one that does not come to rest within a second is stopped as it is")
  func neverAtRest() throws {
    let log = Log()
    let cycle = Cycle(seed: 1) { Lens(Coasting(steps: 1_000, log), show: { $0 }) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    cycle.stop()
    #expect(log.lines.last == "stop with 900 left")
    #expect(loop.now == .zero + .seconds(1))
  }

  @Test("Law 11: an observer that stops the cycle ends it after the turn: no driver renders once it is stopped")
  func stopAmidATurn() throws {
    let log = Log()
    let (a, b) = (Probe("a", log), Probe("b", log))
    let cycle = Cycle(seed: Frame()) {
      Self.lens(a)
      Self.lens(b)
    }
    cycle.observe { _, _ in cycle.stop() }
    a.onStart = {
      $0.emit(.value("x"))
      $0.emit(.value("y"))
    }
    try cycle.start(on: VirtualLoop())
    #expect(log.lines.last == "b 1x→1xy")
    #expect(cycle.isStopRequested)
    cycle.stop()
    #expect(log.lines.suffix(4) == ["b 1xy→safe", "a 1xy→safe", "b stop", "a stop"])
  }
}
