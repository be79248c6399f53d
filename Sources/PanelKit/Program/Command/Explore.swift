import CycleCore
import HardwareLinux
import HardwareSimulation
import PanelEngine
import PanelExplore
import PanelLanguage
import PanelRun
import Terminal

enum Explore: Subcommand {
  static let syntax = CommandSyntax(
    "panel explore", "Run random input sequences against a simulated panel and report violations.",
    discussion: """
      A violation is a never: rule that is broken, a panel that never settles, a lost event, or an output that differs from what \
      its states show. The command shortens the sequence that led to a violation, and writes it as a scenario. Before the random \
      runs, it runs the scenarios that earlier explorations have written. For a panel from standard input without --name and \
      --output, it reads no scenarios, and only prints the new one.

      Ctrl-C stops the exploration and prints what is known so far.

      With --json, it prints one object with the members file, result (nothing, violation, earlier or interrupted), runs, steps and \
      seed. With --digest, the result nothing also has digest. A violation also has finding, steps_taken (a list), scenario (the text \
      of a scenario that shows it, or null) and scenario_file (its path, or null). If Ctrl-C stopped the shortening, it also has \
      interrupted (true). The result earlier also has scenario_file, the path of a scenario that still fails.
      """,
    examples: """
      $ panel explore lamp.panel.yaml --runs 10
      lamp.panel.yaml: states 2 of 2, transitions 3 of 3, conditions both ways 0 of 0, 10 runs of 100 steps
      nothing wrong was found, seed 0

      $ panel explore garage.panel.yaml --runs 10000 --seed 7
      $ panel explore garage.panel.yaml --output found
      """, operands: [.panelFile],
    options: [
      .number("--runs", value: "COUNT", counts, help: "Number of runs (default: 1000)."),
      CommandSyntax.Option(
        "--seed", value: "NUMBER", "a whole number, 0 or above", help: "Start of the random numbers (default: 0)."
      ) { UInt64($0) != nil },
      .number("--steps", value: "COUNT", counts, help: "Steps of one run (default: 100)."),
      CommandSyntax.Option(
        "--digest",
        help: "Print only a digest of all runs. Two programs that behave in the same way print the same digest."),
      .output(
        value: "FOLDER", "the path of a folder",
        help: "Folder to write the scenario to, and to read earlier ones from (default: that of the panel file)."),
      .json, .fileName,
    ],
    statuses: [
      (ExitStatus.failed, "A violation was found."),
      (ExitStatus.interrupted, "Ctrl-C stopped the exploration; no violation was found so far."),
    ])

  private static let counts = 1...10_000_000

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let input = try PanelFileArgument(arguments.operands[0], arguments)
      var options = ExploredPanel.Options()
      if let runs = arguments.value(of: "--runs").flatMap(Quantity.whole) { options.runs = runs }
      if let steps = arguments.value(of: "--steps").flatMap(Quantity.whole) { options.steps = steps }
      if let seed = arguments.value(of: "--seed").flatMap({ UInt64($0) }) { options.seed = seed }
      let panel = try input.panel(kinds: kinds)
      let report = Report(file: input.file, panel: panel, options: options, isJSON: arguments.has("--json"))
      let place = ScenarioDestination(
        ofPanel: input.path, operands: input.operands, folder: arguments.value(of: "--output"))
      for path in try place?.explored ?? [] {
        let failures = try Self.failures(of: path, on: panel, kinds: kinds)
        guard failures.isEmpty else {
          report.printEarlier(path, failures)
          return ExitStatus.failed
        }
      }
      let subject = try ExploredPanel(panel, sounds: PanelSound.all(panel.sounds), steps: options.steps)
      let line = ProgressLine()
      InterruptFlag.watch()
      let outcome = try RandomSearch(subject, runs: options.runs, seed: options.seed) { progress in
        line.update {
          let runs = ProgressLine.grouped(progress.runs)
          guard let tries = progress.tries else { return "\(runs) of \(counted(options.runs, "run"))" }
          return "run \(runs) found a violation, \(counted(tries, "shorter run")) tried"
        }
        return !InterruptFlag.isRequested
      }.explore()
      line.clear()
      if let discovery = outcome.discovery {
        let scenario = Reproducer(panel: panel, discovery: discovery, options: options)
        try report.printViolation(scenario, at: place)
        return ExitStatus.failed
      }
      let isInterrupted = outcome.runs < options.runs
      report.printNothing(runs: outcome.runs, isInterrupted, subject, hasDigest: arguments.has("--digest"))
      return isInterrupted ? ExitStatus.interrupted : ExitStatus.success
    }
  }

  /// Returns the failures of a scenario on the current panel; empty if it passes.
  private static func failures(of path: String, on panel: PanelDefinition, kinds: KindList) throws -> [String] {
    let scenario = try ScenarioFile.read(path: path, for: panel, kinds: kinds)
    return try scenario.cases.flatMap { one in
      let result = try ScenarioRun(scenario, of: panel).run(one)
      return result.failures.flatMap { $0.texts + $0.log } + [result.cut].compactMap { $0 }
    }
  }
}

