import HardwareLinux
import Terminal

enum Draw: Subcommand {
  static let syntax = CommandSyntax(
    "panel draw", "Draws the states of a panel and what leads from one to another.",
    discussion: """
      Prints a state diagram as text for Mermaid, which GitHub and editors show as a picture. With -o it writes a picture, for which
      Graphviz has to be installed. Examples:

        panel draw doorbell.panel.yaml
        panel draw doorbell.panel.yaml -o doorbell.svg
        panel draw --coverage doorbell.panel.yaml doorbell.scenario.yaml -o doorbell.svg
      """, operands: [.init("FILE", help: "A panel file; with --coverage also its scenario files.", .oneOrMore)],
    options: [
      CommandSyntax.Option(
        "--coverage", help: "Runs scenarios, and colours what they have entered and taken, and what not."),
      CommandSyntax.Option("--dot", help: "Prints text for Graphviz instead."),
      CommandSyntax.Option(
        "-o", value: "FILE.svg", help: "Writes a picture into this file, in place of one that is there, by `dot`."
      ) {
        $0.hasSuffix(".svg")
      },
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let file = PanelFile.path(of: arguments.operands[0])
      let scenarios = arguments.operands.dropFirst()
      guard arguments.has("--coverage") != scenarios.isEmpty else {
        let end = syntax.misuse(
          scenarios.isEmpty
            ? "a scenario for \(quoted(file)) is missing"
            : "scenarios are for a picture with --coverage; leave them out")
        end.write()
        return end.status
      }
      let panel = try PanelFile.read(path: file, kinds: kinds)
      let arrows = ChartReader(of: panel).arrows(try PanelFile.tree(path: file))
      let coverage =
        try scenarios.isEmpty
        ? nil
        : coverage(
          of: panel, by: Array(scenarios), kinds: kinds, diagnostics)
      let graph = GraphvizText(panel, arrows, coverage: coverage).text
      if let path = arguments.value(of: "-o") {
        guard let picture = picture(of: graph, diagnostics) else { return ExitStatus.unavailable }
        try TextFile.write(picture, path: path)
        return ExitStatus.success
      }
      Output.standard.write(arguments.has("--dot") ? graph : MermaidText(panel, arrows, coverage: coverage).text)
      return ExitStatus.success
    }
  }

  /// What the scenarios in some files try. That one fails is told; what it has done until then counts.
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

  /// What `dot` makes of a graph; nil if it made nothing, which is told.
  private static func picture(of graph: String, _ diagnostics: Diagnostics) -> String? {
    do throws(ProgramFault) {
      return String(decoding: try OtherProgram.run(["dot", "-Tsvg"], reading: graph), as: UTF8.self)
    } catch {
      switch error {
      case .missing: diagnostics.write(.error, "no \"dot\" found; install graphviz, or use the Mermaid text")
      case .failed(let what): diagnostics.write(.error, "dot \(what); try `panel draw --dot` and dot by hand")
      }
      return nil
    }
  }
}
