import ColourLamp
import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("A lamp of three colours")
struct ColourLampTests {
  private let names: [LineName] = ["GPIO17", "GPIO27", "GPIO22"]

  private func lamp(_ chip: any GPIOChip) -> ColourLamp {
    ColourLamp(chip, red: names[0], green: names[1], blue: names[2])
  }

  @Test("each colour is at its line")
  func colours() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let trial = DriverBench(lamp(chip), showing: .steady(.red), on: bench)
    try trial.start()
    var levels = [names.map { chip.line($0).level }]
    for colour in [Colour.green, .blue, .white, .off] {
      try trial.show(.steady(colour))
      levels.append(names.map { chip.line($0).level })
    }
    #expect(
      levels == [
        [.high, .low, .low], [.low, .high, .low], [.low, .low, .high], [.high, .high, .high], [.low, .low, .low],
      ])
    trial.stop()
  }

  @Test("a mixture is made by switching each line for its share of the time")
  func mixture() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let trial = DriverBench(lamp(chip), showing: .steady(Colour(red: 0.2, green: 0.6)), on: bench)
    try trial.start()
    var lit = [0, 0, 0]
    for _ in 0..<100 {
      for (place, name) in names.enumerated() where chip.line(name).level == .high { lit[place] += 1 }
      try bench.advance(by: .milliseconds(1))
    }
    #expect(lit == [20, 60, 0])
    trial.stop()
  }

  @Test("it blinks in the colour, lit first")
  func blinking() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let trial = DriverBench(lamp(chip), showing: .blinking(Colour(red: 1, blue: 1), .milliseconds(100)), on: bench)
    try trial.start()
    var waves = ["", "", ""]
    for _ in 0..<4 {
      try bench.advance(by: .milliseconds(50))
      for (place, name) in names.enumerated() { waves[place] += chip.line(name).level == .high ? "#" : "_" }
      try bench.advance(by: .milliseconds(50))
    }
    #expect(waves == ["#_#_", "____", "#_#_"])
    trial.stop()
  }

  // Colours whose lines rest: the levels of a mixture change all the time, so they are no picture of it.
  @Test("it keeps the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.steady(.red), .steady(.off), .steady(.white)],
      setup: { ChipLawHarness(SimulatedChip($0), outputs: names) },
      device: { lamp($0.chip) })
    #expect(violations == [])
  }
}
