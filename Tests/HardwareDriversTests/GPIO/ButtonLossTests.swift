import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A button whose edges come late, merged, or not at all.
@Suite("Button: late and lost edges")
struct ButtonLossTests {
  private func rig(
    _ generation: SimulatedChip.Generation, settings change: (inout Button.Settings) -> Void = { _ in }
  ) -> Rig<LineDriver<Button>> {
    var settings = Button.Settings()
    change(&settings)
    return Rig(generation) { Button($0, line: "GPIO17", settings: settings) }
  }

  /// The events without their moments.
  private func names(_ rig: Rig<LineDriver<Button>>) -> [String] { rig.events.withoutMoments }

  @Test(
    "what time meant is decided by the edges' stamps, however late they are read",
    arguments: SimulatedChip.Generation.allCases)
  func late(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) {
      $0.hold = .seconds(1)
      $0.doubleClick = .milliseconds(300)
    }
    try rig.run()
    // A press of 990 ms is no hold, a second press within 300 ms makes a double click, a third one of 1 s is held.
    let wave = Waveform(
      String(repeating: "_", count: 99) + String(repeating: "#", count: 20) + "__" + String(repeating: "#", count: 40)
        + String(repeating: "_", count: 100) + "#", step: .milliseconds(10))
    wave.drive(rig.chip.line("GPIO17"), on: rig.bench)
    try rig.bench.stall(for: .seconds(10))
    #expect(
      names(rig) == ["pressed", "released", "pressed", "released", "doubleClicked", "pressed", "held", "released"])
    rig.stop()
  }

  @Test(
    "two presses further apart than a double click are two clicks, though they are read at once",
    arguments: SimulatedChip.Generation.allCases
  )
  func lateClicks(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.doubleClick = .milliseconds(300) }
    try rig.run()
    Waveform("___" + String(repeating: "#", count: 30) + "___#", step: .milliseconds(10))
      .drive(rig.chip.line("GPIO17"), on: rig.bench)
    try rig.bench.stall(for: .seconds(10))
    #expect(names(rig) == ["pressed", "released", "clicked", "pressed", "released", "clicked"])
    rig.stop()
  }

  @Test(
    "a line that the kernel stops listening to amid a storm is requested anew, and the button is what it is then",
    arguments: SimulatedChip.Generation.allCases)
  func deadInterrupt(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    try storm(on: rig, generation)
    try rig.advance(900)
    #expect(rig.trial.troubles == [])
    #expect(names(rig).last != "released")
    try rig.advance(2_000)
    #expect(names(rig).suffix(3) == ["lost", "restored", "released"])
    guard case .lost(let error) = rig.trial.troubles.first else { return }
    #expect(
      "\(error)".hasPrefix(
        "cannot read the edges of lines GPIO17: no edge arrived for 1 s after a burst of lost edges, and the kernel may"
      ))
    rig.chip.line("GPIO17").drive(.low)
    try rig.advance(100)
    #expect(names(rig).last == "pressed")
    rig.stop()
  }

  @Test(
    "one storm after the other: each time the line is requested anew at once",
    arguments: SimulatedChip.Generation.allCases)
  func deadInterrupts(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    for round in 1...8 {
      try storm(on: rig, generation)
      try rig.advance(1_100)
      #expect(names(rig).suffix(3) == ["lost", "restored", "released"], "storm \(round)")
    }
    #expect(rig.trial.troubles.count == 16)
    rig.stop()
  }

  /// A storm on a pressed button. At its end the kernel stops listening to the line, and the button is released.
  private func storm(on rig: Rig<LineDriver<Button>>, _ generation: SimulatedChip.Generation) throws {
    rig.chip.mergesEdges = true
    rig.chip.edgeQueueDepth = 16
    let line = rig.chip.line("GPIO17")
    line.drive(.low)
    try rig.advance(10)
    // Two edges in a row that merge look like one of the same kind; those that overflow a queue are counted.
    let storm = Array(repeating: generation == .first ? [Level.high, .low] : [.high], count: 150)
    for (round, levels) in storm.enumerated() {
      rig.bench.plan(at: rig.bench.now + .milliseconds(12 * round)) { for level in levels { line.drive(level) } }
      rig.bench.plan(at: rig.bench.now + .milliseconds(12 * round + 6)) { line.drive(.low) }
    }
    if generation == .first { try rig.advance(1_800) } else { try rig.bench.stall(for: .milliseconds(1_800)) }
    line.loseInterrupt()
    line.drive(.high)
  }

  @Test(
    "41 edges while the reader sleeps are reported as lost, and the button is pressed afterwards",
    arguments: SimulatedChip.Generation.allCases)
  func overflow(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    rig.chip.edgeQueueDepth = 16
    try rig.run()
    let wave = Waveform(String(repeating: "_#", count: 20) + "_", step: .milliseconds(10))
    wave.drive(rig.chip.line("GPIO17"), on: rig.bench)
    try rig.bench.stall(for: .seconds(2))
    try rig.advance(100)
    let lost = names(rig).filter { $0.hasPrefix("edgesLost") }
    switch generation {
    case .first: #expect(lost == ["edgesLost(nil)"])
    case .second: #expect(lost == ["edgesLost(Optional(25))"])
    }
    #expect(names(rig).last { $0 == "pressed" || $0 == "released" } == "pressed")
    rig.chip.line("GPIO17").drive(nil)
    try rig.advance(100)
    // The first generation doesn't know how this press began, so it is no click.
    #expect(names(rig).last == (generation == .first ? "released" : "clicked"))
    rig.stop()
  }

  @Test("40 edges while the reader sleeps leave the button released", arguments: SimulatedChip.Generation.allCases)
  func evenOverflow(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    Waveform(String(repeating: "_#", count: 20), step: .milliseconds(10)).drive(rig.chip.line("GPIO17"), on: rig.bench)
    try rig.bench.stall(for: .seconds(2))
    try rig.advance(100)
    let presses = names(rig).filter { $0 == "pressed" }.count
    #expect(presses == names(rig).filter { $0 == "released" }.count)
    #expect(names(rig).last { $0 == "pressed" || $0 == "released" } == "released")
    rig.stop()
  }

  @Test("a hold does not go on when its release was lost", arguments: SimulatedChip.Generation.allCases)
  func lostRelease(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.hold = .seconds(3) }
    try rig.run()
    // 42 edges: the first generation's queue ends with a release, the second's begins with one.
    Waveform(String(repeating: "_#", count: 21), step: .milliseconds(10)).drive(rig.chip.line("GPIO17"), on: rig.bench)
    try rig.bench.stall(for: .seconds(1))
    try rig.advance(10_000)
    #expect(!names(rig).contains("held"))
    rig.stop()
  }

  @Test(
    "edges that merged are reported as lost where two of a kind meet, and the state is right",
    arguments: SimulatedChip.Generation.allCases)
  func merged(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.debounce = .zero }
    try rig.run()
    let line = rig.chip.line("GPIO17")
    rig.chip.mergesEdges = true
    line.drive(.low)
    try rig.advance(10)
    // Up and down again in one moment: only the second is seen, and it is of the first one's kind.
    line.drive(.high)
    line.drive(.low)
    try rig.advance(10)
    line.drive(nil)
    try rig.advance(10)
    #expect(rig.events == ["pressed@0", "edgesLost(nil)@10", "released@20"])
    rig.stop()
  }

  @Test("edges that merge amid bounces don't make a press of noise")
  func noise() throws {
    let rig = rig(.first)
    try rig.run()
    rig.chip.mergesEdges = true
    let line = rig.chip.line("GPIO17")
    for level in [Level.low, .high, .low] { line.drive(level) }
    try rig.advance(1)
    for level in [Level.high, .low] { line.drive(level) }
    try rig.advance(2)
    line.drive(nil)
    try rig.advance(100)
    #expect(rig.events == [])
    rig.stop()
  }

  @Test("more edges than the queue holds within the period are bounces, not a loss")
  func storm() throws {
    let rig = rig(.first)
    try rig.run()
    Waveform(String(repeating: "_#", count: 20) + "_", step: .microseconds(50))
      .drive(rig.chip.line("GPIO17"), on: rig.bench)
    try rig.bench.stall(for: .milliseconds(3))
    try rig.advance(100)
    #expect(names(rig) == ["pressed"])
    rig.stop()
  }

  @Test(
    "edges that can't be read are read later; a line that stays unreadable is taken anew",
    arguments: SimulatedChip.Generation.allCases)
  func unreadable(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.debounce = .zero }
    try rig.run()
    let error = DriverError(.failed, cannot: "read line GPIO17", reason: "input/output error", remedy: "Look at dmesg.")
    rig.chip.nextReadError = error
    rig.chip.line("GPIO17").drive(.low)
    try rig.advance(1)
    #expect(rig.events == ["failed@0", "pressed@0", "restored@0"])
    rig.trial.onEntry = { [chip = rig.chip] entry in if case .trouble(.lost) = entry { chip.lastingReadError = nil } }
    rig.chip.lastingReadError = error
    rig.chip.line("GPIO17").drive(.high)
    try rig.advance(1)
    #expect(rig.events == ["failed@0", "pressed@0", "restored@0", "failed@1", "lost@1", "released@1", "restored@1"])
    rig.stop()
  }

  @Test(
    "lines that can be requested but never read are tried less and less often",
    arguments: SimulatedChip.Generation.allCases)
  func neverReadable(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    rig.chip.lastingReadError = DriverError(
      .failed, cannot: "read line GPIO17", reason: "input/output error", remedy: "Look at dmesg.")
    let line = rig.chip.line("GPIO17")
    for second in 0..<300 {
      line.drive(second.isMultiple(of: 2) ? .low : .high)
      try rig.advance(1000)
    }
    #expect((2...20).contains(rig.chip.requestCount), "\(rig.chip.requestCount) requests in 300 s")
    #expect(rig.events.count <= 60, "\(rig.events.count) events in 300 s")
    rig.chip.lastingReadError = nil
    try rig.advance(60_000)
    #expect(rig.events.last?.prefix { $0 != "@" } == "restored")
    rig.stop()
  }
}
