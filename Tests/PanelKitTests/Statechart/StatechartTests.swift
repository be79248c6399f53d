import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@testable import PanelEngine
@testable import PanelRun

/// What docs/panels/reference.md says of states, sentence by sentence.
@Suite("The statechart")
struct StatechartTests {
  @Test("an event leads to the state that its state names, and only from there")
  func transitions() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a: { on: { key.pressed: b } }
        b: { show: { lamp: on }, on: { key.pressed: c } }
        c: {}
      """)
    #expect(
      try stage.take("expect state=a lamp=off; click key; expect state=b lamp=on; click key; expect state=c") == [])
    #expect(try stage.take("click key; expect state=c lamp=off") == [])
  }

  @Test("a state's own reaction comes before the top level's, which holds in every state")
  func topLevel() throws {
    let stage = try Stage(
      """
      on: { key.pressed: { set: { level: 1 } }, mute.on: b }
      initial: a
      states:
        a: { on: { key.pressed: { set: { level: 9 } } } }
        b: {}
      """)
    #expect(
      try stage.take("click key; expect level=9; switch mute=on; wait 10ms; expect state=b; click key; expect level=1")
        == [])
  }

  @Test("of a list of transitions the first is taken whose condition holds")
  func lists() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a:
          on:
            key.pressed:
              - { if: level >= 9, go: high }
              - { if: level <= 1 , go: low }
              - { set: { level: +4 } }
        high: { on: { key.pressed: { go: a, set: { level: 0 } } } }
        low: {}
      """)
    #expect(try stage.take("click key; expect state=a level=9; click key; expect state=high level=9") == [])
    #expect(try stage.take("click key; expect state=a level=0; click key; expect state=low") == [])
  }

  @Test(
    "conditions compare with == != < <= > >=, and are joined by and",
    arguments: [
      ("level == 5", true), ("level == 4", false), ("level != 5", false), ("level != 4", true), ("level < 6", true),
      ("level < 5", false), ("level <= 5", true), ("level <= 4", false), ("level > 4", true), ("level > 5", false),
      ("level >= 5", true), ("level >= 6", false), ("level > 0 and level < 9", true),
      ("level > 0 and level < 5", false),
      ("state.other == x", true), ("state.other != x", false), ("state.other == y and level == 5", false),
    ])
  func conditions(_ condition: String, _ holds: Bool) throws {
    let stage = try Stage(
      """
      regions:
        main:
          initial: a
          states:
            a: { on: { key.pressed: { go: b, if: "\(condition)" } } }
            b: {}
        other:
          initial: x
          states:
            x: { on: { mute.on: y } }
            y: {}
      """)
    #expect(try stage.take("click key; expect state.main=\(holds ? "b" : "a")") == [])
  }

  @Test("a value never leaves its range, and is set or changed")
  func values() throws {
    let stage = try Stage(
      """
      on: { knob.clockwise: { set: { level: +3 } }, knob.counterclockwise: { set: { level: -4 } }, key.pressed: { set: { level: 2 } } }
      initial: a
      states: { a: {} }
      """)
    #expect(try stage.take("turn knob=1; expect level=8; turn knob=2; expect level=10") == [])
    #expect(try stage.take("click key; expect level=2; turn knob=-1; expect level=0") == [])
  }

  @Test("a deadline counts from entering the state; going to the state itself enters it again, staying doesn't")
  func deadlines() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a:
          enter: { set: { level: +1 } }
          on: { key.pressed: a, mute.on: { set: { level: +0 } } }
          after: { 1s: b, 700ms: { set: { level: 0 } } }
        b: { after: { 0ms: c } }
        c: {}
      """)
    #expect(try stage.take("expect level=6; wait 699ms; expect level=6; wait 1ms; expect level=0 state=a") == [])
    #expect(try stage.take("wait 200ms; click key; expect level=1") == [])
    #expect(try stage.take("switch mute=on; wait 800ms; expect state=a level=0; wait 200ms; expect state=c") == [])
  }

  @Test("regions are side by side: each is offered every event, and all choose before one moves")
  func regions() throws {
    let stage = try Stage(
      """
      regions:
        left:
          initial: a
          states:
            a: { on: { key.pressed: { go: b, if: state.right == x } } }
            b: { show: { lamp: on } }
        right:
          initial: x
          states:
            x: { on: { key.pressed: { go: y, if: state.left == a } } }
            y: { show: { lock: on } }
      """)
    #expect(try stage.take("click key; expect state.left=b state.right=y lamp=on lock=on") == [])
  }

  @Test("what a state shows comes before what the top level shows; what nothing shows is off")
  func showing() throws {
    let stage = try Stage(
      """
      show: { lamp: on, bar: level }
      initial: a
      states:
        a: { on: { key.pressed: b } }
        b: { show: { lamp: { blink: 100ms }, bar: 1, lock: on }, on: { key.pressed: c } }
        c: { show: { lamp: off } }
      """)
    #expect(try stage.take("expect lamp=on bar=2 lock=off; click key; expect lamp=blinking bar=1 lock=on") == [])
    #expect(try stage.take("click key; expect lamp=off bar=2 lock=off") == [])
  }

  @Test(
    "a lamp shows each thing that it can",
    arguments: [
      ("on", "on"), ("off", "off"), ("{ blink: 250ms }", "blinking"),
      ("{ blink: { on: 100ms, off: 900ms } }", "blinking"),
      ("{ pulse: 2s }", "pulsing"), ("{ level: 0.3 }", "0.3"), ("{ level: 0 }", "off"), ("{ level: 1 }", "on"),
    ])
  func lamps(_ show: String, _ seen: String) throws {
    let stage = try Stage("initial: a\nstates: { a: { show: { lamp: \(show) } } }")
    #expect(try stage.take("expect lamp=\(seen)") == [])
  }

  @Test("a lamp that blinks a number of times is off afterwards")
  func blinks() throws {
    let stage = try Stage(
      "initial: a\nstates: { a: { show: { lamp: { blink: { on: 100ms, off: 100ms, times: 3 } } } } }")
    #expect(try stage.take("expect lamp=blinking; wait 599ms; expect lamp=blinking; wait 1ms; expect lamp=off") == [])
    let changes = stage.chip.line("GPIO10").changes.map { "\($0.level)@\($0.moment.nanoseconds / 1_000_000)" }
    // The line is low from before the start.
    #expect(changes.dropFirst() == ["high@0", "low@100", "high@200", "low@300", "high@400", "low@500"])
  }

  @Test(
    "a value's range is the whole bar", arguments: [(0, 0), (1, 0), (2, 1), (3, 1), (5, 2), (8, 3), (9, 4), (10, 4)])
  func bars(_ level: Int, _ lamps: Int) throws {
    let stage = try Stage(
      "on: { key.pressed: { set: { level: \(level) } } }\nshow: { bar: level }\ninitial: a\nstates: { a: {} }")
    #expect(try stage.take("click key; expect bar=\(lamps)") == [], "\(level) of 10 on 4 lamps")
  }

  @Test("each event of each input leads somewhere")
  func events() throws {
    let stage = try Stage(
      """
      on:
        bell.pressed: { set: { level: 1 } }
        bell.released: { set: { level: 2 } }
        bell.held: { set: { level: 3 } }
        bell.clicked: { set: { level: 4 } }
        bell.double-clicked: { set: { level: 10 } }
        mute.on: { set: { level: 6 } }
        mute.off: { set: { level: 7 } }
        knob.clockwise: { set: { level: 8 } }
        knob.counterclockwise: { set: { level: 9 } }
      initial: a
      states: { a: {} }
      """)
    #expect(
      try stage.take(
        "press bell; wait 10ms; expect level=1; wait 500ms; expect level=3; release bell; wait 10ms; expect level=2")
        == [])
    #expect(try stage.take("click bell; expect level=2; wait 200ms; expect level=4") == [])
    #expect(
      try stage.take(
        "click bell; wait 50ms; press bell; wait 10ms; expect level=1; release bell; wait 10ms; expect level=10; wait 300ms"
      ) == [])
    #expect(
      try stage.take("switch mute=on; wait 10ms; expect level=6; switch mute=off; wait 10ms; expect level=7") == [])
    #expect(try stage.take("turn knob=1; expect level=8; turn knob=-1; expect level=9") == [])
  }

  @Test("what is on from the beginning is known, and no event")
  func initialLevels() throws {
    let stage = try Stage(
      "initial: a\nstates: { a: { on: { bell.pressed: b, mute.on: b }, when: { mute == on: c } }, b: {}, c: {} }"
    ) { stage in
      stage.chip.line("GPIO1").drive(.low)
      stage.chip.line("GPIO3").drive(.low)
    }
    #expect(try stage.take("expect state=c bell=pressed; nothing 1s") == [])
    stage.chip.line("GPIO1").drive(nil)
    #expect(try stage.take("wait 10ms; expect bell=released state=c") == [])
  }

  @Test("a sound plays while a state plays it, a file's end is an event, and entering again starts it anew")
  func sounds() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a: { on: { key.pressed: b } }
        b: { play: [ chime, high ], on: { key.pressed: b, chime.finished: c } }
        c: { play: [ high ], on: { key.pressed: a } }
      """)
    #expect(try stage.take("expect playing=; click key; expect playing=chime,high; wait 900ms; click key") == [])
    #expect(
      try stage.take("wait 900ms; expect state=b playing=chime,high; wait 400ms; expect state=c playing=high") == [])
    #expect(try stage.take("click key; wait 100ms; expect playing=") == [])
    let started = stage.session.journal.last(.max).map(\.text).filter { $0.hasSuffix("started") }
    #expect(
      started == ["chime started", "high started", "chime started", "high started"] || started.count >= 3, "\(started)")
  }

  @Test(
    "a state that waits for the end of a sound gets it when the card was pulled out meanwhile, or before",
    arguments: ["press bell; wait 100ms; unplug audio", "unplug audio; press bell"])
  func finishedAfterLoss(_ steps: String) throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a: { on: { bell.pressed: b } }
        b: { play: [ chime ], on: { chime.finished: c } }
        c: {}
      """)
    #expect(
      try stage.take("\(steps); wait 10s; expect state=b; plug audio; wait 100ms; expect state=b playing=chime") == [])
    #expect(try stage.take("wait 3s; expect state=c playing=") == [])
  }

  @Test("a card or a chip that goes and comes is an event, and what the state shows is there again")
  func losses() throws {
    let stage = try Stage(
      """
      on:
        audio.lost: { set: { level: 1 } }
        audio.restored: { set: { level: 2 } }
        gpio.lost: { set: { level: 3 } }
        gpio.restored: { set: { level: 4 } }
      initial: a
      states: { a: { show: { lamp: on, lock: on }, play: [ high ] } }
      """)
    #expect(
      try stage.take(
        "wait 100ms; unplug audio; wait 100ms; expect level=1; plug audio; wait 100ms; expect level=2 playing=high")
        == [])
    #expect(
      try stage.take(
        "unplug gpio; wait 10ms; expect level=3 lamp=off; plug gpio; wait 10ms; expect level=4 lamp=on lock=on") == [])
    // What is told of it to whoever runs the panel.
    let told = stage.session.application.frame.troubles.map { String($0.text.prefix { $0 != ":" }) }
    #expect(told.prefix(2) == ["audio lost", "audio restored"])
    #expect(
      Set(told.dropFirst(2))
        == Set(
          ["buttons", "switches", "encoders", "leds", "bars", "relays"].flatMap {
            ["gpio (\($0)) lost", "gpio (\($0)) restored"]
          }))
    #expect(stage.session.application.reportCounts.troubles == 14)
  }

  @Test("outputs that can't be written end nothing: the rest goes on, and they are right when they can be")
  func failedWrites() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a: { on: { key.pressed: b } }
        b: { show: { lamp: on, lock: on, bar: 4 }, play: [ high ], on: { key.pressed: a } }
      """)
    stage.chip.lastingWriteError = DriverError(
      .failed, cannot: "write lines", reason: "remote I/O error (EREMOTEIO)", remedy: "Check the expander's wires.")
    #expect(try stage.take("click key; wait 600s; expect state=b playing=high lamp=off") == [])
    // One for each kind of device, however often it was tried.
    #expect(stage.session.application.reportCounts.troubles == 3)
    #expect(stage.chip.writeCount < 100)
    stage.chip.lastingWriteError = nil
    #expect(try stage.take("wait 61s; expect lamp=on lock=on bar=4") == [])
    #expect(stage.session.application.reportCounts.troubles == 6)
  }

  @Test("a panel may have more lines of one kind than a request")
  func manyLines() throws {
    let bars = (0..<3).map { bar in
      "b\(bar): { bar: [\((0..<32).map { "L\(bar)x\($0)" }.joined(separator: ", "))] }"
    }
    let keys = (0..<65).map { "k\($0): { button: K\($0) }" }
    let stage = try Stage(
      panel: """
        panel: T
        inputs: { \(keys.joined(separator: ", ")) }
        outputs: { \(bars.joined(separator: ", ")) }
        initial: a
        states: { a: { on: { k64.pressed: b } }, b: { show: { b2: 32 } } }
        """)
    #expect(try stage.take("click k0; expect state=a; click k64; expect state=b b0=0 b2=32") == [])
  }

  @Test("of trouble that goes on and on the last is kept, and how much there was")
  func muchTrouble() {
    var frame = PanelFrame(FrameSizes(regions: 1), values: [])
    for _ in 0..<20 { frame.note(.underrun) }
    #expect(frame.troubles == Array(repeating: .underrun, count: PanelTrouble.capacity))
    #expect(frame.troubleCount == 20)
  }

  @Test("at the end every output is as safe says, off otherwise, whatever the state")
  func safe() throws {
    let stage = try Stage(
      """
      initial: a
      states: { a: { show: { lamp: on, lock: on, bar: 4 } } }
      safe: { lock: on, bar: 1 }
      """)
    let chip = stage.chip
    chip.keepsReleasedOutputs = true
    #expect(try stage.take("expect lamp=on lock=on bar=4") == [])
    stage.session.stop()
    #expect(chip.line("GPIO10").level == .low)
    #expect((11...14).map { chip.line(LineName("GPIO\($0)")).level } == [.high, .low, .low, .low])
    // On is low here.
    #expect(chip.line("GPIO15").level == .low)
    #expect(chip.heldLines == 0)
    #expect(stage.card.configuration == nil)
  }

  @Test("two states that lead to each other in no time are told as an error, and nothing hangs")
  func livelock() throws {
    #expect(throws: (any Error).self) {
      let stage = try Stage(
        """
        initial: a
        states:
          a: { on: { key.pressed: b } }
          b: { after: { 0ms: [ { go: c, if: level >= 0 } ] } }
          c: { after: { 0ms: [ { go: b, if: level >= 0 } ] } }
        """)
      try stage.take("click key")
    }
  }
}
