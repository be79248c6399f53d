import CycleCore
import Glibc
import HardwarePlatform
import PanelEngine
import PanelLanguage
import PanelRun
import Terminal

/// Runs suites of scenarios and reports the results.
struct TestRun {
  /// A panel with its scenarios.
  struct Suite {
    var file: String
    var panel: PanelDefinition
    var scenarios: [Scenario]
  }

  private let diagnostics: Diagnostics
  private let keepsGoing: Bool
  private let traces: Bool
  private let wantsCoverage: Bool
  private let isJSON: Bool
  /// The required coverage in percent; nil for none.
  private let leastCoverage: Int?
  private let junitFile: String?
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
  private let progress: ProgressLine
  private let isInterrupted: () -> Bool
  private let output: (String) -> Void

  /// - Parameters:
  ///   - isOnTerminal: whether `output` writes to a terminal, which shows the progress too.
  ///   - isInterrupted: whether no further scenario runs, and the current one stops; called at intervals.
  ///   - output: prints a line; nil for standard output, or for standard error if the JUnit file is standard output.
  init(
    _ arguments: ParsedArguments, _ diagnostics: Diagnostics, progress: ProgressLine = ProgressLine(),
    isOnTerminal: Bool = isatty(STDOUT_FILENO) == 1,
    isInterrupted: @escaping () -> Bool = { InterruptFlag.isRequested },
    output: ((String) -> Void)? = nil
  ) {
    (self.diagnostics, self.progress, self.isInterrupted) = (diagnostics, progress, isInterrupted)
    junitFile = arguments.value(of: "--junit")
    let printLine = output ?? Output.lines(beside: junitFile)
    self.output = { line in
      if isOnTerminal { progress.clear() }
      printLine(line)
    }
    keepsGoing = arguments.has("--keep-going")
    traces = arguments.has("--trace")
    isJSON = arguments.has("--json")
    wantsCoverage = arguments.has("--coverage") || arguments.has("--min-coverage")
    leastCoverage = arguments.value(of: "--min-coverage").flatMap { Int($0) }
    limit = arguments.value(of: "--seconds").flatMap(Quantity.whole).map { .seconds($0) } ?? ScenarioWatchdog.standard
  }

  /// Reports the problems of a file in a panel's suite.
  mutating func add(_ problems: Problems, to panel: String) {
    note(problems.exitStatus)
    for line in problems.lines { log(.error, line) }
    report.add(.init(file: problems.file, lines: problems.lines), to: panel)
  }

  /// Reports that a panel can't be simulated.
  mutating func add(_ error: DriverError, to panel: String) {
    note(error.exitStatus)
    log(.error, "panel: \(error)")
    report.add(.init(file: "panel test", lines: ["\(error)"]), to: panel)
  }

  private func log(_ level: Diagnostics.Level, _ line: String) {
    progress.clear()
    diagnostics.write(level, line)
  }

  private mutating func note(_ status: Int32) {
    faultStatus = faultStatus ?? status
    faults += 1
  }

  /// Runs the scenarios of a suite and reports their results and their coverage.
  mutating func perform(_ suite: Suite) throws(DriverError) {
    let coverage = wantsCoverage ? Coverage(of: suite.panel) : nil
    report.begin(suite.file)
    var isComplete = true
    for scenario in suite.scenarios {
      var results: [ScenarioRun.Result] = []
      for one in scenario.cases { results.append(try perform(one, of: scenario, suite, coverage)) }
      if results.contains(where: \.isInterrupted) { isComplete = false }
      guard results.allSatisfy({ $0.outcome == .passed }), let undrawn = results.map(\.undrawn).min() else { continue }
      for note in scenario.notes(undrawn: undrawn) { log(.warning, note) }
    }
    guard let coverage else { return }
    let lines = coverage.lines(file: suite.file, tried: counted(suite.scenarios.count, "scenario"))
    if isJSON {
      let object = JSON.object([
        "panel": .text(suite.file), "coverage": .number(coverage.percent),
        "untried": .texts(lines.dropFirst().map { String($0.drop { $0 == " " }) }),
      ])
      output(object.line)
    } else {
      lines.forEach(output)
    }
    if isComplete, let leastCoverage, coverage.percent < leastCoverage {
      isCovered = false
      log(.error, "\(suite.file): coverage is \(coverage.percent)%, below --min-coverage \(leastCoverage)")
    }
  }

  /// Runs a case and reports its result. After Ctrl-C, only reports that it was not run.
  private mutating func perform(
    _ one: Scenario.Case, of scenario: Scenario, _ suite: Suite, _ coverage: Coverage?
  ) throws(DriverError) -> ScenarioRun.Result {
    let title = scenario.title(of: one)
    guard !isInterrupted() else {
      let result = ScenarioRun.Result(cut: "\(scenario.file): not run: stopped by Ctrl-C", isInterrupted: true)
      report.add(.init(file: scenario.file, name: title, time: .zero, result: result), to: suite.file)
      notRun += 1
      return result
    }
    var run = ScenarioRun(scenario, of: suite.panel)
    run.watch = { [limit, progress, isInterrupted] in
      ScenarioWatchdog(
        limit: limit, report: progress.isSeen ? { progress.show("\(scenario.file): \($0.text)") } : nil,
        isStopped: isInterrupted)
    }
    let count = passed + failed + cut
    progress.update { "\(counted(count, "scenario")) done, \(scenario.file)" }
    run.keepsGoing = keepsGoing
    run.coverage = coverage
    if !isJSON { run.print = output }
    if traces, !isJSON { run.trace = output }
    let clock = ContinuousClock()
    let start = clock.now
    let result = try run.run(one)
    let span = clock.now - start
    report.add(.init(file: scenario.file, name: title, time: span, result: result), to: suite.file)
    switch result.outcome {
    case .passed: passed += 1
    case .failed: failed += 1
    case .givenUp: cut += 1
    case .notRun:
      notRun += 1
      return result
    }
    let lines = result.failures.flatMap { $0.texts + $0.log } + [result.cut].compactMap { $0 }
    if isJSON {
      let object = JSON.object([
        "panel": .text(suite.file), "file": .text(scenario.file), "name": .text(title),
        "result": .text(result.outcome.rawValue), "milliseconds": .number(Int(span / .milliseconds(1))),
        "failures": .texts(lines),
      ])
      output(object.line)
      return result
    }
    let word = result.outcome == .passed ? "passed" : result.outcome == .failed ? "FAILED" : "GIVEN UP"
    output("\(word)  \(scenario.file): \(title)")
    for line in lines { log(.error, line) }
    return result
  }

  /// Prints the number of passed scenarios, and writes the JUnit report. Returns the exit status.
  func finish() throws(Problems) -> Int32 {
    progress.clear()
    let others = [(cut, "given up"), (notRun, "not run: stopped by Ctrl-C"), (faults, "not run: see above")].filter {
      $0.0 > 0
    }.map { ", \($0.0) \($0.1)" }
    if isJSON {
      let object = JSON.object([
        "passed": .number(passed), "failed": .number(failed), "given_up": .number(cut),
        "not_run": .number(notRun + faults),
      ])
      output(object.line)
    } else {
      output("\(passed) passed, \(failed) failed\(others.joined())")
    }
    if let junitFile { try TextFile.write(report.text, path: junitFile) }
    if let faultStatus { return faultStatus }
    guard failed == 0, isCovered else { return ExitStatus.failed }
    guard notRun == 0 else { return ExitStatus.interrupted }
    return cut == 0 ? ExitStatus.success : ExitStatus.undecided
  }
}
