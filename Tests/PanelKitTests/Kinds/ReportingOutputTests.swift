import CycleCore
import HardwarePlatform
import HardwareSimulation
import Terminal
import Testing

@testable import PanelEngine
@testable import PanelExplore
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelProof
@testable import PanelRun

@Suite("Outputs that report events")
struct ReportingOutputTests {
  private static let kinds = KindList.standard.adding(outputs: [GateKind.self, TurnstileKind.self])

  private static let text = """
    panel: Drive
    inputs: { key: { button: GPIO17 } }
    outputs:
      gate: { gate: GPIO20, end: GPIO21 }
      way: { turnstile: north }
      alarm: { led: GPIO22 }
    initial: shut
    states:
      shut:
        on: { key.pressed: opening }
      opening:
        show: { gate: on }
        on: { gate.arrived: open }
      open:
        show: { way: on }
        on: { way.passed: shut, way.jammed: stuck, gate.left: shut }
      stuck:
        show: { alarm: on }
        on: { key.pressed: shut }
    accept: { press: [ key ] }
    mqtt: { publish: [ gate, way, state ], discovery: homeassistant }

    """

  @Test("are one device: an output whose events the file reacts to")
  func events() throws {
    let stage = try Stage(panel: Self.text, kinds: Self.kinds)
    let failures = try stage.take(
      """
      expect state=shut gate=off; wait 1s; event gate=arrived; expect state=shut gate=arrived; event gate=left;
      click key; expect state=opening gate=on; event gate=arrived; expect state=open gate=arrived way=on;
      event way=jammed; expect state=stuck alarm=on;
      heard gate.arrived,gate.left,key.pressed,gate.arrived,way.jammed
      """.split(separator: "\n").joined(separator: " "))
    #expect(failures == [])
  }

  @Test("are looked up as outputs, and as inputs only for their events")
  func names() throws {
    func problems(_ text: String, _ replacement: String) -> [String] {
      Fixture.problems { () throws(Problems) in
        _ = try PanelFile.read(
          Array(Self.text.replacing(text, with: replacement).utf8), file: "test", kinds: Self.kinds)
      }
    }
    #expect(
      problems("gate.arrived", "gate.arived")[0].hasSuffix(
        #"output "gate" has no event "arived"; it has arrived, left"#),
      "\(problems("gate.arrived", "gate.arived"))")
    #expect(
      problems("gate.arrived", "alarm.arrived")[0].hasSuffix(
        #""alarm" is an output and has no events; name an input, a sound, audio or gpio"#),
      "\(problems("gate.arrived", "alarm.arrived"))")
    #expect(problems("press: [ key ]", "press: [ gate ]").count == 1)
  }

  @Test("that have an error are not said to have no events, and numbers are said with their bounds")
  func broken() {
    let problems = Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(
        Array(Self.text.replacing("turnstile: north", with: "turnstile: north, arms: 7").utf8), file: "test",
        kinds: Self.kinds)
    }
    #expect(problems.count == 1)
    #expect(problems[0].hasSuffix(#""arms" is 7; it takes a number of arms: 3, in 2...4"#), "\(problems)")
  }

  @Test("stay one output when the panel is read again")
  func reload() throws {
    let stage = try ReloadStage(Self.text, kinds: Self.kinds)
    #expect(try stage.take("click key; event gate=arrived; expect state=open gate=arrived") == [])
    #expect(try stage.reload(Self.text.replacing("way.passed: shut", with: "way.passed: stuck")) != [])
    #expect(try stage.take("expect state=open gate=arrived; event way=passed; expect state=stuck") == [])
  }

  @Test("are told to a broker as an output and as events, with keys of their own")
  func network() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "test", kinds: Self.kinds)
    let line = HomeAssistantDiscovery(of: panel, id: "drive").message.line
    #expect(line.contains(text: #""unique_id": "panel_drive_gate_event""#), "\(line)")
    #expect(line.contains(text: #""unique_id": "panel_drive_gate""#), "\(line)")
    #expect(line.contains(text: #""event_types": ["arrived", "left"]"#), "\(line)")
  }

  @Test("can report at any time in a proof and in an exploration")
  func proof() throws {
    let text = Self.text + "never: { wrong: gate == on and alarm == on, open: way == on }\n"
    let panel = try PanelFile.read(Array(text.utf8), file: "test", kinds: Self.kinds)
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    let way = try #require(outcome.violations.first)
    #expect(outcome.violations.count == 1)
    let counterexample = CounterexampleReport(panel: panel, file: "test", way: way)
    let scenario = try #require(counterexample.failingScenario().text)
    #expect(scenario.contains("event: { gate: arrived }"), "\(scenario)")
    #expect(ScenarioCheck.result(of: scenario, on: panel) == .fails, "\(scenario)")
  }

  @Test("a random run emits their events")
  func explore() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "test", kinds: Self.kinds)
    let subject = try ExploredPanel(panel, sounds: PanelSound.all(panel.sounds), steps: 100)
    #expect(try RandomSearch(subject, runs: 50).explore().discovery == nil)
    let faulty = try PanelFile.read(
      Array((Self.text + "never: { wrong: way == on }\n").utf8), file: "test", kinds: Self.kinds)
    let discovery = try RandomSearch(
      ExploredPanel(faulty, sounds: PanelSound.all(panel.sounds), steps: 100), runs: 50
    ).explore().discovery
    #expect(discovery?.run.steps.contains { if case .event = $0 { true } else { false } } == true)
  }
  @Test("a random run compares their looks, until a step emits one of their events")
  func looks() throws {
    let text = Self.text.replacing("turnstile: north", with: "turnstile: north, dead: true").replacing(
      "initial: shut", with: "initial: open"
    ).replacing("way.jammed: stuck, gate.left: shut }", with: "gate.left: stuck }\n    after: { 5s: shut }")
    let panel = try PanelFile.read(Array(text.utf8), file: "test", kinds: Self.kinds)
    let found = try RandomSearch(
      ExploredPanel(panel, sounds: PanelSound.all(panel.sounds), steps: 20), runs: 50
    ).explore().discovery
    #expect(found?.violation.text == "expected way on; it is off")
  }
}
