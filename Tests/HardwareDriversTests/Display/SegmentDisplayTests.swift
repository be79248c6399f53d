import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("SegmentDisplay")
struct SegmentDisplayTests {
  /// A MAX7219 and its driver.
  private final class SPIStand {
    let bench: Bench
    let bus: SimulatedSPIBus
    let display: SimulatedMAX7219
    let trial: DriverBench<SegmentDisplay>

    init(
      _ model: SegmentText = .blank, digitCount: Int = 8, check: Duration? = OutputProgress.checkInterval,
      seed: UInt64 = 0
    ) {
      bench = Bench(seed: seed)
      bus = SimulatedSPIBus(bench)
      display = SimulatedMAX7219(bench, digitCount: digitCount)
      bus.connect(display, at: 1)
      trial = DriverBench(
        SegmentDisplay(MAX7219(bus, chipSelect: 1, digitCount: digitCount), check: check), showing: model, on: bench)
    }

    func show(_ text: SegmentText) throws {
      try trial.show(text)
      try bench.advance(by: .milliseconds(5))
    }
  }

  /// An HT16K33 and its driver.
  private final class I2CStand {
    let bench = Bench()
    let bus: SimulatedI2CBus
    let display: SimulatedHT16K33
    let trial: DriverBench<SegmentDisplay>

    init(_ model: SegmentText, digitCount: Int = 4, check: Duration? = OutputProgress.checkInterval) {
      bus = SimulatedI2CBus(bench, clockHertz: 100_000)
      display = SimulatedHT16K33(on: bus, digitCount: digitCount)
      trial = DriverBench(
        SegmentDisplay(HT16K33(bus, digitCount: digitCount), check: check), showing: model, on: bench)
    }

    func show(_ text: SegmentText) throws {
      try trial.show(text)
      try bench.advance(by: .milliseconds(10))
    }
  }

  // MARK: - MAX7219

