import Terminal
import Testing

@testable import PanelKit
@testable import PanelRun

@Suite("A run of scenarios")
struct TestRunTests {
  /// A panel with an event each millisecond, and scenarios with these steps.
  private func suite(_ steps: [String], file: String = "p") throws -> TestRun.Suite {
    let states = """
      initial: a
      states:
        a: { every: { 1ms: { set: { level: 1 } } }, on: { key.pressed: b } }
        b: { on: { key.pressed: a } }

      """
    let panel = try Stage(states).session.panel
    var scenarios: [Scenario] = []
    for (place, steps) in steps.enumerated() {
      let text = "scenario: S\nsteps: [ \(steps) ]"
      scenarios.append(try ScenarioFile.read(Array(text.utf8), file: "s\(place)", for: panel))
    }
    return TestRun.Suite(file: file, panel: panel, scenarios: scenarios)
  }

  private func arguments(_ options: [String]) throws -> ParsedArguments {
    try PanelKit.Test.syntax.parse(["p"] + options)
  }

  @Test("the progress stays until a line is written on its terminal, or until the end", arguments: [false, true])
  func progress(isOnTerminal: Bool) throws {
    var written: [String] = []
    var seconds = 0
    let elapsed = { () -> Duration in
      seconds += 1
      return .seconds(seconds)
    }
    let progress = ProgressLine(isSeen: true, elapsed: elapsed) { written.append($0) }
    var run = TestRun(
      try arguments([]), Diagnostics(.error), progress: progress, isOnTerminal: isOnTerminal, isInterrupted: { false },
      output: { written.append($0) })
    try run.perform(try suite(["{ wait: 1ms }", "{ wait: 1ms }"]))
    let status = try run.finish()
    #expect(status == 0)
    let first = "\r\u{1B}[K0 scenarios done, s0, 00:01 (Ctrl-C stops)"
    let second = "\r\u{1B}[K1 scenario done, s1, 00:02 (Ctrl-C stops)"
    let clear = "\r\u{1B}[K"
    if isOnTerminal {
      #expect(written == [first, clear, "passed  s0: S", second, clear, "passed  s1: S", "2 passed, 0 failed"])
    } else {
      #expect(written == [first, "passed  s0: S", second, "passed  s1: S", clear, "2 passed, 0 failed"])
    }
  }

  /// Runs suites until Ctrl-C is pressed at a look for it: one precedes each scenario, and one follows each 256 turns.
  private func run(
    _ suites: [TestRun.Suite], _ options: [String], interruptedAtLook place: Int
  ) throws -> (lines: [String], status: Int32) {
    var lines: [String] = []
    var looks = 0
    let isInterrupted = { () -> Bool in
      looks += 1
      return looks >= place
    }
    var run = TestRun(
      try arguments(["--json"] + options), Diagnostics(.error), progress: ProgressLine(isSeen: false) { _ in },
      isOnTerminal: false, isInterrupted: isInterrupted, output: { lines.append($0) })
    for suite in suites { try run.perform(suite) }
    let status = try run.finish()
    return (lines, status)
  }

  @Test("Ctrl-C keeps the failure of the scenario that it stops, and no other is run", arguments: [false, true])
  func interrupted(isFailing: Bool) throws {
    let steps = "{ expect: { lamp: \(isFailing ? "on" : "off") } }, { wait: 100s }"
    let (lines, status) = try run([try suite([steps, "{ wait: 1ms }"])], ["--keep-going"], interruptedAtLook: 2)
    if isFailing {
      try #require(lines.count == 2)
      for text in [#""result": "failed""#, "s0:2:12: expected lamp on; it is off", ": stopped by Ctrl-C, at "] {
        #expect(lines[0].contains(text), "\(lines[0])")
      }
      #expect(lines[1] == #"{"passed": 0, "failed": 1, "given_up": 0, "not_run": 1}"#)
      #expect(status == 1)
    } else {
      #expect(lines == [#"{"passed": 0, "failed": 0, "given_up": 0, "not_run": 2}"#])
      #expect(status == 130)
    }
  }

  @Test("low coverage of a panel counts if Ctrl-C stops a later one, and not if Ctrl-C stops its own scenarios")
  func coverage() throws {
    let suites = [try suite(["{ expect: { lamp: off } }"], file: "p"), try suite(["{ wait: 1ms }"], file: "q")]
    #expect(try run(suites, ["--min-coverage", "100"], interruptedAtLook: 2).status == 1)
    #expect(try run(suites, ["--min-coverage", "100"], interruptedAtLook: 1).status == 130)
  }
}
