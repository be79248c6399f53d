import PanelLanguage
import PanelRun
import Terminal

/// Runs a scenario on a simulated panel to see whether it fails.
package enum ScenarioCheck {
  package enum Result {
    case fails, passes
    /// Ctrl-C or the time limit stopped the scenario.
    case stopped
  }

  /// - Parameter isInterrupted: whether Ctrl-C was pressed. A check that begins after it takes at most a second, so
  ///   that a short scenario is still written.
  package static func result(
    of text: String, on panel: PanelDefinition, isInterrupted: @escaping () -> Bool = { InterruptFlag.isRequested }
  ) -> Result {
    guard let scenario = try? ScenarioFile.read(Array(text.utf8), file: "", for: panel), let one = scenario.cases.first
    else { return .passes }
    let wasInterrupted = isInterrupted()
    var run = ScenarioRun(scenario, of: panel)
    run.watch = {
      ScenarioWatchdog(
        limit: wasInterrupted ? .seconds(1) : ScenarioWatchdog.standard,
        isStopped: { !wasInterrupted && isInterrupted() })
    }
    // A step that can't be done throws.
    guard let result = try? run.run(one), result.failures.isEmpty else { return .fails }
    return result.cut == nil ? .passes : .stopped
  }
}
