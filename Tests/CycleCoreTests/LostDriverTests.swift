import CycleCore
import TestSupport
import Testing

/// What ends with a driver's hardware: a driver that is started again begins without it.
@Suite("A driver that has lost its hardware")
struct LostDriverTests {
  private static let gone = DriverError(.lost, cannot: "read it", reason: "it is gone", remedy: "Plug it in.")

  /// Wakes the driver at the loop's time.
  private func wake(_ probe: Probe, _ cycle: some Application, _ loop: VirtualLoop, failing error: DriverError? = nil)
    throws
  {
    probe.wakeError = error
    probe.context?.watcher.makeWaker().wake()
    try cycle.step(until: loop.now)
    probe.wakeError = nil
  }

  @Test("its postboxes end with the hardware: a thread that still posts there wakes nobody")
  func postbox() throws {
    let log = Log()
    let probe = Probe("a", log)
    let cycle = Cycle(seed: TroubleLawsTests.Frame()) { TroubleLawsTests.lens(probe) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    let postbox = try #require(probe.context?.makePostbox(of: Int.self, capacity: 4))
    postbox.post(1)
    #expect(!cycle.isIdle)
    try wake(probe, cycle, loop, failing: Self.gone)
    #expect(log.lines.last == "a stop")
    try cycle.step(until: nil)
    #expect(log.lines.suffix(2) == ["a start 1", "a nil→1"])
    postbox.post(2)
    #expect(cycle.isIdle)
    try cycle.settle()
    #expect(log.lines.last == "a nil→1")
  }

  @Test("wakes that failed before the loss don't count towards the next one")
  func failedWakes() throws {
    let log = Log()
    let probe = Probe("a", log)
    let cycle = Cycle(seed: TroubleLawsTests.Frame()) { TroubleLawsTests.lens(probe) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    for _ in 0..<7 { try wake(probe, cycle, loop, failing: .broken) }
    try wake(probe, cycle, loop, failing: Self.gone)
    try cycle.step(until: nil)
    #expect(log.lines.suffix(2) == ["a start 1", "a nil→1"])
    for _ in 0..<7 { try wake(probe, cycle, loop, failing: .broken) }
    #expect(log.lines.count { $0 == "a stop" } == 1)
    #expect(cycle.frame.troubles == [.failed(.broken), .lost(Self.gone), .restored, .failed(.broken)])
  }

  @Test("its alarm ends with the application")
  func alarm() throws {
    let probe = Probe("a")
    let cycle = Cycle(seed: TroubleLawsTests.Frame()) { TroubleLawsTests.lens(probe) }
    try cycle.start(on: VirtualLoop())
    probe.context?.setAlarm(.zero + .seconds(5))
    #expect(cycle.nextAlarm == .zero + .seconds(5))
    cycle.stop()
    #expect(cycle.nextAlarm == nil)
  }

  /// Watches for hardware that stays away.
  private final class Absent: Driver, ReturnWatch {
    private(set) var releases = 0
    var safeModel: Int { 0 }
    func start(showing model: Int, in context: DriverContext<Never>) throws(DriverError) { throw gone }
    func render(_ model: Int, replacing previous: Int?) throws(DriverError) {}
    func stop() {}
    func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { self }
    func acknowledge() -> Bool { false }
    func release() { releases += 1 }
  }

  @Test("the watch for its return ends with the application")
  func watch() throws {
    let driver = Absent()
    let cycle = Cycle(seed: 0) { Lens(driver, show: { $0 }, trouble: { _, _ in }) }
    let loop = VirtualLoop()
    try cycle.start(on: loop)
    for _ in 0..<5 { try cycle.step(until: loop.now + .seconds(1)) }
    #expect(driver.releases == 0)
    cycle.stop()
    #expect(driver.releases == 1)
    #expect(cycle.nextAlarm == nil)
  }
}
