import HardwareLinux
import PanelChart
import PanelEngine
import PanelLanguage
import PanelRun
import Terminal

enum Draw: Subcommand {
  static let syntax = CommandSyntax(
    "panel draw", "Draw the states of a panel and the transitions between them.",
    discussion: """
      Without -o it prints a state diagram as text for Mermaid, which GitHub and many editors show as a picture. With -o it \
      writes an SVG picture. That needs Graphviz: sudo apt install graphviz
      """,
    examples: """
      $ panel draw lamp.panel.yaml
      ---
      title: "Lamp"
      ---
      stateDiagram-v2
        [*] --> dark
        ...

      $ panel draw lamp.panel.yaml -o lamp.svg
      $ panel draw --coverage lamp.panel.yaml ten-seconds.scenario.yaml -o lamp.svg
      """,
    operands: [
      .panelFile, .init("SCENARIO", help: "Scenario files of the panel, with --coverage.", .any),
    ],
    options: [
      CommandSyntax.Option(
        "--coverage", help: "Run the scenarios, and colour the states and transitions that they have tried."),
      CommandSyntax.Option("--dot", help: "Print text for Graphviz instead of Mermaid."),
      .svg, .fileName,
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      try syntax.refuse("--dot", with: "--output", in: arguments)
      let input = try PanelFileArgument(arguments.operands[0], arguments)
      let scenarios = arguments.operands.dropFirst()
      guard arguments.has("--coverage") != scenarios.isEmpty else {
        let end = syntax.misuse(
          scenarios.isEmpty
            ? "--coverage needs a scenario; name one after the panel file"
            : "scenarios need --coverage; add it, or leave them out")
        end.write()
        return end.status
      }
      let panel = try input.panel(kinds: kinds)
      let arrows = ChartReader(of: panel).arrows(try input.tree())
      let coverage =
        try scenarios.isEmpty
        ? nil
        : coverage(
          of: panel, by: Array(scenarios), kinds: kinds, diagnostics)
      let graph = GraphvizText(panel, arrows, coverage: coverage).text
      if let path = arguments.value(of: "--output") {
        guard let picture = picture(of: graph, diagnostics) else { return ExitStatus.unavailable }
        try TextFile.write(picture, path: path)
        return ExitStatus.success
      }
      Output.standard.write(arguments.has("--dot") ? graph : MermaidText(panel, arrows, coverage: coverage).text)
      return ExitStatus.success
    }
  }

  /// Runs the scenarios in some files and returns their coverage. Logs failed scenarios; the coverage includes them up
  /// to the failure.
  private static func coverage(
    of panel: PanelDefinition, by files: [String], kinds: KindList, _ diagnostics: Diagnostics
  ) throws -> Coverage {
    let coverage = Coverage(of: panel)
    for file in files {
      let scenario = try ScenarioFile.read(path: file, for: panel, kinds: kinds)
      var run = ScenarioRun(scenario, of: panel)
      run.coverage = coverage
      for one in scenario.cases {
        let result = try run.run(one)
        for text in result.failures.flatMap(\.texts) + [result.cut].compactMap({ $0 }) {
          diagnostics.write(.warning, text)
        }
      }
    }
    return coverage
  }

  /// Returns the SVG that `dot` draws from a graph. Logs an error and returns nil if `dot` fails.
  private static func picture(of graph: String, _ diagnostics: Diagnostics) -> String? {
    do throws(ChildProcessFault) {
      return String(decoding: try ChildProcess.run(["dot", "-Tsvg"], reading: graph), as: UTF8.self)
    } catch {
      switch error {
      case .missing: diagnostics.write(.error, "no \"dot\" found; install graphviz, or use the Mermaid text")
      case .failed(let what): diagnostics.write(.error, "dot \(what); try `panel draw --dot` and dot by hand")
      }
      return nil
    }
  }
}
