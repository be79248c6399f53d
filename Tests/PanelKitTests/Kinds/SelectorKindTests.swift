import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("The kind selector")
struct SelectorKindTests {
  private static let panel = """
    panel: P
    inputs: { mode: { selector: { off: none, slow: GPIO5, fast: GPIO6 } } }
    outputs: { a: { led: GPIO23 }, b: { led: GPIO24 } }
    values: { turns: { initial: 0, min: 0, max: 9 } }
    on: { mode.fast: { set: { turns: +1 } } }
    initial: rests
    states:
      rests: { when: { mode == slow: slow, mode == fast: fast } }
      slow: { show: { a: on }, on: { mode.off: rests }, when: { mode == fast: fast } }
      fast: { show: { a: on, b: on }, when: { mode == off: rests, mode == slow: slow } }

    """

  @Test("a step turns the switch to a position, which is an event and a condition")
  func positions() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("expect mode=off a=off; switch mode=slow; wait 5ms; expect a=on b=off mode=slow") == [])
    #expect(try stage.take("switch mode=fast; wait 5ms; expect b=on turns=1; switch mode=fast; wait 1s") == [])
    #expect(try stage.take("expect turns=1; switch mode=off; wait 54ms; expect b=on; wait 1ms; expect a=off") == [])
  }

  @Test("the start has a position, and no event", arguments: ["off", "slow", "fast"])
  func start(position: String) throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let text = "scenario: S\nstart: { mode: \(position) }\nsteps: [ { expect: { mode: \(position), turns: 0 } } ]\n"
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
  }

  @Test("a wrong position and wrong lines are reported with their place")
  func wrong() {
    func problems(_ selector: String) -> [String] {
      let text =
        "panel: P\ninputs: { m: { selector: \(selector) } }\noutputs: { l: { led: GPIO23 } }\ninitial: a\n"
        + "states: { a: { show: { l: on } } }\n"
      return Fixture.problems { () throws(Problems) in _ = try PanelFile.read(Array(text.utf8), file: "test") }
    }
    #expect(problems("{ a: GPIO5, b: GPIO6 }") == [])
    #expect(
      problems("{ a: none, b: none }").first
        == "2:40: only one position can have none; write the line of \"b\", such as b: GPIO17")
    #expect(problems("{ a: GPIO5 }").first?.contains("is a map of 1; it takes a map of positions") == true)
    #expect(problems("{ a: GPIO5, b: GPIO5 }").first?.contains("GPIO5") == true)
    #expect(problems("{ a: GPIO5, 2: GPIO6 }").first?.contains("invalid name \"2\"") == true)
    #expect(problems("GPIO5").isEmpty == false)
  }

  @Test("a proof starts in each position, and finds each move")
  func proof() {
    let wrong = Self.panel.replacing(
      "initial: rests", with: "never: { both: turns == 1 and mode == slow }\ninitial: rests")
    let outcome = prove(wrong)
    #expect(outcome.status == 1, "\(outcome.lines)")
    #expect(outcome.lines.contains { $0.contains("mode.fast") }, "\(outcome.lines)")
    let start = prove(
      """
      panel: P
      inputs: { mode: { selector: { a: GPIO5, b: GPIO6, c: GPIO13 } } }
      outputs: { l: { led: GPIO23 } }
      never: { third: mode == c and l == on }
      initial: x
      states: { x: { show: { l: on }, on: { mode.a | mode.b | mode.c: y } }, y: {} }

      """)
    #expect(start.status == 1 && start.lines.contains { $0.contains("mode c") }, "\(start.lines)")
    let right = prove(
      """
      panel: P
      inputs: { mode: { selector: { a: GPIO5, b: GPIO6, c: GPIO13 } } }
      outputs: { l: { led: GPIO23 } }
      never: { third: mode == c and l == on }
      initial: x
      states: { x: { when: { mode == a: y } }, y: { show: { l: on }, when: { not mode == a: x } } }

      """)
    #expect(right.status == 0, "\(right.lines)")
  }
}

@Suite("Presses that repeat, and series of clicks")
struct RepeatedPressTests {
  private static func panel(_ inputs: String, _ key: String = "key") -> String {
    """
    panel: P
    inputs: { \(inputs) }
    outputs: { a: { led: GPIO23 } }
    values:
      level: { initial: 0, min: 0, max: 99 }
      doubles: { initial: 0, min: 0, max: 9 }
      triples: { initial: 0, min: 0, max: 9 }
      fives: { initial: 0, min: 0, max: 9 }
    on:
      \(key).pressed: { set: { level: +1 } }
      \(key).repeated: { set: { level: +1 } }
      \(key).double-clicked: { set: { doubles: +1 } }
      \(key).triple-clicked: { set: { triples: +1 } }
      \(key).quintuple-clicked: { set: { fives: +1 } }
    initial: x
    states: { x: { show: { a: on } } }

    """
  }

