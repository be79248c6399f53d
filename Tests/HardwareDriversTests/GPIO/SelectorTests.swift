import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Selector")
struct SelectorTests {
  private static let lines: [LineName?] = ["GPIO5", "GPIO6", nil, "GPIO13"]

  private final class Bank {
    var selector: SimulatedSelector!
  }

  private func rig(
    _ generation: SimulatedChip.Generation, at position: Int = 0, knows known: Int? = nil, _ bank: Bank
  ) -> Rig<LineDriver<Selector>> {
    Rig(
      generation,
      prepare: { bench, chip in
        bank.selector = SimulatedSelector(
          bench, contacts: Self.lines.map { $0.map { chip.contact(at: $0) } }, at: position)
      },
      driver: { Selector($0, lines: Self.lines, position: known) })
  }

  @Test("a position counts when only its contact is closed", arguments: SimulatedChip.Generation.allCases)
  func positions(generation: SimulatedChip.Generation) throws {
    let bank = Bank()
    let rig = rig(generation, bank)
    try rig.run()
    #expect(rig.trial.found.map(\.event) == [.selected(0)] && rig.events == [])
    try bank.selector.select(1)
    try rig.advance(100)
    #expect(rig.events == ["selected(1)@5"])
    bank.selector.gap = .milliseconds(30)
    try bank.selector.select(3)
    try rig.advance(100)
    #expect(rig.events == ["selected(1)@5", "selected(3)@135"])
    rig.stop()
  }

  @Test("both contacts closed between two positions keep the last one", arguments: SimulatedChip.Generation.allCases)
  func overlap(generation: SimulatedChip.Generation) throws {
    let bank = Bank()
    let rig = rig(generation, bank)
    try rig.run()
    (bank.selector.makesBeforeBreaks, bank.selector.gap) = (true, .milliseconds(200))
    try bank.selector.select(1)
    #expect(rig.events == [])
    try rig.advance(20)
    #expect(rig.events == ["selected(1)@205"])
    rig.stop()
  }

  @Test(
    "the position without a line counts after the gap time, and a shorter gap is none",
    arguments: SimulatedChip.Generation.allCases)
  func open(generation: SimulatedChip.Generation) throws {
    let bank = Bank()
    let rig = rig(generation, bank)
    try rig.run()
    try bank.selector.select(2)
    try rig.advance(54)
    #expect(rig.events == [])
    try rig.advance(46)
    #expect(rig.events == ["selected(2)@55"])
    try bank.selector.select(3)
    try rig.advance(40)
    bank.selector.gap = .milliseconds(49)
    try bank.selector.select(0)
    try rig.advance(20)
    #expect(rig.events == ["selected(2)@55", "selected(3)@105", "selected(0)@194"])
    rig.stop()
  }

  @Test("a bouncing selector gives one event for each move", arguments: SimulatedChip.Generation.allCases)
  func bounces(generation: SimulatedChip.Generation) throws {
    let bank = Bank()
    let rig = rig(generation, bank)
    try rig.run()
    bank.selector.bounce(for: .milliseconds(4))
    bank.selector.gap = .milliseconds(3)
    for position in [1, 3, 1, 2, 0] {
      try bank.selector.select(position)
      try rig.advance(100)
    }
    #expect(rig.trial.entries.count == 5, "\(rig.events)")
    rig.stop()
  }

  @Test("a position that was known before is no event, and another one is", arguments: [0, 1])
  func known(position: Int) throws {
    let bank = Bank()
    let rig = rig(.second, knows: position, bank)
    try rig.run()
    try rig.advance(100)
    #expect(rig.events.count == position, "\(rig.events)")
    rig.stop()
  }

  @Test("a selector that is turned while the chip is gone reports its position afterwards")
  func loss() throws {
    let bank = Bank()
    let rig = rig(.second, bank)
    try rig.run()
    rig.chip.unplug()
    try rig.advance(100)
    try bank.selector.select(3)
    rig.chip.plug()
    try rig.advance(5000)
    #expect(rig.events.last?.hasPrefix("selected(3)@") == true, "\(rig.events)")
    rig.stop()
  }

  @Test("a selector keeps the laws", arguments: SimulatedChip.Generation.allCases)
  func laws(generation: SimulatedChip.Generation) {
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { ChipLawHarness(SimulatedChip($0, generation: generation), inputs: ["GPIO5", "GPIO6", "GPIO13"]) },
      device: { Selector($0.chip, lines: Self.lines) })
    #expect(violations == [])
  }

  @Test("a position that does not exist is refused")
  func refused() {
    let chip = SimulatedChip(Bench(seed: 0))
    let selector = Selector(chip, lines: Self.lines)
    #expect(selector.refusal(of: .selected(4)) == "there is no position 4 of 4")
    #expect(selector.refusal(of: .selected(-1)) != nil && selector.refusal(of: .selected(3)) == nil)
    #expect(selector.refusal(of: .edgesLost(-1)) != nil)
  }
}
