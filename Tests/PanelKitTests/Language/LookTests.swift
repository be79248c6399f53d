import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

/// Looks that depend on conditions, and the numbers that select members of a group.
@Suite("Looks by condition")
struct LookTests {
  static func failures(of panel: String, _ steps: String, start: String = "") throws -> [String] {
    try TimeOfDayTests.failures(of: panel, "scenario: S\n\(start)steps:\n\(steps)\n")
  }

  static func notes(_ text: String) throws -> [String] {
    try PanelFile.read(Array(text.utf8), file: "p").notes.map { "\($0.line):\($0.column): \($0.text)" }
  }

  private static let lamps = """
    panel: Lamps
    inputs: { key: { button: GPIO17 }, far: { switch: GPIO5 }, knob: { encoder: [GPIO6, GPIO13] } }
    outputs: { lamp: { led: GPIO23 }, fan: { relay: GPIO24 }, bar: { bar: [GPIO12, GPIO16, GPIO20] } }
    values: { n: { initial: 0, min: 0, max: 9 } }
    on: { knob.clockwise: { set: { n: +1 } } }
    show:
      lamp: { when: { n > 5: { blink: 100ms }, n > 2: on, far == on: { level: 0.5 } } }
      fan: { when: { far == on and n < 5: on, else: off } }
      bar: { when: { n == 9: 3, n > 1: { when: { far == on: 2, else: 1 } } } }
    initial: a
    states:
      a: { on: { key.pressed: b } }
      b: { show: { lamp: { when: { state == b and n > 0: { pulse: 1s }, else: on } } } }
    """

