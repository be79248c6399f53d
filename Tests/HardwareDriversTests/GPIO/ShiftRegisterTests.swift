import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("ShiftRegister")
struct ShiftRegisterTests {
  private static let lines: [LineName] = ["GPIO5", "GPIO6", "GPIO13", "GPIO19"]

  private static func device(
    _ chip: any GPIOChip, chipCount: Int = 1, hasEnable: Bool = true
  ) -> ShiftRegister {
    ShiftRegister(
      chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13", outputEnable: hasEnable ? "GPIO19" : nil,
      settings: .init(chipCount: chipCount))
  }

  private static func part(
    _ chip: SimulatedChip, chipCount: Int = 1, hasEnable: Bool = true
  ) -> SimulatedShiftRegister {
    SimulatedShiftRegister(
      chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13", outputEnable: hasEnable ? "GPIO19" : nil,
      chipCount: chipCount)
  }

  private func rig(
    showing model: LineValues, chipCount: Int = 1, hasEnable: Bool = true, seed: UInt64 = 1
  ) -> (Rig<LineDriver<ShiftRegister>>, SimulatedShiftRegister) {
    var part: SimulatedShiftRegister!
    let rig = Rig(
      seed: seed, showing: model,
      prepare: { _, chip in part = Self.part(chip, chipCount: chipCount, hasEnable: hasEnable) },
      driver: { Self.device($0, chipCount: chipCount, hasEnable: hasEnable) })
    return (rig, part)
  }

  @Test("each bit comes to its output, in a chain of 1, 2 and 8", arguments: [1, 2, 8])
  func bits(chipCount: Int) throws {
    let (rig, part) = rig(showing: [], chipCount: chipCount)
    try rig.run()
    for output in 0..<chipCount * 8 {
      var model: LineValues = []
      model[output] = .active
      try rig.show(model)
      #expect(part.levels == model)
    }
    try rig.show(LineValues(rawValue: .max))
    #expect(part.levels == .first(chipCount * 8))
    #expect(part.faults == [])
    rig.stop()
  }

  @Test("of what it has shown the newest is kept, however long it runs")
  func record() throws {
    let (rig, part) = rig(showing: [])
    try rig.run()
    for number in 1...9_000 { try rig.show(LineValues(rawValue: UInt64(number % 255))) }
    #expect((4_096...8_192).contains(part.pictures.count))
    #expect(part.pictures.last?.levels == LineValues(rawValue: 9_000 % 255))
    rig.stop()
  }

  @Test("no output is driven before the first picture: the seed's, from the first instant")
  func firstPicture() throws {
    let (rig, part) = rig(showing: LineValues(rawValue: 0b1010_0101))
    try rig.run()
    #expect(part.pictures.map(\.levels) == [[], LineValues(rawValue: 0b1010_0101)])
    #expect(part.faults == [])
    rig.stop()
  }

  @Test("with /OE wired to ground the seed is there when the driver has started")
  func withoutEnable() throws {
    let (rig, part) = rig(showing: .first(3), hasEnable: false)
    try rig.run()
    #expect(part.text == "###_____")
    #expect(part.pictures.count == 2, "what the chip has at power-up, then the seed")
    rig.stop()
  }

  @Test("a picture is one row: two writes for each output and one to latch them; an equal one is none")
  func writes() throws {
    let (rig, part) = rig(showing: .first(1), chipCount: 8)
    try rig.run()
    // The first write of the first row finds its lines as they are; the last one enables the outputs.
    #expect(rig.chip.writeCount == 129)
    try rig.show(.first(2))
    #expect(rig.chip.writeCount == 129 + 129)
    #expect(part.latchCount == 2)
    try rig.show(.first(2))
    try rig.advance(1000)
    #expect(rig.chip.writeCount == 258)
    #expect(part.pictures.map(\.levels) == [[], .first(1), .first(2)])
    rig.stop()
  }

  @Test("a write that fails, whichever it is, changes no output; the row is written again", arguments: 1...17)
  func failedWrite(number: Int) throws {
    let (rig, part) = rig(showing: LineValues(rawValue: 0b0101_0101))
    rig.chip.keepsReleasedOutputs = true
    try rig.run()
    let first = rig.chip.writeCount
    let before = part.levels
    // Fails the n-th write of the row: the one before it has just changed a line.
    var isArmed = true
    for name in Self.lines {
      rig.chip.line(name).onChange { [unowned chip = rig.chip] _, _ in
        guard isArmed, chip.writeCount - first == number - 1 else { return }
        isArmed = false
        chip.nextWriteError = DriverError(
          .failed, cannot: "set lines GPIO5", reason: "input/output error", remedy: "Look at dmesg.")
      }
    }
    if number == 1 {
      rig.chip.nextWriteError = DriverError(
        .failed, cannot: "set lines GPIO5", reason: "input/output error", remedy: "Look at dmesg.")
    }
    try rig.show(LineValues(rawValue: 0b1100_1101))
    #expect(rig.events.withoutMoments == ["failed"])
    #expect(part.levels == before)
    try rig.advance(900)
    #expect(part.levels == before)
    try rig.advance(200)
    #expect(part.levels == LineValues(rawValue: 0b1100_1101))
    #expect(part.faults == [])
    rig.stop()
    #expect(part.levels == [])
  }