  @Test(
    "a button and a key repeat while they are held",
    arguments: ["button: GPIO5", "keypad: { rows: [GPIO5, GPIO6], columns: [GPIO12] }"])
  func repeats(device: String) throws {
    let (name, key) = device.hasPrefix("button") ? ("key", "key") : ("pad", "pad(1)")
    let stage = try Stage(panel: Self.panel("\(name): { \(device), hold: 500ms, repeat: 200ms }", key))
    #expect(try stage.take("press \(key); wait 490ms; expect level=1; wait 250ms; expect level=2") == [])
    #expect(try stage.take("wait 1s; expect level=7; release \(key); wait 5s; expect level=7 doubles=0") == [])
  }

  @Test("the settings that the file leaves out are 1 s and 100 ms")
  func defaults() throws {
    let stage = try Stage(panel: Self.panel("key: { button: GPIO5 }"))
    #expect(try stage.take("press key; wait 1050ms; expect level=1; wait 500ms; expect level=6; release key") == [])
  }

  @Test("each series of clicks is one event")
  func clicks() throws {
    let stage = try Stage(panel: Self.panel("key: { button: GPIO5, double-click: 300ms }"))
    func series(_ count: Int) -> String {
      Array(repeating: "click key", count: count).joined(separator: "; wait 50ms; ")
    }
    #expect(try stage.take("\(series(3)); wait 400ms; expect triples=1 doubles=0 fives=0") == [])
    #expect(try stage.take("\(series(2)); wait 400ms; expect triples=1 doubles=1 fives=0") == [])
    #expect(try stage.take("\(series(5)); wait 400ms; expect triples=1 doubles=1 fives=1") == [])
    #expect(try stage.take("\(series(4)); wait 400ms; expect triples=1 doubles=1 fives=1") == [])
  }

  @Test("of a series whose last press is a part of a chord, the presses before it count")
  func chord() throws {
    let text = """
      panel: P
      inputs: { l: { button: GPIO5, hold: 1s }, r: { button: GPIO6 }, both: { chord: [ l, r ] } }
      outputs: { a: { led: GPIO23 } }
      values:
        doubles: { initial: 0, min: 0, max: 9 }
        triples: { initial: 0, min: 0, max: 9 }
        chords: { initial: 0, min: 0, max: 9 }
      on:
        l.double-clicked: { set: { doubles: +1 } }
        l.triple-clicked: { set: { triples: +1 } }
        l.held: { set: { doubles: 9 } }
        both.pressed: { set: { chords: +1 } }
      initial: x
      states: { x: { show: { a: on } } }

      """
    let stage = try Stage(panel: text)
    #expect(
      try stage.take(
        "click l; wait 50ms; click l; wait 50ms; press l,r; wait 20ms; release l,r; wait 1s; expect doubles=1 triples=0 chords=1"
      ) == [])
  }

  @Test("a proof finds a hold that repeats, and that a value never passes its limit")
  func proof() {
    let text = """
      panel: P
      inputs: { key: { button: GPIO5, hold: 500ms, repeat: 100ms } }
      outputs: { a: { led: GPIO23 } }
      values: { level: { initial: 0, min: 0, max: 9 } }
      on: { key.repeated: { set: { level: +1 }, if: level < 4 } }
      never: { above: level > LIMIT }
      initial: x
      states: { x: { show: { a: on } } }

      """
    let wrong = prove(text.replacing("LIMIT", with: "2"))
    #expect(wrong.status == 1, "\(wrong.lines)")
    #expect(wrong.lines.contains { $0.contains("key.repeated") }, "\(wrong.lines)")
    #expect(prove(text.replacing("LIMIT", with: "4")).status == 0)
  }

  @Test("a setting without its event is noted")
  func notes() throws {
    let text = """
      panel: P
      inputs: { key: { button: GPIO5, repeat: 100ms } }
      outputs: { a: { led: GPIO23 } }
      initial: x
      states: { x: { show: { a: on }, on: { key.pressed: y } }, y: { on: { key.pressed: x } } }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    #expect((panel.notes + panel.unused).map(\.text) == ["no transition uses key.repeated; leave repeat out"])
  }
}
