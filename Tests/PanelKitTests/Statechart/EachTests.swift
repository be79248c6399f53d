import TestSupport
import Testing

@testable import PanelChart
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun

@Suite("Regions that are repeated by each")
struct EachTests {
  private static let text = """
    panel: P
    inputs: { keys: { buttons: [GPIO5, GPIO6, GPIO13] } }
    outputs: { lamps: { leds: [GPIO16, GPIO20, GPIO21] }, all: { led: GPIO12 } }
    values: { n: { initial: 0, min: 0, max: 99 } }
    reach: [ lamp(3).lit ]
    regions:
      lamp:
        each: 1..3
        initial: dark
        states:
          dark: { on: { keys(each).pressed: { go: lit, set: { n: 10 * each } } } }
          lit:  { show: { lamps(each): on }, on: { keys(each).pressed: dark }, when: { state.lamp(each) == dark: dark } }
      sum:
        initial: some
        states:
          some: { when: { lamp.count(lit) == 3: every } }
          every: { show: { all: on }, when: { lamp.count(lit) < 3: some } }

    """

  private func panel(_ text: String = text) throws -> PanelDefinition {
    try PanelFile.read(Array(text.utf8), file: "p")
  }

  private func problems(_ text: String) -> [String] {
    do {
      _ = try panel(text)
      return []
    } catch {
      return (error as? Problems)?.lines ?? ["\(error)"]
    }
  }

  private func test(_ steps: String) throws {
    let panel = try panel()
    let scenario = try ScenarioFile.read(Array("scenario: s\nsteps: [ \(steps) ]\n".utf8), file: "s", for: panel)
    let result = try ScenarioRun(scenario, of: panel).run(scenario.cases[0])
    #expect(result.failures.isEmpty, "\(result.failures)")
  }

