import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun
@testable import PanelWiring

@Suite("Keypads in a panel file")
struct KeypadKindTests {
  /// The keypad of a telephone, with a second one behind it in the file.
  private static let panel = """
    panel: P
    inputs:
      pad:
        keypad: { rows: [GPIO5, GPIO6, GPIO13, GPIO19], columns: [GPIO12, GPIO16, GPIO20] }
        numbers: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11]
        hold: 500ms
      side: { keypad: { rows: [GPIO21], columns: [GPIO22, GPIO23] }, debounce: 20ms, diodes: true, pull: none }
      both: { chord: [pad(1), side(2)], within: 300ms }
    values:
      code: { list: 8, min: 0, max: 99 }
      held: { initial: 0, min: 0, max: 99 }
      clicks: { initial: 0, min: 0, max: 99 }
      last: { initial: 7, min: -9, max: 99 }
    on:
      pad.pressed: { set: { code: append pad } }
      pad(0).held: { set: { held: +1 } }
      side.clicked: { set: { clicks: +1, last: side } }
      both.pressed: { set: { last: 50 } }
      gpio.lost: { set: { last: pad } }
    initial: x
    states: { x: {} }

    """

  @Test("keys are buttons, by their numbers, in steps, events and conditions")
  func keys() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("type pad=3140") == [])
    #expect(stage.list("code") == [3, 1, 4, 0])
    #expect(
      try stage.take("click pad(11); press pad(10); wait 20ms; expect \"pad == 10 and pad(10) == pressed\"") == [])
    #expect(try stage.take("release pad(10); wait 20ms; expect \"pad(10) == released\"") == [])
    #expect(stage.list("code") == [3, 1, 4, 0, 11, 10])
  }

  @Test("a key that nobody reacts to the holds of is clicked however long it is down")
  func gestures() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("hold pad(0)=600ms; hold pad(1)=600ms; expect held=1") == [])
    #expect(try stage.take("click side(2); hold side(1)=2s; expect clicks=2 last=1") == [])
  }

  @Test("a group whose keys have the number 0 is one less before the first event")
  func nobody() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("expect \"pad == -1 and side == 0\"; unplug gpio; expect last=-1") == [])
  }

  @Test("two keypads that follow each other have a driver each, and keys of both make a chord")
  func drivers() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(DriverGroups(of: stage.session.panel).inputs.map(\.numbers) == [Array(0..<12), [12, 13]])
    #expect(try stage.take("press pad(1),side(2); wait 40ms; expect last=50 both=pressed") == [])
    #expect(try stage.take("release side(2); wait 40ms; expect both=released") == [])
  }

  @Test("what is down at the start is known as pressed, and what is down when the chip is back is pressed")
  func losses() throws {
    let stage = try Stage(panel: Self.panel) { stage in try? stage.session.world.move(4, toClosed: true) }
    #expect(try stage.take("wait 20ms; expect pad(5)=pressed; unplug gpio; wait 1s; expect gpio=lost") == [])
    #expect(
      try stage.take("release pad(5); press pad(9); wait 1s; expect \"pad(5) == pressed and gpio == lost\"") == [])
    #expect(try stage.take("plug gpio; wait 40ms; expect pad(5)=released pad(9)=pressed gpio=there") == [])
    #expect(stage.list("code") == [9])
  }

  @Test("keys that can't be told apart keep their positions, and the log says which they are")
  func ghosts() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("press pad(1),pad(2); wait 40ms; press pad(5); wait 40ms") == [])
    #expect(try stage.take("expect pad(1)=pressed pad(2)=pressed pad(4)=released pad(5)=released") == [])
    let trouble = "three or more of the keys 1, 2, 4, 5 of pad are down; without diodes no one can see which"
    #expect(stage.session.frame.troubles.map(\.text) == [trouble])
    #expect(stage.session.journal.last(10).last?.text == trouble)
    #expect(try stage.take("release pad(1); wait 40ms; expect pad(1)=released pad(5)=pressed pad(2)=pressed") == [])
    #expect(stage.session.frame.troubles.last?.text == "the keys of pad can be distinguished again")
    #expect(stage.list("code") == [1, 2, 5])
  }

  @Test("diodes tell any number of keys apart")
  func diodes() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { pad: { keypad: { rows: [GPIO5, GPIO6], columns: [GPIO12, GPIO16] }, diodes: true } }
        values: { code: { list: 8, min: 0, max: 9 } }
        on: { pad.pressed: { set: { code: append pad } } }
        initial: x
        states: { x: {} }

        """)
    #expect(try stage.take("press pad(1),pad(2),pad(3); wait 40ms; expect pad(4)=released") == [])
    #expect(stage.list("code") == [1, 2, 3])
  }

  @Test("the shortest way to a violation by two keys is written as a scenario that fails")
  func proof() throws {
    let text = """
      panel: P
      inputs: { pad: { keypad: { rows: [GPIO5, GPIO6], columns: [GPIO12, GPIO16] }, numbers: [1, 2, 3, 0] } }
      outputs: { door: { relay: GPIO24 } }
      values: { code: { list: 2, min: 0, max: 9 } }
      never: { open: door == on }
      initial: x
      states:
        x: { on: { pad.pressed: { set: { code: append pad } } }, when: { code == '20': y, code.count == 2: { go: late, set: { code: [] } } } }
        late: { after: { 1s: x } }
        y: { show: { door: on } }

      """
    withFiles(["p.panel.yaml": text]) { folder in
      let proof = PanelProcess(["prove", "\(folder)/p.panel.yaml"]).finish()
      #expect(proof.status == 1)
      #expect(proof.output.contains("panel test"), "\(proof.output)")
      #expect(proof.output.contains("pad(2).pressed") && proof.output.contains("pad(0).pressed"))
      let test = PanelProcess(["test", "\(folder)/p.panel.yaml", "\(folder)/p.open.scenario.yaml"]).finish()
      #expect(test.status == 1, "\(test.output)")
    }
  }

  @Test("a keypad is one card of the wiring, by its own name")
  func wiring() throws {
    let plan = WiringPlan(of: try Stage(panel: Self.panel).session.panel)
    #expect(plan.devices.map(\.name) == ["pad", "side"])
    #expect(
      plan.devices[0].terminals.map(\.line) == ["GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO12", "GPIO16", "GPIO20"])
  }
}
