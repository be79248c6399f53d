import CycleCore
import HardwareDrivers
import HardwareSimulation
import Parts
import Testing

@Suite("A button with a lamp")
struct LampButtonTests {
  @Test("it is pressed while its lamp blinks, and neither disturbs the other")
  func both() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let contact = chip.contact(at: "GPIO17")
    let trial = DriverBench(
      LampButton(chip, button: "GPIO17", lamp: "GPIO23"), showing: .blink(.milliseconds(10)), on: bench)
    try trial.start()
    try bench.advance(by: .milliseconds(20))
    #expect(trial.found.map(\.event) == [.released])
    var levels: [Level] = []
    for isPressed in [true, false, true] {
      if isPressed { try contact.press() } else { try contact.release() }
      try bench.advance(by: .milliseconds(10))
      levels.append(chip.line("GPIO23").level)
    }
    #expect(trial.events.map(\.event) == [.pressed, .released, .clicked, .pressed])
    #expect(levels == [.low, .high, .low])
    trial.stop()
  }

  @Test("it keeps the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.on, .off, .on], setup: { ChipLawHarness(SimulatedChip($0), inputs: ["GPIO17"], outputs: ["GPIO23"]) },
      device: { LampButton($0.chip, button: "GPIO17", lamp: "GPIO23") })
    #expect(violations == [])
  }
}
