import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("Displays of a panel")
struct DisplayTests {
  private static let panel = """
    panel: Screens
    inputs: { knob: { encoder: [GPIO5, GPIO6] }, key: { button: GPIO13 } }
    outputs:
      screen: { display: { rs: GPIO25, e: GPIO24, data: [GPIO23, GPIO17, GPIO27, GPIO22], backlight: GPIO18 } }
      big: { display: { i2c: 0x27 }, size: 20x4, characters: european }
    values:
      level: { initial: 3, min: 0, max: 10 }
      left: { initial: 299950ms, min: 0s, max: 5m }
      short: { initial: 59960ms, min: 0s, max: 5m }
      code: { list: 4, min: 1, max: 9 }
    on: { knob.clockwise: { set: { level: +1, code: append level } } }
    show: { screen: "Level {level}" }
    initial: a
    states:
      a:
        show: { big: [ "{level * 10} %, {{air}}", "Zeit {left}", "", "{short} [{ code }] çß" ] }
        on: { key.pressed: b }
      b: { show: { big: off, screen: "{left / 1s} s\\nof {level}\\n" }, on: { key.pressed: c } }
      c: { show: { screen: off } }
    safe: { screen: Bye }
    """

  /// The failures of a scenario's steps, without the events behind them.
  private func failures(_ steps: String) throws -> [String] {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let text = "scenario: S\nsteps:\n\(steps)"
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    var run = ScenarioRun(scenario, of: panel)
    run.keepsGoing = true
    return try run.run(scenario.cases[0]).failures.flatMap(\.texts)
  }

  @Test("a text has numbers of the panel in it, and a display shows it when it has been written")
  func texts() throws {
    #expect(
      try failures(
        """
          - expect: { screen: off, big: off }
          - wait: 200ms
          - expect: { screen: Level 3, big: "30 %, {air} / Zeit 4:59 /  / 59.9s [] çß" }
          - turn: { knob: 2 }
          - wait: 200ms
          - expect: { screen: Level 5, big: "50 %, {air} / Zeit 4:59 /  / 59.9s [3 4] çß" }
          - click: key
          - wait: 200ms
          - expect: { screen: [ 299 s, of 5 ], big: off }
          - click: key
          - wait: 200ms
          - expect: { screen: off }
        """) == [])
  }

  @Test("what isn't as expected is told with the rows that are there")
  func unexpected() throws {
    #expect(
      try failures("  - wait: 1s\n  - expect: { screen: \"Level 4 / x\" }") == [
        "s:4:5: expected screen Level 4 / x; it is Level 3"
      ])
  }

  @Test("a display that is wired to a chip that goes away has its text again afterwards")
  func loss() throws {
    #expect(
      try failures(
        """
          - wait: 1s
          - unplug: gpio
          - wait: 1s
          - plug: gpio
          - wait: 5s
          - turn: { knob: 1 }
          - wait: 1s
          - expect: { screen: Level 4 }
        """) == [])
  }

  @Test("at the end a display is dark, or shows the text of safe")
  func safe() throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let platform = try Platform(.simulated)
    let session = try PanelSession(panel, on: platform)
    try session.start()
    try session.bench.advance(by: .seconds(1))
    let displays = session.outputs.worlds.compactMap { $0 as? SimulatedCharacterDisplay }
    #expect(displays.count == 2 && displays.allSatisfy { $0.isBacklit && $0.faults == [] })
    session.stop()
    #expect(displays[0].rows == ["Bye             ", "                "])
    #expect(displays[1].picture == String(repeating: "|                    | ", count: 4).dropLast())
    #expect(displays.allSatisfy { $0.faults == [] })
  }

  @Test("panel safe writes the safe text on both wirings")
  func safeState() throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let platform = try Platform(.simulated)
    let chip = SimulatedChip(platform.bench)
    let displays = panel.outputs.compactMap { output in
      output.device.driven.world(on: chip, platform) as? SimulatedCharacterDisplay
    }
    displays[1].restorePower(at: platform.bench.now)
    let errors = SafeStateSetter(of: panel).show(on: PanelChips(own: chip), platform)
    #expect(errors == [])
    #expect(displays[0].rows[0] == "Bye             ")
    #expect(chip.heldLines == 0)
  }

  @Test("a row that is longer than the display is noted, also if it is too long with the shortest value")
  func longRow() throws {
    let text = """
      panel: P
      outputs: { screen: { display: { i2c: 0x27 }, size: 8x2 } }
      values: { level: { initial: 3, min: 0, max: 10 } }
      show: { screen: [ "seventeen letters", "level is {level}" ] }
      initial: a
      states: { a: }
      """
    #expect(
      try PanelFile.read(Array(text.utf8), file: "p").notes.map { "\($0.line):\($0.column): \($0.text)" } == [
        #"4:19: "seventeen letters" has 17 characters; "screen" shows the first 8"#,
        #"4:40: "level is {level}" has at least 10 characters; "screen" shows the first 8"#,
      ])
  }

  @Test(
    "rows may have parentheses that they don't close, in brackets and without",
    arguments: ["\n  - Water (in the\n  - big tank)", "[ Up (fast, Down) ]"])
  func parentheses(rows: String) throws {
    let text = """
      panel: P
      outputs: { screen: { display: { i2c: 0x27 } } }
      initial: a
      states: { a: }
      show:
       screen: \(rows)

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    #expect(panel.notes == [])
  }

  @Test(
    "a condition asks for a text of several words in quotation marks",
    arguments: [
      (#"screen == "A / B C""#, true), ("screen == 'A / B C'", true), (#"screen != "A / B""#, true),
      (#"screen == "A / B""#, false),
    ])
  func textInCondition(condition: String, holds: Bool) throws {
    let text = """
      panel: P
      outputs: { screen: { display: { i2c: 0x27 } } }
      show: { screen: [ A, B C ] }
      initial: a
      states: { a: }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let scenario = try ScenarioFile.read(
      Array("scenario: S\nsteps:\n  - wait: 200ms\n  - expect: '\(condition.replacing("'", with: "''"))'\n".utf8),
      file: "s", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.isEmpty == holds)
  }

  @Test("a line of the bus that something else uses is noted, before and behind the display")
  func busLines() throws {
    let text = """
      panel: P
      inputs: { key: { button: GPIO2 } }
      outputs:
        one: { display: { i2c: 0x27 } }
        two: { display: { i2c: 0x3f } }
        lamp: { led: GPIO3 }
        three: { display: { i2c: 0x27, bus: 3 } }
      show: { one: a, two: b, three: c, lamp: on }
      untouched: { 1m: a }
      initial: a
      states: { a: }
      """
    #expect(
      try PanelFile.read(Array(text.utf8), file: "p").notes.map { "\($0.line):\($0.column): \($0.text)" } == [
        #"4:26: GPIO2, which "key" uses, is a line of I²C bus 1 on a Raspberry Pi's header; choose another"#,
        #"6:16: GPIO3, which "lamp" uses, is a line of I²C bus 1 on a Raspberry Pi's header; choose another"#,
      ])
  }
}
