import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelRun

/// The rules of a reload that docs/run/control.md lists.
@Suite("Reload")
struct ReloadTests {
  private static let top = """
    panel: Stage
    inputs: { bell: { button: GPIO1, hold: 1s }, mute: { switch: GPIO3 } }
    outputs: { lamp: { led: GPIO10 }, lock: { relay: GPIO15, active: low } }
    values: { rings: { initial: 0, min: 0, max: 99 }, level: { initial: 5, min: 0, max: 10 } }

    """
  private static let states = """
    initial: idle
    states:
      idle: { on: { bell.pressed: ringing, mute.on: { set: { level: 8 } } } }
      ringing:
        show: { lamp: on, lock: on }
        enter: { set: { rings: +1 } }
        on: { bell.held: idle, bell.clicked: idle }
        after: { 3s: idle }
    """
  private static let text = top + states
  private static let withLamp = text.replacing("led: GPIO10 }", with: "led: GPIO10 }, more: { led: GPIO11 }")
    .replacing("show: { lamp: on,", with: "show: { more: on, lamp: on,")

  // MARK: - 2, 3, 4: lines

  @Test("a panel with one lamp more keeps all lines, without an edge on them")
  func added() throws {
    let stage = try ReloadStage(Self.text)
    #expect(try stage.take("press bell; wait 100ms; expect lamp=on lock=on rings=1") == [])
    let (lamp, lock, requests) = (stage.changes("GPIO10"), stage.changes("GPIO15"), stage.chip.requestCount)
    #expect(
      try stage.reload(Self.withLamp) == [
        "line GPIO1 kept", "line GPIO3 kept", "line GPIO10 kept", "line GPIO11 new", "line GPIO15 kept",
        "value rings kept 1", "value level kept 5", "state main kept ringing",
      ])
    #expect(stage.chip.requestCount == requests + 1)
    #expect([stage.changes("GPIO10"), stage.changes("GPIO15")] == [lamp, lock])
    // Its first level is the first frame's.
    #expect(stage.chip.line("GPIO11").changes.map(\.level) == [.low, .high])
    #expect(try stage.take("expect lamp=on lock=on more=on rings=1 state=ringing") == [])
    #expect(stage.chip.heldLines == 5)
  }

  @Test("a new line that another program has: nothing changes")
  func busy() throws {
    let stage = try ReloadStage(Self.text)
    try stage.take("press bell; wait 100ms")
    let edges = stage.changes("GPIO10")
    stage.chip.add(["GPIO11"])
    stage.chip.line("GPIO11").hold(by: "other")
    let refusal = thrown(RemoteRefusal.self) { try stage.reload(Self.withLamp) }
    #expect(refusal?.status == 69)
    #expect(
      refusal?.text
        == "cannot request line GPIO11 of simulated as output: busy. \"other\" uses it. Stop that program or choose another line; `gpioinfo` lists the users of all lines."
    )
    #expect(stage.changes("GPIO10") == edges)
    #expect(stage.session.panel.outputs.count == 2)
    #expect(try stage.take("expect lamp=on; release bell; wait 20ms; expect lamp=off state=idle") == [])
  }

  @Test("a line that is gone gets its safe level; it is released with the last line of its request")
  func gone() throws {
    let stage = try ReloadStage(Self.withLamp)
    try stage.take("press bell; wait 100ms; expect more=on")
    #expect(try stage.reload(Self.text).contains("line GPIO11 unused"))
    #expect(stage.chip.line("GPIO11").level == .low)
    #expect(stage.chip.line("GPIO10").level == .high)
    let withoutLamps = Self.text.replacing("lamp: { led: GPIO10 }, ", with: "").replacing("lamp: on, ", with: "")
    #expect(try stage.reload(withoutLamps).contains("line GPIO10 released"))
    #expect(
      [stage.chip.line("GPIO10"), stage.chip.line("GPIO11")].allSatisfy { $0.consumer == nil && $0.level == .low })
    // It can be used again while it is held.
    let again = try ReloadStage(Self.withLamp)
    try again.reload(Self.text)
    try again.take("press bell; wait 100ms")
    #expect(try again.reload(Self.withLamp).contains("line GPIO11 new"))
    #expect(try again.take("expect more=on") == [] && again.chip.line("GPIO11").level == .high)
  }

  @Test("a panel that can be reloaded writes a bar of lamps in one call, before a reload and after it")
  func oneCall() throws {
    let text = """
      panel: Bar
      inputs: { go: { button: GPIO1 } }
      outputs: { bar: { bar: [GPIO10, GPIO11, GPIO12, GPIO13, GPIO14, GPIO15] } }
      values: { level: { initial: 0, min: 0, max: 6 } }
      show: { bar: level }
      initial: idle
      states: { idle: { on: { go.pressed: { set: { level: 6 } } } } }
      """
    let stage = try ReloadStage(text)
    #expect(stage.chip.requestCount == 2)
    let writes = stage.chip.writeCount
    try stage.take("click go; wait 100ms")
    #expect(stage.chip.writeCount == writes + 1 && stage.chip.line("GPIO15").level == .high)
    try stage.reload(text.replacing("{ level: 6 }", with: "{ level: 1 }"))
    let later = stage.chip.writeCount
    try stage.take("click go; wait 100ms")
    #expect(stage.chip.writeCount == later + 1 && stage.chip.line("GPIO15").level == .low)
  }

  @Test("a line that is configured otherwise is reconfigured in place")
  func changed() throws {
    let stage = try ReloadStage(Self.text)
    let requests = stage.chip.requestCount
    let changes = try stage.reload(Self.text.replacing("button: GPIO1,", with: "button: GPIO1, pull: down,"))
    #expect(changes.contains("line GPIO1 changed"))
    #expect(stage.chip.requestCount == requests)
    #expect(stage.chip.line("GPIO1").level == .low)
    #expect(try stage.take("expect bell=released state=idle") == [])
  }

  @Test("an input that becomes an output is reconfigured in place")
  func turned() throws {
    let stage = try ReloadStage(Self.text)
    let other = Self.text.replacing(", mute: { switch: GPIO3 }", with: "").replacing(
      ", mute.on: { set: { level: 8 } }", with: ""
    )
    .replacing("led: GPIO10 }", with: "led: GPIO10 }, more: { led: GPIO3 }")
    #expect(try stage.reload(other).contains("line GPIO3 changed"))
    #expect(stage.chip.line("GPIO3").level == .low)
    #expect(stage.chip.heldLines == 4)
  }

  // MARK: - 5, 6: states and values

  @Test("a state that is gone is left for the initial one, which is entered")
  func stateGone() throws {
    let stage = try ReloadStage(Self.text)
    try stage.take("press bell; wait 100ms")
    let other =
      Self.top + """
        initial: quiet
        states:
          quiet: { enter: { set: { level: -2 } }, on: { bell.pressed: loud } }
          loud: { show: { lamp: on } }
        """
    #expect(
      try stage.reload(other).suffix(3) == ["value rings kept 1", "value level 5 is 3 now", "state main entered quiet"])
    #expect(stage.chip.line("GPIO10").level == .low)
    #expect(try stage.take("expect lamp=off state=quiet level=3") == [])
  }

  @Test("values stay, within the range that they have now")
  func values() throws {
    let stage = try ReloadStage(Self.text)
    try stage.take("switch mute=on; wait 100ms; expect level=8")
    let other = Self.text.replacing(
      "level: { initial: 5, min: 0, max: 10 }",
      with: "level: { initial: 5, min: 0, max: 6 }, new: { initial: 2, min: 0, max: 3 }"
    )
    .replacing("rings: { initial: 0, min: 0, max: 99 }", with: "count: { initial: 0, min: 0, max: 99 }")
    .replacing("set: { rings: +1 }", with: "set: { count: +1 }").replacing("level: 8", with: "level: 6")
    #expect(
      try stage.reload(other).filter { $0.hasPrefix("value") } == [
        "value count new 0", "value level 8 is 6 now", "value new new 2", "value rings gone",
      ])
  }

  @Test("states inside others and in regions stay by their paths, and remember what was left last")
  func paths() throws {
    let text =
      Self.top + """
        regions:
          door:
            initial: shut
            states:
              shut: { on: { bell.pressed: open } }
              open:
                initial: wide
                states:
                  wide: { on: { mute.on: narrow } }
                  narrow:
                on: { bell.released: shut }
          light:
            initial: dark
            states:
              dark: { on: { bell.pressed: lit } }
              lit: { show: { lamp: on } }
        """
    let stage = try ReloadStage(text)
    try stage.take("press bell; switch mute=on; wait 100ms")
    let other = text.replacing("      shut: { on: {", with: "      stuck:\n      shut: { on: { bell.held: stuck,")
      .replacing("  light:", with: "  heat: { initial: cold, states: { cold: } }\n  light:")
    #expect(
      try stage.reload(other).filter { $0.hasPrefix("state") } == [
        "state door kept open/narrow", "state heat entered cold", "state light kept lit",
      ])
    #expect(try stage.take("expect state.door=narrow lamp=on; release bell; wait 50ms; expect state.door=shut") == [])
  }

  // MARK: - 7: time

  @Test("a deadline counts from the entering of its state", arguments: [("3s", 2900), ("10s", 9900), ("1s", 0)])
  func deadlines(after: String, rest: Int) throws {
    let stage = try ReloadStage(Self.text.replacing("button: GPIO1, hold: 1s", with: "button: GPIO1, hold: 59s"))
    // Pressed counts 5 ms later.
    try stage.take("press bell; wait 5ms; expect state=ringing; wait 100ms")
    if rest == 0 { try stage.take("wait 1500ms") }
    try stage.reload(
      Self.text.replacing("after: { 3s", with: "after: { \(after)").replacing("hold: 1s", with: "hold: 59s"))
    if rest > 0 {
      #expect(try stage.take("wait \(rest - 1)ms; expect state=ringing; wait 1ms; expect state=idle") == [])
    } else {
      #expect(try stage.take("expect state=idle") == [])
    }
  }

  @Test("what comes again keeps its beat, and a lamp blinks on in its own")
  func beats() throws {
    let text = """
      panel: Beats
      inputs: { bell: { button: GPIO1 } }
      outputs: { lamp: { led: GPIO10 } }
      values: { ticks: { initial: 0, min: 0, max: 99 } }
      initial: idle
      states:
        idle: { on: { bell.pressed: on } }
        on: { show: { lamp: { blink: 100ms } }, every: { 250ms: { set: { ticks: +1 } } } }
      """
    let (stage, twin) = (try ReloadStage(text), try ReloadStage(text))
    for one in [stage, twin] { try one.take("wait 33ms; press bell; wait 585ms; expect ticks=2 lamp=blinking") }
    let other = text.replacing("led: GPIO10 }", with: "led: GPIO10 }, more: { led: GPIO11 }")
    #expect(try stage.reload(other).contains("value ticks kept 2"))
    for one in [stage, twin] { try one.take("wait 1s") }
    let moments = { (one: ReloadStage) in one.chip.line("GPIO10").changes.map { ($0.moment, $0.level) } }
    #expect(moments(stage).map(\.0) == moments(twin).map(\.0))
    #expect(moments(stage).map(\.1) == moments(twin).map(\.1))
    #expect(try [stage, twin].map { try $0.take("expect ticks=6") } == [[], []])
  }

  // MARK: - 8: inputs

  @Test("a button that stays down tells nothing, and becomes neither a hold nor a click")
  func down() throws {
    let stage = try ReloadStage(Self.text)
    try stage.take("press bell; wait 500ms; heard bell.pressed")
    try stage.reload(Self.withLamp)
    #expect(
      try stage.take("expect bell=pressed; wait 2s; heard; release bell; wait 100ms; heard; expect bell=released") == []
    )
  }

  @Test("a button that was released, or pressed, while nobody looked tells so", arguments: [true, false])
  func moved(isDown: Bool) throws {
    let stage = try ReloadStage(Self.text)
    if !isDown { try stage.take("press bell; wait 500ms; expect state=ringing") }
    // The edge waits in the kernel: the loop doesn't run.
    stage.chip.line("GPIO1").drive(isDown ? .low : nil)
    try stage.session.bench.stall(for: .zero)
    try stage.reload(Self.withLamp)
    try stage.take("wait 20ms")
    #expect(try stage.take("expect bell=\(isDown ? "pressed" : "released")") == [])
    #expect(try stage.take("expect state=\(isDown ? "ringing" : "ringing")") == [])
  }

  @Test("edges that nobody has read before a reload are read after it")
  func edges() throws {
    let stage = try ReloadStage(Self.text.replacing("hold: 1s", with: "debounce: 0ms, hold: 1s"))
    try stage.take("press bell; wait 100ms; release bell; wait 100ms; expect rings=1 state=idle")
    // A press of 0 s during the reload: both edges are in the queue.
    let line = stage.chip.line("GPIO1")
    line.drive(.low)
    line.drive(nil)
    try stage.reload(Self.withLamp.replacing("hold: 1s", with: "debounce: 0ms, hold: 1s"))
    try stage.take("wait 20ms")
    #expect(try stage.take("expect rings=2 bell=released state=idle") == [])
    #expect(stage.session.application.reportCounts.lostEdges == 0)
  }

  @Test("a press from outside ends with a reload")
  func remote() throws {
    let accepting = Self.text + "\naccept: { press: [ bell ] }"
    let stage = try ReloadStage(accepting)
    #expect(try stage.take("remote bell=press; wait 100ms; expect bell=pressed state=ringing") == [])
    try stage.reload(accepting.replacing("max: 99", with: "max: 98"))
    #expect(try stage.take("wait 20ms; expect bell=released; remote bell=release") == ["bell is not pressed from here"])
    #expect(try stage.take("press bell; wait 20ms; expect bell=pressed") == [])
  }
}
