import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A motor at a bridge with simulated inputs.
private final class Stand {
  let bench = Bench()
  let chip: SimulatedChip
  let channels: [SimulatedPWM]
  let trial: DriverBench<PWMDriver<Motor>>

  enum Bridge { case pair, enabled, phase, lines }

  init(_ bridge: Bridge, settings: Motor.Settings = .init()) throws {
    let chip = SimulatedChip(bench)
    self.chip = chip
    let count = bridge == .pair ? 2 : bridge == .lines ? 0 : 1
    let channels = ["GPIO12", "GPIO13"].prefix(count).map { [bench] in SimulatedPWM(bench, PWMPort(line: $0)) }
    self.channels = channels
    func line(_ name: LineName) -> SwitchedLine { SwitchedLine(chip, line: name) }
    let inputs: Motor.Inputs =
      switch bridge {
      case .pair: .pair(channels[0], channels[1])
      case .enabled: .enabled(line("GPIO5"), line("GPIO6"), enable: channels[0])
      case .phase: .phase(line("GPIO5"), enable: channels[0])
      case .lines: .pair(line("GPIO5"), line("GPIO6"))
      }
    trial = DriverBench(PWMDriver(Motor(inputs, settings: settings)), showing: .coast, on: bench)
    try trial.start()
  }

  func pass(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }

  /// The levels of the lines, and the hundredths of the channels.
  var picture: String {
    let levels = ["GPIO5", "GPIO6"].map { chip.line(LineName($0)).level == .high ? "1" : "0" }.joined()
    return "\(levels) \(channels.map { "\(Int(($0.share * 100).rounded()))" }.joined(separator: " "))"
  }
}

@Suite("Motor")
struct MotorTests {
  @Test("two channels: a ramp, a reversal through zero with a dead time, brake and coast")
  func pair() throws {
    let stand = try Stand(.pair, settings: .init(ramp: .milliseconds(500)))
    #expect(stand.picture == "00 0 0")
    try stand.trial.show(.speed(0.6))
    try stand.pass(100)
    #expect(stand.picture == "00 20 0")
    try stand.pass(200)
    #expect(stand.picture == "00 60 0" && stand.trial.cycle.nextAlarm == nil)
    try stand.trial.show(.speed(-1))
    try stand.pass(300)
    #expect(stand.picture == "00 0 0")
    try stand.pass(19)
    #expect(stand.picture == "00 0 0")
    try stand.pass(251)
    #expect(stand.picture == "00 0 48")
    try stand.pass(250)
    #expect(stand.picture == "00 0 100")
    try stand.trial.show(.brake)
    #expect(stand.picture == "00 0 0")
    try stand.pass(20)
    #expect(stand.picture == "00 100 100")
    try stand.trial.show(.coast)
    #expect(stand.picture == "00 0 0" && stand.trial.cycle.nextAlarm == nil)
    stand.trial.stop()
  }

