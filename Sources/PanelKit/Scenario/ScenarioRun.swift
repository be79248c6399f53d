import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// One scenario on a simulated panel of its own, in virtual time.
struct ScenarioRun {
  let scenario: Scenario
  let panel: PanelDefinition

  init(_ scenario: Scenario, of panel: PanelDefinition) {
    self.scenario = scenario
    self.panel = panel
  }

  /// Runs all steps; returns a line for each failed expectation, with its place in the file, followed by the events of
  /// the last second.
  func run() throws(DriverError) -> [String] {
    let session = try PanelSession(panel, on: Platform(.simulated))
    try session.start()
    defer { session.stop() }
    var failures: [String] = []
    for placed in scenario.steps {
      let wasEndless = session.endless != nil
      var found = try session.perform(placed.step)
      if !wasEndless, let endless = session.endless { found.append(endless) }
      for failure in found {
        failures.append("\(scenario.file):\(placed.position.line):\(placed.position.column): \(failure)")
        failures += session.lastSecond
      }
    }
    return failures
  }
}

extension PanelSession {
  /// What happened in the last second, a line each.
  var lastSecond: [String] {
    let entries = journal.entries(since: Moment(nanoseconds: now.nanoseconds - 1_000_000_000))
    if entries.isEmpty { return ["  in the last second nothing happened"] }
    return entries.map { "  \(seconds(at: $0.moment))  \($0.text)" }
  }

  /// Seconds since the start, with three decimals.
  func seconds(at moment: Moment) -> String {
    SecondsText.text(of: moment - beginning)
  }
}
