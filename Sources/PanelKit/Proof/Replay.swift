import CycleCore

/// Whether a scenario fails on a simulated panel.
enum Replay {
  /// Throws if the sounds of the panel can't be loaded.
  static func fails(_ text: String, on panel: PanelDefinition) throws(DriverError) -> Bool {
    guard let scenario = try? ScenarioFile.read(Array(text.utf8), file: "", for: panel), let one = scenario.cases.first
    else { return false }
    return try !ScenarioRun(scenario, of: panel).run(one).failures.isEmpty
  }
}
