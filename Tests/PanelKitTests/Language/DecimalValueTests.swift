import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelProof
@testable import PanelRun

@Suite("Values with decimals")
struct DecimalValueTests {
  private static let text = """
    panel: P
    inputs:
      room: { sensor: { w1: any }, min: 0, max: 40, decimals: 1 }
      up: { button: GPIO5 }
      down: { button: GPIO6 }
      other: { button: GPIO7 }
    outputs: { lamp: { led: GPIO23 }, screen: { display: { i2c: 0x27 } }, arm: { servo: GPIO12 } }
    values:
      goal: { initial: 20.5, min: 5, max: 30, decimals: 1, unit: °C, keep: true }
      n: { initial: 3, min: 0, max: 99 }
      fine: { initial: 0, min: -9, max: 9, decimals: 3 }
    accept: { set: [ goal ] }
    mqtt: { publish: all, discovery: homeassistant }
    show: { screen: "{goal} {goal - 0.25}", arm: goal }
    on:
      up.pressed: { set: { goal: +0.5 } }
      down.pressed: { set: { goal: -0.5, fine: goal / 3, n: goal } }
      other.pressed: { set: { n: goal * 1.5, fine: = -room - 0.0005 } }
    initial: low
    states:
      low: { when: { goal >= 21.5: high } }
      high: { show: { lamp: on }, when: { goal < 21.5: low } }

    """

  private func stage() throws -> Stage { try Stage(panel: Self.text) }

  @Test("they count in their steps, stay in their range, and conditions compare them")
  func steps() throws {
    let stage = try stage()
    #expect(try stage.take("expect goal=20.5 state=low; click up; expect goal=21; click up; expect state=high") == [])
    for _ in 0..<20 { try stage.take("click up") }
    #expect(try stage.take("expect goal=30; expect goal=29.5..30; click down; expect goal=29.5") == [])
    #expect(try stage.take("expect goal=29.4") == ["expected goal 29.4; it is 29.5"])
  }

  @Test("set rounds half away from zero; a division has the decimals of its parts")
  func rounding() throws {
    let stage = try stage()
    // 20.5 / 3 has one decimal; 20.5 rounds to 21.
    #expect(try stage.take("click down; expect goal=20 fine=6.8 n=21") == [])
    #expect(try stage.take("sense room=1.5; wait 11s; click other; expect n=30 fine=-1.501") == [])
  }

  @Test("a display shows them with as many decimals as they need; a servo turns to them")
  func shown() throws {
    let stage = try stage()
    #expect(
      try stage.take(#"wait 200ms; expect screen="20.5 20.25 / "; click up; wait 200ms; expect screen="21 20.75 / ""#)
        == [])
    #expect(try stage.take("wait 5s; expect arm=21") == [])
  }

