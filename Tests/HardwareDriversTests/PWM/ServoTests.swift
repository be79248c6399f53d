import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A servo on a simulated PWM channel.
private final class Stand {
  let bench = Bench()
  let pwm: SimulatedPWM
  let trial: DriverBench<PWMDriver<Servo>>

  init(showing model: Servo.Model = .angle(0), settings: Servo.Settings = .init(speed: 60)) throws {
    pwm = SimulatedPWM(bench, PWMPort(line: "GPIO12"))
    trial = DriverBench(PWMDriver(Servo(pwm, settings: settings)), showing: model, on: bench)
    try trial.start()
    try pass(0)
  }

  func pass(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }

  /// The width of the pulse in microseconds; nil if the channel is not driven.
  var pulse: Double? { pwm.wave.map { Double($0.high.wholeNanoseconds) / 1_000 } }
  /// Whether the pulse has this width in microseconds, but for half of the way of a period.
  func isNear(_ width: Double) -> Bool { pulse.map { abs($0 - width) <= 5 } ?? false }
  var arrivals: [Int64] { trial.events.map { $0.moment.nanoseconds / 1_000_000 } }
}

@Suite("Servo")
struct ServoTests {
  @Test("90° at 60 °/s take 1.5 s; then it has arrived, and its pulses end after the time of rest")
  func move() throws {
    let stand = try Stand(settings: .init(speed: 60, rest: .milliseconds(500)))
    #expect(stand.pulse == 1_500)
    #expect(stand.pwm.wave?.period == .milliseconds(20))
    let first = stand.arrivals.count
    try stand.trial.show(.angle(90))
    #expect(stand.pulse == 1_500)
    try stand.pass(750)
    #expect(stand.pulse == 1_750)
    #expect(stand.arrivals.count == first)
    try stand.pass(750)
    #expect(stand.pulse == 2_000 && stand.arrivals.dropFirst(first) == [1_500])
    try stand.pass(499)
    #expect(stand.pulse == 2_000)
    try stand.pass(1)
    #expect(stand.pulse == 0 && stand.trial.cycle.nextAlarm == nil)
    // The next move begins where the servo is.
    try stand.trial.show(.angle(0))
    #expect(stand.pulse == 2_000)
    try stand.pass(750)
    #expect(stand.pulse == 1_750)
    stand.trial.stop()
    #expect(stand.pwm.wave == nil)
  }

  @Test(
    "an angle is the width of a pulse of each 20 ms, also the first one",
    arguments: [
      (-90...90, -90, 1_000), (-90...90, 0, 1_500), (-90...90, 45, 1_750), (-90...90, 90, 2_000), (0...90, 0, 1_000),
      (0...90, 45, 1_500), (0...90, 90, 2_000),
    ] as [(ClosedRange<Double>, Double, Double)])
  func angles(range: ClosedRange<Double>, angle: Double, width: Double) throws {
    let settings = Servo.Settings(angles: range, speed: 10_000)
    let first = try Stand(showing: .angle(angle), settings: settings)
    #expect(first.pulse == width && first.pwm.wave?.period == .milliseconds(20))
    first.trial.stop()
    let resting = try Stand(showing: .rest, settings: settings)
    #expect(resting.pulse == 0)
    try resting.trial.show(.angle(angle))
    try resting.pass(100)
    #expect(resting.pulse == width)
    try resting.trial.show(.rest)
    #expect(resting.pulse == 0)
    resting.trial.stop()
    #expect(resting.pwm.wave == nil && !resting.pwm.isOpen)
  }

  @Test("a servo that is mounted the other way round has its greatest angle at the shortest pulse")
  func reversed() throws {
    for (angle, width) in [(-45.0, 2_000.0), (0, 1_500), (45, 1_000)] {
      let stand = try Stand(
        showing: .angle(angle), settings: Servo.Settings(angles: -45...45, speed: 10_000, isReversed: true))
      #expect(stand.pulse == width)
      stand.trial.stop()
    }
  }

  @Test("the pulse changes once in a period at most, and not at rest")
  func rate() throws {
    let stand = try Stand()
    let before = stand.pwm.changes.count
    try stand.trial.show(.angle(-90))
    try stand.pass(60_000)
    let changes = stand.pwm.changes.dropFirst(before)
    #expect(changes.count == 75)
    for (one, other) in zip(changes, changes.dropFirst()) {
      #expect(other.moment.nanoseconds - one.moment.nanoseconds >= 20_000_000 || other.moment == changes.last?.moment)
    }
    #expect(stand.trial.cycle.nextAlarm == nil)
    stand.trial.stop()
  }

  @Test("a new angle during a move continues from where the servo is")
  func newTarget() throws {
    let stand = try Stand()
    try stand.trial.show(.angle(90))
    try stand.pass(750)
    try stand.trial.show(.angle(0))
    try stand.pass(750)
    #expect(stand.pulse == 1_500 && stand.arrivals.last == 1_500 && stand.arrivals.count == 2)
    stand.trial.stop()
  }

