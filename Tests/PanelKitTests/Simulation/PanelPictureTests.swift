import Testing

@testable import HardwareLinux
@testable import PanelKit

@Suite("The picture of a panel in a terminal")
struct PanelPictureTests {
  static let states = """
    show: { bar: level }
    initial: idle
    states:
      idle: { on: { key.pressed: busy } }
      busy: { show: { lamp: on, lock: on }, play: [ high ] }
    """

  /// The picture without colours.
  private func picture(_ stage: Stage, columns: Int = 80, rows: Int = 30) -> [String] {
    let shown = PanelStage(stage.session)
    return ConsolePicture(of: shown, keys: KeyMap(of: shown.controls), closed: [1], message: "")
      .lines(columns: columns, rows: rows).map(plain)
  }

  private func plain(_ line: String) -> String {
    var text = ""
    var isControl = false
    for character in line {
      if character == "\u{1B}" { isControl = true }
      if !isControl { text.append(character) }
      if character == "m" { isControl = false }
    }
    return text.hasSuffix(" ") ? String(text.reversed().drop { $0 == " " }.reversed()) : text
  }

  @Test(
    "everything there is has its line: outputs as they look, inputs with their keys, states, values, sounds, events")
  func whole() throws {
    let stage = try Stage(Self.states)
    try stage.take("wait 1s; click key")
    let rule = String(repeating: "─", count: 64)
    #expect(
      picture(stage) == [
        "Stage   1.055s", rule, "outputs   lamp  ●  on", "          bar   ▮▮▯▯  2", "          lock  ■  on",
        "inputs    bell  b", "          key   k  pressed", "          mute  m  off", "          knob  [ ]",
        "state     state    busy", "          level    5", "          playing  ♪ high", rule, "  1.005s  key pressed",
        "  1.005s  high started", "  1.055s  key released", "", "", rule,
        "lower case clicks, upper case holds down and lets go · q ends",
      ])
  }

  @Test(
    "no line is wider than the terminal, and there are no more lines than it has rows", arguments: [1, 10, 37, 80],
    [1, 5, 12, 40])
  func fits(_ columns: Int, _ rows: Int) throws {
    let stage = try Stage(Self.states)
    let lines = picture(stage, columns: columns, rows: rows)
    #expect(lines.count <= rows)
    #expect(lines.allSatisfy { $0.count <= columns })
  }
}

@Suite("The keys of a simulated panel")
struct KeyMapTests {
  @Test("an input has the first free letter of its name, a knob a pair of brackets")
  func letters() {
    let keys = KeyMap(
      of: [
        ConsoleControl("bell", .button), ConsoleControl("bar", .switch), ConsoleControl("knob", .knob),
        ConsoleControl("b", .button), ConsoleControl("q", .button),
      ])
    #expect(keys.labels == ["b", "a", "[ ]", "c", "d"])
    #expect(keys.action(for: UInt8(ascii: "b")) == .click(0))
    #expect(keys.action(for: UInt8(ascii: "B")) == .hold(0))
    #expect(keys.action(for: UInt8(ascii: "a")) == .toggle(1))
    #expect(keys.action(for: UInt8(ascii: "[")) == .turn(2, detents: -1))
    #expect(keys.action(for: UInt8(ascii: "]")) == .turn(2, detents: 1))
    #expect(keys.action(for: UInt8(ascii: "z")) == nil)
  }

  @Test("no key has two meanings, none ends the simulation, and inputs beyond the alphabet have none")
  func many() {
    let keys = KeyMap(of: (0..<40).map { ConsoleControl("i\($0)", .button) })
    let used = keys.labels.filter { !$0.isEmpty }
    #expect(used.count == 25)
    #expect(Set(used).count == 25)
    #expect(KeyMap.quitting.allSatisfy { keys.action(for: $0) == nil })
  }
}
