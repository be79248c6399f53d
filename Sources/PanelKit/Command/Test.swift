import CycleCore
import HardwareLinux
import Terminal

enum Test: Subcommand {
  static let syntax = CommandSyntax(
    "panel test", "Runs scenarios on a simulated panel, in virtual time.",
    discussion: """
      A scenario ends at its first step that is not as expected. Ends with 0 if all pass, 65 or 66 if a file is wrong or missing,
      else 1 if one fails, else 75 if one was given up. Examples:

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
      .init("--seconds", value: "N", help: "Gives a scenario up that takes longer; 60 unless given.") {
        Quantity.whole($0).map { $0 > 0 } ?? false
      },
      .init("--junit", value: "FILE", help: "Writes the results into a file, as JUnit's XML."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let plan = try TestPlan(arguments.operands)
      var run = TestRun(arguments, diagnostics)
      for stray in plan.strays { run.add(stray, to: stray.file) }
      if plan.suites.allSatisfy(\.scenarios.isEmpty) {
        if let first = plan.strays.first {
          try run.writeReport()
          return first.exitStatus
        }
        let end = syntax.misuse("a scenario for \(quoted(plan.suites[0].panel)) is missing")
        end.write()
        return end.status
      }
      // What is wrong with one file hides nothing of the others.
      let (suites, problems) = read(plan, kinds)
      for (panel, problems) in problems { run.add(problems, to: panel) }
      for suite in suites {
        do throws(DriverError) { try run.perform(suite) } catch { run.add(error, to: suite.file) }
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
  private var cut = 0
  private var isCovered = true
  /// Of the first file that is wrong, or panel that can't be simulated: what the command ends with.
  private var faultStatus: Int32?
  private var faults = 0
  private let limit: Duration
  private let progress = ProgressLine()

  init(_ arguments: ParsedArguments, _ diagnostics: Diagnostics) {
    self.diagnostics = diagnostics
    keepsGoing = arguments.has("--keep-going")
    traces = arguments.has("--trace")
    wantsCoverage = arguments.has("--coverage")
    leastCoverage = arguments.value(of: "--coverage").flatMap { Int($0) }
    junitFile = arguments.value(of: "--junit")
    limit = arguments.value(of: "--seconds").flatMap(Quantity.whole).map { .seconds($0) } ?? ScenarioWatch.standard
  }

  /// Tells what is wrong with a file of a panel's suite.
  mutating func add(_ problems: Problems, to panel: String) {
    note(problems.exitStatus)
    for line in problems.lines { diagnostics.write(.error, line) }
    report.add(.init(file: problems.file, lines: problems.lines), to: panel)
  }

  /// Tells that a panel can't be simulated.
  mutating func add(_ error: DriverError, to panel: String) {
    note(error.exitStatus)
    diagnostics.write(.error, "panel: \(error)")
    report.add(.init(file: "panel test", lines: ["\(error)"]), to: panel)
  }

  private mutating func note(_ status: Int32) {
    faultStatus = faultStatus ?? status
    faults += 1
  }

  func writeReport() throws(Problems) {
    if let junitFile { try TextFile.write(report.text, path: junitFile) }
  }

  mutating func perform(_ suite: Test.Suite) throws(DriverError) {
    let coverage = wantsCoverage ? Coverage(of: suite.panel) : nil
    report.begin(suite.file)
    for scenario in suite.scenarios {
      var results: [ScenarioRun.Result] = []
      for one in scenario.cases { results.append(try perform(one, of: scenario, suite, coverage)) }
      guard results.allSatisfy({ $0.failures.isEmpty && $0.cut == nil }), let undrawn = results.map(\.undrawn).min()
      else { continue }
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
    _ one: Scenario.Case, of scenario: Scenario, _ suite: Test.Suite, _ coverage: Coverage?
  ) throws(DriverError) -> ScenarioRun.Result {
    var run = ScenarioRun(scenario, of: suite.panel)
    run.watch = { [limit, progress] in
      ScenarioWatch(limit: limit, tell: progress.isSeen ? { progress.show("\(scenario.file): \($0.text)") } : nil)
    }
    defer { progress.clear() }
    run.keepsGoing = keepsGoing
    run.coverage = coverage
    run.print = { Output.print($0) }
    if traces { run.trace = { Output.print($0) } }
    let clock = ContinuousClock()
    let start = clock.now
    let result = try run.run(one)
    let title = scenario.title(of: one)
    report.add(.init(file: scenario.file, name: title, time: clock.now - start, result: result), to: suite.file)
    progress.clear()
    if let cut = result.cut {
      self.cut += 1
      Output.print("GIVEN UP  \(scenario.file): \(title)")
      diagnostics.write(.error, cut)
      return result
    }
    if result.failures.isEmpty { passed += 1 } else { failed += 1 }
    Output.print("\(result.failures.isEmpty ? "passed" : "FAILED")  \(scenario.file): \(title)")
    for failure in result.failures {
      for line in failure.texts + failure.log { diagnostics.write(.error, line) }
    }
    return result
  }

  /// Tells how many passed; returns the exit status.
  func finish() throws(Problems) -> Int32 {
    let others = [(cut, "given up"), (faults, "not run: see above")].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }
    Output.print("\(passed) passed, \(failed) failed\(others.joined())")
    try writeReport()
    if let faultStatus { return faultStatus }
    guard failed == 0, isCovered else { return ExitStatus.failed }
    return cut == 0 ? ExitStatus.success : ExitStatus.undecided
  }
}
