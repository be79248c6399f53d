import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("TM1637")
struct TM1637Tests {
  private final class Stand {
    let bench: Bench
    let chip: SimulatedChip
    let display: SimulatedTM1637
    let trial: DriverBench<LineDriver<TM1637>>

    init(_ model: SegmentText, digitCount: Int = 4, seed: UInt64 = 0) {
      bench = Bench(seed: seed)
      chip = SimulatedChip(bench, names: ["CLK", "DIO"])
      display = SimulatedTM1637(on: chip, clock: "CLK", data: "DIO", digitCount: digitCount)
      trial = DriverBench(
        LineDriver(TM1637(chip, clock: "CLK", data: "DIO", digitCount: digitCount)), showing: model, on: bench)
    }

    func show(_ text: SegmentText, after milliseconds: Int = 20) throws {
      try trial.show(text)
      try bench.advance(by: .milliseconds(milliseconds))
    }

    func start() throws {
      try trial.start()
      try bench.advance(by: .milliseconds(20))
    }
  }

  @Test("each text is shown, by the edges of two lines", arguments: 1...6)
  func texts(digitCount: Int) throws {
    let stand = Stand(SegmentText("8", isRightAligned: true, brightness: 0.5), digitCount: digitCount)
    try stand.start()
    #expect(stand.display.text == String(repeating: " ", count: digitCount - 1) + "8")
    #expect(stand.display.frame.brightness == 4.0 / 7)
    try stand.show(SegmentText("-"))
    #expect(stand.display.text.hasPrefix("-"))
    try stand.show(.blank)
    #expect(stand.display.frame.isDark)
    stand.trial.stop()
    #expect(stand.display.faults == [] && stand.trial.troubles.isEmpty)
  }

  @Test("the colon of a board with four digits")
  func colon() throws {
    let stand = Stand(SegmentText("12:34"))
    try stand.start()
    #expect(stand.display.text == "12:34")
    try stand.show(SegmentText("1234"))
    #expect(stand.display.text == "1234")
    try stand.show(SegmentText("12.34"))
    #expect(stand.display.text == "12:34")
    stand.trial.stop()
    #expect(stand.display.frame.isDark && stand.display.faults == [])
  }

  @Test("a chip that gives no acknowledgement is reported once, and shows the newest text when it is back")
  func silence() throws {
    for seed in 0..<10 as Range<UInt64> {
      let stand = Stand(SegmentText("1"), seed: seed)
      try stand.start()
      stand.display.unplug()
      try stand.show(SegmentText("2"), after: 20_000)
      #expect(stand.trial.troubles.count == 1)
      if case .failed(let error)? = stand.trial.troubles.first {
        #expect("\(error)".hasPrefix("cannot write to the TM1637 on CLK and DIO: it gives no acknowledgement"))
      }
      stand.display.plug()
      try stand.show(SegmentText("3"), after: 60_000)
      #expect(stand.display.text == "3   " && stand.trial.troubles.count == 2, "seed \(seed)")
      // A cut that nothing has noticed ends with the next check.
      stand.display.unplug()
      stand.display.plug()
      #expect(stand.display.frame.isDark)
      try stand.bench.advance(by: .seconds(600))
      #expect(stand.display.text == "3   ")
      stand.trial.stop()
      #expect(stand.display.faults == [], "seed \(seed)")
    }
  }

  @Test("a TM1637 follows the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [SegmentText("12:34"), SegmentText("-3", isRightAligned: true), SegmentText("8888", brightness: 0)],
      setup: { (bench: Bench) -> ChipLawHarness in
        let chip = SimulatedChip(bench, names: ["CLK", "DIO"])
        let display = SimulatedTM1637(on: chip, clock: "CLK", data: "DIO")
        return ChipLawHarness(
          chip, outputs: ["CLK", "DIO"], picture: { "\(display.text) \(display.frame.brightness)" },
          settlingTime: .milliseconds(50),
          faults: { display.faults })
      },
      device: { TM1637($0.chip, clock: "CLK", data: "DIO", check: nil) })
    #expect(violations == [])
  }
}
