import Testing

@testable import PanelLanguage

@Suite("Notes of what never happens, and of settings that nothing needs")
struct UnusedSettingTests {
  private func notes(_ text: String) throws -> [String] {
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    return (panel.notes + panel.unused).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
      .map { "\($0.line):\($0.column): \($0.text)" }
  }

  private func notes(states: String, key: String = "button: GPIO17", top: String = "") throws -> [String] {
    try notes(
      "panel: T\ninputs: { key: { \(key) } }\noutputs: { lamp: { led: GPIO23 } }\n\(top)initial: a\nstates:\n\(states)")
  }

  @Test("a time behind one after which the state has been left for certain")
  func hidden() throws {
    let end = "  c: { on: { key.pressed: a } }\n"
    #expect(
      try notes(states: "  a: { on: { key.pressed: b } }\n  b: { show: { lamp: on }, after: { 3s: a, 5s: c } }\n" + end)
        == ["7:44: never fires: after 3s this state is no longer current"])
    func after(_ times: String) throws -> [String] {
      try notes(
        states: "  a: { on: { key.pressed: b } }\n  b: { show: { lamp: on }, \(times), on: { key.pressed: c } }\n" + end
      )
    }
    #expect(try after("after: { 5s: c, 3s: a }") == ["7:37: never fires: after 3s this state is no longer current"])
    #expect(
      try after("after: { 3s: { go: a, if: lamp == on }, 5s: c }".replacing("lamp == on", with: "key == pressed")) == []
    )
    #expect(try after("after: { 3s: a }, every: { 5s: c }").count == 1)
    #expect(try after("after: { 3s: a }, every: { 1s: { go: c, if: key == pressed } }") == [])
    // At one moment the first one in the file is taken.
    #expect(try after("after: { 3s: a }, every: { 3s: c }").count == 1)
    #expect(try after("every: { 3s: { go: c, if: key == pressed } }, after: { 3s: a }") == [])
    #expect(try after("after: { 1s..4s: a, 5s: c }").count == 1)
    #expect(try after("after: { 1s..4s: a, 4s: c }").count == 1)
    #expect(try after("after: { 1s..4s: a, 3s: c }") == [])
    #expect(try after("after: { 3s: a }, untouched: { 5s: c }").count == 1)
  }

  @Test("a time of a state inside one that has been left, and none where a time leads further in")
  func hiddenInside() throws {
    let inside = """
        a:
          after: { 3s: { go: %, if: key == released } , 4s: % }
          initial: i
          states: { i: { after: { 5s: j } }, j: { on: { key.pressed: b } } }
        b: { show: { lamp: on }, on: { key.pressed: a } }

      """
    #expect(
      try notes(states: inside.replacing("%", with: "b")) == [
        "9:29: never fires: after 4s state \"a\" is no longer current"
      ])
    #expect(try notes(states: inside.replacing("%", with: "j")) == [])
  }

  @Test("a hold and a double click that nothing asks for")
  func gestures() throws {
    let plain = "  a: { on: { key.pressed: b } }\n  b: { show: { lamp: on }, on: { key.pressed: a } }\n"
    #expect(
      try notes(states: plain, key: "button: GPIO17, hold: 2s, double-click: 400ms") == [
        "2:34: no transition uses key.held; leave hold out",
        "2:44: no transition uses key.double-clicked; leave double-click out",
      ])
    #expect(
      try notes(
        states: plain.replacing("key.pressed", with: "key(1).pressed"), key: "buttons: [GPIO17, GPIO27], hold: 2s")
        == ["2:45: no transition uses key.held; leave hold out"])
    // A press that is longer is no click.
    #expect(try notes(states: plain.replacing("pressed", with: "clicked"), key: "button: GPIO17, hold: 2s") == [])
    #expect(
      try notes(states: plain.replacing("pressed", with: "clicked"), key: "button: GPIO17, double-click: 400ms") == [
        "2:34: no transition uses key.double-clicked; leave double-click out"
      ])
    #expect(try notes(states: plain.replacing("pressed", with: "held"), key: "button: GPIO17, hold: 2s") == [])
    // Others are told of each event.
    #expect(
      try notes(
        states: plain, key: "button: GPIO17, hold: 2s, double-click: 400ms", top: "mqtt: { publish: [ key ] }\n")
        == [])
  }

  @Test("a press that leads to where its own click leads back")
  func clickBack() throws {
    let start = "  a: { on: { key.pressed: b } }\n  b: { show: { lamp: on }, on: { key.held: c, "
    let end = " } }\n  c: { on: { key.pressed: a } }\n"
    #expect(
      try notes(states: start + "key.clicked: a" + end) == [
        "7:47: the press that leads here ends with key.clicked, which leads back to \"a\"; in \"a\" write key.clicked: b"
      ])
    #expect(try notes(states: start + "key.released: a" + end) == [])
    #expect(try notes(states: start + "key.clicked: c" + end) == [])
    #expect(try notes(states: start + "key.clicked: { go: a, if: key == released }" + end) == [])
    #expect(
      try notes(
        states: (start + "key.clicked: a" + end).replacing("key.pressed: b", with: "key.clicked: b")) == [])
  }

  @Test("an event that others may ask for and nothing reacts to")
  func accepted() throws {
    let states = "  a: { show: { lamp: on }, on: { key.pressed: b } }\n  b: { on: { key.pressed: a } }\n"
    #expect(
      try notes(states: states, top: "accept: { event: [ go ] }\n") == [
        "4:20: nothing reacts to network.go; write on: { network.go: STATE }, or leave it out"
      ])
    #expect(
      try notes(
        states: states.replacing("b: { on: { key", with: "b: { on: { network.go: a, key"),
        top: "accept: { event: [ go ] }\n") == [])
  }

  @Test("untouched on a panel without anything to touch")
  func untouchable() throws {
    let text = """
      panel: T
      inputs: { air: { sensor: { w1: any }, min: 0, max: 50 } }
      outputs: { lamp: { led: GPIO23 } }
      initial: a
      states:
        a: { untouched: { 1m: b }, when: { air > 20: b } }
        b: { show: { lamp: on }, when: { air < 20: a } }

      """
    let nothing = "this panel has nothing to touch: no button, keypad, switch or encoder"
    #expect(
      try notes(text) == [
        "6:21: this panel has nothing to touch: no button, keypad, switch or encoder; write after: { 1m: b }"
      ])
    #expect(
      try notes(
        text.replacing("untouched: { 1m: b }, ", with: "").replacing("initial", with: "untouched: { 1m: a }\ninitial"))
        == ["4:14: \(nothing); leave it out"])
    #expect(try notes(text.replacing("{ air:", with: "{ key: { button: GPIO4 }, air:")) == [])
  }

  @Test(
    "a line that a Raspberry Pi's header has not, unless the file names another chip",
    arguments: [
      ("GPIO99", "GPIO99 is not on a Raspberry Pi's header; use GPIO2 to GPIO27"),
      ("GPIO28", "GPIO28 is not on a Raspberry Pi's header; use GPIO2 to GPIO27"),
      ("BCM17", "a Raspberry Pi has no line BCM17; write GPIO17"),
      ("GPIO_17", "a Raspberry Pi has no line GPIO_17; write GPIO17"),
      ("gpio17", "a Raspberry Pi has no line gpio17; write GPIO17"),
      ("GPIO05", "a Raspberry Pi has no line GPIO05; write GPIO5"),
      ("D5", "a Raspberry Pi has no line D5; write GPIO5"),
      ("pin11", "a Raspberry Pi has no line pin11; write GPIO17, which is pin 11 of its header"),
      ("pin6", "a Raspberry Pi has no line pin6; pin 6 of its header is GND"),
      ("GPIO27", nil), ("GPIO2", nil), ("PCC.01", nil), ("P8_03", nil), ("gpiochip0:99", nil), ("BCM99", nil),
      ("D1", nil),
    ] as [(String, String?)])
  func lines(line: String, expected: String?) throws {
    let states = "  a: { show: { lamp: on }, on: { key.pressed: a } }\n"
    #expect(try notes(states: states, key: "button: \"\(line)\"") == (expected.map { ["2:26: \($0)"] } ?? []))
    #expect(try notes(states: states, key: "button: \"\(line)\"", top: "chip: gpio-sim\n") == [])
  }

  @Test("a scale that converts thousandths, which are converted already")
  func thousandths() throws {
    func notes(_ source: String) throws -> [String] {
      try self.notes(
        """
        panel: T
        inputs: { air: { sensor: { \(source) }, min: -20, max: 50, decimals: 1 } }
        outputs: { lamp: { led: GPIO23 } }
        initial: a
        states: { a: { when: { air > 20: b } }, b: { show: { lamp: on }, when: { air < 19: a } } }

        """)
    }
    func note(_ column: Int, _ unit: String) -> [String] {
      ["2:\(column): the number is in \(unit) already, as the kernel's thousandths are converted; leave scale out"]
    }
    #expect(
      try notes("w1: any, scale: 0.001") == [
        "2:44: the number is in °C already, as the kernel's thousandths are converted; leave scale out"
      ])
    #expect(try notes("iio: dht11, channel: temp, scale: 0.001") == note(62, "°C"))
    #expect(try notes("hwmon: cpu_thermal, channel: temp1, scale: 0.001") == note(71, "°C"))
    #expect(try notes("hwmon: ina219, channel: power1, scale: 0.001, unit: kW") == [])
    #expect(try notes("w1: any, scale: 0.1") == [])
    #expect(try notes("file: /run/air, scale: 0.001") == [])
  }

  @Test("a text with a dollar, a character that the display has not, and a number below zero in two parts")
  func texts() throws {
    func notes(_ row: String, display: String = "i2c: 0x27") throws -> [String] {
      try self.notes(
        """
        panel: T
        inputs: { air: { sensor: { w1: any, scale: 10, unit: tenths }, min: -400, max: 500 } }
        outputs: { d: { display: { \(display) } } }
        values: { n: { initial: 0, min: -99, max: 99 }, m: { initial: 0, min: 0, max: 99 } }
        initial: a
        states: { a: { show: { d: [ "\(row)" ] }, every: { 1s: { set: { n: air, m: +1 } } } } }

        """)
    }
    #expect(
      try notes("n $n, $x, 5$") == ["6:32: \"$n\" is shown as it is written; write {n} to show the number"])
    #expect(
      try notes("a ½ €") == [
        "6:32: the display has no \"½\" and shows ? instead; write it in another way, or add characters: european if the display has them"
      ])
    #expect(try notes("日") == ["6:30: the display has no \"日\" and shows ? instead; write it in another way"])
    #expect(try notes("ä € → 20°C") == [])
    let wrong = "below zero this is wrong, because / and mod round down:"
    #expect(
      try notes("{air / 10}.{air mod 10}") == [
        "6:29: below zero this is wrong, because / and mod round down: -5 is shown as -1.5; give \"air\" decimals: 1 and write {air}"
      ])
    #expect(
      try notes("{n / 100}.{n mod 100}") == [
        "6:29: \(wrong) -50 is shown as -1.50; in a state for n < 0 write -{abs(n) / 100}.{abs(n) mod 100}"
      ])
    #expect(try notes("{m / 10}.{m mod 10}") == [])
    #expect(try notes("{abs(n) / 10}.{abs(n) mod 10}") == [])
  }

  @Test("a sensor, a value and an encoder that are only told to others are used")
  func told() throws {
    let text = """
      panel: Told
      inputs:
        key: { button: GPIO17 }
        room: { sensor: { w1: any }, min: 0, max: 45 }
        knob: { encoder: [GPIO5, GPIO6] }
      outputs: { lamp: { led: GPIO23 } }
      %
      initial: a
      states: { a: { on: { key.pressed: b } }, b: { show: { lamp: on }, on: { key.pressed: a } } }

      """
    func notes(_ line: String) throws -> Int { try self.notes(text.replacing("%", with: line)).count }
    #expect(try notes("mqtt: { publish: all, discovery: homeassistant }") == 0)
    #expect(try notes("mqtt: { publish: [ room ], discovery: homeassistant }") == 1)
    #expect(try notes("osc: { send: [ \"127.0.0.1:9\" ] }") == 0)
    #expect(try notes("osc: { send: [ \"127.0.0.1:9\" ], publish: [ knob ] }") == 1)
    #expect(try notes("mqtt: { publish: [ state ] }") == 2)
  }

  @Test("an event of the top level that a region reacts to as well, with what happens")
  func topLevel() throws {
    let text = """
      panel: N
      inputs: { knob: { encoder: [GPIO5, GPIO6] } }
      outputs: { lamp: { led: GPIO23 } }
      values: { goal: { initial: 20, min: 5, max: 30 } }
      on: { knob.clockwise: { set: { goal: +1 } } }
      regions:
        plant:
          initial: off
          states: { off: { when: { goal > 22: on } }, on: { show: { lamp: on }, when: { goal < 22: off } } }
        face:
          initial: bright
          states:
            bright: { untouched: { 20s: dim } }
            dim: { on: { knob.clockwise: bright } }

      """
    let reason = "the top level reacts in every state of region \"face\"; to prevent it write if: state.face != dim"
    #expect(
      try notes(text) == [
        "5:7: knob.clockwise also changes goal: the top level reacts in every state of region \"face\"; to prevent it write if: state.face != dim"
      ])
    #expect(
      try notes(text.replacing("{ set: { goal: +1 } }", with: "on").replacing("when: { goal > 22: on }", with: "")) == [
        "5:7: knob.clockwise also leads to on: \(reason)"
      ])
  }
}
