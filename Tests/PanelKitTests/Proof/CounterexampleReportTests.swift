import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelProof

@Suite("The counterexample of a proof")
struct CounterexampleReportTests {
  @Test(
    "of a keypad, whose scans see a key later than a contact would be seen, it waits for that: as first or second input",
    arguments: ["", "first: { switch: GPIO1 }\n  "])
  func keypad(before: String) throws {
    let text = """
      panel: P
      inputs:
        \(before)pad: { keypad: { rows: [GPIO5], columns: [GPIO12, GPIO16] } }
      never: { b: state == bad }
      initial: x
      states: { x: { on: { pad(1).pressed: bad } }, bad: {} }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let outcome = Proof(panel: panel, sounds: [], elapsed: { .zero }).run()
    let way = try #require(outcome.violations.first)
    let counterexample = CounterexampleReport(panel: panel, file: "p", way: way)
    #expect(counterexample.failingScenario().text != nil)
  }

  @Test("of several that are as short and as early the first one of the file is shown")
  func first() throws {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, b: { button: GPIO6 }, c: { button: GPIO7 } }
      never: { b: state == bad }
      initial: x
      states: { x: { on: { c.pressed: bad, b.pressed: bad, a.pressed: bad } }, bad: {} }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let way = try #require(Proof(panel: panel, sounds: [], elapsed: { .zero }).run().violations.first)
    #expect(way.trace.events.compactMap(\.hand).map(\.input) == [0])
  }

  @Test("is also printed as a scenario, and no file is written, for a panel from standard input without a name")
  func standardInput() {
    let panel = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      never: { bad: state == y }
      initial: x
      states: { x: { on: { a.pressed: y } }, y: { on: { a.pressed: x } } }

      """
    withFiles { folder in
      let text = PanelProcess.run(["prove", "-"], input: panel, prefix: "cd '\(folder)' &&")
      #expect(text.status == 1 && text.errors == "")
      #expect(
        text.output.contains(
          "  this scenario reproduces it:\n    scenario: \"never bad: state == y\"\n    steps: [ { "), "\(text.output)")
      let json = PanelProcess.run(["prove", "-", "--json"], input: panel, prefix: "cd '\(folder)' &&")
      #expect(
        json.output.contains(#""scenario": "scenario: \"never bad: state == y\"\nsteps: [ { "#), "\(json.output)")
      #expect(json.output.contains(#""scenario_file": null}"#), "\(json.output)")
      #expect(names(in: folder) == [])

      let named = PanelProcess.run(
        ["prove", "-", "--json", "--name", "\(folder)/p.panel.yaml"], input: panel)
      #expect(named.output.contains("\"scenario_file\": \"\(folder)/p.bad.scenario.yaml\"}"), "\(named.output)")
      #expect(names(in: folder) == ["p.bad.scenario.yaml"])
    }
  }

  @Test("has the same results as text and as JSON: a state that only too quick a path reaches is undecided")
  func tooQuick() throws {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, b: { button: GPIO6 } }
      never: { bad: state == w }
      reach: [z]
      initial: x
      states:
        x: { on: { a.pressed: w, b.pressed: y } }
        y: { on: { b.released: z }, after: { 1ms: x } }
        z: { on: { a.pressed: x } }
        w: { on: { a.pressed: x } }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let outcome = Proof(panel: panel, sounds: [], elapsed: { .zero }).run()
    let verdict = ProofReport(panel: panel, file: "p", outcome: outcome, options: ProofReport.Options())
    #expect(try verdict.lines(.zero).contains("  undecided   z"))
    let objects = try verdict.json(.zero).map(\.line)
    #expect(
      objects.contains(#"{"file": "p", "kind": "reach", "name": "z", "text": "", "result": "undecided"}"#),
      "\(objects)")
  }

  @Test("is checked for at most a second after Ctrl-C, and Ctrl-C during the check ends it")
  func stoppedCheck() throws {
    let text = """
      panel: P
      values: { n: { initial: 0, min: 0, max: 1 } }
      initial: x
      states: { x: { every: { 1ms: { set: { n: 1 } } } } }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    var asked = 0
    let result = ScenarioCheck.result(of: "scenario: S\nsteps: [ { wait: 60000m } ]\n", on: panel) {
      asked += 1
      return asked > 1
    }
    #expect(result == .stopped)
  }
}
