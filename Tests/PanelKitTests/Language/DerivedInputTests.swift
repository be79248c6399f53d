import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("Inputs that follow from others, and sensors")
struct DerivedInputTests {
  private static let fan = """
    panel: Fan
    inputs:
      air: { sensor: { w1: any }, min: -20, max: 60, decimals: 1, initial: 20 }
      warm: { switch: { on: air > 28, off: air < 25 }, words: { on: warm, off: cool } }
      slow: { switch: { on: air > 28 and b == pressed }, debounce: 100ms }
      b: { button: GPIO1, debounce: 0ms }
    values: { n: { initial: 0, min: -99, max: 99 }, slow-ons: { initial: 0, min: 0, max: 99 } }
    on: { slow.on: { set: { slow-ons: +1 } }, b.pressed: { set: { n: air } } }
    initial: off
    states:
      off: { on: { warm.warm: on, air.restored: back } }
      on: { on: { warm.cool: off, air.lost: blind } }
      back: { when: { warm == warm: on }, on: { warm.warm: on } }
      blind: { when: { air == there: back } }

    """

  @Test("a computed switch keeps its position between its two conditions")
  func hysteresis() throws {
    let stage = try Stage(panel: Self.fan)
    #expect(stage.state == "off")
    try stage.sense("air", 270)
    #expect(stage.state == "off", "the first reading is no return")
    try stage.sense("air", 280)
    #expect(stage.state == "off")
    try stage.sense("air", 281)
    #expect(stage.state == "on")
    try stage.sense("air", 250)
    #expect(stage.state == "on")
    try stage.sense("air", 249)
    #expect(stage.state == "off")
  }

  @Test("a lost sensor keeps its last number, and tells that it is lost and that it is back")
  func lost() throws {
    let stage = try Stage(panel: Self.fan)
    try stage.sense("air", 300)
    #expect(stage.state == "on")
    try stage.unplug("air")
    #expect(stage.state == "blind")
    try stage.take("press b; wait 60m; release b")
    #expect(stage.value("n") == 30)
    try stage.sense("air", 300)
    #expect(stage.state == "on")
  }

  @Test("what a sensor tells has the moment at which it changed, however long nothing had happened before")
  func moments() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { air: { sensor: { w1: any }, min: 0, max: 50 } }
        initial: x
        states: { x: { on: { air.restored: y } }, y: { after: { 5s: z }, on: { air.lost: x } }, z: { on: { air.lost: x } } }

        """)
    try stage.unplug("air")
    try stage.take("wait 19s")
    try stage.sense("air", 20)
    #expect(stage.state == "y")
    try stage.take("wait 4999ms")
    #expect(stage.state == "y")
    try stage.take("wait 1ms")
    #expect(stage.state == "z")
    try stage.take("wait 33s")
    try stage.unplug("air")
    #expect(stage.state == "x")
    #expect(stage.session.journal.entries(since: .zero).last.map { stage.session.seconds(at: $0.moment) } == "57.000s")
  }

  @Test("a number is rounded to a whole one when a value is set to it, halves away from zero")
  func rounding() throws {
    let stage = try Stage(panel: Self.fan)
    for (number, value) in [(284, 28), (285, 29), (-14, -1), (-15, -2), (9999, 60)] {
      try stage.sense("air", number)
      try stage.take("press b; release b")
      #expect(stage.value("n") == value)
    }
  }

  @Test("the condition of a computed switch must hold for its debounce time")
  func debounce() throws {
    let stage = try Stage(panel: Self.fan)
    try stage.sense("air", 300)
    try stage.take("press b; wait 99ms; release b; wait 1s")
    #expect(stage.value("slow-ons") == 0)
    try stage.take("press b; wait 100ms; release b; wait 50ms; press b; wait 1s")
    #expect(stage.value("slow-ons") == 1)
  }

  private static let press = """
    panel: Press
    inputs:
      left: { button: GPIO1, debounce: 0ms }
      right: { button: GPIO2, debounce: 0ms }
      both: { chord: [left, right], within: 300ms, hold: 1s }
      quick: { chord: [left, right], within: 100ms, double-click: 400ms }
    values:
      lefts: { initial: 0, min: 0, max: 99 }
      chords: { initial: 0, min: 0, max: 99 }
      clicks: { initial: 0, min: 0, max: 99 }
      holds: { initial: 0, min: 0, max: 99 }
      doubles: { initial: 0, min: 0, max: 99 }
      ends: { initial: 0, min: 0, max: 99 }
    on:
      left.clicked: { set: { lefts: +1 } }
      both.pressed: { set: { chords: +1 } }
      both.released: { set: { ends: +1 } }
      both.clicked: { set: { clicks: +1 } }
      both.held: { set: { holds: +1 } }
      quick.double-clicked: { set: { doubles: +1 } }
    initial: x
    states: { x: {} }

