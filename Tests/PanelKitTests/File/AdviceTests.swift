import Testing

@testable import PanelKit

/// What `check` advises where somebody has written what no file has. The inputs of a workshop, a kitchen and a
/// stairway.
@Suite("Messages that say what to write instead")
struct AdviceTests {
  private static let inputs = """
    panel: T
    inputs:
      a: { button: GPIO5, hold: 1s }
      door: { switch: GPIO13, words: { on: shut, off: open } }
      air: { sensor: { w1: any }, min: 0, max: 50, decimals: 1 }
      pad: { buttons: [GPIO7, GPIO8] }

    """
  private static let outputs =
    "outputs: { l: { led: GPIO23 }, fan: { relay: GPIO24 }, v: { leds: [GPIO25, GPIO12] }, d: { display: { i2c: 0x27 } } }\n"
  private static let values =
    "values: { n: { initial: 0, min: 0, max: 10 }, w: { initial: 3s, min: 0s, max: 9s }, q: { list: 2, min: 0, max: 1 } }\n"
  private static let end = "  y: { show: { l: on }, on: { a.pressed: x } }\n"

  /// The problems of a file whose first state, on line 11, has these keys.
  private func problems(ofState keys: String, top: String = "accept: { set: [ n ] }") -> [String] {
    Fixture.problems(
      ofPanel: Self.inputs + Self.outputs + Self.values + "\(top)\ninitial: x\nstates:\n  x: { \(keys) }\n" + Self.end)
  }

