import HardwareSimulation
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("Patterns of lamps, and lamps with PWM")
struct LampPatternTests {
  private static func text(_ lamp: String, _ show: String) -> String {
    """
    panel: Lamp
    inputs: { key: { button: GPIO17 } }
    outputs: { lamp: { \(lamp) } }
    initial: dark
    states:
      dark: { on: { key.pressed: lit } }
      lit: { show: { lamp: \(show) }, on: { key.pressed: dark } }

    """
  }

  private static func problems(_ lamp: String, _ show: String) -> [String] {
    Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(Array(text(lamp, show).utf8), file: "test", kinds: .standard)
    }
  }

  @Test(
    "are shown, on a line and with PWM", arguments: ["led: GPIO18", "led: GPIO18, pwm: required, frequency: 200Hz"])
  func looks(lamp: String) throws {
    for (show, steps) in [
      ("{ fade: 0.8, over: 2s }", "expect lamp=fading; wait 1900ms; expect lamp=fading; wait 200ms; expect lamp=0.8"),
      ("{ fade: 1, over: 1s, linear: true }", "wait 1100ms; expect lamp=on"),
      ("{ pulse: 1s, times: 3, rise: 200ms }", "wait 2900ms; expect lamp=pulsing; wait 200ms; expect lamp=off"),
      (
        "{ keys: [[0s, 0], [500ms, 1], [2s, 0.2]], times: 2 }",
        "expect lamp=off; wait 250ms; expect lamp=0.25; wait 1750ms; expect lamp=off; wait 500ms; expect lamp=on; "
          + "wait 1500ms; expect lamp=0.2"
      ),
    ] {
      let stage = try Stage(panel: Self.text(lamp, show), kinds: .standard)
      // A press counts after its debounce time, and the lamp's time begins then.
      #expect(try stage.take("expect lamp=off; press key; wait 5ms; \(steps)") == [], "\(lamp): \(show)")
    }
  }

  @Test("on a channel are waves, which end while the channel is unplugged and are right when it is back")
  func waves() throws {
    let stage = try Stage(
      panel: Self.text("led: GPIO18, pwm: required", "{ fade: 1, over: 2s, linear: true }"), kinds: .standard)
    #expect(
      try stage.take(
        "press key; wait 1005ms; expect lamp=fading; unplug pwm; wait 100ms; expect lamp=off; plug pwm; "
          + "wait 1s; expect lamp=on") == [])
  }

  @Test("without a channel are on the line if the file says auto, and dark if it requires the channel")
  func fallback() throws {
    for (use, looks) in [("auto", "on"), ("required", "off")] {
      let stage = try Stage(panel: Self.text("led: GPIO18, pwm: \(use)", "on"), kinds: .standard)
      let failures = try stage.take(
        "press key; wait 5ms; expect lamp=on; unplug pwm; wait 2s; expect lamp=\(looks); plug pwm; wait 2s; "
          + "expect lamp=on")
      #expect(failures == [], "\(use)")
    }
  }

  @Test("fade to a value, and again at each change of it", arguments: ["led: GPIO18", "led: GPIO18, pwm: required"])
  func followedFade(lamp: String) throws {
    let text = """
      panel: Lamp
      inputs: { up: { button: GPIO17 }, down: { button: GPIO27 } }
      outputs: { lamp: { \(lamp) } }
      values: { level: { initial: 2, min: 0, max: 10 } }
      show: { lamp: { fade: level, over: 1s } }
      on: { up.pressed: { set: { level: +8 } }, down.pressed: { set: { level: 0 } } }
      initial: x
      states: { x: }

      """
    let stage = try Stage(panel: text, kinds: .standard)
    #expect(try stage.take("expect lamp=fading; wait 990ms; expect lamp=fading; wait 20ms; expect lamp=0.2") == [])
    // A press counts after its debounce time.
    #expect(try stage.take("press up; wait 1s; expect lamp=fading; wait 10ms; expect lamp=on; release up") == [])
    #expect(try stage.take("press down; wait 500ms; expect lamp=fading; wait 510ms; expect lamp=off") == [])
    // A change that does not change the value does not begin a fade.
    #expect(try stage.take("release down; click down; wait 10ms; expect lamp=off") == [])
  }

  @Test("are refused with what is right")
  func wrong() {
    for (lamp, show, problem) in [
      ("led: GPIO18", "{ fade: 0.8 }", "a fade takes a time; write { fade: 0.8, over: 2s }"),
      ("led: GPIO18", "{ fade: key, over: 2s }", "\"key\" is an input, not a value"),
      ("led: GPIO18", "{ fade: 1.5, over: 2s }", "\"fade\" is \"1.5\"; it takes a number 0...1 or a value's name"),
      ("led: GPIO18", "{ over: 2s }", "over needs fade beside it"),
      ("led: GPIO18", "{ level: 0.3, times: 2 }", "times can't be beside level; it belongs to pulse or keys"),
      (
        "led: GPIO18", "{ blink: 1s, times: 2 }",
        "times can't be beside blink; write blink: { on: 250ms, off: 250ms, times: 3 }"
      ),
      ("led: GPIO18", "{ pulse: 1s, rise: 2s }", "rise is longer than the pulse of 1s"),
      ("led: GPIO18", "{ keys: [[0s, 0], [0s, 1]] }", "0s is not after 0s; write the times in their order"),
      ("led: GPIO18", "{ keys: [[0s, 0]] }", "\"keys\" is a list of 1; it takes a list of 2...8 times"),
      ("led: GPIO18", "{ fade: 1, level: 1 }", "level can't be beside fade; write one of them"),
      ("led: GPIO18, pwm: yes", "on", "\"pwm\" is \"yes\"; it takes auto, required or never"),
      (
        "led: GPIO18, frequency: 1kHz", "on",
        "a frequency needs a PWM channel; write pwm: auto or pwm: required beside it"
      ),
      ("led: GPIO18, pwm: auto, frequency: 20Hz", "on", "frequency"),
    ] {
      let found = Self.problems(lamp, show)
      #expect(found.count == 1 && found.first?.contains(problem) == true, "\(lamp) \(show): \(found)")
    }
  }
}