    """

  @Test("a chord is pressed when the first and the last of its buttons went down within its time, not later")
  func within() throws {
    let stage = try Stage(panel: Self.press)
    try stage.take("press left; wait 299ms; press right; wait 10ms")
    #expect(stage.value("chords") == 1)
    try stage.take("release right; wait 10ms; press right; wait 500ms")
    #expect(stage.value("ends") == 1)
    #expect(stage.value("chords") == 1)
    try stage.take("release left; release right; press left; wait 300ms; press right; wait 1s")
    #expect(stage.value("chords") == 1)
  }

  @Test("a press that became part of a chord is no click of its own; a chord has clicks, holds and double clicks")
  func gestures() throws {
    let stage = try Stage(panel: Self.press)
    try stage.take("press left; press right; wait 50ms; release left; release right; wait 1s")
    #expect(stage.value("lefts") == 0)
    #expect(stage.value("clicks") == 1)
    try stage.take("press right; press left; wait 1s; release left; release right; wait 1s")
    #expect(stage.value("holds") == 1)
    #expect(stage.value("clicks") == 1)
    #expect(stage.value("doubles") == 0)
    try stage.take(
      "press left; press right; release left; release right; wait 399ms; press left; press right; wait 1ms")
    #expect(stage.value("doubles") == 1)
    try stage.take("release left; release right; click left; wait 1s")
    #expect(stage.value("lefts") == 1)
  }

  private static let pair = """
    panel: Pair
    inputs:
      left: { button: GPIO1, debounce: 0ms, double-click: 300ms }
      right: { button: GPIO2, debounce: 0ms }
      early: { button: GPIO3, debounce: 5ms }
      both: { chord: [left, right], hold: 1s }
      slow: { switch: { on: left == pressed }, debounce: 1s }
      late: { button: GPIO4, debounce: 5ms }
    values:
      n: { initial: 0, min: 0, max: 9999 }
      doubles: { initial: 0, min: 0, max: 99 }
      clicks: { initial: 0, min: 0, max: 99 }
    on:
      early.pressed: { set: { n: n * 10 + 1 } }
      both.held: { set: { n: n * 10 + 2 } }
      slow.on: { set: { n: n * 10 + 3 } }
      late.pressed: { set: { n: n * 10 + 4 } }
      left.double-clicked: { set: { doubles: +1 } }
      left.clicked: { set: { clicks: +1 } }
      gpio.restored: { set: { n: n * 10 + 9 } }
    initial: x
    states: { x: {} }

    """

  @Test(
    "what a chord and a computed switch tell after a time comes in the order of the file with what inputs tell then")
  func ties() throws {
    let stage = try Stage(panel: Self.pair)
    // The switch with a debounce is known after that.
    try stage.take("wait 2s; press left; press right; wait 995ms; press late; press early; wait 10ms")
    #expect(stage.value("n") == 1234)
  }

  @Test("a press that became part of a chord is no half of a double click of its own")
  func partOfDouble() throws {
    let stage = try Stage(panel: Self.pair)
    try stage.take(
      "press left; press right; wait 50ms; release left; release right; wait 50ms; press left; wait 50ms; release left; wait 1s"
    )
    #expect(stage.value("doubles") == 0)
    try stage.take("press left; wait 50ms; release left; wait 50ms; press left; wait 50ms; release left; wait 1s")
    #expect(stage.value("doubles") == 1)
    #expect(stage.value("clicks") == 0)
    try stage.take("press left; wait 50ms; release left; wait 1s")
    #expect(stage.value("clicks") == 1)
  }

  @Test("a chord that is down when the chip is lost is not held, and is no chord of presses before and after")
  func lostChord() throws {
    let stage = try Stage(panel: Self.pair)
    try stage.take("wait 2s; press left; press right; wait 500ms; unplug gpio; wait 2s; plug gpio; wait 5s")
    #expect(stage.value("n") == 39, "the switch follows the button, which is down")
    try stage.take("release left; release right; wait 1s; press left; press right; wait 2s")
    #expect(stage.value("n") == 3923)
  }

  @Test("each button of a chord of three is no click of its own in it, and one when it is pressed alone")
  func threeButtons() throws {
    let stage = try Stage(
      panel: """
        panel: Three
        inputs:
          a: { button: GPIO1, debounce: 0ms }
          b: { button: GPIO2, debounce: 0ms }
          c: { button: GPIO3, debounce: 0ms }
          all: { chord: [a, b, c], hold: 1s }
        values: { n: { initial: 0, min: 0, max: 99999 } }
        on:
          a.clicked: { set: { n: n * 10 + 1 } }
          b.clicked: { set: { n: n * 10 + 2 } }
          c.clicked: { set: { n: n * 10 + 3 } }
          all.clicked: { set: { n: n * 10 + 4 } }
          all.held: { set: { n: n * 10 + 5 } }
        initial: x
        states: { x: {} }

