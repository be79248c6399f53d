import CycleCore
import HardwareSimulation
import Testing

@testable import PanelRun

@Suite("The world around a simulated panel")
struct PanelWorldTests {
  static let states = """
    initial: a
    states: { a: { on: { mute.on: b, key.pressed: b } }, b: { show: { lock: on, lamp: on }, on: { mute.off: a, key.released: a } } }
    """

  @Test("a contact that is jammed stays where it is until it is free, and then goes where the steps last moved it")
  func jam() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("jam mute=off; switch mute=on; wait 1s; expect mute=off state=a") == [])
    #expect(try stage.take("free mute; wait 10ms; expect mute=on state=b") == [])
    #expect(try stage.take("free mute; wait 10ms; expect mute=on") == [])
  }

  @Test("a contact can be jammed where it is not, and a press without effect takes its time")
  func jamElsewhere() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("jam key=pressed; wait 10ms; expect key=pressed state=b; click key; expect state=b") == [])
    #expect(stage.session.elapsed == .milliseconds(65))
    #expect(try stage.take("free key; wait 10ms; expect key=released state=a") == [])
  }

  @Test("several buttons are pressed at one moment, and clicked one after the other")
  func several() throws {
    let stage = try Stage("initial: a\nstates: { a: { on: { bell.pressed: b } }, b: { on: { key.pressed: a } } }")
    try stage.take("press bell,key; wait 10ms")
    #expect(stage.session.journal.last(2).map(\.moment) == [stage.session.beginning + .milliseconds(5)] * 2)
    try stage.take("release bell,key; wait 10ms; heard bell.pressed,key.pressed")
    let before = stage.session.elapsed
    #expect(try stage.take("click bell,key; heard bell.pressed,key.pressed") == [])
    #expect(stage.session.elapsed - before == .milliseconds(110))
  }

  @Test("no other program can have the lines of a panel at work; while it has lost them it can, and the panel waits")
  func busy() throws {
    let stage = try Stage(Self.states)
    #expect(
      try stage.take("busy lock") == ["no other program can have GPIO15; the panel holds it, unplug gpio first"])
    #expect(try stage.take("unplug gpio; wait 1s; busy lock,bar; plug gpio; wait 1m; expect gpio=lost") == [])
    #expect(stage.chip.line("GPIO15").consumer == "another program")
    #expect(try stage.take("idle lock,bar; wait 1m; expect gpio=there") == [])
    #expect(stage.chip.line("GPIO15").isOurs)
  }

  @Test("a card that takes nothing underruns, and sound goes on afterwards")
  func stutter() throws {
    let stage = try Stage("initial: a\nstates: { a: { play: [ high ] } }")
    try stage.take("wait 1s; stutter 300ms")
    #expect(stage.session.elapsed == .milliseconds(1300))
    // It is reported when the card plays again.
    try stage.take("wait 50ms")
    #expect(stage.session.journal.last(.max).map(\.text).contains("audio underrun"))
    try stage.take("wait 1s")
    #expect(stage.card.isSounding)
    #expect(try stage.take("stutter 3s; wait 1s; expect audio=there") == [])
    #expect(stage.card.isSounding)
    #expect(stage.session.journal.last(.max).map(\.text).contains { $0.contains("it has not played for a second") })
  }

  @Test("after a power cut the panel begins anew, its contacts as they are")
  func powerCut() throws {
    let stage = try Stage(
      """
      initial: a
      states: { a: { on: { mute.on: b, key.pressed: { set: { level: +1 } } } }, b: { show: { lock: on }, after: { 3s: c } }, c: }
      """)
    #expect(try stage.take("click key; switch mute=on; wait 4s; expect state=c level=6") == [])
    #expect(try stage.take("power-cut 2s; expect lock=off state=a level=5 mute=on") == [])
    // The contacts are read in 5 ms.
    #expect(stage.session.elapsed == .milliseconds(55 + 4000 + 2000 + 5))
    #expect(
      try stage.take("wait 4s; expect state=a; switch mute=off; wait 10ms; switch mute=on; wait 10ms; expect state=b")
        == [])
    #expect(try stage.take("switch mute=off; power-cut 1s; wait 1s; expect state=a lock=off") == [])
  }

  @Test("a power cut has no farewell: no line is set to a safe value, and no sound goes on")
  func noFarewell() throws {
    let stage = try Stage(
      "safe: { lamp: on }\ninitial: a\nstates: { a: { show: { bar: 4 }, play: [ high ] } }")
    try stage.take("wait 1s")
    var written = 0
    stage.chip.onAccess { access, _ in if access == .write { written += 1 } }
    try stage.take("power-cut 2s")
    #expect(stage.chip.line("GPIO10").changes.allSatisfy { $0.level == .low })
    #expect(written == 0)
    #expect(try stage.take("wait 1s; expect bar=4 playing=high") == [])
    #expect(stage.card.isSounding)
  }

  @Test("after a power cut, hardware that was away is away, and the panel waits for it")
  func powerCutWithoutHardware() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("unplug gpio; wait 1s; power-cut 2s; wait 1s; expect gpio=lost") == [])
    #expect(try stage.take("plug gpio; wait 10s; switch mute=on; wait 10ms; expect gpio=there state=b") == [])
  }

  @Test("what is so before the start is told at once")
  func start() throws {
    let text = """
      scenario: S
      start: { mute: on, key: pressed, audio: lost }
      steps: [ { expect: { state: b, mute: on, key: pressed, audio: lost } }, { plug: audio }, { wait: 5s }, { expect: { audio: there } } ]
      """
    #expect(try failures(text, "initial: a\nstates: { a: { when: { mute == on: b } }, b: { play: [ high ] } }") == [])
  }

  @Test("a panel waits for a chip that is away at the start, and for a line that another program holds")
  func busyStart() throws {
    let text = """
      scenario: S
      start: { gpio: lost, busy: lamp }
      steps: [ { expect: { gpio: lost, lamp: off } }, { plug: gpio }, { wait: 1m }, { expect: { gpio: lost } }, { idle: lamp },
        { wait: 1m }, { expect: { gpio: there } }, { switch: { mute: on } }, { wait: 10ms }, { expect: { lamp: on } } ]
      """
    #expect(try failures(text, Self.states) == [])
  }

  private func failures(_ text: String, _ states: String) throws -> [String] {
    let panel = try Stage(states).session.panel
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    return try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts)
  }
}

private func * <Element>(elements: [Element], count: Int) -> [Element] {
  Array(repeatElement(elements, count: count).joined())
}
