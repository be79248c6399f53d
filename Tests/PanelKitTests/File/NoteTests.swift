import CycleCore
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("What check notes")
struct NoteTests {
  private func notes(_ input: String) throws -> [String] {
    let text = "panel: P\ninputs: { in: { \(input) } }\nuntouched: { 1m: a }\ninitial: a\nstates: { a: }\n"
    return try PanelFile.read(Array(text.utf8), file: "test").notes.map { "\($0.line):\($0.column): \($0.text)" }
  }

  @Test("a button that its pull resistor alone presses is noted; a switch is a normally closed contact")
  func pressedForEver() throws {
    #expect(
      try notes("button: GPIO4, active: high") == [
        "2:40: \"in\" is pressed while its contact is open; leave \"active\" out if the contact closes when pressed"
      ])
    #expect(try notes("button: GPIO4, pull: down, active: low").count == 1)
    #expect(try notes("switch: GPIO4, active: high") == [])
    #expect(try notes("button: GPIO4, pull: down, active: high") == [])
    #expect(try notes("button: GPIO4, pull: none, active: high") == [])
    #expect(try notes("button: GPIO4") == [])
  }

  @Test("a missing library is a note, because the panel runs without it; a missing file is a fault")
  func missingLibrary() {
    let library = DriverError(
      .absent, of: "a.flac", cannot: "read a.flac", reason: "FLAC needs libsndfile",
      remedy: "Install it: sudo apt install libsndfile1.")
    #expect(SoundFileCheck.finding(library) == .note("FLAC needs libsndfile; install it: sudo apt install libsndfile1"))
    let finding = SoundFileCheck.finding(SoundFileUse("/nowhere/a.wav"))
    #expect(finding == .fault("no such file; check the path, it is relative to the folder of this file"))
  }

  @Test("a sound file that ends loud is noted, unless it is a loop")
  func loudEnd() throws {
    let text = "panel: P\nsounds: { a: { file: a.wav }, b: { file: a.wav, loop: true } }\ninitial: a\nstates: { a: }\n"
    let path = "\(checkoutRoot)/Tests/Sounds/loud-end.wav"
    let finding = SoundFileCheck.finding(SoundFileUse(path))
    let notes = try PanelFile.read(Array(text.utf8), file: "test") { _ in finding }.notes.map {
      "\($0.line):\($0.column): \($0.text)"
    }
    #expect(
      notes == [#"2:22: sound file "a.wav": it ends at -2dB and would click; its last 5ms are faded out"#])
  }

  @Test("a pull-down at the two lines of a Pi's header that have pull-ups is noted", arguments: ["GPIO2", "GPIO3"])
  func fixedPullUps(line: String) throws {
    let text =
      "\(line) of a Raspberry Pi's header has a pull-up resistor of 1.8 kΩ, which pull: down can't overcome; use another line"
    #expect(try notes("button: \(line), pull: down") == ["2:38: \(text)"])
    #expect(try notes("switch: \(line), pull: down") == ["2:38: \(text)"])
    #expect(try notes("encoder: [GPIO4, \(line)], pull: down") == ["2:48: \(text)"])
    #expect(try notes("button: \(line)") == [])
    #expect(try notes("button: GPIO4, pull: down") == [])
  }

  private func notes(ofPanel text: String) throws -> [String] {
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    return (panel.notes + panel.unused).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
      .map { "\($0.line):\($0.column): \($0.text)" }
  }

  @Test("what nothing uses is noted where it is declared, a group once")
  func unused() throws {
    let notes = try notes(
      ofPanel: """
        panel: P
        inputs:
          b: { button: GPIO1 }
          idle: { button: GPIO2 }
          pad: { buttons: [ GPIO3, GPIO7 ] }
          air: { sensor: { w1: 28-00000a1b2c3d }, min: 0, max: 50 }
          both: { chord: [ b, idle ] }
          warm: { switch: { on: air > 20 } }
          knob: { encoder: [ GPIO5, GPIO6 ] }
        outputs:
          lamp: { led: GPIO10 }
          lamps: { leds: [ GPIO11, GPIO12 ] }
          door: { relay: GPIO13 }
        sounds: { beep: { tone: 1kHz, for: 80ms }, notes: { tones: [ 262Hz, 330Hz ] } }
        values: { n: { initial: 0, min: 0, max: 9 }, m: { initial: 0, min: 0, max: 9 } }
        safe: { door: on }
        initial: x
        states: { x: { on: { b.pressed: { set: { n: +1 } }, beep.finished: { set: { n: 0 } } } } }

        """)
    #expect(
      notes == [
        "5:3: nothing reacts to buttons \"pad\", and no condition names it; leave it out",
        "7:3: nothing reacts to chord \"both\", and no condition names it; leave it out",
        "8:3: nothing reacts to switch \"warm\", and no condition names it; leave it out",
        "9:3: nothing reacts to encoder \"knob\", and no condition names it; leave it out",
        "11:3: nothing shows led \"lamp\"; show it in a state, or leave it out",
        "12:3: nothing shows leds \"lamps\"; show it in a state, or leave it out",
        "14:11: nothing plays sound \"beep\"; play it, or leave it out",
        "14:44: nothing plays sound \"notes\"; play it, or leave it out",
        "15:46: nothing uses value \"m\"; leave it out",
      ])
  }

  @Test("a when that leads to where the panel is already is noted, at the top level never")
  func whenToItself() throws {
    let notes = try notes(
      ofPanel: """
        panel: P
        values: { n: { initial: 0, min: 0, max: 9 } }
        when: { n > 5: a }
        initial: a
        states:
          a:
            every: { 1s: { set: { n: +1 } } }
            when: { n > 1: a, n > 2: b }
            initial: c
            states: { c: { when: { n > 3: a } } }
          b:

        """)
    #expect(
      notes == [
        "8:13: never fires: state \"a\" is already current here; let \"when\" lead to another state",
        "10:28: never fires: state \"a\" is already current here; let \"when\" lead to another state",
      ])
  }

  @Test("whatever is asked, shown, played or set anywhere is used")
  func used() throws {
    let notes = try notes(
      ofPanel: """
        panel: P
        inputs:
          touched: { button: GPIO1 }
          pad: { buttons: [ GPIO6, GPIO7 ] }
          air: { sensor: { w1: 28-00000a1b2c3d }, min: 0, max: 50 }
          door: { switch: GPIO5 }
        outputs: { lamp: { led: GPIO10 }, lamps: { leds: [ GPIO11, GPIO12 ] }, text: { display: { i2c: 0x27 } } }
        sounds: { clips: { tones: [ 262Hz, 330Hz ], for: 1s } }
        values:
          loud: { initial: 0, min: 0, max: 9 }
          bright: { initial: 0, min: 0, max: 9 }
          wait: { initial: 1s, min: 0s, max: 9s }
          told: { initial: 0, min: 0, max: 9 }
          count: { initial: 0, min: 0, max: 9 }
        audio: { volume: loud }
        show: { text: "{told}" }
        never: { hot: air > 40 and door == on }
        initial: x
        states:
          x: { show: { lamp: { level: bright }, lamps: { only: 1 } }, after: { wait: y }, untouched: { 5s: y } }
          y: { exit: { set: { count: +1 } }, on: { pad(2).pressed: { go: x, play: [ clips(2) ] } } }

        """)
    #expect(notes == [])
  }

  @Test("a value between two pairs of braces, whose name a display shows, is noted")
  func doubledBraces() throws {
    let notes = try notes(
      ofPanel: """
        panel: P
        inputs: { key: { button: GPIO1 } }
        outputs: { text: { display: { i2c: 0x27 } } }
        values: { n: { initial: 0, min: 0, max: 9 } }
        initial: x
        states: { x: { show: { text: "{n} {{ n }} {{m}} {{" }, on: { key.pressed: x } } }

        """)
    #expect(notes == ["6:35: \"{{\" shows the character \"{\"; write {n} to show the number"])
  }

  static let hoist = """
    panel: P
    inputs: { key: { button: GPIO1 }, end: { switch: GPIO2 } }
    outputs: { up: { relay: GPIO3 }, down: { relay: GPIO4 }, bell: { relay: GPIO5 } }
    interlocks: [ { relays: [ up, down ], pause: 500ms } ]

    """

  @Test("a state that is over before the interlock lets its relay close is noted where another relay was on before it")
  func shortState() throws {
    func found(_ states: String) throws -> [String] {
      try notes(ofPanel: Self.hoist + "never: { n: bell == on and end == on }\n" + states)
    }
    let first = "initial: a\nstates:\n  a: { show: { down: on, bell: on }, on: { key.pressed: b } }\n"
    #expect(
      try found(first + "  b: { show: { up: on }, after: { 500ms: a } }\n") == [
        "9:35: relay \"up\" may never close in \"b\": the state lasts 500ms, the interlock pauses for 500ms; make the state longer"
      ])
    #expect(try found(first + "  b: { show: { up: on }, after: { 501ms: a } }\n") == [])
    // With a condition it may last.
    #expect(try found(first + "  b: { show: { up: on }, after: { 100ms: { go: a, if: end == on } } }\n") == [])
    // The next state shows it as well.
    #expect(
      try found(first + "  b: { show: { up: on }, after: { 100ms: c } }\n  c: { show: { up: on }, after: { 1s: a } }\n")
        == [])
    // Nothing was on before it.
    #expect(
      try found(
        "initial: a\nstates:\n  a: { show: { bell: on }, on: { key.pressed: b } }\n"
          + "  b: { show: { up: on }, after: { 100ms: c } }\n  c: { show: { down: on }, after: { 1s: a } }\n") == [])
  }

  @Test(
    "a never that asks whether a relay of an interlock is off asks the states only",
    arguments: [
      ("up == off and end == on", 1), ("up != on and end == on", 1), ("end == on and not (up == on)", 1),
      ("not (up == off) and end == on", 0), ("up == on and end == on", 0), ("bell == off and end == on", 0),
    ])
  func heldOpen(condition: String, count: Int) throws {
    let states = """
      initial: a
      states: { a: { show: { up: on }, on: { key.pressed: b } }, b: { show: { down: on, bell: on }, on: { key.pressed: a } } }

      """
    let notes = try notes(ofPanel: Self.hoist + "never: { n: \(condition) }\n" + states)
    #expect(notes.count == count)
    if condition.hasPrefix("up == off") {
      #expect(
        notes == [
          "5:13: up == off uses the value that the states show; while the interlock waits, \"up\" is open although a state shows it on"
        ])
    }
  }

  @Test(
    "an input that is called like a word of expressions is a name wherever it can be meant",
    arguments: [
      "not == pressed", "not not == pressed", "or == pressed or not == pressed", "not (not == pressed)",
      "min == pressed and max > 3", "not max > 3", "not(max > 3) and (not == released)", "max mod 2 == 1", "abs > 1",
      "2 mod abs == 0", "elapsed == pressed", "not or == pressed",
    ])
  func wordsAsNames(condition: String) throws {
    let notes = try notes(
      ofPanel: """
        panel: P
        inputs:
          not: { button: GPIO1 }
          or: { button: GPIO2 }
          min: { button: GPIO3 }
          max: { sensor: { w1: 28-00000a1b2c3d }, min: 0, max: 50 }
          abs: { sensor: { w1: 28-00000a1b2c3e }, min: 1, max: 50 }
          elapsed: { button: GPIO7 }
        on: { not.pressed: x, or.pressed: x, min.pressed: x, elapsed.pressed: { go: x, if: max > 1 and abs > 1 } }
        initial: x
        states: { x: , y: { on: { not.pressed: { go: x, if: "\(condition)" } } } }
        when: { not == pressed: y }

        """)
    #expect(notes.contains("12:9: \"not\" is the input here, not the word of the language"))
    #expect(notes.allSatisfy { $0.hasSuffix("here, not the word of the language") }, "\(notes)")
  }

  @Test("a later transition that an earlier one covers, a state that can't be current, and a tone without an end")
  func covered() throws {
    let text = """
      panel: P
      inputs: { b: { button: GPIO1 } }
      sounds: { hum: { tone: 90Hz } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      on: { hum.finished: { set: { n: 0 } } }
      initial: x
      states:
        x:
          on:
            b.pressed:
              - { go: z, if: n > 3 }
              - { go: y, if: n >= 5 }
              - { go: y, if: n < 5 }
          initial: x1
          states:
            x1: { on: { b.released: { go: x2, if: state == y } } }
            x2: { on: { b.released: { go: x1, if: state == x } } }
        y: { on: { b.pressed: { go: x, if: state == z or state == y } } }
        z: {}

      """
    let notes = try PanelFile.read(Array(text.utf8), file: "test").notes.map { "\($0.line):\($0.column): \($0.text)" }
    #expect(
      notes == [
        "5:7: a tone without a length never finishes; add for: 80ms",
        "12:11: never fires; the condition on line 11 is true whenever this one is, put this one first",
        "16:54: never true: state is x or x1 here, not y",
        "18:47: never true: state is y here, not z",
      ])
  }

  @Test("an event of the top level that a region reacts to as well")
  func topLevel() throws {
    let text = """
      panel: P
      inputs: { b: { button: GPIO1 }, c: { button: GPIO2 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      on: { b.pressed: { set: { n: +1 } }, c.pressed: shut }
      regions:
        doors: { initial: open, states: { open: { on: { b.pressed: shut } }, shut: { on: { c.pressed: open } } } }
        lights: { initial: off, states: { off: {} } }

      """
    let notes = try PanelFile.read(Array(text.utf8), file: "test").notes.map { "\($0.line):\($0.column): \($0.text)" }
    #expect(
      notes == [
        "4:7: b.pressed also changes n: the top level reacts in every state of region \"doors\"; to prevent it write if: state.doors != open"
      ])
  }
}