  @Test("after a row that failed in its middle the model of before is written anew, not what got as far as the stages")
  func goingBack() throws {
    let (rig, part) = rig(showing: .first(4))
    try rig.run()
    rig.chip.line("GPIO6").onChange { [unowned chip = rig.chip] _, _ in
      if chip.writeCount == 25 {
        chip.nextWriteError = DriverError(
          .failed, cannot: "set lines GPIO5", reason: "input/output error", remedy: "Look at dmesg.")
      }
    }
    try rig.show(LineValues(rawValue: 0b1111_0000))
    #expect(rig.events.count == 1)
    try rig.show(.first(4))
    try rig.advance(5000)
    #expect(part.levels == .first(4))
    #expect(Set(part.pictures.map(\.levels)) == [[], .first(4)])
    rig.stop()
  }

  @Test("a chip that goes away and comes back: the model of that moment, and no output driven before it")
  func loss() throws {
    let (rig, part) = rig(showing: .first(2), chipCount: 2)
    try rig.run()
    rig.chip.unplug()
    part.powerUp()
    try rig.advance(100)
    try rig.show(.first(5))
    rig.chip.plug()
    try rig.advance(100)
    #expect(part.pictures.map(\.levels) == [[], .first(2), [], .first(5)])
    #expect(part.faults == [])
    #expect(rig.events.withoutMoments == ["lost", "restored"])
    rig.stop()
  }

  @Test("right whatever is late, fails or goes away", arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) throws {
    let chipCount = [1, 3, 8][Int(seed % 3)]
    let (rig, part) = rig(showing: LineValues(rawValue: seed), chipCount: chipCount, seed: seed)
    var chance = SeededGenerator(seed: seed)
    try rig.run()
    var model = LineValues(rawValue: seed)
    var shown: Set<LineValues> = [[], model.intersection(.first(chipCount * 8))]
    for _ in 0..<30 {
      switch Int.random(in: 0..<6, using: &chance) {
      case 0: rig.chip.unplug()
      case 1: rig.chip.plug()
      case 2:
        rig.chip.nextWriteError = DriverError(
          .failed, cannot: "set lines GPIO5", reason: "input/output error", remedy: "Look at dmesg.")
      case 3: rig.bench.lateness = .microseconds(Int.random(in: 0...30_000, using: &chance))
      case 4: try rig.bench.stall(for: .milliseconds(Int.random(in: 0...30, using: &chance)))
      default: break
      }
      model = LineValues(rawValue: chance.next())
      shown.insert(model.intersection(.first(chipCount * 8)))
      try rig.show(model)
      try rig.bench.advance(by: .microseconds(Int.random(in: 0...2_000, using: &chance)))
    }
    rig.bench.lateness = .zero
    rig.chip.nextWriteError = nil
    rig.chip.plug()
    try rig.advance(200_000)
    #expect(part.levels == model.intersection(.first(chipCount * 8)), "seed \(seed)")
    let strange = Set(part.pictures.map(\.levels)).subtracting(shown)
    #expect(strange == [], "seed \(seed): a picture that no model asked for")
    #expect(part.faults == [], "seed \(seed)")
    rig.stop()
  }

  @Test("a shift register keeps the laws", arguments: [1, 8], [true, false])
  func laws(chipCount: Int, hasEnable: Bool) {
    let violations = DriverLaws.violations(
      models: [.first(3), LineValues(rawValue: 0xA5), [], LineValues(rawValue: .max)],
      setup: { (bench: Bench) -> ChipLawHarness in
        let chip = SimulatedChip(bench)
        let part = Self.part(chip, chipCount: chipCount, hasEnable: hasEnable)
        return ChipLawHarness(chip, outputs: Self.lines, picture: { part.text }, faults: { part.faults })
      },
      device: { Self.device($0.chip, chipCount: chipCount, hasEnable: hasEnable) })
    #expect(violations == [])
  }
}
