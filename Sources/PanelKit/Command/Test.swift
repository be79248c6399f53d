import ArgumentParser
import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

struct Test: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs scenarios on a simulated panel, in virtual time.",
    discussion: """
      Example:

        panel test doorbell.panel.yaml doorbell.scenario.yaml
      """)

  @Argument(help: "The panel file.")
  var file: String

  @Argument(help: "The scenario files.")
  var scenarios: [String]

  func validate() throws {
    if scenarios.isEmpty { throw ValidationError("Name at least one scenario file.") }
  }

  func run() throws {
    let diagnostics = Diagnostics(.warning)
    try perform(diagnostics) {
      let panel = try PanelFile.read(path: file)
      var read: [Scenario] = []
      var problems: Problems?
      for path in scenarios {
        do throws(Problems) {
          read.append(try ScenarioFile.read(path: path, for: panel))
        } catch {
          for line in error.lines { diagnostics.write(.error, line) }
          problems = problems ?? error
        }
      }
      if let problems { throw problems.exit }
      var failed = 0
      for scenario in read where try !passes(scenario, panel, diagnostics) { failed += 1 }
      Output.print("\(read.count - failed) passed, \(failed) failed")
      if failed > 0 { throw Exit.failed }
    }
  }

  private func passes(
    _ scenario: Scenario, _ panel: PanelDefinition, _ diagnostics: Diagnostics
  ) throws(DriverError) -> Bool {
    let failures = try ScenarioRun(scenario, of: panel).run()
    Output.print("\(failures.isEmpty ? "passed" : "FAILED")  \(scenario.file): \(scenario.name)")
    for failure in failures { diagnostics.write(.error, failure) }
    return failures.isEmpty
  }
}
