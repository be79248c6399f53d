import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("DimmableLamp")
struct DimmableLampTests {
  /// A lamp with a line and a channel.
  private final class Stand {
    let bench = Bench()
    let chip: SimulatedChip
    let pwm: SimulatedPWM
    let trial: DriverBench<DimmableLamp<PWMLED, LED>>

    /// The thousandths of the time for which the channel drives the line high.
    var permille: Int { Int((pwm.share * 1_000).rounded()) }

    init(hasChannel: Bool, hasLine: Bool = true) {
      let (chip, pwm) = (SimulatedChip(bench), SimulatedPWM(bench, PWMPort(line: "GPIO18"), isPlugged: hasChannel))
      (self.chip, self.pwm) = (chip, pwm)
      trial = DriverBench(
        DimmableLamp(PWMLED(pwm), orOn: hasLine ? LED(chip, line: "GPIO18") : nil), showing: .level(0.3), on: bench)
    }
  }

  @Test("the channel is used on a machine that has it, and the line is left alone")
  func channel() throws {
    let stand = Stand(hasChannel: true)
    try stand.trial.start()
    #expect(stand.permille == 300 && stand.chip.heldLines == 0)
    try stand.trial.show(.on)
    #expect(stand.pwm.share == 1)
    stand.trial.stop()
    #expect(!stand.pwm.isOpen && stand.trial.troubles.isEmpty)
  }

  @Test("the line is switched on a machine without the channel")
  func line() throws {
    let stand = Stand(hasChannel: false)
    try stand.trial.start()
    #expect(stand.chip.line("GPIO18").level == .high && stand.pwm.writeCount == 0)
    try stand.bench.advance(by: .milliseconds(3))
    #expect(stand.chip.line("GPIO18").level == .low)
    stand.trial.stop()
    #expect(stand.chip.heldLines == 0 && stand.trial.troubles.isEmpty)
  }

  @Test("a lamp that requires the channel is lost without it, and is lit when it is there")
  func required() throws {
    let stand = Stand(hasChannel: false, hasLine: false)
    try stand.trial.start()
    #expect("\(stand.trial.troubles)".contains("GPIO18 has no PWM"))
    stand.pwm.plug()
    try stand.bench.advance(by: .zero)
    #expect(stand.permille == 300)
    stand.trial.stop()
  }

  @Test("a lamp on its line stays there while the channel comes, until it is started again")
  func later() throws {
    let stand = Stand(hasChannel: false)
    try stand.trial.start()
    stand.pwm.plug()
    try stand.trial.show(.on)
    #expect(stand.chip.line("GPIO18").level == .high && !stand.pwm.isOpen)
    stand.chip.unplug()
    try stand.bench.advance(by: .milliseconds(1))
    stand.chip.plug()
    try stand.bench.advance(by: .seconds(2))
    #expect(stand.pwm.share == 1 && stand.chip.heldLines == 0)
    stand.trial.stop()
  }
}
