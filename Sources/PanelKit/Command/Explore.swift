import CycleCore
import HardwareLinux
import HardwareSimulation
import Terminal

enum Explore: Subcommand {
  static let syntax = CommandSyntax(
    "panel explore", "Run random input sequences against a simulated panel and report violations.",
    discussion: """
      A violation is a never: rule that is broken, a panel that never settles, a lost event, or an output that differs from what \
      its states show. The command shortens the sequence that led to a violation, and writes it as a scenario. Before the random \
      runs, it runs the scenarios that earlier explorations have written.

      Ctrl-C stops the exploration and prints what is known so far.

      With --json, it prints one object with the members file, result (nothing, violation, earlier or interrupted), runs, steps and \
      seed. A violation also has finding and scenario (the steps); earlier has scenario, the path of a scenario that still fails.
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

  private static func json(
    _ file: String, _ result: String, runs: Int, _ options: ExploredPanel.Options, _ more: [JSON.Member] = []
  ) -> JSON {
    .object(
      [
        .init(name: "file", value: .text(file)), .init(name: "result", value: .text(result)),
        .init(name: "runs", value: .number(runs)), .init(name: "steps", value: .number(options.steps)),
        .init(name: "seed", value: .text(String(options.seed))),
      ] + more)
  }

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      try syntax.refuse("--json", with: "--digest", in: arguments)
      let input = try PanelInput(arguments.operands[0], arguments)
      let file = input.file
      var options = ExploredPanel.Options()
      if let runs = arguments.value(of: "--runs").flatMap(Quantity.whole) { options.runs = runs }
      if let steps = arguments.value(of: "--steps").flatMap(Quantity.whole) { options.steps = steps }
      if let seed = arguments.value(of: "--seed").flatMap({ UInt64($0) }) { options.seed = seed }
      let panel = try input.panel(kinds: kinds)
      let place = SavedScenarios(panelFile: file, folder: arguments.value(of: "--output"))
      for path in try place.saved {
        let failures = try place.failures(of: path, on: panel, kinds: kinds)
        guard failures.isEmpty else {
          if arguments.has("--json") {
            Output.print(
              Self.json(file, "earlier", runs: 0, options, [.init(name: "scenario", value: .text(path))]).line)
            return ExitStatus.failed
          }
          for line in failures { Output.print(line) }
          Output.print("\(path): found by an earlier exploration, and not fixed yet")
          return ExitStatus.failed
        }
      }
      let subject = try ExploredPanel(panel, sounds: try PanelSound.load(panel.sounds), steps: options.steps)
      let progress = ProgressLine()
      Interruption.watch()
      let outcome = try Exploration(subject, runs: options.runs, seed: options.seed) { runs in
        progress.update { "\(ProgressLine.grouped(runs)) of \(counted(options.runs, "run"))" }
        return !Interruption.isRequested
      }.explore()
      progress.clear()
      let isInterrupted = outcome.discovery == nil && outcome.runs < options.runs
      if arguments.has("--json"), outcome.discovery == nil {
        let word = isInterrupted ? "interrupted" : "nothing"
        Output.print(Self.json(file, word, runs: outcome.runs, options).line)
        return isInterrupted ? ExitStatus.interrupted : ExitStatus.success
      }
      guard let discovery = outcome.discovery else {
        if isInterrupted {
          let tried = "\(counted(outcome.runs, "run")) of \(counted(options.steps, "step"))"
          for line in subject.coverage.lines(file: file, tried: tried) { Output.print(line) }
          Output.print(
            "stopped by Ctrl-C after \(counted(outcome.runs, "run")); nothing wrong was found so far, seed \(options.seed)"
          )
          return ExitStatus.interrupted
        }
        guard !arguments.has("--digest") else {
          Output.print("\(subject.digest)")
          return ExitStatus.success
        }
        let tried = "\(counted(outcome.runs, "run")) of \(counted(options.steps, "step"))"
        for line in subject.coverage.lines(file: file, tried: tried) { Output.print(line) }
        Output.print("nothing wrong was found, seed \(options.seed)")
        return ExitStatus.success
      }
      let scenario = ExploredScenario(panel: panel, discovery: discovery, options: options)
      if arguments.has("--json") {
        let written = try place.save(scenario)
        Output.print(
          Self.json(
            file, "violation", runs: discovery.number, options,
            [
              .init(name: "finding", value: .text(discovery.finding.text)),
              .init(name: "scenario", value: .texts(scenario.items)),
              .init(name: "written", value: .text(String(written.drop { $0 == " " }))),
            ]
          ).line)
        return ExitStatus.failed
      }
      Output.print("\(file): run \(discovery.number), seed \(options.seed): \(discovery.finding.text)")
      let moved = discovery.run.moved.map { "\(panel.inputs[$0].name) \(panel.inputs[$0].device.positions[1])" }
      Output.print(
        "  \(counted(discovery.run.steps.count, "step")), from the start\(moved.isEmpty ? "" : " with \(moved.joined(separator: ", "))"); \(counted(discovery.tries, "shorter run")) tried:"
      )
      for item in scenario.items { Output.print("    - \(item)") }
      Output.print(try place.save(scenario))
      return ExitStatus.failed
    }
  }
}

/// The scenarios that random tests of a panel have written.
private struct SavedScenarios {
  private let panelFile: String
  /// The path of a scenario without the name of the finding.
  private let stem: String
  private let folder: String

  /// - Parameter folder: the folder of the scenarios; nil for the panel file's folder.
  init(panelFile: String, folder: String?) {
    self.panelFile = panelFile
    let panel = ScenarioPlace.stem(ofPanel: panelFile)
    guard let folder else {
      stem = panel
      self.folder = panel.lastIndex(of: "/").map { String(panel[...$0]) } ?? "."
      return
    }
    let slash = folder.hasSuffix("/") ? "" : "/"
    stem = folder + slash + (panel.split(separator: "/").last.map(String.init) ?? panel)
    self.folder = folder
  }

  /// The paths of the saved scenarios, sorted by name.
  var saved: [String] {
    get throws(Problems) {
      let prefix = "\(stem.split(separator: "/").last ?? "").explored-"
      let beginning = String(stem.dropLast(stem.split(separator: "/").last?.count ?? 0))
      return try TestPlan.names(in: folder).filter { $0.hasPrefix(prefix) && $0.hasSuffix(".scenario.yaml") }.map {
        beginning + $0
      }
    }
  }

  /// Returns the failures of a scenario on the current panel; empty if it passes.
  func failures(of path: String, on panel: PanelDefinition, kinds: KindList) throws -> [String] {
    let scenario = try ScenarioFile.read(path: path, for: panel, kinds: kinds)
    return try scenario.cases.flatMap { one in
      let result = try ScenarioRun(scenario, of: panel).run(one)
      return result.failures.flatMap { $0.texts + $0.log } + [result.cut].compactMap { $0 }
    }
  }

  /// Writes a scenario if it fails on a simulated panel. Returns the line that reports this.
  func save(_ scenario: ExploredScenario) throws(Problems) -> String {
    let text = scenario.text
    guard ScenarioCheck.fails(text, on: scenario.panel) else {
      return "  no scenario shows it; the same --seed and --steps find it again"
    }
    let (path, reason) = try ScenarioPlace.write(
      text, stem: "\(stem).\(scenario.shortName)", canReplace: ExploredScenario.canReplace)
    return visible("  written to \(path)\(reason); panel test \(panelFile) \(path) shows it")
  }
}