  @Test("rest ends the pulses immediately, and an angle beyond the range is that of the end")
  func rest() throws {
    let stand = try Stand(settings: .init(pulse: .microseconds(500) ... .microseconds(2_500), angles: 0...180))
    try stand.trial.show(.angle(270))
    try stand.pass(5_000)
    #expect(stand.pulse == 2_500)
    try stand.trial.show(.rest)
    #expect(stand.pulse == 0 && stand.trial.cycle.nextAlarm == nil)
    try stand.trial.show(.angle(-5))
    try stand.pass(5_000)
    #expect(stand.pulse == 500)
    stand.trial.stop()
  }

  @Test("keys: each angle at its time, and the speed is a limit")
  func keys() throws {
    let stand = try Stand(settings: .init(speed: 90))
    let keys = Keyframes([Keyframe(at: .zero, 0.0), Keyframe(at: .seconds(2), 90), Keyframe(at: .seconds(3), -90)])
    try stand.trial.show(.keys(keys, times: 1))
    let first = stand.arrivals.count
    try stand.pass(1_000)
    #expect(stand.isNear(1_750))
    try stand.pass(1_000)
    #expect(stand.pulse == 2_000)
    // 180° in a second is faster than the servo may turn.
    try stand.pass(1_000)
    #expect(stand.isNear(1_500) && stand.arrivals.count == first)
    try stand.pass(1_000)
    #expect(stand.pulse == 1_000 && stand.arrivals.dropFirst(first) == [4_000])
    #expect(stand.trial.cycle.nextAlarm == nil)
    try stand.trial.show(.keys(Keyframes([Keyframe(at: .zero, 0.0), Keyframe(at: .seconds(1), 45)]), times: nil))
    try stand.pass(3_600_000)
    #expect(stand.trial.cycle.nextAlarm != nil && stand.arrivals.count == first + 1)
    stand.trial.stop()
  }

  @Test("keys of no length are a jump, and the arrival is not before the last key")
  func edgesOfKeys() throws {
    let stand = try Stand(settings: .init(speed: 90, rest: .milliseconds(500)))
    try stand.trial.show(.keys(Keyframes([Keyframe(at: .zero, 45.0)]), times: nil))
    try stand.pass(10_000)
    #expect(stand.pulse == 1_750)
    let first = stand.arrivals.count
    try stand.trial.show(
      .keys(
        Keyframes([Keyframe(at: .zero, 45.0), Keyframe(at: .seconds(1), 90), Keyframe(at: .seconds(5), 90)]), times: 1))
    try stand.pass(5_400)
    #expect(stand.arrivals.dropFirst(first) == [15_000] && stand.pulse == 2_000)
    try stand.pass(100)
    #expect(stand.pulse == 0)
    stand.trial.stop()
  }

  @Test("a servo that is not there has not arrived")
  func absent() throws {
    let bench = Bench()
    let pwm = SimulatedPWM(bench, PWMPort(line: "GPIO12"), isPlugged: false)
    let trial = DriverBench(PWMDriver(Servo(pwm)), showing: .angle(45), on: bench)
    try trial.start()
    try bench.advance(by: .seconds(100))
    #expect(trial.events.isEmpty)
    pwm.plug()
    try bench.advance(by: .seconds(1))
    #expect(trial.events.count == 1)
    trial.stop()
  }

  @Test("an ESC gets its narrowest pulse first, and again after a loss, and never none")
  func arming() throws {
    let stand = try Stand(showing: .angle(90), settings: .init(angles: 0...100, arming: .seconds(2)))
    #expect(stand.pulse == 1_000)
    try stand.pass(1_999)
    #expect(stand.pulse == 1_000)
    try stand.pass(1_000)
    #expect(stand.pulse == 1_900)
    try stand.trial.show(.rest)
    #expect(stand.pulse == 1_000)
    try stand.trial.show(.angle(50))
    try stand.pass(1_000)
    stand.pwm.unplug()
    try stand.pass(0)
    stand.pwm.plug()
    try stand.pass(1_999)
    #expect(stand.pulse == 1_000)
    try stand.pass(1_001)
    #expect(stand.pulse == 1_500)
    stand.trial.stop()
  }

  @Test("a servo that is back moves from where it was lost")
  func loss() throws {
    let stand = try Stand()
    try stand.trial.show(.angle(90))
    try stand.pass(500)
    stand.pwm.unplug()
    try stand.pass(10_000)
    stand.pwm.plug()
    try stand.pass(0)
    #expect(stand.pulse.map { abs($0 - 1_666) < 10 } == true, "\(stand.pulse as Any)")
    try stand.pass(1_000)
    #expect(stand.pulse == 2_000 && stand.arrivals.count == 2)
    stand.trial.stop()
  }

  @Test("a servo keeps the laws")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.angle(0), .angle(90), .rest],
      setup: { PWMLawHarness([SimulatedPWM($0, PWMPort(line: "GPIO12"))], settlingTime: .seconds(2)) },
      driver: { PWMDriver(Servo($0.channels[0], settings: .init(speed: 90))) })
    #expect(violations == [])
  }
}
