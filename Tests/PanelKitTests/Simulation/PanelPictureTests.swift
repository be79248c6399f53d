import CycleCore
import Testing

@testable import HardwarePlatform
@testable import PanelKit
@testable import PanelRun

@Suite("The picture of a panel in a terminal")
struct PanelPictureTests {
  static let states = """
    show: { bar: level }
    initial: idle
    states:
      idle: { on: { key.pressed: busy } }
      busy: { show: { lamp: on, lock: on }, play: [ high ], on: { knob.clockwise: idle, bell.held: idle } }
    """

  /// A panel, and what a console shows of it.
  private struct Shown {
    let stage: Stage
    let console: OperatedPanel

    init(_ states: String) throws {
      var console: OperatedPanel?
      stage = try Stage(states) { console = OperatedPanel($0.session) }
      self.console = try #require(console)
    }

    /// The picture without colours.
    func picture(columns: Int = 80, rows: Int = 30) -> [String] {
      ConsolePicture(of: console, keys: KeyMap(of: console.controls), closed: [1], message: "")
        .lines(columns: columns, rows: rows).map(plain)
    }
  }

  @Test(
    "everything there is has its line: outputs as they look, inputs with their keys, values, sounds, states, events")
  func whole() throws {
    let shown = try Shown(Self.states)
    try shown.stage.take("wait 1s; click key")
    let rule = String(repeating: "─", count: 80)
    #expect(
      shown.picture(rows: 22) == [
        "Stage   1.055s", rule, "outputs   lamp  ●  on", "          bar   ▮▮▯▯  2", "          lock  ■  on",
        "inputs    bell  b", "          key   k  pressed", "          mute  m  off", "          knob  [ ]",
        "values    level    5", "          playing  ♪ high",
        "state       busy   waits for knob.clockwise, bell.held",
        rule, "  1.005s  key.pressed", "  1.005s  high started", "  1.055s  key.released", "", "", "", "", rule,
        "lower case clicks, upper case holds down and lets go · ? all keys · q ends",
      ])
  }

  @Test("a state counts its time down by the second, and asks to be drawn just as often")
  func countdown() throws {
    let shown = try Shown(
      """
      on: { mute.on: { set: { level: 3 } } }
      initial: idle
      states:
        idle: { on: { key.pressed: busy } }
        busy: { after: { 2500ms: idle, 200s: idle } }
      """)
    func state() -> String { shown.picture().first { $0.hasPrefix("state") } ?? "" }
    #expect(shown.console.nextTick == nil)
    #expect(state() == "state             idle   waits for key.pressed")
    #expect(shown.picture().contains("          always         waits for mute.on"))
    try shown.stage.take("press key; wait 5ms")
    let entered = shown.stage.session.now
    #expect(state() == "state             busy   3 s until idle · 3 min 20 s until idle")
    #expect(shown.console.nextTick == entered + .milliseconds(500))
    try shown.stage.take("wait 500ms")
    #expect(state() == "state             busy   2 s until idle · 3 min 20 s until idle")
    #expect(shown.console.nextTick == entered + .milliseconds(1500))
    try shown.stage.take("wait 1s")
    #expect(shown.console.nextTick == nil, "what comes next is the deadline itself")
    try shown.stage.take("wait 1s")
    #expect(state() == "state             idle   waits for key.pressed")
    #expect(shown.console.nextTick == nil)
  }

  @Test("a deadline that has come in a state that stays is waited for no more")
  func comeDeadline() throws {
    let shown = try Shown("initial: a\nstates: { a: { after: { 1500ms: { set: { level: 1 } } } } }")
    #expect(shown.picture().contains("state       a   2 s until its time is up"))
    try shown.stage.take("wait 2s")
    #expect(shown.picture().contains("state       a"))
    #expect(shown.console.nextTick == nil)
  }

  @Test("the log folds what repeats")
  func folded() throws {
    let shown = try Shown("initial: a\nstates: { a: { after: { 100ms: a }, on: { key.pressed: b } }, b: }")
    try shown.stage.take("wait 9650ms; press key; wait 10ms")
    #expect(shown.picture().contains("  9.600s  after 100ms in a ×96"))
    #expect(shown.picture().contains("  9.655s  key.pressed"))
  }

  @Test("outputs of a chip that is gone are not driven")
  func lostChip() throws {
    let shown = try Shown(Self.states)
    #expect(!shown.picture().contains { $0.contains("not driven") })
    try shown.stage.take("unplug gpio")
    #expect(shown.picture().filter { $0.hasSuffix("not driven: gpio is lost") }.count == 3)
  }

  @Test("a switch with words of its own is drawn by them")
  func words() throws {
    var console: OperatedPanel?
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { door: { switch: GPIO1, words: { on: shut, off: open } } }
        initial: a
        states: { a: { on: { door.shut: b } }, b: { on: { door.open: a } } }

        """
    ) { console = OperatedPanel($0.session) }
    let shown = try #require(console)
    func row(_ closed: Set<Int>) -> String? {
      ConsolePicture(of: shown, keys: KeyMap(of: shown.controls), closed: closed, message: "")
        .lines(columns: 80, rows: 20).map(plain).first { $0.hasPrefix("inputs") }
    }
    #expect(row([]) == "inputs    door  d  open")
    #expect(row([0]) == "inputs    door  d  shut")
    #expect(stage.session.view.wholeLine == "0.000s  state=a  door=open")
  }

  @Test(
    "no line is wider than the terminal, and there are no more lines than it has rows",
    arguments: [1, 10, 37, 80, 100, 200],
    [1, 2, 3, 4, 5, 6, 8, 13, 14, 15, 18, 40])
  func fits(_ columns: Int, _ rows: Int) throws {
    let lines = try Shown(Self.states).picture(columns: columns, rows: rows)
    #expect(lines.count == rows)
    #expect(lines.allSatisfy { $0.count <= columns })
  }
}

/// The line without escape sequences, and without blanks at its end.
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

  @Test("? shows the keys, and h where it is no input's")
  func help() {
    let (free, taken) = (KeyMap(of: [ConsoleControl("bell", .button)]), KeyMap(of: [ConsoleControl("hall", .button)]))
    #expect(free.isHelp(UInt8(ascii: "?")) && taken.isHelp(UInt8(ascii: "?")))
    #expect(free.isHelp(UInt8(ascii: "h")) && !taken.isHelp(UInt8(ascii: "h")))
    #expect(!free.isHelp(UInt8(ascii: "b")))
  }
}
