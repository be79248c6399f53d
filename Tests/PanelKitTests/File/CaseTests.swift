import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("Cases, rounds and the start of a scenario file")
struct CaseTests {
  private func read(_ text: String) throws -> Scenario {
    try ScenarioFile.read(Array(text.utf8), file: "test", for: Fixture.doorbell())
  }

  @Test("each case has its words in place of the names, and its title")
  func cases() throws {
    let scenario = try read(
      """
      scenario: S
      start: { mute: $muted }
      cases: [ { muted: on, how: 10ms, who: bell }, { muted: off, who: reset, how: 2s } ]
      steps: [ { wait: $how }, { press: [ $who ] } ]
      """)
    #expect(
      scenario.cases.map(\.title) == ["case 1 (muted on, how 10ms, who bell)", "case 2 (muted off, who reset, how 2s)"])
    #expect(scenario.cases.map(\.start.positions) == [[2: 1], [2: 0]])
    #expect(
      scenario.cases.map { $0.steps.map(\.step) } == [
        [.wait(.span(.milliseconds(10))), .press([0])],
        [.wait(.span(.seconds(2))), .press([1])],
      ])
    #expect(scenario.title(of: scenario.cases[1]) == "S, case 2 (muted off, who reset, how 2s)")
  }

  @Test("a scenario without cases has one, without a title")
  func oneCase() throws {
    let scenario = try read("scenario: S\nsteps: [ show ]")
    #expect(scenario.cases == [.init(title: nil, steps: [.init(step: .show, position: .init(line: 2, column: 10))])])
    #expect(scenario.title(of: scenario.cases[0]) == "S")
  }

  @Test("rounds are written out, and each step says which round it is in")
  func rounds() throws {
    let steps = try read(
      "scenario: S\nsteps: [ show, repeat: { times: 2, steps: [ show, repeat: { times: 2, steps: [ press: bell ] } ] } ]"
    ).cases[0].steps
    let press = Step.press([0])
    #expect(steps.map(\.step) == [.show, .show, press, press, .show, press, press])
    #expect(
      steps.map(\.round) == [
        nil, "round 1 of 2", "round 1 of 2, round 1 of 2", "round 1 of 2, round 2 of 2", "round 2 of 2",
        "round 2 of 2, round 1 of 2", "round 2 of 2, round 2 of 2",
      ])
  }

  @Test("the most rounds that are allowed are read")
  func mostRounds() throws {
    let text = "scenario: S\nsteps: [ repeat: { times: 1000, steps: [ repeat: { times: 100, steps: [ show ] } ] } ]"
    #expect(try read(text).cases[0].steps.count == StepListReader.mostSteps)
  }

  @Test("a start has positions, hardware that is away, and lines that another program holds")
  func start() throws {
    let start = try read(
      "scenario: S\nstart: { mute: on, bell: pressed, gpio: lost, audio: there, busy: [ lamp, knob ] }\nsteps: [ show ]"
    ).cases[0].start
    #expect(start.positions == [2: 1, 0: 1])
    #expect(start.missing == [.gpio])
    #expect(start.busy == [.output(0), .input(3)])
  }

  @Test("what is wrong with one case alone is told at its word")
  func wrongCase() {
    let found = Fixture.problems { () throws(Problems) in
      _ = try ScenarioFile.read(
        Array("scenario: S\ncases: [ { how: 1s }, { how: 1x } ]\nsteps: [ { wait: $how } ]".utf8), file: "test",
        for: try PanelFile.read(path: Fixture.folder + "/doorbell/doorbell.panel.yaml"))
    }
    #expect(found == ["2:30: unknown unit \"x\" of a duration; write ms, s, m or h"])
  }
}
