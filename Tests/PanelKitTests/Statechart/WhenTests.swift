import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

/// What docs/panels/reference.md says of `when` and `every`, sentence by sentence.
@Suite("As soon as a condition holds, and again and again")
struct WhenTests {
  @Test("when is taken as soon as its condition holds, whatever has changed, and at the start")
  func when() throws {
    let stage = try Stage(
      """
      initial: start
      states:
        start: { when: { level == 5: low } }
        low: { on: { key.pressed: { set: { level: +2 } } }, when: { level >= 8: high, mute == on: muted } }
        high: { when: { level < 8: low }, on: { bell.pressed: { set: { level: 0 } } } }
        muted: {}
      """)
    #expect(
      try stage.take("expect state=low; click key; expect state=low level=7; click key; expect state=high level=9")
        == [])
    #expect(try stage.take("click bell; expect state=low level=0; switch mute=on; wait 10ms; expect state=muted") == [])
  }

  @Test("one follows another before anything is shown, and the first in the file comes first")
  func chain() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a: { on: { key.pressed: b } }
        b: { show: { lamp: on }, when: { level == 5: c, level > 0: d } }
        c: { enter: { set: { level: 1 } }, when: { level == 1: [ { go: a, if: mute == on }, e ] } }
        d: {}
        e: {}
      """)
    #expect(try stage.take("click key; expect state=e") == [])
    #expect(stage.session.outputs.look(of: 0, at: stage.session.now) == .off)
  }

  @Test("of the top level it holds in every state, and one to a state that is current is not taken")
  func topLevel() throws {
    let stage = try Stage(
      """
      when: { mute == on: stopped }
      on: { key.pressed: { set: { level: +1 } } }
      initial: runs
      states: { runs: {}, stopped: { enter: { set: { level: 0 } }, on: { bell.pressed: runs } } }
      """)
    #expect(
      try stage.take("switch mute=on; wait 10ms; expect state=stopped level=0; click key; expect level=1 state=stopped")
        == [])
    #expect(try stage.take("click bell; expect state=stopped level=0") == [])
  }

  @Test("a final state inside is followed by done after all when")
  func done() throws {
    let stage = try Stage(
      """
      initial: work
      states:
        work:
          done: late
          when: { level == 9: early }
          initial: busy
          states: { busy: { on: { key.pressed: end, mute.on: { go: end, set: { level: 9 } } } }, end: { final: true } }
        late: { on: { bell.pressed: work } }
        early: {}
      """)
    #expect(try stage.take("click key; expect state=late; click bell; expect state=busy") == [])
    #expect(try stage.take("switch mute=on; wait 10ms; expect state=early") == [])
  }

  @Test("a circle of when is broken off: the scenario fails at that step, and nothing happens any more")
  func endless() throws {
    let panel = try PanelDefinition.endless()
    let text = "scenario: S\nsteps:\n  - expect: { state: x }\n  - click: a\n  - click: a\n"
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    let failures = try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures
    #expect(failures.map(\.texts) == [["s:4:5: endless loop of \"when\": z, y, z, y"]])
  }

  /// A panel with so many transitions that follow each other after the press of a.
  private static func chain(_ count: Int, _ link: (_ next: String) -> String) throws -> PanelRules {
    let states = (0..<count).map { "  s\($0): \(link("s\($0 + 1)"))\n" }.joined()
    let text = """
      panel: P
      inputs: { a: { button: GPIO1 } }
      initial: x
      states:
        x: { on: { a.pressed: s0 } }
      \(states)  s\(count): {}

      """
    return PanelRules(panel: try PanelFile.read(Array(text.utf8), file: "p"))
  }

  @Test("a hundred when in a row come to rest, one more stops the panel", arguments: [100, 101])
  func hundred(count: Int) throws {
    let rules = try Self.chain(count) { "{ when: { a == pressed: \($0) } }" }
    var frame = rules.seed
    rules.react(to: .input(0, ButtonEvent.pressed), at: .zero, in: &frame)
    #expect(rules.show.stateText(in: frame) == "s100")
    #expect(frame.stop == (count == 100 ? nil : .endless([99, 100, 101, 102])))
  }

  @Test("a hundred deadlines at one moment come to rest, one more stops the panel", arguments: [100, 101])
  func hundredDeadlines(count: Int) throws {
    let rules = try Self.chain(count) { "{ after: { 0s: \($0) } }" }
    var frame = rules.seed
    rules.react(to: .input(0, ButtonEvent.pressed), at: .zero, in: &frame)
    while let deadline = rules.show.deadlines(in: frame).first {
      rules.react(to: deadline.id, at: .zero, in: &frame)
    }
    #expect(rules.show.stateText(in: frame) == "s100")
    #expect(frame.stop == (count == 100 ? nil : .restless([102, 103])))
  }

  @Test("a circle of deadlines that depends on a condition is broken off")
  func restless() throws {
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { a: { button: GPIO1 } }
        values: { n: { initial: 0, min: 0, max: 9 } }
        initial: x
        states:
          x: { on: { a.pressed: y } }
          y: { after: { 0s: { go: z, if: n < 9 } } }
          z: { after: { 0s: [ { go: x, if: n == 9 }, y ] } }
        """.utf8), file: "p")
    let text = "scenario: S\nsteps:\n  - expect: { state: x }\n  - click: a\n  - click: a\n"
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    let failures = try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures
    #expect(failures.map(\.texts) == [["s:4:5: endless loop of \"after\": y, z"]])
  }

  @Test("every comes each time from entering on, without leaving the state, and begins anew with it")
  func every() throws {
    let stage = try Stage(
      """
      every: { 10s: { set: { level: 0 } } }
      initial: a
      states:
        a: { every: { 100ms: { set: { level: +1 } } }, enter: { set: { level: 0 } }, on: { key.pressed: a, bell.pressed: b } }
        b: { every: { 1s: { go: a, if: mute == on } } }
      """)
    #expect(try stage.take("wait 99ms; expect level=0; wait 1ms; expect level=1; wait 250ms; expect level=3") == [])
    // The press counts 5 ms later, at 355 ms; the click ends at 405 ms.
    #expect(
      try stage.take("click key; expect level=0; wait 49ms; expect level=0; wait 1ms; expect level=1 state=a") == [])
    #expect(
      try stage.take(
        "wait 700ms; expect level=8; wait 5s; expect level=10; wait 3840ms; expect level=10; wait 5ms; expect level=0")
        == [])
    #expect(try stage.take("click bell; wait 3s; expect state=b; switch mute=on; wait 1s; expect state=a") == [])
  }

  @Test("deadlines at one moment come in the order of the file", arguments: [true, false])
  func fileOrder(isEveryFirst: Bool) throws {
    let (every, after) = ("every: { 1s: { set: { level: +1 } } }", "after: { 3s: b }")
    let keys = isEveryFirst ? "\(every), \(after)" : "\(after), \(every)"
    let stage = try Stage("initial: a\nstates: { a: { \(keys) }, b: {} }\n")
    #expect(try stage.take("wait 3s; expect state=b level=\(isEveryFirst ? 8 : 7)") == [])
  }

  @Test(
    "what is wrong with them is told",
    arguments: [
      (
        "x: { when: { n > 3: { set: { n: 0 } } }, on: { a.pressed: y } }",
        #"5:16: "when" without "go" would repeat without end; add go: STATE"#
      ),
      ("x: { when: { n > : y } }", #"5:18: "when" ends after ">"; a constant must follow: level >= 10"#),
      ("x: { every: { 0s: y } }", #"5:17: "every" is 0s; it takes 1ms...1000000m"#),
      (
        "x: { every: { 1s: y, 1000ms: y } }", "5:24: duplicate duration 1s; it is already on line 5, write a list there"
      ),
      ("x: { when: [ y ] }", #"5:14: "when" is a list; it takes a map of conditions: level >= 10: idle"#),
    ])
  func faults(line: String, expected: String) {
    let text = """
      panel: T
      inputs: { a: { button: GPIO5 } }
      values: { n: { initial: 0, min: 0, max: 10 } }
      states:
        \(line)
        y: { on: { a.pressed: x } }
      initial: x
      """
    #expect(Fixture.problems(ofPanel: text) == [expected])
  }
}
