import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Edges that wait for room in a lane")
struct EdgeRoomTests {
  @Test("however few events fit, none is lost: the other edges wait in the kernel's queue", arguments: [2, 4, 8])
  func room(laneCapacity: Int) throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let button = Button(chip, line: "GPIO17", settings: .init(debounce: .zero))
    let cycle = Cycle(seed: [String]()) {
      Lens(
        LineDriver(button), on: { $0.append("\($1)") }, trouble: { $0.append("\($1)") }, laneCapacity: laneCapacity)
    }
    try bench.run(cycle)
    try bench.advance(by: .seconds(1))
    // All six edges wait when the cycle comes to read them.
    for _ in 0..<3 {
      chip.line("GPIO17").drive(.low)
      chip.line("GPIO17").drive(.high)
    }
    try bench.advance(by: .milliseconds(1))
    #expect(cycle.frame == (0..<3).flatMap { _ in ["pressed", "released", "clicked"] })
    bench.stop()
  }
}
