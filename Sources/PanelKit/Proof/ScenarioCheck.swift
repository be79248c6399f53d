/// Whether a scenario fails on a simulated panel.
enum ScenarioCheck {
  static func fails(_ text: String, on panel: PanelDefinition) -> Bool {
    guard let scenario = try? ScenarioFile.read(Array(text.utf8), file: "", for: panel), let one = scenario.cases.first
    else { return false }
    // A step that can't be done throws.
    return (try? ScenarioRun(scenario, of: panel).run(one).failures.isEmpty) != true
  }
}
