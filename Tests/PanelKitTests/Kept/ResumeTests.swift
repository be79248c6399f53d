import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRecording
@testable import PanelRun

@Suite("States in which a panel starts again")
struct ResumeTests {
  private static let top = """
    panel: P
    inputs: { key: { button: GPIO1 }, other: { button: GPIO2 } }
    outputs: { lamp: { led: GPIO10 }, up: { relay: GPIO11 }, down: { relay: GPIO12 } }
    values: { n: { initial: 0, min: 0, max: 9 } }

    """
  private static let text =
    top + """
      initial: a
      resume: [ b, a ]
      states:
        a: { on: { key.pressed: b } }
        b: { enter: { set: { n: +1 } }, on: { key.pressed: c } }
        c: { show: { lamp: on }, on: { key.pressed: a, other.pressed: b } }
      """

  private func problems(_ states: String) -> [String] {
    Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(Array((Self.top + states).utf8), file: "test")
    }
  }

  @Test("a region starts in the state of resume that it was in last, which it enters; others count for nothing")
  func restart() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("click key; expect state=b n=1; wait 2s; power-cut 1s; expect state=b n=1") == [])
    #expect(try stage.take("click key; expect state=c lamp=on; restart after=stop; expect state=b lamp=off") == [])
    #expect(try stage.take("click key; click key; expect state=a; wait 2s; power-cut 1s; expect state=a n=0") == [])
    #expect(try stage.take("click key; power-cut 1s; expect state=a") == [])
  }

  @Test("each of several regions starts in its own")
  func regions() throws {
    let stage = try Stage(
      panel: Self.top + """
        regions:
          one: { initial: a, resume: [ b ], states: { a: { on: { key.pressed: b } }, b: } }
          two: { initial: x, resume: [ y ], states: { x: { on: { other.pressed: y } }, y: { on: { other.pressed: z } }, z: } }
        """)
    #expect(stage.session.panel.keptItems.map(\.name) == ["one/b", "two/y"])
    #expect(try stage.take("click other; restart after=stop; expect state.one=a state.two=y") == [])
    #expect(try stage.take("click key; click other; restart after=stop; expect state.one=b state.two=y") == [])
    let scenario = try ScenarioFile.read(
      Array("scenario: S\nstart: { state: { two: y } }\nsteps: [ { expect: { state: { one: a, two: y } } } ]".utf8),
      file: "s", for: stage.session.panel)
    #expect(try ScenarioRun(scenario, of: stage.session.panel).run(scenario.cases[0]).failures == [])
  }

  @Test("what is wrong is said with its place")
  func wrong() {
    #expect(
      problems("initial: a\nresume: [ x, a, a ]\nstates: { a: }") == [
        "6:11: unknown state \"x\"; states: a", "6:17: \"a\" is in the list twice; write it once",
      ])
    #expect(
      problems("initial: a\nstates: { a: { regions: { r: { initial: b, resume: [ b ], states: { b: } } } } }") == [
        "6:44: \"resume\" can't be in a region inside a state; only regions of the top level resume, leave it out"
      ])
    #expect(
      problems("resume: [ a ]\nregions: { r: { initial: a, states: { a: } } }")
        == ["5:1: \"resume\" can't be beside \"regions\"; write it in one of the regions"])
  }

  @Test("a state that moves what never or an interlock is about can't be resumed; what is as in safe can")
  func moving() {
    let states =
      "initial: a\nresume: [ b, c ]\nstates: { a: { on: { key.pressed: b } }, b: { show: { lamp: on }, on: { key.pressed: c } }, c: { show: { lamp: off } } }"
    #expect(problems(states) == [])
    #expect(
      problems("never: { lit: lamp == on and n == 9 }\n" + states) == [
        "7:11: \"b\" shows \"lamp\", which is in never \"lit\"; a restart must not change it, leave the state out"
      ])
    #expect(
      problems(
        "interlocks: [ { relays: [ up, down ] } ]\ninitial: a\nresume: [ b ]\n"
          + "states: { a: { on: { key.pressed: b } }, b: { initial: i, states: { i: { show: { up: on } } } } }") == [
          "7:11: \"b\" shows \"up\", which is in an interlock; a restart must not change it, leave the state out"
        ])
  }

  @Test("a recording is replayed and resimulated from the state, and becomes a scenario that begins in it")
  func recordings() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "test")
    let session = try PanelSession(panel, on: Platform(.simulated), keeping: .simulated(["main/b": 1]))
    let memory = RecordingBuffer()
    try session.record(to: [memory], source: .init(file: "test", text: Self.text))
    try session.start()
    let names = Names(panel)
    for line in ["expect state=b", "click key", "restart after=stop", "wait 2s", "expect state=b", "click key"] {
      if let placed = try StepLineReader.read(line, line: 1, file: "-", names: names) {
        #expect(try session.perform(placed.step) == [])
      }
    }
    session.stop()
    let recording = memory.bytes
    let recorded = try ReplayableRecording(recording, name: "test.recording", kinds: .standard)
    _ = try recorded.application().cycle.replay(recorded.recording(), ReplayOptions(hasDigest: false))
    let resimulated = try RecordingStage.resimulated(RecordingStage.take(recording))
    #expect(try RecordingStage.digests(of: resimulated) == RecordingStage.digests(of: recording))
    let text = try RecordedScenario(of: RecordingStage.take(recording), named: "S").text()
    #expect(text.contains(text: "start: { state: b }"))
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
  }

  @Test("a proof starts in each of the states")
  func proof() throws {
    let text =
      Self.top + """
        never: { lit: lamp == on }
        initial: a
        resume: [ b ]
        states: { a: { on: { other.pressed: a } }, b: { on: { key.pressed: c } }, c: { show: { lamp: on } } }
        """
    // Nothing leads to b: it is reached at a start only.
    #expect(Fixture.problems(ofPanel: text).count == 2)
    let panel = try PanelFile.read(
      Array(text.replacing(each: "a: { on: {", by: "a: { when: { n == 9: b }, on: {").utf8), file: "p")
    let outcome = Proof(panel: panel, sounds: [], elapsed: { .zero }).run()
    let way = try #require(outcome.violations.first)
    #expect(way.inputs == 1)
    #expect(way.trace.kept.map { "\($0.name) \($0.text)" } == ["state b"])
    let scenario = CounterexampleReport(panel: panel, file: "p", limits: "", way: way)
      .failingScenario().text
    #expect(scenario?.contains(text: "start: { state: b }") == true)
  }

  @Test("a reload keeps the state that the panel starts in, also where the list has become longer")
  func reload() throws {
    let stage = try ReloadStage(Self.text)
    try stage.take("click key; click key; expect state=c")
    try stage.reload(Self.text.replacing(each: "{ n: {", by: "{ m: { initial: 0, min: 0, max: 9 }, n: {"))
    #expect(try stage.take("expect state=c; power-cut 1s; expect state=b") == [])
    try stage.take("click key; wait 2s")
    try stage.reload(Self.text.replacing(each: "[ b, a ]", by: "[ c, b ]"))
    #expect(try stage.take("expect state=c; wait 2s; power-cut 1s; expect state=c lamp=on") == [])
  }

  @Test("a start that names another state is refused")
  func start() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "test")
    #expect(
      Fixture.problems { () throws(Problems) in
        _ = try ScenarioFile.read(
          Array("scenario: S\nstart: { state: c }\nsteps: [ show ]".utf8), file: "s", for: panel)
      } == ["2:17: \"c\" is not in resume; write one of a, b"])
  }
}