  @Test("a remote number is rounded to them; messages have them")
  func remote() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "p")
    func command(_ words: String...) -> String {
      do throws(RemoteRefusal) {
        let command = try RemoteCommand(["set", "goal"] + words, for: panel)
        return command.value(in: panel)
      } catch {
        return error.text
      }
    }
    #expect(command("21.26") == "21.3")
    #expect(command("+0.5") == "+0.5")
    #expect(command("=", "6.9499995") == "6.9")
    #expect(command("30.06") == "goal is 5 to 30; 30.06 is outside")
    #expect(command("30.04") == "30")
  }

  @Test("Home Assistant gets their range, step and unit")
  func discovery() throws {
    let panel = try PanelFile.read(Array(Self.text.utf8), file: "p")
    guard case .object(let members) = HomeAssistantDiscovery(of: panel, id: "p").message,
      case .object(let entities)? = members.first(where: { $0.name == "cmps" })?.value
    else { throw Missing() }
    #expect(
      entities.first { $0.name == "goal" }?.value.line
        == #"{"p": "number", "unique_id": "panel_p_goal", "name": "Goal", "min": 5, "max": 30, "step": 0.1, "#
        + #""unit_of_measurement": "°C", "state_topic": "panel/p/value/goal", "#
        + #""command_topic": "panel/p/set/goal", "command_template": "= {{ value }}"}"#)
  }

  private struct Missing: Error {}

  @Test("they are kept with their decimals; a number that was kept with different ones is converted")
  func kept() throws {
    let stage = try stage()
    #expect(try stage.take("click up; click up; wait 2s; power-cut 2s; wait 10ms; expect goal=21.5 state=high") == [])
    let folder = try #require(stage.session.kept?.folder.simulated)
    let bytes = try #require(try folder.read(.values))
    #expect(String(decoding: bytes, as: UTF8.self).contains("goal.1 215\n"))
    func start(_ numbers: [String: Int], decimals: Int) throws -> Int {
      let text = Self.text.replacing("decimals: 1, unit", with: "decimals: \(decimals), unit")
        .replacing("20.5", with: "20").replacing("goal - 0.25", with: "goal")
      let item = try #require(
        try PanelFile.read(Array(text.replacing("21.5", with: "21").utf8), file: "p").keptItems.first)
      var start = KeptStart(reading: KeptValuesFolder(simulating: numbers))
      return item.number(from: &start)
    }
    #expect(try start(["goal.1": 215, "goal": 7], decimals: 1) == 215)
    #expect(try start(["goal.1": 215], decimals: 2) == 2150)
    #expect(try start(["goal": 21], decimals: 1) == 210)
    #expect(try start(["goal.2": 2155], decimals: 1) == 216)
    #expect(try start(["goal.2": 9999], decimals: 1) == 300)
  }

  @Test(
    "a number that the value never has is an error",
    arguments: [
      ("set: { goal: 20.55 }", #"20.55 has more decimals than "goal"; write at most 1, as 20.5"#),
      ("set: { goal: +0.25 }", #"0.25 has more decimals than "goal"; write at most 1, as 0.2"#),
      ("set: { goal: 30.5 }", #"30.5 is outside the range of "goal"; write 5...30"#),
      ("set: { goal: random 5.5..7 }", #"5.5 has decimals; "random" takes whole numbers, write random 1..4"#),
      ("if: goal > 20.55, set: { n: 1 }", #"20.55 has more decimals than "goal"; write at most 1, as 20.5"#),
      ("if: goal > 31, set: { n: 1 }", #"31 is outside the range of "goal"; write 5...30"#),
      ("set: { n: 0.5 }", #"0.5 has decimals and "n" has none; write 0, or give "n" decimals: 1"#),
      ("set: { n: 0.0005 }", #"0.0005 has decimals and "n" has none; write 0"#),
    ])
  func faults(transition: String, expected: String) {
    let text = """
      panel: P
      inputs: { up: { button: GPIO5 } }
      values: { goal: { initial: 20.5, min: 5, max: 30, decimals: 1 }, n: { initial: 3, min: 0, max: 99 } }
      initial: x
      states: { x: { on: { up.pressed: { \(transition) } } } }

      """
    let problems = Fixture.problems(ofPanel: text)
    #expect(problems.count == 1 && problems[0].hasSuffix(": " + expected), "\(problems)")
  }

  @Test("a drawn number is whole")
  func drawn() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { up: { button: GPIO5 } }
        values: { goal: { initial: 20.5, min: 1, max: 30, decimals: 1 } }
        initial: x
        states: { x: { on: { up.pressed: { set: { goal: random 1..4 } } } } }

        """)
    #expect(try stage.take("draw 3; click up; expect goal=3") == [])
  }

  @Test("a reload keeps the size of a number, whatever its decimals")
  func reloaded() throws {
    let top = "panel: Stage\ninputs: { bell: { button: GPIO1 } }\n"
    let states = "initial: x\nstates: { x: { on: { bell.pressed: { set: { goal: +2 } } } } }\n"
    func text(_ value: String) -> String { "\(top)values: { goal: { \(value), min: 5, max: 30 } }\n\(states)" }
    let stage = try ReloadStage(text("initial: 20"))
    #expect(try stage.take("click bell; expect goal=22") == [])
    try stage.reload(text("initial: 20, decimals: 2"))
    #expect(try stage.take("expect goal=22; click bell; expect goal=24") == [])
    try stage.reload(text("initial: 20"))
    #expect(try stage.take("expect goal=24") == [])
  }

  @Test("a proof follows all of their numbers; a limit has their decimals")
  func proved() throws {
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { up: { button: GPIO5 } }
        values: { goal: { initial: 20.5, min: 5, max: 30, decimals: 1 } }
        never: { beyond: goal > 29.5 }
        initial: x
        states: { x: { on: { up.pressed: { set: { goal: +0.5 } } } } }

        """.utf8), file: "p")
    func violations(_ panel: PanelDefinition) throws -> Int {
      let model = ProofModel(PropertySlice(whole: panel), sounds: [])
      let search = Search(model, within: Search.Bounds(), hasTimeLeft: { true })
      search.run()
      return search.marks.violations.count
    }
    #expect(try violations(panel) == 1)
    let limits = try RangeRestriction.list(["goal=5..29.5"], for: panel)
    #expect(limits[0].range == 50...295)
    #expect(try violations(panel.limited(limits)) == 0)
  }
}
