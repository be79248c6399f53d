import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("PulseCounter")
struct PulseCounterTests {
  private final class Meter {
    var source: SimulatedPulseSource!
  }

  private func rig(
    _ generation: SimulatedChip.Generation, _ meter: Meter,
    settings change: (inout PulseCounter.Settings) -> Void = { _ in }
  ) -> Rig<LineDriver<PulseCounter>> {
    var settings = PulseCounter.Settings()
    change(&settings)
    return Rig(
      generation,
      prepare: { bench, chip in meter.source = SimulatedPulseSource(bench, line: chip.line("GPIO24")) },
      driver: { PulseCounter($0, line: "GPIO24", settings: settings) })
  }

  @Test(
    "the rate is that of the pulses, by their time stamps, and 0 after the silence",
    arguments: SimulatedChip.Generation.allCases)
  func rate(generation: SimulatedChip.Generation) throws {
    let meter = Meter()
    let rig = rig(generation, meter)
    try rig.run()
    try rig.advance(1000)
    #expect(rig.events == [] && rig.trial.found.map(\.event) == [.rate(0)])
    meter.source.hertz = 40
    // The first pulse is at 1012.5 ms, so the first rate is at 2012.5 ms.
    try rig.advance(3500)
    #expect(rig.events == ["rate(40.0)@2012+500000ns"])
    meter.source.hertz = 0
    try rig.advance(10000)
    // The last pulse is at 4487.5 ms.
    #expect(rig.events == ["rate(40.0)@2012+500000ns", "rate(0.0)@6487+500000ns"])
    rig.stop()
  }

  @Test(
    "a pulse that is slower than the interval is reported when it arrives", arguments: SimulatedChip.Generation.allCases
  )
  func slow(generation: SimulatedChip.Generation) throws {
    let meter = Meter()
    let rig = rig(generation, meter) { $0.silence = .seconds(10) }
    try rig.run()
    meter.source.hertz = 1
    try rig.advance(4000)
    meter.source.hertz = 0.25
    try rig.advance(9000)
    #expect(rig.events == ["rate(1.0)@1500", "rate(0.4)@6000", "rate(0.25)@10000"], "\(rig.events)")
    rig.stop()
  }

  @Test("a line at rest causes no wake-up")
  func rest() throws {
    let meter = Meter()
    let rig = rig(.second, meter)
    try rig.run()
    meter.source.send(3)
    try rig.advance(10_000)
    #expect(rig.cycle.nextAlarm == nil)
    rig.stop()
  }

  @Test("a sum counts each pulse, and reports once per interval", arguments: SimulatedChip.Generation.allCases)
  func total(generation: SimulatedChip.Generation) throws {
    let meter = Meter()
    let rig = rig(generation, meter) { $0.measure = .total }
    try rig.run()
    try rig.advance(500)
    meter.source.send(1)
    try rig.advance(2000)
    meter.source.send(100)
    try rig.advance(3000)
    #expect(rig.events == ["total(1)@501", "total(2)@2501", "total(101)@3501"], "\(rig.events)")
    #expect(meter.source.count == 101)
    rig.stop()
  }

  @Test("a bouncing contact is one pulse with a debounce time")
  func bounces() throws {
    let meter = Meter()
    let rig = rig(.second, meter) {
      $0.measure = .total
      $0.debounce = .milliseconds(3)
    }
    try rig.run()
    Waveform("###_#_#______#_####", step: .milliseconds(1)).drive(rig.chip.line("GPIO24"), on: rig.bench)
    try rig.advance(100)
    #expect(rig.events == ["total(1)@10"], "\(rig.events)")
    rig.stop()
  }

  @Test("a pulse counter keeps the laws", arguments: SimulatedChip.Generation.allCases)
  func laws(generation: SimulatedChip.Generation) {
    // A sum has no law of lost events: the lost pulses are missing in it.
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { ChipLawHarness(SimulatedChip($0, generation: generation), inputs: ["GPIO24"]) },
      device: { PulseCounter($0.chip, line: "GPIO24", settings: .init(interval: .milliseconds(10))) })
    #expect(violations == [])
  }

  @Test("numbers that no pulses give are refused")
  func refused() {
    let counter = PulseCounter(SimulatedChip(Bench(seed: 0)), line: "GPIO24")
    #expect(counter.refusal(of: .rate(-1)) != nil && counter.refusal(of: .rate(.nan)) != nil)
    #expect(counter.refusal(of: .total(-1)) != nil && counter.refusal(of: .edgesLost(-2)) != nil)
    #expect(counter.refusal(of: .rate(0)) == nil && counter.refusal(of: .total(0)) == nil)
  }
}
