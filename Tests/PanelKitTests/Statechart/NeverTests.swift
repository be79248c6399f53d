import HardwarePlatform
import Testing

@testable import PanelEngine
@testable import PanelKit
@testable import PanelLanguage
@testable import PanelRun

@Suite("What must never be")
struct NeverTests {
  /// A motor that must not run while its door is open.
  private static func panel(never: String, open: String = "{}") -> String {
    """
    panel: Motor
    inputs: { start: { button: GPIO5 }, door: { switch: GPIO6, active: high, words: { on: open, off: shut } } }
    outputs: { motor: { relay: GPIO24 }, lamp: { led: GPIO23 } }
    sounds: { hum: { tone: 100Hz } }
    values: { runs: { initial: 0, min: 0, max: 9 } }
    never: { \(never) }
    on: { door.open: \(open) }
    initial: idle
    states:
      idle: { on: { start.pressed: { go: running, set: { runs: +1 } } } }
      running: { show: { motor: on }, play: [ hum ], after: { 10s: idle } }
      halted: { show: { lamp: on } }
    safe: { motor: off, lamp: on }
    """
  }

  private static let careless = panel(
    never: "open: motor == on and door == open", open: "{ set: { runs: 9 } }, start.released: halted")

  @Test("a violation makes everything safe before it is shown, and nothing is heard any more")
  func violation() throws {
    let stage = try Stage(panel: Self.careless)
    #expect(try stage.take("press start; wait 10ms; expect state=running motor=on playing=hum") == [])
    #expect(stage.session.halt == nil)
    #expect(try stage.take("switch door=open; wait 10ms; expect motor=off lamp=on playing=; wait 20s") == [])
    #expect(
      stage.session.halt?.line(of: stage.session.panel)
        == "never open: motor == on and door == open, after door.open in running; all outputs are in their safe state until the panel is restarted"
    )
    #expect(stage.session.halt?.exitStatus == 70)
    #expect(try stage.take("release start; wait 10ms; expect state=running") == [])
    let closings = stage.chip.writeCount
    #expect(try stage.take("switch door=shut; wait 1s; expect motor=off") == [])
    #expect(stage.chip.writeCount == closings)
  }

  @Test("a violation that a scenario brings about fails the step that does")
  func scenario() throws {
    let panel = try PanelFile.read(Array(Self.careless.utf8), file: "p")
    let text = """
      scenario: S
      steps:
        - press: start
        - wait: 10ms
        - switch: { door: open }
        - wait: 5ms
        - wait: 1s

      """
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    let result = try ScenarioRun(scenario, of: panel).run(scenario.cases[0])
    #expect(
      result.failures.map(\.texts) == [
        ["s:6:5: never open: motor == on and door == open, after door.open in running"]
      ])
  }

  @Test("a transition is taken first, and if the property holds again after it the panel goes on")
  func remedy() throws {
    let text = Self.panel(
      never: "open: { if: motor == on and door == open, go: halted, set: { runs: 0 } }",
      open: "{ set: { runs: 9 } }, start.released: halted")
    let stage = try Stage(panel: text)
    #expect(try stage.take("press start; wait 10ms; expect state=running; switch door=open; wait 10ms") == [])
    #expect(stage.session.halt == nil)
    #expect(try stage.take("expect state=halted motor=off lamp=on runs=0") == [])
  }

  @Test("a transition that doesn't help is followed by the stop")
  func uselessRemedy() throws {
    let text = Self.panel(
      never: "open: { if: door == open, go: halted }", open: "{ set: { runs: 9 } }, start.released: halted")
    let stage = try Stage(panel: text)
    #expect(try stage.take("switch door=open; wait 10ms; expect state=halted") == [])
    #expect(stage.session.halt?.title(in: stage.session.panel) == "open")
  }

  @Test("what is so at the start stops the panel at the start")
  func start() throws {
    let text = Self.panel(never: "low: runs < 1", open: "{ set: { runs: 9 } }, start.released: halted")
    let stage = try Stage(panel: text)
    #expect(
      stage.session.halt?.line(of: stage.session.panel)
        == "never low: runs < 1, after the start; all outputs are in their safe state until the panel is restarted")
  }

  @Test("a deadline that brings it about is named by its time")
  func deadline() throws {
    let text = Self.panel(
      never: "long: { if: state == idle and runs == 1 }", open: "{ set: { runs: 9 } }, start.released: halted")
    let stage = try Stage(panel: text)
    #expect(try stage.take("press start; wait 11s") == [])
    #expect(
      stage.session.halt?.text(in: stage.session.panel)
        == "never long: state == idle and runs == 1, after 10s in running")
  }

  @Test("the picture's title says what is violated")
  func title() throws {
    let panel = try PanelFile.read(Array(Self.panel(never: "low: runs < 1", open: "halted").utf8), file: "p")
    let session = try PanelSession(panel, on: Platform(.simulated))
    let stage = OperatedPanel(session)
    try stage.start()
    defer { stage.stop() }
    #expect(stage.view.title == "Motor  SAFE: low")
  }
}
