import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("MachinePowerDriver")
struct MachinePowerDriverTests {
  private let bench = Bench()
  private let power: SimulatedMachinePower

  init() { power = SimulatedMachinePower(bench) }

  private func trial() -> DriverBench<MachinePowerDriver> {
    DriverBench(MachinePowerDriver(power), showing: .init(), on: bench)
  }

  private func model(_ changes: PowerChange...) -> MachinePowerDriver.Model {
    changes.reduce(into: .init()) { $0.ask(for: $1) }
  }

  private func texts(_ troubles: [Trouble]) -> [String] {
    troubles.map { if case .failed(let error) = $0 { "\(error)" } else { "\($0)" } }
  }

  @Test("each request of the model is made once, and taken without a wake-up after it")
  func taken() throws {
    let trial = trial()
    try trial.start()
    #expect(power.requestCount == 0 && trial.cycle.nextAlarm == nil)
    try trial.show(model(.off))
    try bench.advance(by: .seconds(10))
    try trial.show(model(.off))
    try trial.show(model(.off, .restart))
    try bench.advance(by: .seconds(10))
    #expect(power.taken == [.off, .restart] && power.requestCount == 2)
    #expect(trial.troubles == [] && trial.cycle.nextAlarm == nil)
  }

  @Test("the first model may have a request")
  func atStart() throws {
    let trial = DriverBench(MachinePowerDriver(power), showing: model(.restart), on: bench)
    try trial.start()
    try bench.advance(by: .seconds(1))
    #expect(power.taken == [.restart])
  }

  @Test("a request that no service takes within 5 s is taken back, reported once, and has no effect later")
  func refused() throws {
    power.answerTime = nil
    let trial = trial()
    try trial.start()
    try trial.show(model(.off))
    try bench.advance(by: .milliseconds(4999))
    #expect(trial.troubles == [] && power.waiting == .off)
    try bench.advance(by: .milliseconds(1))
    #expect(power.waiting == nil)
    #expect(
      texts(trial.troubles) == [
        "cannot turn the machine off: no service has taken the request within 5 s. Enable it with "
          + "`sudo systemctl enable --now panel-power@NAME.path`, where NAME is the name of the panel."
      ])
    try trial.show(model(.off, .restart))
    try bench.advance(by: .seconds(60))
    #expect(trial.troubles.count == 2 && power.taken == [] && trial.cycle.nextAlarm == nil)
    power.answerTime = .milliseconds(4000)
    try trial.show(model(.off, .restart, .off))
    try bench.advance(by: .seconds(60))
    #expect(power.taken == [.off] && trial.troubles.last == .restored)
  }

  @Test("a request that can't be left is reported, and not repeated by itself")
  func failing() throws {
    let trial = trial()
    try trial.start()
    power.unplug()
    try trial.show(model(.off))
    try bench.advance(by: .seconds(600))
    #expect(power.requestCount == 1)
    #expect(
      texts(trial.troubles) == [
        "cannot turn the machine off: this program is not run as a service. "
          + "Install the package, and run the panel as `panel@NAME`."
      ])
    power.plug()
    try bench.advance(by: .seconds(600))
    #expect(power.requestCount == 1 && power.taken == [])
    power.lastingError = MachinePowerErrorFactory().failed(
      .restart, .failed, "/run/panel/x: no space left on device",
      cause: DriverError.Cause(function: "open", name: "ENOSPC", number: 28))
    try trial.show(model(.off, .restart))
    #expect(trial.troubles.count == 2 && trial.cycle.nextAlarm == nil)
  }

  @Test("a later request replaces one that was not taken")
  func replaced() throws {
    power.answerTime = .seconds(2)
    let trial = trial()
    try trial.start()
    try trial.show(model(.off))
    try bench.advance(by: .seconds(1))
    try trial.show(model(.off, .restart))
    try bench.advance(by: .seconds(60))
    #expect(power.taken == [.restart] && trial.troubles == [])
  }

  @Test("a driver that stops takes its request back, and one that starts takes back that of a killed program")
  func stops() throws {
    power.answerTime = nil
    let first = trial()
    try first.start()
    try first.show(model(.off))
    first.stop()
    #expect(power.waiting == nil)

    let other = Bench()
    let left = SimulatedMachinePower(other)
    left.answerTime = nil
    try left.ask(for: .off)
    try DriverBench(MachinePowerDriver(left), showing: .init(), on: other).start()
    #expect(left.waiting == nil)
  }
}
