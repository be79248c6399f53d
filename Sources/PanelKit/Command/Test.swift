import CycleCore
import HardwareLinux
import Terminal

enum Test: Subcommand {
  static let syntax = CommandSyntax(
    "panel test", "Runs scenarios on a simulated panel, in virtual time.",
    discussion: """
      A scenario ends at its first step that is not as expected. Examples:

        panel test doorbell.panel.yaml doorbell.scenario.yaml
        panel test --coverage /etc/panel

      Of a folder all panels (*.panel.yaml) are tested with the scenarios (*.scenario.yaml) beside them, and so are those in
      the folders inside it. Where a folder has several panels, a scenario belongs to the one whose name its own begins
      with: garage.scenario.yaml, garage-night.scenario.yaml and garage.night.scenario.yaml belong to garage.panel.yaml.
      """,
    operands: [.init("FILE", help: "A panel file and its scenario files, or folders.", .oneOrMore)],
    options: [
      .init("--keep-going", help: "Performs the steps after a failed one, too."),
      .init("--trace", help: "Prints each event, and each change of what the panel shows."),
      .init(
        "--coverage", value: "PERCENT",
        help: "Tells which states, transitions and conditions were never tried; with =PERCENT, less than that fails.",
        isValueOptional: true
      ) { text in Int(text).map { (0...100).contains($0) } ?? false },
      .init("--junit", value: "FILE", help: "Writes the results into a file, as JUnit's XML."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let plan = try TestPlan(arguments.operands)
      if let first = plan.strays.first {
        for line in plan.strays.flatMap(\.lines) { diagnostics.write(.error, line) }
        return first.exitStatus
      }
      if plan.suites.allSatisfy(\.scenarios.isEmpty) {
        let end = syntax.misuse("a scenario for \(quoted(plan.suites[0].panel)) is missing")
        end.write()
        return end.status
      }
      let (suites, problems) = read(plan, kinds)
      var run = TestRun(arguments, diagnostics)
      for (panel, problems) in problems { run.add(problems, to: panel) }
      if let (_, first) = problems.first {
        try run.writeReport()
        return first.exitStatus
      }
      for suite in suites {
        do throws(DriverError) {
          try run.perform(suite)
        } catch {
          try run.writeReport(endingWith: error, in: suite)
          throw error
        }
      }
      return try run.finish()
    }
  }

  /// A panel with its scenarios.
  struct Suite {
    var file: String
    var panel: PanelDefinition
    var scenarios: [Scenario]
  }

  /// Reads all files, and finds all that is wrong with them, each with the panel file of its suite.
  private static func read(_ plan: TestPlan, _ kinds: KindList) -> ([Suite], [(panel: String, problems: Problems)]) {
    var suites: [Suite] = []
    var problems: [(panel: String, problems: Problems)] = []
    func attempt<Result>(_ suite: TestPlan.Suite, _ read: () throws(Problems) -> Result) -> Result? {
      do throws(Problems) {
        return try read()
      } catch {
        problems.append((suite.panel, error))
        return nil
      }
    }
    for suite in plan.suites {
      guard let panel = attempt(suite, { () throws(Problems) in try PanelFile.read(path: suite.panel, kinds: kinds) })
      else {
        continue
      }
      let scenarios = suite.scenarios.compactMap { path in
        attempt(suite) { () throws(Problems) in try ScenarioFile.read(path: path, for: panel, kinds: kinds) }
      }
      suites.append(Suite(file: suite.panel, panel: panel, scenarios: scenarios))
    }
    return (suites, problems)
  }
}

/// Runs suites of scenarios, and tells what came of them.
private struct TestRun {
  private let diagnostics: Diagnostics
  private let keepsGoing: Bool
  private let traces: Bool
  private let wantsCoverage: Bool
  /// How much must be covered, in percent; nil for any.
  private let leastCoverage: Int?
  private let junitFile: String?
  private var report = JUnitReport()
  private var passed = 0
  private var failed = 0
  private var isCovered = true

  init(_ arguments: ParsedArguments, _ diagnostics: Diagnostics) {
    self.diagnostics = diagnostics
    keepsGoing = arguments.has("--keep-going")
    traces = arguments.has("--trace")
    wantsCoverage = arguments.has("--coverage")
    leastCoverage = arguments.value(of: "--coverage").flatMap { Int($0) }
    junitFile = arguments.value(of: "--junit")
  }

  /// Tells what is wrong with a file of a panel's suite.
  mutating func add(_ problems: Problems, to panel: String) {
    for line in problems.lines { diagnostics.write(.error, line) }
    report.add(.init(file: problems.file, lines: problems.lines), to: panel)
  }

  func writeReport() throws(Problems) {
    if let junitFile { try TextFile.write(report.text, path: junitFile) }
  }

  /// Writes the report of a run that can't go on.
  mutating func writeReport(endingWith error: DriverError, in suite: Test.Suite) throws(Problems) {
    report.add(.init(file: "panel test", lines: ["\(error)"]), to: suite.file)
    try writeReport()
  }

  mutating func perform(_ suite: Test.Suite) throws(DriverError) {
    let coverage = wantsCoverage ? Coverage(of: suite.panel) : nil
    report.begin(suite.file)
    for scenario in suite.scenarios {
      var results: [ScenarioRun.Result] = []
      for one in scenario.cases { results.append(try perform(one, of: scenario, suite.panel, coverage)) }
      guard results.allSatisfy(\.failures.isEmpty), let undrawn = results.map(\.undrawn).min() else { continue }
      for note in scenario.notes(undrawn: undrawn) { diagnostics.write(.warning, note) }
    }
    guard let coverage else { return }
    coverage.lines(file: suite.file, tried: counted(suite.scenarios.count, "scenario")).forEach(Output.print)
    if let leastCoverage, coverage.percent < leastCoverage {
      isCovered = false
      diagnostics.write(.error, "\(suite.file): covered are \(coverage.percent)%; \(leastCoverage)% are asked for")
    }
  }

  private mutating func perform(
    _ one: Scenario.Case, of scenario: Scenario, _ panel: PanelDefinition, _ coverage: Coverage?
  ) throws(DriverError) -> ScenarioRun.Result {
    var run = ScenarioRun(scenario, of: panel)
    run.keepsGoing = keepsGoing
    run.coverage = coverage
    run.print = { Output.print($0) }
    if traces { run.trace = { Output.print($0) } }
    let clock = ContinuousClock()
    let start = clock.now
    let result = try run.run(one)
    let title = scenario.title(of: one)
    report.add(.init(file: scenario.file, name: title, time: clock.now - start, result: result))
    if result.failures.isEmpty { passed += 1 } else { failed += 1 }
    Output.print("\(result.failures.isEmpty ? "passed" : "FAILED")  \(scenario.file): \(title)")
    for failure in result.failures {
      for line in failure.texts + failure.log { diagnostics.write(.error, line) }
    }
    return result
  }

  /// Tells how many passed; returns the exit status.
  func finish() throws(Problems) -> Int32 {
    Output.print("\(passed) passed, \(failed) failed")
    try writeReport()
    return failed == 0 && isCovered ? ExitStatus.success : ExitStatus.failed
  }
}
