import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("RotaryEncoder")
struct RotaryEncoderTests {
  private func rig(
    _ generation: SimulatedChip.Generation, settings change: (inout RotaryEncoder.Settings) -> Void = { _ in }
  ) -> Rig<LineDriver<RotaryEncoder>> {
    var settings = RotaryEncoder.Settings()
    change(&settings)
    return Rig(generation) { RotaryEncoder($0, lines: ("GPIO5", "GPIO6"), settings: settings) }
  }

  private func knob(_ rig: Rig<LineDriver<RotaryEncoder>>) -> Knob {
    Knob(rig.bench, a: rig.chip.line("GPIO5"), b: rig.chip.line("GPIO6"))
  }

  @Test(
    "a knob that is turned tells each detent with the moment of its last edge",
    arguments: SimulatedChip.Generation.allCases)
  func turning(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    try rig.advance(5)
    try knob(rig).turn(by: 2)
    try knob(rig).turn(by: -1)
    #expect(rig.events == ["clockwise@8", "clockwise@12", "counterclockwise@16"])
    rig.stop()
  }

  @Test("a half-period encoder has two detents where another has one", arguments: SimulatedChip.Generation.allCases)
  func halfPeriod(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.resolution = .halfPeriod }
    try rig.run()
    try rig.advance(5)
    try knob(rig).turn(by: 1)
    #expect(rig.events == ["clockwise@6", "clockwise@8"])
    rig.stop()
  }

  @Test(
    "a knob with so many edges from one detent to the next is one event a detent, whichever way it is turned",
    arguments: [(4, .fullPeriod), (2, .halfPeriod), (1, .quarterPeriod)] as [(Int, RotaryEncoder.Resolution)])
  func edges(edges: Int, resolution: RotaryEncoder.Resolution) throws {
    let rig = rig(.second) { $0.resolution = resolution }
    try rig.run()
    try rig.advance(5)
    let knob = Knob(rig.bench, a: rig.chip.line("GPIO5"), b: rig.chip.line("GPIO6"), edges: edges)
    try knob.turn(by: 3)
    try knob.turn(by: -2)
    try knob.turn(by: 1)
    #expect(
      rig.events == [
        "clockwise@8", "clockwise@12", "clockwise@16", "counterclockwise@20", "counterclockwise@24", "clockwise@28",
      ])
    rig.stop()
  }

  @Test("bounces drawn on both lines cancel out", arguments: SimulatedChip.Generation.allCases)
  func bouncing(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    try rig.advance(5)
    let step = Duration.microseconds(100)
    Waveform("##_#_#_______#_#_#########", step: step).drive(rig.chip.line("GPIO5"), on: rig.bench)
    Waveform("#########_#_______#_#_####", step: step).drive(rig.chip.line("GPIO6"), on: rig.bench)
    try rig.advance(10)
    #expect(rig.events == ["clockwise@6+800000ns"])
    rig.stop()
  }

  @Test("a turn that is read late is read whole", arguments: SimulatedChip.Generation.allCases)
  func late(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    try rig.advance(5)
    let step = Duration.milliseconds(1)
    Waveform("#__##__##", step: step).drive(rig.chip.line("GPIO5"), on: rig.bench)
    Waveform("##__##__#", step: step).drive(rig.chip.line("GPIO6"), on: rig.bench)
    try rig.bench.stall(for: .seconds(1))
    #expect(rig.events.withoutMoments == ["clockwise", "clockwise"])
    rig.stop()
  }

  @Test("edges that are lost are told, and the next detent counts again", arguments: SimulatedChip.Generation.allCases)
  func lost(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    rig.chip.edgeQueueDepth = generation == .first ? 16 : 32
    try rig.run()
    let turns = 30
    let step = Duration.milliseconds(1)
    Waveform(String(repeating: "#__#", count: turns) + "##", step: step).drive(rig.chip.line("GPIO5"), on: rig.bench)
    Waveform(String(repeating: "##__", count: turns) + "##", step: step).drive(rig.chip.line("GPIO6"), on: rig.bench)
    try rig.bench.stall(for: .seconds(1))
    let before = rig.events
    #expect(before.count < turns)
    if generation == .second { #expect(before.contains { $0.hasPrefix("edgesLost") }) }
    #expect(!before.contains { $0.hasPrefix("counterclockwise") })
    try knob(rig).turn(by: 1)
    #expect(rig.events.dropFirst(before.count).withoutMoments == ["clockwise"])
    rig.stop()
  }

  @Test(
    "a knob that is turned while the chip is away begins where it is when the chip is back",
    arguments: SimulatedChip.Generation.allCases)
  func restored(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    try rig.advance(5)
    try knob(rig).turn(by: 1)
    rig.chip.unplug()
    try rig.advance(1)
    // Half of a detent, unseen.
    rig.chip.line("GPIO5").drive(.low)
    rig.chip.line("GPIO6").drive(.low)
    rig.chip.plug()
    try rig.advance(6)
    rig.chip.line("GPIO5").drive(nil)
    try rig.advance(1)
    rig.chip.line("GPIO6").drive(nil)
    try rig.advance(1)
    try knob(rig).turn(by: 1)
    #expect(
      rig.events.withoutMoments == ["clockwise", "lost", "restored", "clockwise", "clockwise"])
    rig.stop()
  }

  @Test("lines that are still rising when they are requested are no turn", arguments: SimulatedChip.Generation.allCases)
  func slowRise(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { $0.resolution = .quarterPeriod }
    let lines = [rig.chip.line("GPIO5"), rig.chip.line("GPIO6")]
    for (line, millisecond) in zip(lines, [2, 3]) {
      line.drive(.low)
      rig.bench.plan(at: .zero + .milliseconds(millisecond)) { line.drive(nil) }
    }
    try rig.run()
    try rig.advance(1000)
    #expect(rig.events == [])
    rig.stop()
  }
}