        """)
    try stage.take("press c; press a; press b; wait 10ms; release b; release c; release a; wait 10ms")
    #expect(stage.value("n") == 4)
    try stage.take("click b; click c; click a; wait 10ms")
    #expect(stage.value("n") == 4231)
    try stage.take("press a; press b; press c; wait 1s; release a; release b; release c; wait 10ms")
    #expect(stage.value("n") == 42315)
  }

  @Test(
    "a chord that was pressed once before the chip was lost is not pressed twice after it", arguments: [false, true])
  func lostClick(isLost: Bool) throws {
    let stage = try Stage(panel: Self.press)
    try stage.take("press left; press right; release left; release right; wait 100ms")
    try stage.take(isLost ? "unplug gpio; plug gpio; wait 100ms" : "wait 100ms")
    try stage.take("press left; press right; wait 1ms")
    #expect(stage.value("chords") == 2)
    #expect(stage.value("doubles") == (isLost ? 0 : 1))
  }

  @Test("a chord forgets its press with the chip that its buttons are on, and with no other")
  func lostChordOfOneChip() throws {
    let stage = try Stage(
      panel: """
        panel: Chips
        chips: { more: { expander: pcf8574 }, lamps: { expander: mcp23017 } }
        inputs:
          a: { button: GPIO1 }
          b: { button: GPIO2 }
          own: { chord: [a, b], hold: 1s }
          c: { button: more.0 }
          d: { button: more.1 }
          other: { chord: [c, d], hold: 1s }
        outputs: { lamp: { led: lamps.0 } }
        values: { owns: { initial: 0, min: 0, max: 9 }, others: { initial: 0, min: 0, max: 9 } }
        on: { own.held: { set: { owns: +1 } }, other.held: { set: { others: +1 } } }
        initial: x
        states: { x: {} }

        """)
    try stage.take("press a; press b; press c; press d; wait 500ms; unplug lamps; wait 2s")
    #expect(stage.value("owns") == 1 && stage.value("others") == 1, "the lamps' chip has no button")
    try stage.take("release a; release b; release c; release d; wait 1s")
    try stage.take("press a; press b; press c; press d; wait 500ms; unplug more; wait 2s")
    #expect(stage.value("owns") == 2 && stage.value("others") == 1, "gpio was lost before already")
  }

  @Test("a computed switch may compare values, and moves when they change")
  func values() throws {
    let stage = try Stage(
      panel: """
        panel: Thermostat
        inputs:
          room: { sensor: { file: /x }, min: 0, max: 40, decimals: 1 }
          warm: { switch: { on: room >= goal + 0.5, off: room <= goal - 0.5 } }
          knob: { encoder: [ GPIO5, GPIO6 ] }
        outputs: { heater: { relay: GPIO24 } }
        values: { goal: { initial: 20.5, min: 5, max: 30, decimals: 1 }, moves: { initial: 0, min: 0, max: 9 } }
        on:
          knob.clockwise: { set: { goal: +0.5 } }
          knob.counterclockwise: { set: { goal: -0.5 } }
          warm.on | warm.off: { set: { moves: +1 } }
        initial: a
        states:
          a: { when: { warm == off: heats } }
          heats: { show: { heater: on }, when: { warm == on or room == lost: a } }

