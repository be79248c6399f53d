import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Switch")
struct SwitchTests {
  private func rig(
    _ generation: SimulatedChip.Generation, lineAtStart: Level? = nil,
    settings change: (inout Switch.Settings) -> Void = { _ in }
  ) -> Rig<LineDriver<Switch>> {
    var settings = Switch.Settings()
    change(&settings)
    return Rig(
      generation, prepare: { _, chip in chip.line("GPIO27").drive(lineAtStart) },
      driver: { Switch($0, line: "GPIO27", settings: settings) })
  }

  @Test("a position counts after the debounce period", arguments: SimulatedChip.Generation.allCases)
  func positions(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    try rig.run()
    Waveform("##_#________#_#######", step: .milliseconds(1)).drive(rig.chip.line("GPIO27"), on: rig.bench)
    try rig.advance(40)
    #expect(rig.events == ["on@9", "off@19"])
    rig.stop()
  }

  @Test("on and off can have different periods", arguments: SimulatedChip.Generation.allCases)
  func directions(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) { ($0.debounce, $0.offDebounce) = (.zero, .milliseconds(20)) }
    try rig.run()
    // On from 5 ms. Off at 25 ms for 5 ms only, and then at 35 ms.
    Waveform("#____#_#", step: .milliseconds(5)).drive(rig.chip.line("GPIO27"), on: rig.bench)
    try rig.advance(80)
    #expect(rig.events == ["on@5", "off@55"])
    rig.stop()
  }

  @Test("a period of minutes doesn't hide the position at the start", arguments: SimulatedChip.Generation.allCases)
  func longPeriod(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation, lineAtStart: .low) { $0.debounce = .seconds(1800) }
    try rig.run()
    #expect(rig.trial.found.map(\.event) == [.on])
    rig.chip.line("GPIO27").drive(.high)
    try rig.advance(1_799_000)
    #expect(rig.events == [])
    try rig.advance(2000)
    #expect(rig.events.count == 1)
    rig.stop()
  }

  @Test(
    "the position of a switch at the start is found, and is no event", arguments: SimulatedChip.Generation.allCases)
  func initial(generation: SimulatedChip.Generation) throws {
    let on = rig(generation, lineAtStart: .low)
    try on.run()
    #expect(on.events == [])
    #expect(on.trial.found.map(\.event) == [.on])
    on.stop()
    let off = rig(generation)
    try off.run()
    #expect(off.events == [])
    #expect(off.trial.found.map(\.event) == [.off])
    off.stop()
  }

  @Test("a switch to the supply is on at high voltage", arguments: SimulatedChip.Generation.allCases)
  func activeHigh(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation) {
      $0.bias = .pullDown
      $0.isActiveLow = false
    }
    try rig.run()
    let contact = rig.chip.contact(at: "GPIO27", closed: .high)
    try contact.press()
    try rig.advance(10)
    try contact.release()
    try rig.advance(10)
    #expect(rig.events == ["on@5", "off@15"])
    rig.stop()
  }

  @Test("after lost edges the position is right", arguments: SimulatedChip.Generation.allCases)
  func lost(generation: SimulatedChip.Generation) throws {
    let rig = rig(generation)
    rig.chip.edgeQueueDepth = 16
    try rig.run()
    Waveform(String(repeating: "_#", count: 20) + "_", step: .milliseconds(10))
      .drive(rig.chip.line("GPIO27"), on: rig.bench)
    try rig.bench.stall(for: .seconds(2))
    try rig.advance(100)
    #expect(rig.events.contains { $0.hasPrefix("edgesLost") })
    #expect(rig.events.last { !$0.hasPrefix("edgesLost") }?.hasPrefix("on@") == true)
    rig.stop()
  }
}
