import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A lamp on a simulated PWM channel.
private final class Stand {
  let bench = Bench()
  let pwm: SimulatedPWM
  let trial: DriverBench<PWMDriver<PWMLED>>

  init(
    showing model: Light<Brightness> = .off, settings: PWMLED.Settings = .init(), since: Moment? = nil,
    _ prepare: (SimulatedPWM) -> Void = { _ in }
  ) {
    let pwm = SimulatedPWM(bench, PWMPort(line: "GPIO18"))
    prepare(pwm)
    self.pwm = pwm
    trial = DriverBench(PWMDriver(PWMLED(pwm, settings: settings, since: since)), showing: model, on: bench)
  }

  /// The waves since a number of changes, as milliseconds and thousandths.
  func waves(from first: Int = 0) -> [String] {
    pwm.changes.dropFirst(first).map { change in
      let share = change.wave.map { "\(Int(($0.share * 1_000).rounded()))" } ?? "off"
      return "\(change.moment.nanoseconds / 1_000_000) \(share)"
    }
  }

  func pass(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }
}

@Suite("PWMLED")
struct PWMLEDTests {
  @Test("a level is a wave, shown from the first moment on, and off at the end")
  func level() throws {
    let stand = Stand(showing: .level(0.25))
    try stand.trial.start()
    #expect(stand.pwm.wave == PWMWave(period: .milliseconds(1), high: .microseconds(250)))
    try stand.trial.show(.on)
    #expect(stand.pwm.share == 1)
    stand.trial.stop()
    #expect(stand.waves() == ["0 250", "0 1000", "0 0", "0 off"] && !stand.pwm.isOpen)
  }

  @Test("a lamp between the supply and the line is lit while the line is low")
  func activeLow() throws {
    let stand = Stand(showing: .level(0.25), settings: .init(isActiveLow: true, hertz: 100))
    try stand.trial.start()
    #expect(stand.pwm.wave == PWMWave(period: .milliseconds(10), high: .microseconds(7_500)))
    stand.trial.stop()
  }

  @Test("a fade is written when its step changes, 50 times a second at most, and then never")
  func fade() throws {
    let stand = Stand()
    try stand.trial.start()
    try stand.trial.show(.fade(to: 1, over: .milliseconds(100)))
    try stand.pass(60_000)
    #expect(stand.waves(from: 1) == ["20 40", "40 160", "60 360", "80 640", "100 1000"])
    #expect(stand.trial.cycle.nextAlarm == nil)
    // A change of 1 % in an hour has ten steps.
    let before = stand.pwm.changes.count
    try stand.trial.show(.fade(to: 0.99, over: .seconds(3_600), on: .linear))
    try stand.pass(3_600_000)
    #expect(stand.pwm.changes.count - before == 10 && stand.waves().last?.hasSuffix(" 990") == true)
    stand.trial.stop()
  }

  @Test("a fade continues during a loss, and a lamp that is back shows it as of then")
  func loss() throws {
    let stand = Stand(showing: .level(0))
    try stand.trial.start()
    try stand.trial.show(.fade(to: 1, over: .seconds(2), on: .linear))
    try stand.pass(500)
    stand.pwm.unplug()
    try stand.pass(500)
    #expect(stand.trial.troubles.count == 1 && stand.pwm.wave == nil && stand.trial.cycle.nextAlarm != nil)
    stand.pwm.plug()
    try stand.pass(0)
    #expect(stand.pwm.share == 0.5 && stand.trial.troubles.count == 2)
    try stand.pass(1_000)
    #expect(stand.pwm.share == 1)
    stand.trial.stop()
  }

  @Test("a loss is noticed while the lamp rests")
  func lossAtRest() throws {
    let stand = Stand(showing: .on)
    try stand.trial.start()
    stand.pwm.unplug()
    try stand.pass(0)
    #expect("\(stand.trial.troubles)".contains("cannot set the PWM of GPIO18: its chip is gone"))
    stand.trial.stop()
  }

