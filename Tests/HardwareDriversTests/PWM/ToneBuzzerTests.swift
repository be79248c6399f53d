import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Melody")
struct MelodyTests {
  private static func text(_ melody: Melody) -> String {
    melody.notes.map { note in
      "\(note.hertz.map { "\(Int($0.rounded()))" } ?? "-") \(note.length.wholeNanoseconds / 1_000_000)"
    }.joined(separator: ", ")
  }

  @Test(
    "notes, rests, dots and RTTTL",
    arguments: [
      ("C4 8, E4 8, G4 4", "262 250, 330 250, 392 500"), ("A4", "440 500"),
      ("A3, A4, A5, G#4, A#4, C5", "220 500, 440 500, 880 500, 415 500, 466 500, 523 500"),
      ("C#5 4., Bb3 16, R 2", "554 750, 233 125, - 1000"),
      ("A0 1,A9 32", "28 2000, 14080 62"), ("B3, Cb4, B#3, C4", "247 500, 247 500, 262 500, 262 500"),
      ("x:d=8,o=5,b=120:c,2a#4.,p,16e6", "523 250, 466 1500, - 250, 1319 125"), ("x::c", "1047 952"),
    ])
  func notes(text: String, notes: String) throws {
    #expect(Self.text(try Melody(text)) == notes)
  }

  @Test(
    "errors name the note",
    arguments: [
      ("C4 8, H4 8", "\"H4\" is not a note; write A4, C#5 or Bb3, or R for a rest"),
      ("C4 7", "\"7\" is not a length; it is 1, 2, 4, 8, 16 or 32"), ("", "a melody has at least one note"),
      ("a4", "\"a4\" is not a note; write A4, C#5 or Bb3, or R for a rest"),
      ("69", "\"69\" is not a note; write A4, C#5 or Bb3, or R for a rest"),
      ("C44", "\"C44\" is not a note; write A4, C#5 or Bb3, or R for a rest"),
      ("a:b", "a melody is notes such as \"C4 8, E4 8\", or RTTTL, which has two colons"),
      ("x:q=3:c", "\"q=3\" is not a setting of RTTTL; it has d, o and b"),
      ("x:d=4:4h", "\"4h\" is not a note; write A4, C#5 or Bb3, or R for a rest"),
      (
        "x:d=4:9999999999999999999999c",
        "\"9999999999999999999999c\" has no length of RTTTL; it is 1, 2, 4, 8, 16 or 32"
      ),
      ("x:d=3:c", "\"c\" has no length of RTTTL; it is 1, 2, 4, 8, 16 or 32"),
      (String(repeating: "C4,", count: 1_001), "a melody has at most 1000 notes, not 1001"),
    ])
  func errors(text: String, reason: String) {
    let error = thrown(Melody.TextError.self) { _ = try Melody(text) }
    #expect(error?.reason == reason)
  }
}

@Suite("ToneBuzzer")
struct ToneBuzzerTests {
  private final class Stand {
    let bench = Bench()
    let pwm: SimulatedPWM
    let trial: DriverBench<PWMDriver<ToneBuzzer>>

    init() throws {
      pwm = SimulatedPWM(bench, PWMPort(line: "GPIO18"))
      trial = DriverBench(PWMDriver(ToneBuzzer(pwm)), showing: .silent, on: bench)
      try trial.start()
    }

    /// The frequency in hertz; 0 for silence.
    var hertz: Int {
      guard let wave = pwm.wave, wave.high > .zero else { return 0 }
      return Int((1e9 / Double(wave.period.wholeNanoseconds)).rounded())
    }

    func pass(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }
  }

  @Test("a tone is a wave that is high for half of its period")
  func tone() throws {
    let stand = try Stand()
    try stand.trial.show(.tone(440))
    #expect(stand.hertz == 440 && abs(stand.pwm.share - 0.5) < 1e-6 && stand.trial.cycle.nextAlarm == nil)
    for (hertz, heard) in [(1.0, 20), (1e9, 20_000), (.nan, 20)] {
      try stand.trial.show(.tone(hertz))
      #expect(stand.hertz == heard)
    }
    try stand.trial.show(.silent)
    #expect(stand.hertz == 0)
    stand.trial.stop()
    #expect(stand.pwm.wave == nil)
  }

  @Test("a melody plays each note for its time, and ends with an event")
  func melody() throws {
    let stand = try Stand()
    try stand.trial.show(.melody(try Melody("A4 8, R 8, A5 4"), times: 2))
    var heard: [Int] = []
    for _ in 0..<9 {
      heard.append(stand.hertz)
      try stand.pass(250)
    }
    #expect(heard == [440, 0, 880, 880, 440, 0, 880, 880, 0])
    #expect(stand.trial.events.map(\.moment) == [.zero + .seconds(2)])
    #expect(stand.trial.cycle.nextAlarm == nil)
    stand.trial.stop()
  }

  @Test("a melody without end goes on after a loss, as of that moment")
  func loss() throws {
    let stand = try Stand()
    try stand.trial.show(.melody(try Melody("A4 4, A5 4"), times: nil))
    try stand.pass(100)
    stand.pwm.unplug()
    try stand.pass(3_600_000)
    stand.pwm.plug()
    try stand.pass(0)
    #expect(stand.hertz == 440)
    try stand.pass(500)
    #expect(stand.hertz == 880 && stand.trial.events.isEmpty)
    stand.trial.stop()
  }

  @Test("a buzzer keeps the laws")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.tone(440), .tone(880), .melody(Melody([Melody.Note(nil, .milliseconds(5))]), times: 1)],
      setup: { bench -> PWMLawHarness in
        let pwm = SimulatedPWM(bench, PWMPort(line: "GPIO18"))
        return PWMLawHarness(
          [pwm], picture: { pwm.share > 0 ? "\(pwm.wave!.period)" : "silent" }, settlingTime: .milliseconds(10))
      },
      driver: { PWMDriver(ToneBuzzer($0.channels[0])) })
    #expect(violations == [])
  }
}
