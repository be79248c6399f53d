import Testing

@testable import PanelLanguage
@testable import PanelRun

/// What docs/panels/reference.md says of conditions and numbers, sentence by sentence.
@Suite("Conditions and numbers of a panel")
struct ConditionTests {
  @Test("a condition asks where a switch and a button stand now, and an event finds its own input moved")
  func positions() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a:
          on:
            key.pressed: [ { go: b, if: mute == on }, { go: c, if: bell == pressed } ]
            mute.on: { set: { level: 9 }, if: mute == on }
        b: {}
        c: {}
      """)
    #expect(try stage.take("click key; expect state=a; switch mute=on; wait 10ms; expect level=9") == [])
    #expect(try stage.take("switch mute=off; wait 10ms; press bell; wait 10ms; click key; expect state=c") == [])
  }

  @Test("a switch that is on at the start is asked as such")
  func start() throws {
    let states = "initial: a\nstates: { a: { on: { key.pressed: { go: b, if: mute == on } } }, b: {} }\n"
    let stage = try Stage(states) { stage in
      _ = try? stage.session.perform(.switch(input: 2, on: true))
    }
    #expect(try stage.take("wait 10ms; click key; expect state=b") == [])
  }

  @Test("a switch has the words that its file gives it, in events, conditions and steps")
  func words() throws {
    let stage = try Stage(
      panel: """
        panel: Door
        inputs: { door: { switch: GPIO1, words: { on: shut, off: open } }, key: { button: GPIO2 } }
        initial: a
        states: { a: { on: { door.shut: b } }, b: { on: { key.pressed: { go: a, if: door == open } } } }
        """)
    #expect(try stage.take("switch door=shut; wait 10ms; expect state=b; click key; expect state=b") == [])
    #expect(try stage.take("switch door=open; wait 10ms; click key; expect state=a") == [])
    #expect(throws: Problems.self) { try stage.take("switch door=on") }
    #expect(stage.session.journal.last(.max).map(\.text).contains("door.shut"))
  }

  @Test("an input keeps its position while its chip is lost, and a condition can ask for the loss")
  func loss() throws {
    let stage = try Stage(
      """
      initial: a
      states:
        a: { on: { gpio.lost: { set: { level: 3 }, if: gpio == lost and mute == on }, gpio.restored: { go: b, if: gpio == there } } }
        b: {}
      """)
    #expect(
      try stage.take("switch mute=on; wait 10ms; unplug gpio; expect level=3; plug gpio; wait 10ms; expect state=b")
        == [])
  }

  @Test("a value is set to what an expression gives, which is brought into its range")
  func assignments() throws {
    let stage = try Stage(
      panel: """
        panel: Sums
        inputs: { a: { button: GPIO1 }, b: { button: GPIO2 }, c: { button: GPIO3 }, d: { button: GPIO4 } }
        values: { n: { initial: 3, min: -9, max: 9 }, m: { initial: 5, min: 0, max: 9 } }
        initial: x
        states:
          x:
            on:
              a.pressed: { set: { n: m, m: n } }
              b.pressed: { set: { n: 2 * n + 1 } }
              c.pressed: { set: { n: = -4 } }
              d.pressed: { set: { n: -m } }
        """)
    #expect(
      try stage.take("click a; expect n=5 m=3; click b; expect n=9; click c; expect n=-4; click d; expect n=-7") == [])
    #expect(try stage.take("click d; expect n=-9; click a; expect n=3 m=0") == [])
  }

  @Test("a value can be a duration, which is set, changed, compared and expected with its unit")
  func durations() throws {
    let stage = try Stage(
      panel: """
        panel: Clock
        inputs: { a: { button: GPIO1 }, b: { button: GPIO2 } }
        values: { left: { initial: 2m, min: 0s, max: 2m } }
        initial: x
        states:
          x: { on: { a.pressed: { set: { left: -1500ms } }, b.pressed: [ { go: y, if: left < 1.9s }, { set: { left: left / 2 } } ] } }
          y: {}
        """)
    #expect(try stage.take("expect left=2m; click a; expect left=118.5s; click b; expect left=59250ms") == [])
    #expect(try stage.take("click b; click b; click b; click b; click b; click b; expect state=y left=1851ms") == [])
    #expect(try stage.take("expect left=2m") == ["expected left 2m; it is 1851ms"])
    #expect(throws: Problems.self) { try stage.take("expect left=3") }
    #expect(throws: Problems.self) { try stage.take("expect left=3m") }
  }
}