  @Test("a failed write is repeated after a second, while the fade goes on, and reported once")
  func failure() throws {
    let stand = Stand()
    try stand.trial.start()
    try stand.trial.show(.fade(to: 1, over: .seconds(4), on: .linear))
    stand.pwm.lastingError = DriverError(
      .failed, of: "GPIO18", cannot: "set the PWM of GPIO18", reason: "asked for", remedy: "None.")
    let count = stand.pwm.writeCount
    try stand.pass(900)
    #expect(stand.pwm.writeCount == count + 1 && stand.trial.troubles.count == 1)
    stand.pwm.lastingError = nil
    try stand.pass(1_100)
    #expect(stand.pwm.share == 0.5 && stand.trial.troubles.count == 2)
    stand.trial.stop()
  }

  @Test("a channel that is absent, taken or forbidden is lost, and is tried again")
  func opening() throws {
    for (prepare, undo, words) in [
      ({ $0.unplug() }, { $0.plug() }, "Add `dtoverlay=pwm,pin=18,func=2` to config.txt"),
      ({ $0.isBusy = true }, { $0.isBusy = false }, "busy"),
      ({ $0.isPermitted = false }, { $0.isPermitted = true }, "permission denied"),
    ] as [((SimulatedPWM) -> Void, (SimulatedPWM) -> Void, String)] {
      let stand = Stand(showing: .on, prepare)
      try stand.trial.start()
      #expect("\(stand.trial.troubles)".contains(words) && stand.pwm.wave == nil)
      undo(stand.pwm)
      try stand.pass(1_000)
      #expect(stand.pwm.share == 1)
      stand.trial.stop()
    }
  }

  @Test("a lamp of an application that replaces another one continues its pattern")
  func since() throws {
    let stand = Stand(
      showing: .blink(on: .milliseconds(200), off: .milliseconds(300), times: nil),
      since: Moment(nanoseconds: -100_000_000))
    try stand.trial.start()
    try stand.pass(600)
    #expect(stand.waves() == ["0 1000", "100 0", "400 1000", "600 0"])
    stand.trial.stop()
  }

  @Test(
    "the wave of a frequency", arguments: [(50, 20_000_000), (1_000, 1_000_000), (3, 41_666_667), (99_999, 50_000)])
  func frequency(hertz: Int, period: Int64) throws {
    let stand = Stand(showing: .on, settings: .init(hertz: hertz))
    try stand.trial.start()
    #expect(stand.pwm.wave == PWMWave(period: .nanoseconds(period), high: .nanoseconds(period)))
    stand.trial.stop()
  }

  @Test("a lamp on a PWM channel keeps the laws")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.level(0.25), .on, .level(0.5)],
      setup: { PWMLawHarness([SimulatedPWM($0, PWMPort(line: "GPIO18"))]) },
      driver: { PWMDriver(PWMLED($0.channels[0])) })
    #expect(violations == [])
  }
}

@Suite("SimulatedPWM")
struct SimulatedPWMTests {
  @Test("hardware rounds a wave down, and refuses one that it can't make")
  func limits() throws {
    let pwm = SimulatedPWM(Bench(), PWMPort(.chip("lab-pwm.0", channel: 2)))
    pwm.quantum = .microseconds(4)
    let connection = try pwm.open(showing: PWMWave(period: .microseconds(1_001), high: .microseconds(7)))
    #expect(pwm.wave == PWMWave(period: .microseconds(1_000), high: .microseconds(4)))
    let error = thrown(DriverError.self) { try connection.show(PWMWave(period: .seconds(5), high: .zero)) }
    #expect(error?.kind == .unsupported && error?.subject == "lab-pwm.0 channel 2")
    connection.close()
    connection.close()
    #expect(pwm.wave == nil)
  }

  @Test("the line is high for the first part of each period")
  func level() throws {
    let bench = Bench()
    let pwm = SimulatedPWM(bench, PWMPort(line: "GPIO4"))
    try bench.advance(by: .milliseconds(3))
    _ = try pwm.open(showing: PWMWave(period: .milliseconds(20), high: .microseconds(1_500)))
    let highs = [0, 1_499, 1_500, 19_999, 20_000, 21_500].map { pwm.isHigh(at: .zero + .microseconds(3_000 + $0)) }
    #expect(highs == [true, true, false, false, true, false])
  }
}
