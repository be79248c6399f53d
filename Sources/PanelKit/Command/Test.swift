import CycleCore
import HardwareLinux
import Terminal

enum Test: Subcommand {
  static let syntax = CommandSyntax(
    "panel test", "Runs scenarios on a simulated panel, in virtual time.",
    discussion: """
      Example:

        panel test doorbell.panel.yaml doorbell.scenario.yaml
      """, operands: [.panelFile, .init("SCENARIO", help: "The scenario files.", .oneOrMore)])

  static func run(_ arguments: ParsedArguments) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let panel = try PanelFile.read(path: arguments.operands[0])
      var read: [Scenario] = []
      var problems: Problems?
      for path in arguments.operands.dropFirst() {
        do throws(Problems) {
          read.append(try ScenarioFile.read(path: path, for: panel))
        } catch {
          for line in error.lines { diagnostics.write(.error, line) }
          problems = problems ?? error
        }
      }
      if let problems { return problems.exitStatus }
      var failed = 0
      for scenario in read where try !passes(scenario, panel, diagnostics) { failed += 1 }
      Output.print("\(read.count - failed) passed, \(failed) failed")
      return failed == 0 ? ExitStatus.success : ExitStatus.failed
    }
  }

  private static func passes(
    _ scenario: Scenario, _ panel: PanelDefinition, _ diagnostics: Diagnostics
  ) throws(DriverError) -> Bool {
    let failures = try ScenarioRun(scenario, of: panel).run()
    Output.print("\(failures.isEmpty ? "passed" : "FAILED")  \(scenario.file): \(scenario.name)")
    for failure in failures { diagnostics.write(.error, failure) }
    return failures.isEmpty
  }
}