  @Test(
    "what a transition sets",
    arguments: [
      ("n(1): 1", #"12:41: "n" is a number, not a list; write n: 1"#),
      ("w(1): 2s", #"12:41: "w" is a duration, not a list; write w: 2s"#),
      (
        "q(1): 1",
        #"12:41: "q" is empty at first and its elements are appended; to set them by number give it filled: 0"#
      ),
      ("n: not n", #"12:44: "not" is only for conditions; to switch between 0 and 1 write n: 1 - n"#),
      (#"n: "!n""#, #"12:44: "!" is not an operator; to switch between 0 and 1 write n: 1 - n"#),
      ("n: 0.5", #"12:44: 0.5 has decimals and "n" has none; write 0, or give "n" decimals: 1"#),
      ("n: +0.5", #"12:45: 0.5 has decimals and "n" has none; write 0, or give "n" decimals: 1"#),
      ("n: -0.25", #"12:44: -0.25 has decimals and "n" has none; write 0, or give "n" decimals: 2"#),
      (
        "n: 0.25 * 0.125 * air * 0.5",
        #"12:63: the product of "0.25 * 0.125 * air" and 0.5 has 7 decimals, and at most 6 are possible; store one of them in a value with fewer decimals"#
      ),
    ])
  func settings(text: String, expected: String) {
    #expect(problems(ofState: "on: { a.pressed: { go: y, set: { \(text) } } }") == [expected])
  }

  @Test(
    "a number with decimals where a value has none",
    arguments: [
      (
        "{ initial: 20.5, min: 0, max: 50 }",
        #"2:25: 20.5 has decimals and "g" has none; write 20, or give "g" decimals: 1"#
      ),
      (
        "{ initial: 1, min: 0, max: 9.75 }",
        #"2:41: 9.75 has decimals and "g" has none; write 9, or give "g" decimals: 2"#
      ),
      ("{ initial: many, min: 0, max: 9 }", #"2:25: "initial" is "many"; it takes a number: 7"#),
      (
        "{ initial: 1.25, min: 0, max: 9, decimals: 1 }",
        #"2:25: "initial" is 1.25, which has more than 1 decimal; give "g" decimals: 2"#
      ),
      (
        "{ initial: 1s, min: 0s, max: 9s, decimals: 1 }",
        #"2:47: "g" is a duration, which has no decimals; leave it out"#
      ),
    ])
  func decimals(value: String, expected: String) {
    #expect(
      Fixture.problems(ofPanel: "panel: P\nvalues: { g: \(value) }\ninitial: x\nstates: { x: }\n") == [expected])
  }

  @Test(
    "elapsed in a when is compared with a constant",
    arguments: [
      (
        "n > 3 and elapsed * 2 > 3s: y",
        #"12:26: "elapsed" in "when" is compared alone with a constant; write elapsed > 1500ms"#
      ),
      ("elapsed / 2 <= 3s: y", #"12:16: "elapsed" in "when" is compared alone with a constant; write elapsed < 6s"#),
      ("3s < elapsed + 1s: y", #"12:21: "elapsed" in "when" is compared alone with a constant; write elapsed > 2s"#),
      (
        "elapsed > w: y",
        #"12:16: "elapsed" in "when" is compared alone with a constant; write after: { VALUE: STATE }"#
      ),
      (
        "n == 1 or elapsed mod 2s == 1s: y",
        #"12:26: "elapsed" in "when" is compared alone with a constant; write elapsed > 3s"#
      ),
    ])
  func elapsed(when: String, expected: String) {
    #expect(problems(ofState: "when: { \(when) }") == [expected])
  }

  @Test("a cooler runs for five minutes at least")
  func coolerElapsed() {
    let text = """
      panel: E
      inputs: { air: { sensor: { w1: any }, min: 0, max: 50, if-lost: keep } }
      outputs: { cool: { relay: GPIO24 } }
      initial: rests
      states:
        rests:
          when: { air * 2 > 50: cools }
        cools:
          show: { cool: on }
          when: { air * 2 < 44 and elapsed > 5m: rests }

      """
    #expect(Fixture.problems(ofPanel: text) == [])
  }

  @Test("a time of day where a duration stands")
  func timeOfDay() {
    #expect(
      problems(ofState: #"after: { "06:30": y }"#) == [
        #"12:17: 06:30 is a time of day; write at: { "06:30": y }"#
      ])
    #expect(problems(ofState: #"at: { "06:30": y }"#) == [])
    #expect(problems(ofState: "after: { 3s: y }", top: #"at: { "06:30": y }"#) == [])
  }

  @Test("what a state shows")
  func shows() {
    #expect(
      problems(ofState: "on: { a.pressed: y }, show: { l: { only: n } }") == [
        #"12:43: "l" is a single lamp; "only" chooses one of a group: leds"#
      ])
    #expect(
      problems(ofState: "on: { a.pressed: y }, show: { l: air > 20 }") == [
        #"12:41: "air > 20" is a condition; write l: { when: { air > 20: on } }"#
      ])
    #expect(
      problems(ofState: #"on: { a.pressed: y }, show: { d: "{n > 3 ? yes : no}" }"#) == [
        "12:41: a text can't contain a choice; write d: { when: { n > 3: yes, else: no } }"
      ])
  }

  @Test("an event of accept that bears the name of a value or an input, which a command could mean")
  func names() {
    #expect(
      problems(ofState: "on: { a.pressed: y }", top: "accept: { event: [ n, a, pad, ring, l ] }") == [
        #"9:20: "n" is a value of this file; give the event another name"#,
        #"9:23: "a" is an input of this file; give the event another name"#,
        #"9:26: "pad" is an input of this file; give the event another name"#,
      ])
  }

  @Test("the broker, which the machine knows")
  func broker() {
    #expect(
      problems(ofState: "on: { a.pressed: y }", top: "mqtt: { broker: 192.168.1.5, publish: all }") == [
        #"9:9: unknown key "broker"; the broker's address is set on the machine: PANEL_MQTT in /etc/panel/panel.env"#
      ])
    #expect(
      problems(ofState: "on: { a.pressed: y }", top: "mqtt: { username: me, publish: all }") == [
        #"9:9: unknown key "username"; the broker's user is set on the machine: PANEL_MQTT_USER and PANEL_MQTT_PASSWORD_FILE in /etc/panel/panel.env"#
      ])
  }

  @Test("the earlier name of publish")
  func publish() {
    let found = problems(ofState: "on: { a.pressed: y }", top: "mqtt: { tell: all }")
    #expect(found.first == #"9:9: unknown key "tell"; write publish:"#)
  }

  @Test("shown-by in a file without regions, and in one with others")
  func shownBy() {
    func problems(_ states: String) -> [String] {
      Fixture.problems(
        ofPanel: "panel: S\noutputs: { l: { led: GPIO23, shown-by: [ main, other ] } }\n\(states)\n")
    }
    #expect(
      problems("initial: a\nstates: { a: { show: { l: on } } }") == [
        "2:42: this file has no regions; leave shown-by out"
      ])
    #expect(
      problems("regions: { r: { initial: a, states: { a: { show: { l: on } } } } }") == [
        #"2:42: unknown region "main"; named regions: r"#, #"2:48: unknown region "other"; named regions: r"#,
      ])
  }