  @Test("an output has the look of the first condition that holds, or of else, or is off")
  func first() throws {
    #expect(
      try Self.failures(
        of: Self.lamps,
        """
          - expect: { lamp: off, fan: off, bar: 0 }
          - switch: { far: on }
          - wait: 10ms
          - expect: { lamp: 0.5, fan: on, bar: 0 }
          - turn: { knob: 3 }
          - expect: { lamp: on, fan: on, bar: 2 }
          - switch: { far: off }
          - wait: 10ms
          - expect: { lamp: on, fan: off, bar: 1 }
          - turn: { knob: 6 }
          - expect: { lamp: blinking, bar: 3 }
          - click: key
          - expect: { lamp: pulsing }
        """) == [])
  }

  @Test("a look and a text may check what another output shows, which may depend on a third one")
  func outputs() throws {
    let panel = """
      panel: P
      inputs: { key: { button: GPIO17 } }
      outputs:
        heater: { relay: GPIO24 }
        lamp: { led: GPIO23 }
        sign: { led: GPIO25 }
        screen: { display: { i2c: 0x27 } }
      show:
        lamp: { when: { heater == on: { blink: 100ms } } }
        sign: { when: { lamp == blinking: on } }
        screen: [ { when: { heater == on and sign == on: heats, else: rests } } ]
      initial: a
      states:
        a: { on: { key.pressed: b } }
        b: { show: { heater: on }, on: { key.pressed: a } }
      """
    #expect(
      try Self.failures(
        of: panel,
        """
          - wait: 100ms
          - expect: { lamp: off, sign: off, screen: rests }
          - click: key
          - wait: 200ms
          - expect: { lamp: blinking, sign: on, screen: heats }
          - click: key
          - wait: 200ms
          - expect: { lamp: off, sign: off, screen: rests }
        """) == [])
  }

  @Test("an output whose look depends on itself is an error at the place that shows it")
  func cycle() {
    #expect(
      Fixture.problems(
        ofPanel: """
          panel: P
          outputs: { a: { led: GPIO5 }, b: { led: GPIO6 }, c: { led: GPIO13 } }
          show:
            a: { when: { b == on: on } }
            b: { when: { a == off: on } }
            c: { when: { a == on: on } }
          initial: x
          states: { x: }
          """) == [
          "4:3: the look of \"a\" depends on what \"a\" shows; use the state, or a value, in the condition",
          "5:3: the look of \"b\" depends on what \"b\" shows; use the state, or a value, in the condition",
        ])
  }

  @Test("a condition with an unknown part does not hold, and neither does its opposite")
  func unknown() throws {
    let panel = """
      panel: U
      inputs: { air: { sensor: { w1: any }, min: 0, max: 50, if-lost: max } }
      outputs: { warm: { led: GPIO23 }, cold: { led: GPIO24 }, none: { led: GPIO25 } }
      show:
        warm: { when: { air > 20: on } }
        cold: { when: { not air > 20: on } }
        none: { when: { air > 20: off, not air > 20: off, air == unknown: { blink: 1s } } }
      initial: a
      states: { a: {} }
      """
    #expect(
      try Self.failures(
        of: panel,
        """
          - expect: { warm: off, cold: off, none: blinking }
          - sense: { air: 30 }
          - wait: 11s
          - expect: { warm: on, cold: off, none: off }
          - sense: { air: 10 }
          - wait: 11s
          - expect: { warm: off, cold: on }
          - unplug: air
          - wait: 11s
          - expect: { warm: on, cold: off }
        """) == [])
  }

  @Test("never sees the look that the conditions choose")
  func never() throws {
    let panel = """
      panel: N
      inputs: { a: { switch: GPIO5 }, b: { switch: GPIO6 } }
      outputs: { up: { relay: GPIO23 }, down: { relay: GPIO24 } }
      show: { up: { when: { a == on: on } }, down: { when: { b == on: on } } }
      never: { both: up == on and down == on }
      initial: x
      states: { x: {} }
      """
    #expect(
      try Self.failures(
        of: panel,
        """
          - switch: { a: on }
          - wait: 10ms
          - expect: { up: on, down: off }
          - switch: { b: on }
          - wait: 10ms
        """
      ).contains { $0.contains("both") })
  }

  private static let stairs = """
    panel: Stairs
    inputs: { up: { button: GPIO17 }, down: { button: GPIO27 } }
    outputs: { steps: { leds: [GPIO5, GPIO6, GPIO13, GPIO19] }, valves: { relays: [GPIO20, GPIO21, GPIO26] } }
    values: { first: { initial: 1, min: 1, max: 9 }, last: { initial: 0, min: 0, max: 9 } }
    on: { up.pressed: { set: { last: +1 } }, down.pressed: { set: { first: +1 } } }
    show:
      steps: { from: first, to: last }
      valves: { when: { last > 2: { from: first + 1, to: last }, last == 2: { only: last }, else: { from: 3, to: 3 } } }
    initial: a
    states: { a: {} }
    """

  @Test("a range of a group is on, and nothing if it is empty")
  func range() throws {
    #expect(
      try Self.failures(
        of: Self.stairs,
        """
          - expect: { steps: off, valves: [off, off, on] }
          - click: up
          - click: up
          - expect: { steps: [on, on, off, off], valves: [off, on, off] }
          - click: up
          - click: down
          - expect: { steps: [off, on, on, off], valves: [off, off, on] }
          - click: down
          - click: down
          - expect: { steps: off, valves: off }
        """) == [])
  }

  @Test("as is a look of the members of a range, also by condition; a member's own look comes before its group's")
  func members() throws {
    let panel = """
      panel: M
      inputs: { s: { switch: GPIO17 } }
      outputs: { lamps: { leds: [GPIO5, GPIO6, GPIO13, GPIO19] } }
      show:
        lamps(2): { when: { s == on: { level: 0.5 } } }
        lamps: { from: 1, to: 3, as: { when: { s == on: { blink: 100ms }, else: on } } }
      initial: a
      states: { a: {} }
      """
    #expect(
      try Self.failures(
        of: panel,
        """
          - expect: { lamps: [on, off, on, off] }
          - switch: { s: on }
          - wait: 10ms
          - expect: { lamps: [blinking, 0.5, blinking, off] }
        """) == [])
  }

  @Test("a look follows the time of day, and a clock that is unknown")
  func nightLight() throws {
    let panel = """
      panel: Night light
      inputs:
        night: { switch: { between: "22:00..06:00" } }
        week: { switch: { between: "08:00..17:00", days: mon..fri } }
      outputs: { lamp: { led: GPIO23 }, sign: { led: GPIO24 } }
      show:
        lamp: { when: { night == on: { level: 0.3 }, night == unknown: { blink: 500ms } } }
        sign: { when: { week == on and clock < 12:00: on, week == on: { blink: 250ms } } }
      initial: here
      states: { here: {} }
      """
    #expect(
      try Self.failures(
        of: panel,
        """
          - expect: { lamp: 0.3, sign: off }
          - clock: "2026-10-26 11:59:00"
          - expect: { sign: on, lamp: off }
          - wait: 1m
          - expect: { sign: blinking }
          - unplug: clock
          - expect: { lamp: blinking, sign: off }
        """, start: "start: { clock: \"2026-03-29 01:59:00\", zone: \"CET-1CEST,M3.5.0,M10.5.0/3\" }\n") == [])
  }

  @Test("a state beside a look by condition, with three clicks of one button")
  func dimmer() throws {
    let panel = """
      panel: Dimmer
      inputs: { key: { button: GPIO17, hold: 400ms, repeat: 100ms } }
      outputs: { lamp: { led: GPIO23 }, away: { led: GPIO24 } }
      values: { level: { initial: 5, min: 0, max: 10 } }
      initial: dark
      states:
        dark:
          on:
            key.clicked: lit
            key.double-clicked: { go: lit, set: { level: 10 } }
            key.triple-clicked: party
        lit:
          show: { lamp: { level: level } }
          on: { key.clicked: dark, key.held | key.repeated: { set: { level: +1 } } }
        party: { show: { away: { when: { level > 5: { blink: 100ms }, else: on } } }, on: { key.clicked: dark } }
      """
    #expect(
      try Self.failures(
        of: panel,
        """
          - click: key
          - wait: 60ms
          - press: key
          - wait: 405ms
          - heard: [ key.clicked, key.held ]
          - wait: 500ms
          - release: key
          - wait: 10ms
          - expect: { state: lit, level: 10, lamp: on }
          - expect: { lamp: 1 }
          - click: key
          - wait: 700ms
          - expect: { state: dark }
          - click: key
          - wait: 50ms
          - click: key
          - wait: 50ms
          - click: key
          - wait: 700ms
          - expect: { state: party, away: blinking }
        """) == [])
  }

  @Test("a relay that compares a sensor switches often, and a look that never holds is noted")
  func notes() throws {
    let panel = """
      panel: S
      inputs: { air: { sensor: { w1: any }, min: 0, max: 50, if-lost: min } }
      outputs: { fan: { relay: GPIO23 }, l: { led: GPIO24 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      show: { fan: { when: { air > 25: on } }, l: { when: { air > 25: on, n > 9: off } } }
      initial: x
      states: { x: {} }
      """
    #expect(
      try Self.notes(panel) == [
        "5:24: relay \"fan\" follows \"air\" directly and switches often around 25; use a switch with on: and off:",
        "5:69: never true: n is 0...9",
      ])
  }
}

@Suite("Blinking at the pace of a value")
struct PacedBlinkTests {
  private static let panel = """
    panel: P
    inputs: { faster: { button: GPIO17, debounce: 0s }, slower: { button: GPIO27, debounce: 0s } }
    outputs: { lamp: { led: GPIO23 }, sign: { leds: [GPIO5, GPIO6] } }
    values:
      pace: { initial: 200ms, min: 0s, max: 1s }
      rest: { initial: 300ms, min: 0s, max: 1s }
    on: { faster.pressed: { set: { pace: 100ms } }, slower.pressed: { set: { pace: 400ms } } }
    show: { lamp: { blink: pace }, sign: { only: 1, as: { blink: { on: 50ms, off: rest } } } }
    initial: a
    states: { a: {} }
    """

  @Test("a lamp blinks at the pace of a value")
  func looks() throws {
    #expect(
      try LookTests.failures(of: Self.panel, "  - expect: { lamp: blinking, sign: [blinking, off] }") == [])
    #expect(try LookTests.notes(Self.panel) == [])
  }
}
