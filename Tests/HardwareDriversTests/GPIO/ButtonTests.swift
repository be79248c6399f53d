import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Button")
struct ButtonTests {
  private func rig(
    _ generation: SimulatedChip.Generation, seed: UInt64 = 0, lineAtStart: Level? = nil,
    settings change: (inout Button.Settings) -> Void = { _ in }
  ) -> Rig<LineDriver<Button>> {
    var settings = Button.Settings()
    change(&settings)
    return Rig(
      generation, seed: seed, prepare: { _, chip in chip.line("GPIO17").drive(lineAtStart) },
      driver: { Button($0, line: "GPIO17", settings: settings) })
  }

  @Test("a press counts after the debounce period, and so does a release", arguments: SimulatedChip.Generation.allCases)
  func pressAndRelease(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    let button = rig.chip.contact(at: "GPIO17")
    try rig.advance(100)
    try button.press()
    #expect(rig.events == [])
    try rig.advance(200)
    try button.release()
    try rig.advance(200)
    #expect(rig.events == ["pressed@105", "released@305", "clicked@305"])
    rig.stop()
  }

  @Test("bounces drawn on the line are one press", arguments: SimulatedChip.Generation.allCases)
  func drawn(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.debounce = .milliseconds(3) }
    try rig.run()
    Waveform("####_#_#________#_#_####", step: .milliseconds(1)).drive(rig.chip.line("GPIO17"), on: rig.bench)
    try rig.advance(40)
    #expect(rig.events == ["pressed@11", "released@23", "clicked@23"])
    rig.stop()
  }

  @Test("without debouncing every edge counts at its own moment", arguments: SimulatedChip.Generation.allCases)
  func bare(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.debounce = .zero }
    try rig.run()
    Waveform("####_#__#", step: .milliseconds(1)).drive(rig.chip.line("GPIO17"), on: rig.bench)
    try rig.advance(40)
    #expect(
      rig.events == [
        "pressed@4", "released@5", "clicked@5", "pressed@6", "released@8", "clicked@8",
      ])
    rig.stop()
  }

  @Test("a button that is held down at the start tells its release alone", arguments: SimulatedChip.Generation.allCases)
  func heldAtStart(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation, lineAtStart: .low) { $0.hold = .milliseconds(500) }
    try rig.run()
    try rig.advance(1000)
    #expect(rig.events == [])
    rig.chip.line("GPIO17").drive(nil)
    try rig.advance(10)
    #expect(rig.events == ["released@1005"])
    #expect(rig.trial.found.map(\.event) == [.pressed])
    rig.stop()
  }

  @Test("a line that is still rising when it is requested is no press", arguments: SimulatedChip.Generation.allCases)
  func slowRise(generation: SimulatedChip.Generation) throws {
    // 100 nF across the button and the chip's 50 kOhm, which the request switches on.
    let rig = rig(generation, lineAtStart: .low)
    let line = rig.chip.line("GPIO17")
    rig.bench.plan(at: .zero + .milliseconds(3)) { line.drive(nil) }
    try rig.run()
    #expect(rig.bench.now == .zero + .milliseconds(8), "the first frame waits for the line")
    try rig.advance(1000)
    #expect(rig.events == [])
    rig.stop()
  }

  @Test(
    "the first frame waits for a contact that bounces, 100 ms at most", arguments: SimulatedChip.Generation.allCases)
  func bouncesAtStart(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    let contact = rig.chip.contact(at: "GPIO17")
    contact.chatter(for: .milliseconds(150))
    try rig.run()
    #expect(rig.bench.now == .zero + .milliseconds(100))
    try rig.advance(1000)
    #expect(rig.events == [], "that it is up is found later, and is no event")
    #expect(rig.trial.found.map(\.event) == [.released])
    #expect(!contact.isClosed)
    rig.stop()
  }

  @Test("a press is held after the time, and then no click", arguments: SimulatedChip.Generation.allCases)
  func held(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.hold = .seconds(1) }
    try rig.run()
    let button = rig.chip.contact(at: "GPIO17")
    try button.press()
    try rig.advance(1004)
    #expect(rig.events == ["pressed@5"])
    try rig.advance(1)
    #expect(rig.events == ["pressed@5", "held@1005"])
    try button.release()
    try rig.advance(100)
    #expect(rig.events == ["pressed@5", "held@1005", "released@1010"])
    rig.stop()
  }

  @Test(
    "two presses in time are a double click; a single one waits for the second",
    arguments: SimulatedChip.Generation.allCases)
  func doubleClick(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.doubleClick = .milliseconds(300) }
    try rig.run()
    let button = rig.chip.contact(at: "GPIO17")
    for _ in 0..<2 {
      try button.press()
      try rig.advance(100)
      try button.release()
      try rig.advance(100)
    }
    try rig.advance(1600)
    try button.press()
    try rig.advance(100)
    try button.release()
    try rig.advance(1000)
    #expect(
      rig.events == [
        "pressed@5", "released@105", "pressed@205", "doubleClicked@205", "released@305",
        "pressed@2005", "released@2105", "clicked@2405",
      ])
    rig.stop()
  }

  @Test(
    "a button to the supply is pressed at high voltage, with a pull-down", arguments: SimulatedChip.Generation.allCases)
  func activeHigh(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) {
      $0.bias = .pullDown
      $0.isActiveLow = false
    }
    try rig.run()
    #expect(rig.chip.line("GPIO17").level == .low)
    let button = rig.chip.contact(at: "GPIO17", closed: .high)
    try button.press()
    try rig.advance(10)
    try button.release()
    try rig.advance(10)
    #expect(rig.events == ["pressed@5", "released@15", "clicked@15"])
    rig.stop()
  }

  @Test("a button to ground is pulled up from the request on", arguments: SimulatedChip.Generation.allCases)
  func bias(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    #expect(rig.chip.line("GPIO17").level == .low)
    try rig.run()
    #expect(rig.chip.line("GPIO17").level == .high)
    #expect(rig.events == [])
    rig.stop()
  }

  @Test(
    "a contact that bounces for less than the period makes one press and one release, alike in both SimulatedChip.Generation.allCases"
  )
  func bouncing() throws {
    for seed in UInt64(0)..<500 {
      var told: [[String]] = []
      for generation in SimulatedChip.Generation.allCases {
        let rig = rig(generation, seed: seed)
        try rig.run()
        let button = rig.chip.contact(at: "GPIO17")
        button.bounce = .milliseconds(4)
        try rig.advance(10)
        try button.press()
        try rig.advance(50)
        try button.release()
        try rig.advance(50)
        told.append(rig.events)
        rig.stop()
      }
      let names = told[0].withoutMoments
      #expect(names == ["pressed", "released", "clicked"], "seed \(seed)")
      #expect(told[0] == told[1], "seed \(seed)")
      if told[0] != told[1] || names.count != 3 { return }
    }
  }

  @Test(
    "pressed again while it still bounces, it ends as it was moved last", arguments: SimulatedChip.Generation.allCases)
  func impatient(generation: SimulatedChip.Generation) throws {
    for seed in UInt64(0)..<100 {
      let rig = rig(generation, seed: seed)
      try rig.run()
      let button = rig.chip.contact(at: "GPIO17")
      button.bounce = .milliseconds(4)
      try button.press()
      try rig.advance(1)
      try button.release()
      try rig.advance(1)
      try button.press()
      try rig.advance(50)
      #expect(rig.events.withoutMoments == ["pressed"], "seed \(seed)")
      #expect(rig.chip.line("GPIO17").level == .low, "seed \(seed)")
      rig.stop()
    }
  }
}
