import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("The bench")
struct BenchTests {
  /// Has itself woken at one moment for ever once it shows its safe model, and is never at rest.
  private final class Spinner: Driver {
    typealias Event = Never

    private var context: DriverContext<Never>?
    let safeModel = 0
    let isAtRest = false

    func start(showing model: Int, in context: DriverContext<Never>) throws(DriverError) { self.context = context }
    func render(_ model: Int, replacing previous: Int?) throws(DriverError) { if model == safeModel { wakeItself() } }
    func wake(_ wake: Wake) throws(DriverError) { wakeItself() }
    func stop() {}

    private func wakeItself() { context?.watcher.makeWaker().wake() }
  }

  @Test(
    "stops a driver that has itself woken for ever, and says that it did not come to rest", arguments: [false, true])
  func spinning(hasBeenAskedToStop: Bool) throws {
    let bench = Bench()
    let cycle = Cycle(seed: 1) { Lens(Spinner(), show: { $0 }) }
    try bench.run(cycle)
    if hasBeenAskedToStop { cycle.requestStop() }
    #expect(!bench.stop())
    #expect(bench.now == .zero)
  }

  /// A real clock on a busy host: each wait ends 2 ms late.
  private final class LateClock: EventLoop {
    private let loop = VirtualLoop()
    var now: Moment { loop.now }
    func pause(for span: Duration) { loop.pause(for: span) }
    func watch(_ descriptor: Int32, for lens: Int) throws(DriverError) { try loop.watch(descriptor, for: lens) }
    func unwatch(_ descriptor: Int32) { loop.unwatch(descriptor) }
    func makeDoorbell() -> any Doorbell { loop.makeDoorbell() }
    func wait(until deadline: Moment?, ready: inout ReadyList) throws(DriverError) {
      guard let deadline, deadline > now else { return }
      try loop.wait(until: deadline + .milliseconds(2), ready: &ready)
    }
  }

  @Test("what the world has planned counts from the moment that it was planned for, however late a real clock is")
  func plannedMoments() throws {
    let bench = Bench(loop: LateClock())
    let chip = SimulatedChip(bench)
    let contact = chip.contact(at: "GPIO17")
    var told: [Moment] = []
    let cycle = Cycle(seed: 0) {
      Lens(
        Switch(chip, line: "GPIO17"), found: { _, _, _ in },
        on: { frame, event, past in
          told.append(past.moment)
          frame += 1
        })
    }
    try bench.run(cycle)
    told = []
    let origin = bench.now
    var clocks: [Moment] = []
    func toggle(_ count: Int) {
      guard count > 0 else { return }
      bench.plan(at: bench.now + .milliseconds(10)) {
        clocks.append(bench.loop.now)
        try? contact.isClosed ? contact.release() : contact.press()
        toggle(count - 1)
      }
    }
    toggle(3)
    try bench.advance(by: .milliseconds(60))
    let moments = (1...3).map { origin + .milliseconds(10 * $0) }
    #expect(chip.line("GPIO17").changes.suffix(3).map(\.moment) == moments)
    #expect(zip(clocks, moments).allSatisfy { $0 > $1 }, "the clock was late")
    #expect(told == moments.map { $0 + .milliseconds(5) }, "its debouncing counts from them")
    bench.stop()
  }

  @Test("a wait that must not go on ends at the moment when all that was due has been handled")
  func earlyEnd() throws {
    let bench = Bench()
    var counts: [Int] = []
    for second in 1...5 {
      for _ in 1...2 { bench.plan(at: .zero + .seconds(second)) { counts.append(second) } }
    }
    try bench.advance(to: .zero + .seconds(9)) { counts.count < 3 }
    #expect(counts == [1, 1, 2, 2])
    #expect(bench.now == .zero + .seconds(2))
    try bench.advance(to: .zero + .seconds(9)) { false }
    #expect(bench.now == .zero + .seconds(2))
  }
}
