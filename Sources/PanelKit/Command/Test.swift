import CycleCore
import Terminal

enum Test: Subcommand {
  static let syntax = CommandSyntax(
    "panel test", "Run scenarios on a simulated panel, in virtual time.",
    discussion: """
      Virtual time needs no waiting: a scenario of a day takes about a second. A scenario ends at the first step that fails.

      A panel file alone, or a folder, runs all scenarios (*.scenario.yaml) beside the panels (*.panel.yaml), in the folders \
      inside it too. The name of a scenario begins with the name of its panel: garage.scenario.yaml and \
      garage-night.scenario.yaml belong to garage.panel.yaml. If a folder has one panel, all its scenarios belong to it.

      If the first file is a panel file, each scenario runs on the panel file before it. Otherwise it runs on the panel that it \
      belongs to. A file or folder that cannot be tested is reported, and the others are tested.

      With --json, each line is an object for one scenario with the members panel, file, name, result (passed, failed or \
      given-up), milliseconds and failures (a list of lines). The last object has passed, failed, given_up and not_run. With \
      --coverage, each panel has an object with panel, coverage (percent) and untried (a list of lines).
      """,
    examples: """
      $ panel test lamp.panel.yaml
      passed  ten-seconds.scenario.yaml: The lamp blinks until the key is pressed again, ten seconds at most
      1 passed, 0 failed

      $ panel test lamp.panel.yaml ten-seconds.scenario.yaml --trace
      $ panel test --min-coverage 90 /etc/panel
      """,
    operands: [
      .init("FILE", help: "A panel file with or without its scenario files, scenario files, or folders.", .oneOrMore)
    ],
    options: [
      .init("--keep-going", help: "Continue a scenario after a failed step."),
      .init("--trace", help: "Print each event, and each change of a state or an output."),
      .init(
        "--coverage", help: "List the states, transitions and conditions that no scenario has tried.",
        valueOption: "--min-coverage"),
      .number(
        "--min-coverage", value: "PERCENT", 0...100,
        help: "Fail if the scenarios cover less than this. Implies --coverage."),
      .seconds("--seconds", help: "Give up a scenario that takes longer than this in real time (default: 60)."),
      .json, .fileName,
      .init(
        "--junit", value: "FILE",
        help: "Also write the results to a file, in the XML format of JUnit. \(CommandSyntax.Option.dash)"),
    ],
    statuses: [
      (ExitStatus.failed, "A scenario failed, or less is covered than --min-coverage asks for."),
      (ExitStatus.undecided, "No scenario failed, but one took too long and was given up."),
      (ExitStatus.interrupted, "Ctrl-C stopped the command, and no scenario had failed."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
<<<<<<< HEAD
      let plan = TestPlan(arguments.operands, name: arguments.value(of: CommandSyntax.Option.fileName.name))
      var run = TestRun(arguments, diagnostics)
<<<<<<< HEAD
=======
      try syntax.refuse("--json", with: "--trace", in: arguments)
=======
      try syntax.refuse("--json", with: "--trace", in: arguments)
      let plan = try TestPlan(arguments.operands, name: arguments.value(of: CommandSyntax.Option.fileName.name))
      var run = TestRun(arguments, diagnostics)
>>>>>>> baa0de97 (output: keep lines apart from a file on standard output)
      for stray in plan.strays { run.add(stray, to: stray.file) }
      if plan.suites.allSatisfy(\.scenarios.isEmpty) {
        if let first = plan.strays.first {
          try run.writeReport()
          return first.exitStatus
        }
        throw Problems(
          kind: .noSuchFile, file: plan.suites[0].panel,
          list: [
            Problem(line: 0, column: 0, text: "no scenario beside it; the names of scenarios end with .scenario.yaml")
          ])
      }
>>>>>>> dfb41665 (commands: refuse options that cannot be combined)
      // A problem in one file must not hide the results of the others.
      for stray in plan.strays { run.add(stray, to: stray.file) }
      let (suites, problems) = read(plan, arguments, kinds)
      for (panel, problems) in problems { run.add(problems, to: panel) }
      Interruption.watch()
      for suite in suites {
        do throws(DriverError) { try run.perform(suite) } catch { run.add(error, to: suite.file) }
      }
      return try run.finish()
    }
  }

  /// Reads all files. Returns the suites, and the problems with the panel file of the suite that each belongs to.
  private static func read(
    _ plan: TestPlan, _ arguments: ParsedArguments, _ kinds: KindList
  ) -> ([TestRun.Suite], [(panel: String, problems: Problems)]) {
    var suites: [TestRun.Suite] = []
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
      let read = attempt(suite) { () throws(Problems) in
        let input = try PanelInput(suite.panel, arguments)
        return (input.file, try input.panel(kinds: kinds))
      }
      guard let (file, panel) = read else { continue }
      let scenarios = suite.scenarios.compactMap { path in
        attempt(suite) { () throws(Problems) in try ScenarioFile.read(path: path, for: panel, kinds: kinds) }
      }
      suites.append(TestRun.Suite(file: file, panel: panel, scenarios: scenarios))
    }
    return (suites, problems)
  }
}
<<<<<<< HEAD
=======

/// Runs suites of scenarios and reports the results.
private struct TestRun {
  private let diagnostics: Diagnostics
  private let keepsGoing: Bool
  private let traces: Bool
  private let wantsCoverage: Bool
  private let isJSON: Bool
  /// The required coverage in percent; nil for none.
  private let leastCoverage: Int?
  private let junitFile: String?
  private let printLine: (String) -> Void
  private var report = JUnitReport()
  private var passed = 0
  private var failed = 0
  private var cut = 0
  /// The number of scenarios that did not run, or did not finish, because of Ctrl-C.
  private var notRun = 0
  private var isCovered = true
  /// The exit status for the first wrong file, or the first panel that can't be simulated.
  private var faultStatus: Int32?
  private var faults = 0
  private let limit: Duration
  private let progress = ProgressLine()