        """)
    #expect(try stage.take("expect warm=unknown heater=off; sense room=20.5; expect warm=off heater=on moves=0") == [])
    #expect(try stage.take("turn knob=-1; expect warm=on heater=off moves=1") == [])
    #expect(try stage.take("turn knob=1; expect warm=on; turn knob=1; expect warm=off heater=on moves=2") == [])
  }

  @Test("a switch whose events change the values that it compares, without an end, stops the panel")
  func endless() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { key: { button: GPIO5 }, w: { switch: { on: n > 5, off: n < 5 } } }
        values: { n: { initial: 3, min: 0, max: 9 } }
        on: { key.pressed: { set: { n: 9 } }, w.on: { set: { n: 0 } }, w.off: { set: { n: 9 } } }
        initial: x
        states: { x: {} }

        """)
    #expect(try stage.take("expect w=off; press key; wait 10ms") == [])
    #expect(stage.session.application.frame.isStopped)
  }

  @Test("a proof follows the values that a computed switch compares")
  func provedValues() {
    func verdict(_ bound: Int) -> Bool {
      prove(
        """
        panel: P
        inputs: { key: { button: GPIO5 }, w: { switch: { on: n > 5, off: n < 3 } } }
        outputs: { lamp: { led: GPIO23 } }
        values: { n: { initial: 0, min: 0, max: \(bound) } }
        never: { lit: lamp == on }
        on: { key.pressed: { set: { n: +1 } } }
        initial: x
        states: { x: { on: { w.on: y } }, y: { show: { lamp: on } } }

        """
      ).lines.contains { $0.contains("proved") && $0.contains("never lit") }
    }
    #expect(verdict(5))
    #expect(!verdict(6))
  }

  @Test(
    "what an input can't follow from is told at its place",
    arguments: [
      (
        "w: { switch: { on: state == x } }",
        "5:20: \"state\" is not an input; a computed switch can use only sensors, contacts and values"
      ),
      (
        "both: { chord: [b, d] }, w: { switch: { on: both == pressed } }",
        #"5:45: "both" is a chord; a computed switch can use only sensors, contacts and values; write its inputs in place of "both""#
      ),
      (
        "c: { switch: { on: air > 9 } }, w: { switch: { on: air > 9, off: c == off } }",
        "5:66: \"c\" is a computed switch; a computed switch can use only sensors, contacts and values; write its inputs in place of \"c\""
      ),
      (
        "w: { switch: { on: gpio == lost } }",
        "5:20: \"gpio\" is not an input; a computed switch can use only sensors, contacts and values, use \"gpio\" in an if or a when"
      ),
      (
        "w: { switch: { on: air > 28.5 } }",
        "5:26: 28.5 has decimals and \"air\" has none; write 28, or give \"air\" decimals: 1"
      ),
      ("w: { switch: { on:air, on:foo } }", "5:16: no space after the colon of \"on:air\"; write on: air"),
      ("w: { switch: { on: air > 3, on:foo } }", "5:29: no space after the colon of \"on:foo\"; write on: foo"),
      ("w: { switch: { on: air > 70 } }", "5:26: 70 is outside the range of \"air\"; write 0...50"),
      (
        "w: { switch: { off: air < 2 } }",
        "5:6: missing key \"on\" of the conditions of a switch; it takes a condition: air > 28"
      ),
      (
        "w: { switch: { on: air == lost }, pull: up }",
        "5:35: \"pull\" needs a contact, and this switch has none; leave it out, or give the switch a line"
      ),
      ("w: { chord: [b, air] }", "5:17: \"air\" is not a button; write the name of a button"),
      ("w: { chord: [b, b] }", "5:17: \"b\" is in the chord twice; write it once"),
      ("w: { chord: [b] }", "5:13: \"chord\" is a list of 1; it takes a list of 2...4 buttons: [left, right]"),
      ("w: { sensor: { w1: any } }", "5:1: missing key \"min\" of a sensor; it takes the least number: -20"),
      ("w: { sensor: { iio: bme280 }, min: 0, max: 9 }", "5:16: iio has no channel; write channel: temp1"),
      (
        "w: { sensor: { w1: any, channel: temp1 }, min: 0, max: 9 }",
        "5:25: w1 has no \"channel\"; leave it out"
      ),
      ("w: { sensor: { w1: any, file: /a }, min: 0, max: 9 }", "5:25: file can't be beside w1; write one of them"),
      (
        "w: { sensor: { hwmon: a, channel: b, scale: 0 }, min: 0, max: 9 }",
        "5:45: \"scale\" is 0; write another number"
      ),
      (
        "w: { sensor: { iio: ../x, channel: temp }, min: 0, max: 9 }", "5:21: invalid name \"../x\"; it can't contain /"
      ),
      ("w: { sensor: { file: x }, min: 0, max: 9 }", "5:22: \"x\" is not an absolute path; start it with /"),
      (
        "w: { sensor: { w1: any }, min: 0.5, max: 9 }",
        "5:32: \"min\" is 0.5, which has more than 0 decimals; give it decimals: 1"
      ),
      ("w: { sensor: { w1: any }, min: 9, max: 9 }", "5:32: min of \"w\" is not below max; swap them"),
    ])
  func wrong(input: String, message: String) {
    #expect(problem(with: input) == message)
  }

  // Not among the arguments above: compilers up to 6.0 crash at an interpolation there.
  @Test("a sensor that doesn't say where its number is gets a list of sources")
  func withoutSource() {
    let sources = KindList.standard.sensors.map { $0.word }.joined(separator: ", ")
    #expect(
      problem(with: "w: { sensor: { }, min: 0, max: 9 }")
        == "5:14: \"w\" has no source; use one of \(sources)")
  }

  /// The first problem of a panel with an input in its line 5.
  private func problem(with input: String) -> String? {
    Fixture.problems(
      ofPanel: """
        panel: P
        values: { n: { initial: 0, min: 0, max: 9 } }
        inputs: { b: { button: GPIO1 }, d: { button: GPIO2 }, air: { sensor: { w1: any }, min: 0, max: 50 },

        \(input) }
        initial: x
        states: { x: {} }
        """
    ).first
  }
}
