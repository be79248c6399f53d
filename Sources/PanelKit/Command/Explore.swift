import CycleCore
import HardwareLinux
import HardwareSimulation
import Terminal

enum Explore: Subcommand {
  static let syntax = CommandSyntax(
    "panel explore", "Does made-up things to a panel, and looks for what must not be so on any panel.",
    discussion: """
      Presses, waits, turns and pulls plugs by chance, in virtual time, until a run breaks `never`, doesn't come to rest, loses events,
      or shows something else than its states say. Such a run is made as short as it can be and written as a scenario. Ends with 0
      if nothing is found, and with 1 if something is. Examples:

        panel explore garage.panel.yaml
        panel explore garage.panel.yaml --runs 10000 --seed 7 --save found
      """, operands: [.panelFile],
    options: [
      count("--runs", "How many runs; 1000 unless given."),
      CommandSyntax.Option("--seed", value: "N", help: "What chance depends on; 0 unless given.") { UInt64($0) != nil },
      count("--steps", "How many steps a run has; 100 unless given."),
      CommandSyntax.Option(
        "--digest",
        help:
          "Prints, if nothing is found, only the digest of the films of all runs: two builds that agree have the same."),
      CommandSyntax.Option(
        "--save", value: "DIR",
        help: "The folder for scenarios, the ones in which are run first; the panel's unless given."),
    ])

  private static func count(_ name: String, _ help: String) -> CommandSyntax.Option {
    CommandSyntax.Option(name, value: "N", help: help) {
      Quantity.whole($0).map { (1...10_000_000).contains($0) } ?? false
    }
  }

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    let file = PanelFile.path(of: arguments.operands[0])
    return perform(diagnostics) {
      var options = ExploredPanel.Options()
      if let runs = arguments.value(of: "--runs").flatMap(Quantity.whole) { options.runs = runs }
      if let steps = arguments.value(of: "--steps").flatMap(Quantity.whole) { options.steps = steps }
      if let seed = arguments.value(of: "--seed").flatMap({ UInt64($0) }) { options.seed = seed }
      let panel = try PanelFile.read(path: file, kinds: kinds)
      let place = SavedScenarios(panelFile: file, folder: arguments.value(of: "--save"))
      for path in try place.saved {
        let failures = try place.failures(of: path, on: panel)
        guard failures.isEmpty else {
          for line in failures { Output.print(line) }
          Output.print("\(path): found by an earlier exploration, and not mended yet")
          return ExitStatus.failed
        }
      }
      let subject = try ExploredPanel(panel, sounds: try PanelSound.load(panel.sounds), steps: options.steps)
      let outcome = try Exploration(subject, runs: options.runs, seed: options.seed).explore()
      guard let discovery = outcome.discovery else {
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

/// The scenarios that explorations of a panel have written.
private struct SavedScenarios {
  private let panelFile: String
  /// The path of a scenario without the name of what was found.
  private let stem: String
  private let folder: String

  /// - Parameter folder: where they are; nil for beside the panel file.
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

  /// Their paths, by name.
  var saved: [String] {
    get throws(Problems) {
      let prefix = "\(stem.split(separator: "/").last ?? "").explored-"
      let beginning = String(stem.dropLast(stem.split(separator: "/").last?.count ?? 0))
      return try TestPlan.names(in: folder).filter { $0.hasPrefix(prefix) && $0.hasSuffix(".scenario.yaml") }.map {
        beginning + $0
      }
    }
  }

  /// How a scenario fails now; nothing if it doesn't.
  func failures(of path: String, on panel: PanelDefinition) throws -> [String] {
    let scenario = try ScenarioFile.read(path: path, for: panel)
    return try scenario.cases.flatMap { one in
      let result = try ScenarioRun(scenario, of: panel).run(one)
      return result.failures.flatMap { $0.texts + $0.log } + [result.cut].compactMap { $0 }
    }
  }

  /// Writes a scenario if it fails on a simulated panel; the line that says so.
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