  init(_ arguments: ParsedArguments, _ diagnostics: Diagnostics) {
    self.diagnostics = diagnostics
    keepsGoing = arguments.has("--keep-going")
    traces = arguments.has("--trace")
    isJSON = arguments.has("--json")
    wantsCoverage = arguments.has("--coverage") || arguments.has("--min-coverage")
    leastCoverage = arguments.value(of: "--min-coverage").flatMap { Int($0) }
    junitFile = arguments.value(of: "--junit")
    printLine = Output.lines(beside: junitFile)
    limit = arguments.value(of: "--seconds").flatMap(Quantity.whole).map { .seconds($0) } ?? ScenarioWatch.standard
  }

  /// Reports the problems of a file in a panel's suite.
  mutating func add(_ problems: Problems, to panel: String) {
    note(problems.exitStatus)
    for line in problems.lines { diagnostics.write(.error, line) }
    report.add(.init(file: problems.file, lines: problems.lines), to: panel)
  }

  /// Reports that a panel can't be simulated.
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
      for one in scenario.cases {
        guard !Interruption.isRequested else {
          notRun += 1
          continue
        }
        results.append(try perform(one, of: scenario, suite, coverage))
      }
      guard results.count == scenario.cases.count else { continue }
      guard results.allSatisfy({ $0.failures.isEmpty && $0.cut == nil }), let undrawn = results.map(\.undrawn).min()
      else { continue }
      for note in scenario.notes(undrawn: undrawn) { diagnostics.write(.warning, note) }
    }
    guard let coverage else { return }
    let lines = coverage.lines(file: suite.file, tried: counted(suite.scenarios.count, "scenario"))
    if isJSON {
      let object = JSON.object([
        "panel": .text(suite.file), "coverage": .number(coverage.percent),
        "untried": .texts(lines.dropFirst().map { String($0.drop { $0 == " " }) }),
      ])
      printLine(object.line)
    } else {
      lines.forEach(printLine)
    }
    if notRun == 0, let leastCoverage, coverage.percent < leastCoverage {
      isCovered = false
      diagnostics.write(
        .error, "\(suite.file): coverage is \(coverage.percent)%, below --min-coverage \(leastCoverage)")
    }
  }

  private mutating func perform(
    _ one: Scenario.Case, of scenario: Scenario, _ suite: Test.Suite, _ coverage: Coverage?
  ) throws(DriverError) -> ScenarioRun.Result {
    var run = ScenarioRun(scenario, of: suite.panel)
    run.watch = { [limit, progress] in
      ScenarioWatch(limit: limit, report: progress.isSeen ? { progress.show("\(scenario.file): \($0.text)") } : nil) {
        Interruption.isRequested
      }
    }
    let count = passed + failed + cut
    progress.update { "\(counted(count, "scenario")) done, \(scenario.file)" }
    defer { progress.clear() }
    run.keepsGoing = keepsGoing
    run.coverage = coverage
    if !isJSON { run.print = printLine }
    if traces { run.trace = printLine }
    let clock = ContinuousClock()
    let start = clock.now
    let result = try run.run(one)
    let title = scenario.title(of: one)
    let span = clock.now - start
    report.add(.init(file: scenario.file, name: title, time: span, result: result), to: suite.file)
    progress.clear()
    if result.cut != nil, Interruption.isRequested {
      notRun += 1
      return result
    }
    if isJSON {
      if result.cut != nil { cut += 1 } else if result.failures.isEmpty { passed += 1 } else { failed += 1 }
      let object = JSON.object([
        "panel": .text(suite.file), "file": .text(scenario.file), "name": .text(title),
        "result": .text(result.cut != nil ? "given-up" : result.failures.isEmpty ? "passed" : "failed"),
        "milliseconds": .number(Int(span / .milliseconds(1))),
        "failures": .texts(result.failures.flatMap { $0.texts + $0.log } + [result.cut].compactMap { $0 }),
      ])
      printLine(object.line)
      return result
    }
    if let cut = result.cut {
      self.cut += 1
      printLine("GIVEN UP  \(scenario.file): \(title)")
      diagnostics.write(.error, cut)
      return result
    }
    if result.failures.isEmpty { passed += 1 } else { failed += 1 }
    printLine("\(result.failures.isEmpty ? "passed" : "FAILED")  \(scenario.file): \(title)")
    for failure in result.failures {
      for line in failure.texts + failure.log { diagnostics.write(.error, line) }
    }
    return result
  }

  /// Prints the number of passed scenarios. Returns the exit status.
  func finish() throws(Problems) -> Int32 {
    let others = [(cut, "given up"), (notRun, "not run: stopped by Ctrl-C"), (faults, "not run: see above")].filter {
      $0.0 > 0
    }.map { ", \($0.0) \($0.1)" }
    if isJSON {
      let object = JSON.object([
        "passed": .number(passed), "failed": .number(failed), "given_up": .number(cut),
        "not_run": .number(notRun + faults),
      ])
      printLine(object.line)
    } else {
      printLine("\(passed) passed, \(failed) failed\(others.joined())")
    }
    try writeReport()
    if let faultStatus { return faultStatus }
    guard failed == 0, isCovered || notRun > 0 else { return ExitStatus.failed }
    guard notRun == 0 else { return ExitStatus.interrupted }
    return cut == 0 ? ExitStatus.success : ExitStatus.undecided
  }
}
>>>>>>> baa0de97 (output: keep lines apart from a file on standard output)
