import HardwareSimulation
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("Servos, motors, steppers, buzzers and lamps of colours in a panel")
struct MovingKindsTests {
  private static func text(_ device: String, _ show: String) -> String {
    """
    panel: Panel
    inputs: { key: { button: GPIO17 } }
    outputs: { it: { \(device) } }
    values: { level: { initial: 5, min: -10, max: 10 } }
    initial: rests
    states:
      rests: { on: { key.pressed: works } }
      works: { show: { it: \(show) }, on: { key.pressed: { go: rests, set: { level: +1 } } } }

    """
  }

  private static func problems(_ device: String, _ show: String) -> [String] {
    Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(Array(text(device, show).utf8), file: "test", kinds: .standard)
    }.filter { !$0.contains("never shown") }
  }

  @Test(
    "look as a scenario expects",
    arguments: [
      (
        "led: { kernel: ACT }", "{ level: 0.3 }",
        "expect it=0.3; unplug lights; expect it=off; plug lights; expect it=0.3"
      ),
      ("servo: GPIO12, speed: 60", "90", "wait 1505ms; expect it=90"),
      ("servo: GPIO12", "level", "wait 1s; expect it=5"),
      ("servo: GPIO12", "{ keys: [[0s, 0], [1s, 90]] }", "expect it=moving; wait 2s; expect it=90"),
      ("servo: GPIO12, arm: 2s, angles: 0..100", "40", "wait 1s; expect it=0; wait 2s; expect it=40"),
      ("motor: [GPIO5, GPIO6], enable: GPIO12", "-0.6", "expect it=-0.6; unplug pwm; expect it=off"),
      ("motor: [GPIO5, GPIO6], pwm: required", "level", "expect it=0.5"),
      ("motor: [GPIO5, GPIO6]", "brake", "expect it=brake"), ("motor: GPIO5, enable: GPIO12", "1", "expect it=1"),
      ("stepper: [GPIO5, GPIO6, GPIO13, GPIO19]", "200", "expect it=200; unplug gpio; expect it=off"),
      ("stepper: { step: GPIO5, direction: GPIO6 }", "level", "expect it=5"),
      ("stepper: [GPIO5, GPIO6, GPIO13, GPIO19], steps: full", "hold", "expect it=hold"),
      ("buzzer: GPIO18", "{ beep: 100ms, times: 2 }", "expect it=beeping; wait 405ms; expect it=off"),
      ("buzzer: GPIO18, active: low", "on", "expect it=on; unplug gpio; expect it=off"),
      ("buzzer: GPIO18, tones: true", "440Hz", "expect it=440Hz"),
      ("buzzer: GPIO18, tones: true", "level", "expect it=off"),
      ("buzzer: GPIO18, tones: true", "A5", "expect it=880Hz"),
      (
        "buzzer: GPIO18, tones: true", "{ melody: \"A4 4, A5 4\", times: 2 }",
        "expect it=melody; wait 2005ms; expect it=off"
      ),
      ("rgb: [GPIO5, GPIO6, GPIO13]", "orange", "expect it=orange"),
      ("rgb: [GPIO5, GPIO6, GPIO13], active: low", "red", "expect it=red; unplug gpio; expect it=off"),
      ("rgb: [GPIO5, GPIO6, GPIO13], pwm: required", "\"#FF8000\"", "expect it=#FF8000; unplug pwm; expect it=off"),
      ("rgb: [GPIO5, GPIO6, GPIO13]", "{ hsv: [120, 1, 1] }", "expect it=lime"),
      ("rgb: [GPIO5, GPIO6, GPIO13, GPIO19]", "{ white: 1 }", "expect it=white"),
      ("rgb: [GPIO5, GPIO6, GPIO13]", "{ blink: [red, blue], on: 100ms, times: 2 }", "wait 405ms; expect it=blue"),
      ("rgb: [GPIO5, GPIO6, GPIO13]", "{ fade: red, over: 1s }", "expect it=fading; wait 1005ms; expect it=red"),
      ("rgb: [GPIO5, GPIO6, GPIO13]", "{ keys: [[0s, red], [1s, lime]] }", "wait 1005ms; expect it=lime"),
      (
        "rgb: [GPIO5, GPIO6, GPIO13]", "{ pulse: 1s, colour: red, times: 1 }",
        "expect it=pulsing; wait 1005ms; expect it=off"
      ),
      ("rgb: [GPIO5, GPIO6, GPIO13]", "{ colour: red, level: 0.2 }", "expect it=#330000"),
    ])
  func looks(device: String, show: String, steps: String) throws {
    #expect(Self.problems(device, show) == [])
    let stage = try Stage(panel: Self.text(device, show), kinds: .standard)
    // A press counts after its debounce time, and the time of a device begins then.
    #expect(try stage.take("press key; wait 5ms; \(steps)") == [])
  }

  @Test("a tone follows a value, which is its frequency")
  func tones() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { knob: { encoder: [GPIO5, GPIO6] } }
        outputs: { tune: { buzzer: GPIO18, tones: true } }
        values: { pitch: { initial: 440, min: 0, max: 2000 } }
        on:
          knob.clockwise: { set: { pitch: pitch * 2 } }
          knob.counterclockwise: { set: { pitch: 0 } }
        initial: plays
        states: { plays: { show: { tune: pitch } } }

        """)
    #expect(try stage.take("expect tune=440Hz; turn knob=1; wait 5ms; expect tune=880Hz") == [])
    #expect(try stage.take("turn knob=-1; wait 5ms; expect tune=off") == [])
  }

  @Test("an output reports the end of its move, which the file reacts to")
  func arrival() throws {
    let stage = try Stage(
      panel: """
        panel: Panel
        inputs: { key: { button: GPIO17 } }
        outputs: { arm: { servo: GPIO12, speed: 90 }, tune: { buzzer: GPIO18, tones: true } }
        initial: rests
        states:
          rests: { on: { key.pressed: opens } }
          opens: { show: { arm: 90 }, on: { arm.arrived: plays } }
          plays: { show: { arm: 90, tune: { melody: "A4 4" } }, on: { tune.finished: done } }
          done: { show: { arm: 90 } }

        """, kinds: .standard)
    // From rest, the first angle is not known, so it is reached immediately; the next move takes its time.
    #expect(
      try stage.take(
        "press key; wait 5ms; expect state=plays; wait 499ms; expect state=plays; wait 1ms; expect state=done") == [])
  }

  @Test("a motor with a phase is not expected to brake")
  func phaseNeverBrakes() throws {
    let stage = try Stage(panel: Self.text("motor: GPIO5, enable: GPIO12", "1"), kinds: .standard)
    do {
      _ = try stage.take("expect it=brake")
      Issue.record("a motor with a phase can't brake")
    } catch {
      #expect("\(error)".contains("it takes stop, off or a speed -1...1"), "\(error)")
    }
  }

  @Test(
    "the lines of a motor with PWM are lost with gpio, and its channel is not",
    arguments: [
      "motor: [GPIO5, GPIO6], enable: GPIO12", "motor: GPIO5, enable: GPIO12", "motor: [GPIO5, GPIO6]",
    ])
  func lostLines(device: String) throws {
    let stage = try Stage(
      panel: """
        panel: P
        outputs: { one: { \(device) }, other: { motor: [GPIO20, GPIO21], enable: GPIO13 } }
        initial: works
        states:
          works: { show: { one: 1, other: 1 }, when: { gpio == lost: broken } }
          broken: { when: { gpio == there: works } }

        """)
    #expect(try stage.take("unplug pwm; wait 10ms; expect gpio=there state=works; plug pwm; wait 5s") == [])
    #expect(try stage.take("unplug gpio; wait 10ms; expect gpio=lost state=broken") == [])
    #expect(try stage.take("plug gpio; wait 5s; expect gpio=there state=works one=1 other=1") == [])
    // The losses of both ports at the same time are counted once.
    for (first, second) in [("pwm", "gpio"), ("gpio", "pwm")] {
      let steps = "unplug \(first); wait 3s; unplug \(second); wait 3s; plug \(first); wait 3s; plug \(second)"
      #expect(try stage.take("\(steps); wait 70s; expect gpio=there state=works one=1 other=1") == [])
    }
  }

  @Test("a lamp that uses PWM only where it is there is lost with the lines that it switches, or with its channel")
  func lostLamp() throws {
    let stage = try Stage(
      panel: """
        panel: P
        outputs: { lamp: { led: GPIO18, pwm: auto } }
        initial: works
        states:
          works: { show: { lamp: on }, when: { gpio == lost: broken } }
          broken: { when: { gpio == there: works } }

        """)
    #expect(try stage.take("expect lamp=on; unplug pwm; wait 3s; expect gpio=there lamp=on") == [])
    #expect(try stage.take("unplug gpio; wait 10ms; expect gpio=lost state=broken") == [])
    #expect(try stage.take("plug gpio; wait 9s; expect gpio=there state=works lamp=on") == [])
  }

  @Test(
    "a wrong number of repetitions is reported once",
    arguments: [
      ("servo: GPIO12", "{ keys: [[0s, 0], [1s, 90]], times:"),
      ("buzzer: GPIO18, tones: true", "{ melody: A4 4, times:"),
    ], ["[1]", "{ a: 1 }", "often", "0"])
  func repetitions(device: (text: String, show: String), times: String) {
    let problems = Self.problems(device.text, "\(device.show) \(times) }")
    #expect(problems.count == 1 && problems[0].contains("a whole number 1...10000, or forever"), "\(problems)")
  }

  @Test(
    "problems say what to write",
    arguments: [
      ("led: { kernel: leds/ACT }", "on", "\"leds/ACT\" is not a lamp of the kernel; ls /sys/class/leds lists them"),
      (
        "led: GPIO18", "{ keys: [[0s, 0], [0.5ms, 1]] }", "0.5ms is not after 0s; write the times in their order"
      ),
      ("led: { kernel: ACT }, pwm: auto", "on", "pwm is for a lamp at a line; leave it out"),
      (
        "servo: GPIO12", "on",
        "servo \"it\" can't show \"on\"; it shows an angle, rest, a value, or { keys: [[0s, 0], [1s, 90]] }"
      ),
      ("servo: GPIO12", "91", "servo \"it\" can't turn to 91; its angles are -90 to 90"),
      ("servo: GPIO12, angles: 0..90", "-1", "servo \"it\" can't turn to -1; its angles are 0 to 90"),
      ("servo: GPIO12, pulse: 2ms..1ms", "0", "2ms..1ms is in the wrong order; write 1ms..2ms"),
      ("servo: GPIO12, pulse: 0.1ms..1ms", "0", "\"pulse\" is 0.1ms; it takes 0.4ms...2.6ms"),
      ("servo: GPIO12, angles: 5..5", "5", "\"angles\" has the same end twice; write two different ones"),
      ("servo: GPIO12, angles: wide", "5", "\"angles\" is \"wide\"; it takes two numbers -3600..3600"),
      ("servo: GPIO12", "{ keys: [[0s, 0], [0s, 90]] }", "0s is not after 0s; write the times in their order"),
      (
        "motor: [GPIO5, GPIO6]", "0.5",
        "motor \"it\" has no PWM for the speed 0.5; write pwm: required beside motor, or show -1, 0 or 1"
      ),
      ("motor: GPIO5", "1", "a motor with a phase needs the line that enables it; write enable: GPIO12"),
      ("motor: GPIO5, enable: GPIO12", "brake", "a motor with a phase can't brake; show stop"),
      (
        "motor: [GPIO5, GPIO6], enable: GPIO12, pwm: never", "1",
        "the speed is made by the PWM channel of \"enable\"; leave \"pwm\" out"
      ),
      (
        "motor: [GPIO5, GPIO6]", "2",
        "motor \"it\" can't show \"2\"; it shows a speed -1...1, stop, brake, off, or a value"
      ),
      (
        "motor: GPIO5, enable: GPIO12", "-2",
        "motor \"it\" can't show \"-2\"; it shows a speed -1...1, stop, off, or a value"
      ),
      (
        "stepper: { step: GPIO5, direction: GPIO6 }, steps: half", "1",
        "the jumpers of the chip set its steps; leave \"steps\" out"
      ),
      (
        "stepper: [GPIO5, GPIO6, GPIO13, GPIO19]", "1.5",
        "stepper \"it\" can't show \"1.5\"; it shows a position in whole steps, hold, off, or a value"
      ),
      ("buzzer: GPIO18", "A4", "buzzer \"it\" can't show \"A4\"; it shows on, off or { beep: 100ms, times: 3 }"),
      ("buzzer: GPIO18", "{ beep: 100ms, every: 50ms }", "every is not longer than the beep of 100ms"),
      (
        "buzzer: GPIO18, tones: true, active: low", "A4",
        "a buzzer with tones has no active level; leave \"active\" out"
      ),
      (
        "buzzer: GPIO18, tones: true", "30kHz",
        "it shows off, a tone of 20Hz to 20kHz such as 440Hz or A4, a value, or { melody: \"C4 8, E4 8\" }"
      ),
      (
        "buzzer: GPIO18, tones: true", "{ melody: \"H4\" }",
        "\"H4\" is not a note; write A4, C#5 or Bb3, or R for a rest"
      ),
      (
        "rgb: [GPIO5, GPIO6]", "red",
        "\"rgb\" is a list of 2; it takes a list of 3 or 4 lines: [GPIO12, GPIO13, GPIO19]"
      ),
      (
        "rgb: [GPIO5, GPIO6, GPIO13]", "{ hsv: [120, 2, 1] }",
        "\"hsv\" can't contain \"2\"; it takes a list of hue 0...360, saturation 0...1 and brightness 0...1: [30, 1, 1]"
      ),
      (
        "rgb: [GPIO5, GPIO6, GPIO13]", "{ hsv: [120, 1, -1] }",
        "\"hsv\" can't contain \"-1\"; it takes a list of hue 0...360, saturation 0...1 and brightness 0...1: [30, 1, 1]"
      ),
      (
        "rgb: [GPIO5, GPIO6, GPIO13]", "{ colour: red, level: 1.5 }",
        "\"level\" is \"1.5\"; it takes a number 0...1 or a value's name"
      ),
      (
        "rgb: [GPIO5, GPIO6, GPIO13]", "{ white: 2 }",
        "\"white\" is \"2\"; it takes a number 0...1"
      ),
      (
        "rgb: [GPIO5, GPIO6, GPIO13]", "{ fade: ornage, over: 1s }",
        "\"ornage\" is not a colour; did you mean \"orange\"?"
      ),
      ("rgb: [GPIO5, GPIO6, GPIO13]", "{ fade: red }", "a fade takes a time; write { fade: red, over: 2s }"),
      (
        "rgb: [GPIO5, GPIO6, GPIO13]", "{ fade: red, over: 1s, times: 2 }",
        "times can't be beside fade; beside it you can write over, linear"
      ),
    ])
  func wrong(device: String, show: String, problem: String) {
    let found = Self.problems(device, show)
    #expect(found.contains { $0.hasSuffix(problem) }, "\(found)")
    #expect(Set(found).count == found.count, "a problem is reported twice: \(found)")
  }
}