  @Test("the bytes of a text on a MAX7219, each register in a selection of its own")
  func bytes() throws {
    let stand = SPIStand(SegmentText("1.", brightness: 0.2), digitCount: 2)
    try stand.trial.start()
    let transfer = try #require(stand.bus.transfers.first)
    let writes = transfer.messages.compactMap { if case .write(let bytes) = $0 { bytes } else { nil } }
    #expect(
      writes == [
        [0x0F, 0], [0x09, 0], [0x0B, 3], [0x03, 0], [0x04, 0], [0x0A, 3], [0x02, 0xB0], [0x01, 0], [0x0C, 1],
      ])
    #expect(transfer.messages.count { $0 == .reselect } == writes.count - 1)
    stand.trial.stop()
    #expect(stand.display.frame.isDark && stand.display.faults == [] && stand.bus.openCount == 0)
  }

  @Test("a MAX7219 shows each text, and only the registers that differ are written", arguments: 1...8)
  func texts(digitCount: Int) throws {
    let stand = SPIStand(SegmentText("8", isRightAligned: true), digitCount: digitCount, check: nil)
    try stand.trial.start()
    try stand.bench.advance(by: .milliseconds(5))
    #expect(stand.display.text == String(repeating: " ", count: digitCount - 1) + "8")
    let before = stand.display.writeCount
    try stand.show(SegmentText("9", isRightAligned: true))
    #expect(stand.display.writeCount == before + 1)
    try stand.show(SegmentText("9", isRightAligned: true, brightness: 0))
    #expect(stand.display.writeCount == before + 2 && stand.display.frame.brightness == 0)
    let transfers = stand.bus.transferCount
    try stand.bench.advance(by: .seconds(3_600))
    #expect(stand.bus.transferCount == transfers && stand.trial.cycle.nextAlarm == nil)
    try stand.show(.blank)
    #expect(stand.display.frame.isDark)
    try stand.show(SegmentText("3"))
    #expect(stand.display.text.hasPrefix("3"))
    stand.trial.stop()
    #expect(stand.display.faults == [])
  }

  @Test("a MAX7219 whose power was cut shows its text again within 10 minutes, and no random digit before")
  func powerCut() throws {
    for seed in 0..<20 as Range<UInt64> {
      let stand = SPIStand(SegmentText("12345678"), seed: seed)
      try stand.trial.start()
      try stand.bench.advance(by: .seconds(1))
      stand.display.powerUp()
      #expect(stand.display.frame.isDark)
      try stand.bench.advance(by: .seconds(600))
      #expect(stand.display.text == "12345678", "seed \(seed)")
      stand.trial.stop()
      #expect(stand.display.faults == [], "seed \(seed)")
    }
  }

  @Test("a MAX7219 whose power was cut shows a text that changes again within a minute")
  func powerCutOfAClock() throws {
    let stand = SPIStand(SegmentText("0"))
    try stand.trial.start()
    stand.display.powerUp()
    for second in 1...62 {
      try stand.show(SegmentText("\(second)"))
      try stand.bench.advance(by: .seconds(1))
    }
    #expect(stand.display.text.hasPrefix("62"))
    stand.trial.stop()
  }

  // MARK: - HT16K33

  @Test("the bytes of a text with a colon on an HT16K33")
  func memory() throws {
    let stand = I2CStand(SegmentText("12:34", brightness: 1))
    try stand.trial.start()
    try stand.bench.advance(by: .milliseconds(10))
    let writes = stand.bus.transactions.compactMap { transaction -> [UInt8]? in
      if case .write(let bytes)? = transaction.messages.first { bytes } else { nil }
    }
    #expect(
      writes == [
        [0x21], [0xA0], [0xEF], [0, 0x06, 0, 0x5B, 0, 0x02, 0, 0x4F, 0, 0x66, 0, 0, 0, 0, 0, 0, 0], [0x81],
      ])
    #expect(stand.display.text == "12:34")
    stand.trial.stop()
    #expect(stand.display.frame.isDark && stand.display.faults == [] && stand.bus.openCount == 0)
  }

  @Test("an HT16K33 that goes away is lost, and shows the newest text when it is back, without random segments")
  func loss() throws {
    let stand = I2CStand(SegmentText("1"))
    try stand.trial.start()
    try stand.bench.advance(by: .milliseconds(10))
    stand.display.unplug()
    try stand.show(SegmentText("2"))
    #expect(stand.trial.troubles.count == 1)
    stand.display.plug()
    try stand.bench.advance(by: .seconds(2))
    #expect(stand.display.text == "2   " && stand.trial.troubles.count == 2)
    // A cut that nothing has noticed ends with the next check.
    stand.display.powerUp()
    try stand.bench.advance(by: .seconds(600))
    #expect(stand.display.text == "2   ")
    stand.trial.stop()
    #expect(stand.display.faults == [])
  }

  // MARK: - Laws

  private static let models = [
    SegmentText("12:34"), SegmentText("-3.5", isRightAligned: true), SegmentText("8888", brightness: 0.1), .blank,
    SegmentText("12345"),
  ]

  @Test("a MAX7219 follows the laws of drivers")
  func spiLaws() {
    let violations = DriverLaws.violations(
      models: Self.models,
      setup: { (bench: Bench) -> BusLawHarness<SimulatedSPIBus> in
        let bus = SimulatedSPIBus(bench)
        let display = SimulatedMAX7219(bench)
        bus.connect(display, at: 0)
        return BusLawHarness(
          bus, picture: { "\(display.text) \(display.frame.brightness)" }, showsFromStart: false,
          faults: { display.faults })
      },
      driver: { SegmentDisplay(MAX7219($0.bus), check: nil) })
    #expect(violations == [])
  }

  @Test("an HT16K33 follows the laws of drivers, also if only the board is unplugged", arguments: [false, true])
  func i2cLaws(isBoard: Bool) {
    let violations = DriverLaws.violations(
      models: Self.models,
      setup: { (bench: Bench) -> BusLawHarness<SimulatedI2CBus> in
        let bus = SimulatedI2CBus(bench)
        let display = SimulatedHT16K33(on: bus)
        let plug = { (isPlugged: Bool) in if isPlugged { display.plug() } else { display.unplug() } }
        return BusLawHarness(
          bus, plug: isBoard ? plug : nil, picture: { "\(display.text) \(display.frame.brightness)" },
          showsFromStart: false, faults: { display.faults })
      },
      driver: { SegmentDisplay(HT16K33($0.bus), check: nil) })
    #expect(violations == [])
  }
}
