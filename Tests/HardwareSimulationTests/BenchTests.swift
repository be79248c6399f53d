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
}
