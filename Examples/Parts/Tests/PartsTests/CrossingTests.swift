import CycleCore
import HardwareDrivers
import HardwareSimulation
import Parts
import Testing

@Suite("A driver with lines on two chips")
struct CrossingTests {
  @Test("lamps on one chip blink, and the barrier on the other tells that it is down")
  func twoChips() throws {
    let bench = Bench()
    let (header, expander) = (SimulatedChip(bench), SimulatedChip(bench, label: "expander", names: ["P0", "P1"]))
    let end = expander.contact(at: "P1")
    let trial = DriverBench(
      Crossing(lamps: (header, "GPIO23", "GPIO24"), barrier: (expander, motor: "P0", end: "P1")), showing: .open,
      on: bench)
    try trial.start()
    try trial.show(.closed)
    var picture = ""
    for _ in 0..<4 {
      picture += header.line("GPIO23").level == .high ? "#" : "_"
      try bench.advance(by: .milliseconds(500))
    }
    #expect(picture == "#_#_")
    #expect(expander.line("P0").level == .high)
    try end.press()
    try bench.advance(by: .milliseconds(10))
    #expect(trial.events.map(\.event) == [.barrier(.on)])
    trial.stop()
    #expect(header.heldLines + expander.heldLines == 0)
  }

  @Test("it keeps the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.open, .closed, .open],
      setup: { ChipLawHarness(SimulatedChip($0), inputs: ["GPIO17"], outputs: ["GPIO23", "GPIO24", "GPIO25"]) },
      driver: {
        Crossing(lamps: ($0.chip, "GPIO23", "GPIO24"), barrier: ($0.chip, motor: "GPIO25", end: "GPIO17"))
      })
    #expect(violations == [])
  }
}