  @Test(
    "a type of device that there is not, by the word that was written",
    arguments: [
      (
        "inputs", "{ pwm: GPIO4 }",
        #"unknown input type "pwm"; PWM inputs are not supported yet; you can write a kind for them in Swift (docs/swift/kinds.md)"#
      ),
      (
        "inputs", "{ motion: GPIO4 }",
        #"unknown input type "motion"; a motion sensor is a switch: { switch: GPIO4, pull: down }"#
      ),
      (
        "inputs", "{ adc: 0 }",
        #"unknown input type "adc"; an analog input is a sensor: { sensor: { iio: mcp3008, channel: voltage0 }, min: 0, max: 3.3, decimals: 1 }"#
      ),
      ("inputs", "{ w1: any, min: 0 }", #"unknown input type "w1"; write { sensor: { w1: any }, min: -20, max: 60 }"#),
      (
        "outputs", "{ active: low, e-paper: GPIO4 }",
        #"unknown output type "e-paper"; e-paper displays are not supported yet; you can write a kind for them in Swift (docs/swift/kinds.md)"#
      ),
      ("outputs", "{ dac: 0x60 }", #"unknown output type "dac"; write { level: { sheet: mcp4725, i2c: 0x60 } }"#),
      ("chips", "{ mpr121: 0x5A }", #"unknown chip type "mpr121"; write { sheet: mpr121 }"#),
      ("outputs", "{ esc: GPIO4 }", #"unknown output type "esc"; write { servo: GPIO12, arm: 2s }"#),
      (
        "outputs", "{ disco: GPIO4 }",
        #"unknown output type "disco"; use led, rgb, strip, bar, relay, relays, servo, motor, stepper, buzzer, leds, display, digits, screen, matrix or level"#
      ),
      (
        "chips", "{ pca9685: 0x40 }",
        #"unknown chip type "pca9685"; write { pwm: pca9685 }"#
      ),
      (
        "outputs", "{ max7219: 8 }", #"unknown output type "max7219"; write { digits: { max7219: 8, spi: 0.0 } }"#
      ),
      (
        "outputs", "{ tm1637: [GPIO4, GPIO5] }",
        #"unknown output type "tm1637"; write { digits: { tm1637: [GPIO20, GPIO21] } }"#
      ),
      ("chips", "{ mcp23017: 0x20 }", #"unknown chip type "mcp23017"; write { expander: mcp23017 }"#),
      ("chips", "{ cpld: 0x40 }", #"unknown chip type "cpld"; use shift-register, expander, pwm or sheet"#),
      ("sounds", "{ mp3: a.mp3 }", #"unknown sound type "mp3"; write { file: chime.mp3 }"#),
      (
        "outputs", "{ active: low }",
        #"output "arm" has no type; use one of led, rgb, strip, bar, relay, relays, servo, motor, stepper, buzzer, leds, display, digits, screen, matrix, level"#
      ),
      ("outputs", "{ led: GPIO4, relay: GPIO5 }", #"output "arm" is an led and a relay; write one of them"#),
    ])
  func types(place: String, device: String, expected: String) {
    let found = Fixture.problems(ofPanel: "panel: P\n\(place): { arm: \(device) }\ninitial: x\nstates: { x: }\n")
    #expect(found.map { $0.drop { $0 != " " }.dropFirst() } == [Substring(expected)], "\(found)")
  }

  @Test(
    "a display or a sensor of a chip that is not driven, in one message",
    arguments: [
      (
        "outputs: { d: { display: { ssd1306: 0x3c } } }",
        #"2:28: unknown display "ssd1306"; an OLED is an output of its own: { screen: { ssd1306: 0x3C } }"#
      ),
      (
        "outputs: { d: { display: { spi: 0 } } }",
        #"2:28: unknown display "spi"; only displays with an HD44780 are supported: { i2c: 0x27 }, or { rs: LINE, e: LINE, data: [ 4 lines ] }"#
      ),
      (
        "inputs: { t: { sensor: { dht22: GPIO22 }, min: 0, max: 9 } }",
        #"2:26: unknown sensor source "dht22"; write { iio: dht11, channel: temp } and load dtoverlay=dht11,gpiopin=22"#
      ),
      (
        "inputs: { t: { sensor: { max31865: 0 }, min: 0, max: 9 } }",
        #"2:26: unknown sensor source "max31865"; use w1, iio, hwmon, file, load, disk, ping, distance, pulses, sheet, serial or modbus"#
      ),
    ])
  func chips(line: String, expected: String) {
    #expect(Fixture.problems(ofPanel: "panel: P\n\(line)\ninitial: x\nstates: { x: }\n") == [expected])
  }

  @Test("the edges of an encoder, and what others call them")
  func edges() {
    func problems(_ setting: String) -> [String] {
      Fixture.problems(
        ofPanel:
          "panel: P\ninputs: { k: { encoder: [GPIO5, GPIO6], \(setting) } }\ninitial: x\nstates: { x: { on: { k.clockwise: x } } }\n"
      )
    }
    #expect(problems("edges: 1") == [])
    #expect(problems("edges: 3") == [#"2:48: "edges" is 3; it takes 4, 2 or 1"#])
    #expect(
      problems("edges: 0") == [
        #"2:48: "edges" is "0"; it takes the number of edges from one detent to the next: 4, 2 or 1"#
      ])
    #expect(
      problems("detent: half") == [
        #"2:41: unknown key "detent"; write edges: 2 for a knob whose contacts make two edges from one detent to the next, edges: 1 for one"#
      ])
  }

  @Test("how long a kept value may be unsaved is nothing, or a second and more")
  func within() {
    func problems(_ within: String) -> [String] {
      Fixture.problems(
        ofPanel:
          "panel: P\nvalues: { n: { initial: 0, min: 0, max: 9, keep: { within: \(within) } } }\ninitial: x\nstates: { x: }\n"
      )
    }
    #expect(problems("0s") == [] && problems("1s") == [])
    #expect(
      problems("500ms") == [#"2:60: "within" is 500ms; it takes 0s to save each change immediately, or 1s...24h"#])
  }
}
