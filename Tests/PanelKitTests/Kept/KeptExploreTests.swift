import HardwareSimulation
import Testing

@testable import PanelExplore
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun

@Suite("Explorations of panels that keep values")
struct KeptExploreTests {
  @Test("what goes wrong only because something was kept is found, and shown by a restart")
  func restarts() throws {
    let text = """
      panel: P
      inputs: { key: { button: GPIO1 } }
      values: { n: { initial: 0, min: 0, max: 9, keep: true } }
      never: { lost: n == 1 and state == a }
      initial: a
      states:
        a: { on: { key.pressed: { go: b, set: { n: 1 } } } }
        b: { on: { key.pressed: { go: a, set: { n: 0 } } } }
      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p.panel.yaml")
    let subject = try ExploredPanel(panel, sounds: [], steps: 100)
    let discovery = try #require(try RandomSearch(subject, runs: 200, seed: 0).explore().discovery)
    #expect(discovery.violation.kind == .never(0))
    #expect(discovery.run.steps.contains { if case .restart = $0 { true } else { false } })
    let scenario = Reproducer(panel: panel, discovery: discovery, options: .init()).text
    #expect(ScenarioCheck.result(of: scenario, on: panel) == .fails, "\(scenario)")
  }
}
