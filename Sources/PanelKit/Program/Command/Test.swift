import CycleCore
import PanelLanguage
import PanelRun
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
      try syntax.refuse("--json", with: "--trace", in: arguments)
      let plan = TestPlan(arguments.operands, name: arguments.value(of: CommandSyntax.Option.fileName.name))
      var run = TestRun(arguments, diagnostics)
      // A problem in one file must not hide the results of the others.
      for stray in plan.strays { run.add(stray, to: stray.file) }
      let (suites, problems) = read(plan, arguments, kinds)
      for (panel, problems) in problems { run.add(problems, to: panel) }
      InterruptFlag.watch()
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
        let input = try PanelFileArgument(suite.panel, arguments)
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