  @Test("both channels are never driven at the same time, over random models", arguments: 0..<20 as Range<UInt64>)
  func neverBoth(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let stand = try Stand(.pair, settings: .init(ramp: .milliseconds(Int.random(in: 0...200, using: &random))))
    var last: (channel: Int, moment: Moment)?
    func check() {
      let driven = stand.channels.indices.filter { stand.channels[$0].share > 0 }
      #expect(driven.count < 2, "at \(stand.bench.now)")
      guard let channel = driven.first else { return }
      if let last, last.channel != channel {
        #expect(stand.bench.now.nanoseconds - last.moment.nanoseconds >= 20_000_000, "at \(stand.bench.now)")
      }
      last = (channel, stand.bench.now)
    }
    for _ in 0..<100 {
      try stand.trial.show(Bool.random(using: &random) ? .coast : .speed(Double.random(in: -1...1, using: &random)))
      check()
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        try stand.pass(1)
        check()
      }
    }
    stand.trial.stop()
  }

  @Test("lines for the direction and one channel for the speed")
  func enabled() throws {
    let stand = try Stand(.enabled)
    try stand.trial.show(.speed(0.5))
    #expect(stand.picture == "10 50")
    try stand.trial.show(.speed(-0.25))
    #expect(stand.picture == "00 0")
    try stand.pass(20)
    #expect(stand.picture == "01 25")
    try stand.trial.show(.speed(0))
    #expect(stand.picture == "00 0")
    try stand.trial.show(.brake)
    try stand.pass(20)
    #expect(stand.picture == "11 100")
    stand.chip.unplug()
    try stand.pass(0)
    #expect(stand.channels[0].wave == nil && stand.trial.troubles.count == 1)
    stand.chip.plug()
    try stand.pass(0)
    #expect(stand.picture == "11 100" && stand.trial.troubles.count == 2)
    stand.trial.stop()
    #expect(stand.chip.heldLines == 0)
  }

  @Test("a phase and an enable")
  func phase() throws {
    let stand = try Stand(.phase)
    try stand.trial.show(.speed(0.5))
    #expect(stand.picture == "10 50")
    // The phase stays until the dead time is over.
    try stand.trial.show(.speed(-1))
    #expect(stand.picture == "10 0")
    try stand.pass(20)
    #expect(stand.picture == "00 100")
    stand.trial.stop()
    #expect(!stand.channels[0].isOpen && stand.chip.heldLines == 0)
  }

  @Test("without PWM, the motor is on from one half of the speed on")
  func switched() throws {
    let stand = try Stand(.lines, settings: .init(isSwitched: true))
    for (speed, picture) in [(0.49, "00 "), (0.5, "10 "), (1, "10 "), (0, "00 "), (-0.5, "01 "), (.nan, "00 ")] {
      try stand.trial.show(.speed(speed))
      try stand.pass(20)
      #expect(stand.picture == picture, "speed \(speed)")
    }
    stand.trial.stop()
    #expect(stand.picture == "00 " && stand.chip.heldLines == 0)
  }

  @Test("after a failed write, the dead time begins with the write that succeeds")
  func failure() throws {
    let stand = try Stand(.pair)
    try stand.trial.show(.speed(1))
    stand.channels[0].lastingError = DriverError(
      .failed, of: "GPIO12", cannot: "set the PWM of GPIO12", reason: "asked for", remedy: "None.")
    try stand.trial.show(.speed(-1))
    try stand.pass(900)
    #expect(stand.picture == "00 100 0")
    stand.channels[0].lastingError = nil
    try stand.pass(100)
    #expect(stand.picture == "00 0 0")
    try stand.pass(19)
    #expect(stand.picture == "00 0 0")
    try stand.pass(1)
    #expect(stand.picture == "00 0 100")
    stand.trial.stop()
  }

  @Test("a motor whose second channel is missing is never driven")
  func missingChannel() throws {
    let bench = Bench()
    let channels = ["GPIO12", "GPIO13"].map { SimulatedPWM(bench, PWMPort(line: $0), isPlugged: $0 == "GPIO12") }
    let trial = DriverBench(PWMDriver(Motor(.pair(channels[0], channels[1]))), showing: .speed(1), on: bench)
    try trial.start()
    try bench.advance(by: .seconds(100))
    #expect(channels[0].changes.allSatisfy { ($0.wave?.share ?? 0) == 0 } && !channels[0].changes.isEmpty)
    channels[1].plug()
    try bench.advance(by: .zero)
    #expect(channels.map(\.share) == [1, 0])
    trial.stop()
  }

  @Test("an enable falls before the lines of the direction, and rises after them")
  func order() throws {
    let stand = try Stand(.enabled)
    var pictures: [String] = []
    stand.channels[0].onChange { [unowned stand] in pictures.append(stand.picture) }
    try stand.trial.show(.speed(1))
    try stand.trial.show(.coast)
    #expect(pictures == ["10 100", "10 0"])
    stand.trial.stop()
  }

  @Test("two channels have the speed of each direction, and both are off at a standstill")
  func speeds() throws {
    let stand = try Stand(.pair)
    for (speed, picture) in [
      (-1, "00 0 100"), (1, "00 100 0"), (0.5, "00 50 0"), (-0.5, "00 0 50"), (0, "00 0 0"), (1, "00 100 0"),
    ] as [(Double, String)] {
      try stand.trial.show(.speed(speed))
      try stand.pass(20)
      #expect(stand.picture == picture, "speed \(speed)")
    }
    stand.trial.stop()
    #expect(stand.picture == "00 0 0" && stand.channels.allSatisfy { !$0.isOpen })
  }

  @Test("without PWM, an enable is a line, too", arguments: [false, true])
  func switchedEnable(hasPhase: Bool) throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    func line(_ name: LineName) -> SwitchedLine { SwitchedLine(chip, line: name) }
    let inputs: Motor.Inputs =
      hasPhase
      ? .phase(line("GPIO5"), enable: line("GPIO12"))
      : .enabled(line("GPIO5"), line("GPIO6"), enable: line("GPIO12"))
    let trial = DriverBench(PWMDriver(Motor(inputs, settings: .init(isSwitched: true))), showing: .coast, on: bench)
    try trial.start()
    // Forward, backward, enable.
    for (speed, pair, phase) in [(1, "101", "101"), (-1, "011", "001"), (0, "000", "000"), (1, "101", "101")] {
      try trial.show(.speed(Double(speed)))
      try bench.advance(by: .milliseconds(20))
      let levels = ["GPIO5", "GPIO6", "GPIO12"].map { chip.line(LineName($0)).level == .high ? "1" : "0" }.joined()
      #expect(levels == (hasPhase ? phase : pair), "speed \(speed)")
    }
    trial.stop()
    #expect(chip.line("GPIO12").level == .low && chip.heldLines == 0)
  }

  @Test("a motor keeps the laws")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.speed(1), .speed(-0.5), .coast],
      setup: { bench in
        PWMLawHarness(
          [SimulatedPWM(bench, PWMPort(line: "GPIO12")), SimulatedPWM(bench, PWMPort(line: "GPIO13"))],
          settlingTime: .seconds(1))
      },
      driver: { PWMDriver(Motor(.pair($0.channels[0], $0.channels[1]), settings: .init(ramp: .milliseconds(200)))) })
    #expect(violations == [])
  }
}
