import CycleCore
import HardwareSimulation
import Stores
import Testing

/// What others commit is reduced at the moment of the commit, however long the time is that a test lets pass.
@Suite("Stores in virtual time")
struct StoreMomentTests {
  private struct State: Equatable, Sendable { var number = 0 }

  private struct Frame: Equatable, Sendable { var number = 0 }

  @Test("a commit is an event of its own moment", arguments: [Duration.milliseconds(1), .seconds(10)])
  func moments(step: Duration) throws {
    let (bench, store) = (Bench(), Store<State, Never>(State()))
    var seen: [String] = []
    let cycle = Cycle(seed: Frame()) {
      Lens(
        SharedStateDriver(store, show: \.number), show: { $0.number },
        on: { frame, event in if case .changed(let number) = event { frame.number = number } })
    }
    cycle.observe { frame, moment in seen.append("\(frame.number) at \(moment)") }
    try bench.run(cycle)
    store.commit { $0.update(\.number, to: 5) }
    try bench.settle()
    #expect(seen == ["5 at 0.000000000s"])
    bench.plan(at: .zero + .seconds(3)) { store.commit { $0.update(\.number, to: 6) } }
    while bench.now < .zero + .seconds(10) { try bench.advance(by: step) }
    #expect(seen == ["5 at 0.000000000s", "6 at 3.000000000s"])
    bench.stop()
  }
}