/// Prints the result of an exploration, as text or as a JSON object.
private struct Report {
  let file: String
  let panel: PanelDefinition
  let options: ExploredPanel.Options
  let isJSON: Bool

  /// Prints a scenario of an earlier exploration that still fails.
  func printEarlier(_ path: String, _ failures: [String]) {
    guard !isJSON else { return printObject("earlier", runs: 0, [.init(name: "scenario_file", value: .text(path))]) }
    for line in failures { Output.print(line) }
    Output.print("\(path): found by an earlier exploration, and not fixed yet")
  }

  func printNothing(runs: Int, _ isInterrupted: Bool, _ subject: ExploredPanel, hasDigest: Bool) {
    let digest = hasDigest && !isInterrupted ? "\(subject.digest)" : nil
    guard !isJSON else {
      let more = digest.map { [JSON.Member(name: "digest", value: .text($0))] } ?? []
      return printObject(isInterrupted ? "interrupted" : "nothing", runs: runs, more)
    }
    if let digest { return Output.print(digest) }
    let tried = "\(counted(runs, "run")) of \(counted(options.steps, "step"))"
    for line in subject.coverage.lines(file: file, tried: tried) { Output.print(line) }
    let stop = isInterrupted ? "stopped by Ctrl-C after \(counted(runs, "run")); " : ""
    Output.print("\(stop)nothing wrong was found\(isInterrupted ? " so far" : ""), seed \(options.seed)")
  }

  /// Prints a violation, and writes its scenario.
  func printViolation(_ scenario: Reproducer, at place: ScenarioDestination?) throws(Problems) {
    let discovery = scenario.discovery
    guard !isJSON else {
      let members: [JSON.Member] = [
        .init(name: "finding", value: .text(discovery.violation.text)),
        .init(name: "steps_taken", value: .texts(scenario.items)),
      ]
      let more = discovery.isInterrupted ? [JSON.Member(name: "interrupted", value: .flag(true))] : []
      let written = try scenario.report(at: place)
      return printObject("violation", runs: discovery.number, members + written.members + more)
    }
    Output.print("\(file): run \(discovery.number), seed \(options.seed): \(discovery.violation.text)")
    let moved = discovery.run.moved.map { "\(panel.inputs[$0].name) \(panel.inputs[$0].device.positions[1])" }
    let given = moved + (discovery.run.clock.map { ["clock \($0.text)"] } ?? [])
    let start = given.isEmpty ? "" : " with \(given.joined(separator: ", "))"
    let tries = counted(discovery.tries, "shorter run") + " tried" + (discovery.isInterrupted ? " until Ctrl-C" : "")
    Output.print("  \(counted(discovery.run.steps.count, "step")), from the start\(start); \(tries):")
    for item in scenario.items { Output.print("    - \(item)") }
    for line in try scenario.report(at: place).lines { Output.print(line) }
  }

  private func printObject(_ result: String, runs: Int, _ more: [JSON.Member]) {
    let members: [JSON.Member] = [
      .init(name: "file", value: .text(file)), .init(name: "result", value: .text(result)),
      .init(name: "runs", value: .number(runs)), .init(name: "steps", value: .number(options.steps)),
      .init(name: "seed", value: .unsigned(options.seed)),
    ]
    Output.print(JSON.object(members + more).line)
  }
}