  @Test("a region inside a state is repeated, and its transitions lead to the states of the same region")
  func insideState() throws {
    let text = """
      panel: P
      inputs: { key: { button: GPIO4 }, pads: { buttons: [GPIO5, GPIO6] } }
      outputs: { lamps: { leds: [GPIO16, GPIO20] }, all: { led: GPIO21, shown-by: [ seat(1), seat(2) ] } }
      reach: [ seat(2).taken ]
      initial: open
      states:
        open:
          on: { key.pressed: open }
          regions:
            seat:
              each: 1..2
              initial: free
              states:
                free: { on: { pads(each).pressed: taken } }
                taken: { show: { lamps(each): on, all: on }, on: { pads(each).pressed: free } }

      """
    let stage = try Stage(panel: text)
    #expect(
      try stage.take("click pads(2); expect lamps(1)=off lamps(2)=on all=on state.seat(1)=free state.seat(2)=taken")
        == [])
    #expect(try stage.take("click pads(1); click pads(2); expect lamps(1)=on lamps(2)=off") == [])
    #expect(try stage.take("click key; expect lamps(1)=off all=off state.seat(1)=free") == [])
    #expect(
      problems(text.replacing("taken", with: "open"))
        == ["p:15:11: duplicate state \"open\"; it is already on line 7, choose another name"])
    #expect(
      problems(text.replacing("pressed: taken", with: "pressed: token")).first
        == "p:14:45: unknown state \"token\"; did you mean \"taken\"?")
  }

  @Test("each member of the group has its own region")
  func members() throws {
    let panel = try panel()
    #expect(panel.regions.map(\.name) == ["lamp(1)", "lamp(2)", "lamp(3)", "sum"])
    try test(
      """
      { click: keys(2) }, { expect: { lamps(1): off, lamps(2): on, n: 20, state: { lamp(2): lit, lamp(1): dark } } },
      { click: keys(1) }, { click: keys(3) }, { expect: { all: on, n: 30 } },
      { click: keys(2) }, { expect: { all: off, lamps(2): off, lamps(3): on } }
      """)
  }

  @Test("a repeated region can count its own states, and check the state of another member")
  func ownCounts() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { keys: { buttons: [GPIO5, GPIO6, GPIO13] } }
        outputs: { lamps: { leds: [GPIO16, GPIO20, GPIO21] } }
        values: { most: { initial: 0, min: 0, max: 3 }, third: { initial: 0, min: 0, max: 9 } }
        never: { two: slot.count(on) > 2 }
        regions:
          slot:
            each: 1..3
            initial: off
            states:
              off: { on: { keys(each).pressed: { go: on, if: slot.count(on) < 2 and state.slot(3) == off } } }
              on:
                enter: { set: { most: slot.count(on) } }
                show: { lamps(each): { when: { slot.count(on) == 2: { blink: 1s }, else: on } } }
                on: { keys(each).pressed: { set: { third: +1 }, if: state.slot(3) == on } }
                when: { state.slot(2) == on and state.slot(1) == off: off }

        """)
    #expect(
      try stage.take("click keys(1); expect most=1 state.slot(1)=on lamps(1)=on; click keys(1); expect third=0") == [])
    #expect(try stage.take("click keys(2); expect most=2 state.slot(2)=on lamps(1)=blinking lamps(2)=blinking") == [])
    #expect(try stage.take("click keys(3); expect state.slot(3)=off most=2") == [])
  }

  @Test("they are proved, and each property follows only its own region")
  func proof() throws {
    let outcome = Proof(panel: try panel(), sounds: [], elapsed: { .zero }).run()
    #expect(outcome.isComplete && outcome.ways.count == 1)
    let model = try #require(outcome.parts.first { !$0.search.model.goals.reach.isEmpty }).search.model
    #expect(model.regions == [2])
  }

  @Test("a picture has them once")
  func picture() throws {
    let panel = try panel()
    let tree = try #require(YAMLTree.read(Array(Self.text.utf8), what: "a panel file", problems: ProblemList()))
    let text = GraphvizText(panel, ChartReader(of: panel).arrows(tree)).text
    #expect(text.contains("label=\"lamp(1..3)\"") && !text.contains("lamp(2)"), "\(text)")
    #expect(text.contains("keys(each).pressed"))
  }

  @Test("a problem is reported once, at its place, with the numbers that have it")
  func problemsOnce() {
    let four = Self.text.replacing(each: "each: 1..3", by: "each: 1..4")
    #expect(
      problems(four) == [
        "p:11:21: keys has no member 4; write 1...3 (for each = 4)",
        "p:12:23: lamps has no member 4; write 1...3 (for each = 4)",
        "p:12:48: keys has no member 4; write 1...3 (for each = 4)",
      ])
    let unknown = problems(
      Self.text.replacing(each: "keys(each).pressed: dark }, when", by: "keys(each).prest: dark }, when"))
    #expect(unknown.count == 1)
    #expect(unknown.first?.hasPrefix("p:12:48: button \"keys(each)\" has no event \"prest\"; it has pressed") == true)
    #expect(unknown.first?.contains("for each") == false)
    #expect(
      problems(Self.text.replacing(each: "10 * each", by: "50 * each")) == [
        "p:11:62: 50 * each is outside the range of \"n\"; write 0...99 (for each = 2, 3)"
      ])
  }

  @Test("an unknown state is reported once, wherever a repeated region names it")
  func unknownStates() {
    let text = """
      panel: P
      inputs: { keys: { buttons: [GPIO5, GPIO6] } }
      regions:
        lamp:
          each: 1..2
          initial: dark
          resume: [zebra]
          states:
            dark: { on: { keys(each).pressed: lit } }
            lit: { on: { keys(each).pressed: zebra }, when: { state.lamp(each) == zebra: dark } }

      """
    let problem = "unknown state \"zebra\"; states of lamp: dark, lit"
    #expect(problems(text) == ["p:7:14: \(problem)", "p:10:40: \(problem)", "p:10:77: \(problem)"])
  }

  @Test("each outside of a region that is repeated says where it is known")
  func outside() {
    let text = """
      panel: P
      inputs: { keys: { buttons: [ GPIO5, GPIO6 ] } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      initial: x
      states: { x: { on: { keys(each).pressed: { set: { n: each } } } } }

      """
    #expect(
      problems(text) == [
        "p:5:22: \"each\" is known only inside a region with each: 1..2",
        "p:5:54: \"each\" is known only inside a region with each: 1..4",
      ])
  }

  @Test(
    "what each can't be",
    arguments: [
      ("each: 0..3", "p:8:11: \"0..3\" is not a range of 1 to 32; write each: 1..4"),
      ("each: 3", "p:8:11: \"3\" is not a range of 1 to 32; write each: 1..4"),
      ("each: 1..33", "p:8:11: \"1..33\" is not a range of 1 to 32; write each: 1..4"),
      ("each: 2..1", "p:8:11: \"2..1\" is not a range of 1 to 32; write each: 1..4"),
    ])
  func ranges(written: String, expected: String) {
    #expect(problems(Self.text.replacing(each: "each: 1..3", by: written)).contains(expected))
  }

  // MARK: - Resume

  private static let resumed = """
    panel: Lamps
    inputs: { keys: { buttons: [GPIO5, GPIO6, GPIO13] } }
    outputs: { lamps: { leds: [GPIO16, GPIO20, GPIO21] } }
    regions:
      lamp:
        each: 1..3
        initial: dark
        resume: [lit]
        states:
          dark: { on: { keys(each).pressed: lit } }
          lit: { show: { lamps(each): on }, on: { keys(each).pressed: bright } }
          bright: { show: { lamps(each): { blink: 100ms } }, on: { keys(each).pressed: dark } }

    """

  @Test("each repeated region starts again in its own state of resume")
  func resume() throws {
    #expect(try panel(Self.resumed).keptItems.map(\.name) == ["lamp(1)/lit", "lamp(2)/lit", "lamp(3)/lit"])
    let failures = try TimeOfDayTests.failures(
      of: Self.resumed,
      """
      scenario: The second lamp was on
      start: { state: { lamp(2): lit } }
      steps:
        - expect: { lamps: [ off, on, off ] }
        - click: keys(3)
        - click: keys(2)
        - expect: { lamps: [ off, blinking, on ] }
        - wait: 11s
        - power-cut: 1s
        - expect: { lamps: [ off, on, on ], state: { lamp(1): dark, lamp(2): lit, lamp(3): lit } }
        - click: keys(3)
        - click: keys(3)
        - click: keys(1)
        - wait: 11s
        - power-cut: 1s
        - expect: { lamps: [ on, on, off ] }

      """)
    #expect(failures == [])
  }

  @Test(
    "a start names a repeated region with its number, and a state of its resume",
    arguments: [
      ("lamp(4): lit", "no region \"lamp(4)\" with resume; write one of lamp(1), lamp(2), lamp(3)"),
      ("lamp: lit", "no region \"lamp\" with resume; write one of lamp(1), lamp(2), lamp(3)"),
      ("lamp(1): bright", "\"bright\" is not in resume; write one of dark, lit"),
    ])
  func wrongStart(state: String, problem: String) throws {
    let panel = try panel(Self.resumed)
    let scenario = "scenario: S\nstart: { state: { \(state) } }\nsteps: [ show ]\n"
    let found = Fixture.problems { () throws(Problems) in
      _ = try ScenarioFile.read(Array(scenario.utf8), file: "s", for: panel)
    }
    #expect(found.count == 1 && found[0].hasSuffix(": " + problem), "\(found)")
  }

  @Test("a reload keeps the states of repeated regions, and what they start again in")
  func reload() throws {
    let stage = try ReloadStage(Self.resumed)
    try stage.take("click keys(2); click keys(3); click keys(3)")
    try stage.reload(Self.resumed.replacing(each: "100ms", by: "200ms"))
    let steps = "expect state.lamp(1)=dark state.lamp(2)=lit state.lamp(3)=bright; wait 11s; power-cut 1s"
    #expect(try stage.take(steps + "; expect state.lamp(1)=dark state.lamp(2)=lit state.lamp(3)=lit") == [])
  }

  @Test("a region without its number is not found")
  func withoutNumber() {
    let found = problems(Self.text.replacing(each: "lamp.count(lit) == 3", by: "state.lamp == lit"))
    #expect(found == ["p:16:23: region \"lamp\" is repeated by each; name one of them: lamp(1)"])
  }
}
