import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("A scenario that runs")
struct ScenarioRunTests {
  static let states = """
    initial: a
    states:
      a: { on: { key.pressed: b } }
      b: { on: { key.pressed: a, mute.on: c } }
      c: { every: { 10ms: { set: { level: +1 } } }, on: { bell.pressed: a } }
    """

  private func run(
    _ text: String, _ states: String = Self.states, case number: Int = 0,
    prepare: (inout ScenarioRun) -> Void = { _ in }
  ) throws -> ScenarioRun.Result {
    let panel = try Stage(states).session.panel
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    var run = ScenarioRun(scenario, of: panel)
    prepare(&run)
    return try run.run(scenario.cases[number])
  }

  static let twoFailures =
    "scenario: S\nsteps:\n  - wait: 1s\n  - expect: { state: b, level: 4 }\n  - expect: { state: c }"

  @Test("it ends at its first failed step, which tells all that was not as expected, and one log")
  func firstFailure() throws {
    let result = try run(Self.twoFailures)
    #expect(
      result.failures == [
        .init(
          texts: ["s:4:5: expected state b; it is a", "s:4:5: expected level 4; it is 5"],
          log: ["  no events in the last second"])
      ])
    #expect(result.span == .seconds(1))
  }

  @Test("a panel that stops at its start fails the first step, once")
  func stoppedAtStart() throws {
    let states = "initial: a\nstates: { a: { when: { level == 5: b } }, b: { when: { level == 5: a } } }"
    let result = try run("scenario: S\nsteps: [ { wait: 1s }, { wait: 1s } ]", states) { $0.keepsGoing = true }
    #expect(result.failures.map(\.texts) == [["s:2:12: endless loop of \"when\": b, a, b, a"]])
    #expect(try run("scenario: S\nsteps: [ { expect: { ended: 1 } } ]", states).failures == [])
  }

  @Test("it goes on after a failed step where that is wished")
  func keepsGoing() throws {
    let result = try run(Self.twoFailures) { $0.keepsGoing = true }
    #expect(result.failures.map(\.texts.count) == [2, 1])
  }

  @Test("a failure says in which case and which round it was")
  func places() throws {
    let text = """
      scenario: S
      cases: [ { how: key, end: b }, { how: bell, end: b } ]
      steps:
        - click: $how
        - repeat: { times: 2, steps: [ expect: { state: $end }, { click: key } ] }
      """
    #expect(
      try run(text).failures.map(\.texts) == [
        ["s:5:34: case 1 (how key, end b), round 2 of 2: expected state b; it is a"]
      ])
    #expect(
      try run(text, case: 1).failures.map(\.texts) == [
        ["s:5:34: case 2 (how bell, end b), round 1 of 2: expected state b; it is a"]
      ])
  }

  @Test("each case has a fresh panel")
  func fresh() throws {
    let text =
      "scenario: S\ncases: [ { n: 1 }, { n: 2 } ]\nsteps: [ { click: key }, { expect: { state: b } }, { expect: \"$n == $n\" } ]"
    let other = text.replacing(", { expect: \"$n == $n\" }", with: "")
    #expect(try run(other).failures == [])
    #expect(try run(other, case: 1).failures == [])
  }

  @Test("the log folds what repeats, and says how much there was")
  func foldedLog() throws {
    let text = """
      scenario: S
      steps: [ { click: key }, { wait: 2s }, { switch: { mute: on } }, { wait: 965ms }, { expect: { state: a } } ]
      """
    let log = try run(text).failures.first?.log
    #expect(
      log == [
        "  1 input and 1 of 96 lines of the last second:", "    2.060s  mute.on  b -> c",
        "    2.070s … 3.020s  every 10ms in c  ×96",
      ])
  }

  @Test("a log has the events of inputs that follow from others beside those they follow from")
  func derivedEvents() throws {
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { a: { button: GPIO1 }, b: { button: GPIO2 }, both: { chord: [ a, b ], within: 300ms } }
        initial: x
        states: { x: { on: { both.pressed: y } }, y: }
        """.utf8), file: "p")
    let scenario = try ScenarioFile.read(
      Array("scenario: S\nsteps: [ { press: [ a, b ] }, { wait: 5ms }, { heard: [] } ]".utf8), file: "s", for: panel)
    let failures = try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures
    #expect(
      failures == [
        .init(
          texts: ["s:2:48: expected the events nothing; the events were both.pressed"],
          log: [
            "  2 inputs of the last second:", "    0.005s  a.pressed", "    0.005s  b.pressed, both.pressed  x -> y",
          ])
      ])
  }

  @Test("what follows from the debounce of a computed switch is in the log and in the trace, once")
  func computedSwitch() throws {
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs:
          a: { button: GPIO1 }
          b: { switch: { on: a == pressed }, debounce: 20ms }
        initial: x
        states: { x: { on: { b.on: y } }, y: }
        """.utf8), file: "p")
    let scenario = try ScenarioFile.read(
      Array("scenario: S\nsteps: [ { wait: 20ms }, { press: a }, { wait: 50ms }, { expect: { state: x } } ]".utf8),
      file: "s",
      for: panel)
    var traced: [String] = []
    var run = ScenarioRun(scenario, of: panel)
    run.trace = { traced.append($0) }
    let log = try run.run(scenario.cases[0]).failures.first?.log
    #expect(log == ["  1 input and 1 line of the last second:", "    0.025s  a.pressed", "    0.045s  b.on  x -> y"])
    #expect(traced == ["0.000s  state=x", "0.025s  a.pressed", "0.045s  b.on  x -> y", "0.045s  state=y"])
  }

  @Test("of more lines than are kept it is told that there were at least so many")
  func manyLines() throws {
    let states = "initial: a\nstates: { a: { every: { 1ms: { set: { level: 1 } } } } }"
    let log = try run("scenario: S\nsteps: [ { wait: 2s }, { expect: { level: 9 } } ]", states).failures[0].log
    #expect(log == ["  1 of at least 256 lines of the last second:", "    1.745s … 2.000s  every 1ms in a  ×256"])
  }

  @Test("a log has twenty lines at most, the last ones")
  func longLog() throws {
    let states = """
      regions:
        one: { initial: a, states: { a: { every: { 7ms: { set: { level: 1 } } } } } }
        two: { initial: b, states: { b: { every: { 11ms: { set: { level: 2 } }, 13ms: { set: { level: 3 } } } } } }
      """
    let log = try run("scenario: S\nsteps: [ { wait: 5s }, { expect: { level: 9 } } ]", states).failures[0].log
    #expect(log.count == FailureContext.mostLines + 1)
    #expect(log[0].hasSuffix(" of the last second:"))
    #expect(log.last?.contains(" in one/a") == true || log.last?.contains(" in two/b") == true)
  }

  @Test("show prints, and a trace has each event and each change")
  func showAndTrace() throws {
    var shown: [String] = []
    var traced: [String] = []
    let result = try run(
      "scenario: S\nsteps: [ show, { click: key }, { turn: { knob: 1 } }, { switch: { mute: on } }, { wait: 26ms } ]"
    ) {
      $0.print = { shown.append($0) }
      $0.trace = { traced.append($0) }
    }
    #expect(result.failures == [])
    let inputs = "bell=released  key=released  mute=off"
    #expect(shown == ["0.000s  state=a  lamp=off  bar=0  lock=off  level=5  playing=nothing  \(inputs)"])
    #expect(
      traced == [
        "0.000s  state=a  lamp=off  bar=0  lock=off  level=5  playing=nothing", "0.005s  key.pressed  a -> b",
        "0.005s  state=b", "0.055s  key.released", "0.058s  knob.clockwise", "0.064s  mute.on  b -> c",
        "0.064s  state=c", "0.074s  every 10ms in c", "0.074s  level=6", "0.084s  every 10ms in c", "0.084s  level=7",
      ])
  }

  @Test("a case is given up when its time is over, and until then tells once in a second how far it is")
  func watch() throws {
    let states = "initial: a\nstates: { a: { every: { 1ms: { set: { level: 1 } } } } }"
    var told: [String] = []
    let result = try run("scenario: S\nsteps: [ { wait: 1s }, { wait: 100s }, { expect: { level: 9 } } ]", states) {
      $0.watch = {
        var looks = 0
        // Each look comes after 256 turns: half a second by this clock, so 512 turns are a second.
        let elapsed = { () -> Duration in
          looks += 1
          return .milliseconds(looks * 500)
        }
        return ScenarioWatchdog(limit: .seconds(5), elapsed: elapsed) { told.append($0.text) }
      }
    }
    #expect(
      result.cut
        == "s:2:26: stopped after 5 s, at 2s of simulated time; wait for less time, or allow more with --seconds"
    )
    #expect(result.failures == [])
    #expect(
      told == [
        "step 2 of 3, 0% of it after 2 s; 1s of simulated time",
        "step 2 of 3, 0% of it after 3 s; 1s of simulated time",
        "step 2 of 3, 1% of it after 4 s; 2s of simulated time",
      ])
  }

  @Test("a failure counts even if the case is given up or stopped after it", arguments: [false, true])
  func givenUpAfterFailure(isInterrupted: Bool) throws {
    let states = "initial: a\nstates: { a: { every: { 1ms: { set: { level: 1 } } } } }"
    let result = try run("scenario: S\nsteps: [ { expect: { lamp: on } }, { wait: 100s } ]", states) {
      $0.keepsGoing = true
      $0.watch = {
        ScenarioWatchdog(
          limit: .seconds(5), elapsed: { isInterrupted ? .zero : .seconds(5) }, isStopped: { isInterrupted })
      }
    }
    #expect(result.failures.map(\.texts) == [["s:2:12: expected lamp on; it is off"]])
    #expect(result.outcome == .failed)
    #expect(result.isInterrupted == isInterrupted)
    let cut = try #require(result.cut)
    #expect(cut.hasPrefix("s:2:38: stopped \(isInterrupted ? "by Ctrl-C" : "after 5 s"), at "), "\(cut)")
  }
}
