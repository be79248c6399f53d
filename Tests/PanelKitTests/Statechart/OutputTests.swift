import Testing

@testable import PanelRun

@Suite("A lamp as bright as a value")
struct LampLevelTests {
  @Test("a value's share of its range is the brightness, to a hundredth for who looks")
  func level() throws {
    let stage = try Stage(
      panel: """
        panel: Dimmer
        inputs: { knob: { encoder: [GPIO4, GPIO5] } }
        outputs: { lamp: { led: GPIO10 } }
        values: { level: { initial: 4, min: 1, max: 10 } }
        show: { lamp: { level: level } }
        on: { knob.clockwise: { set: { level: +1 } }, knob.counterclockwise: { set: { level: -1 } } }
        initial: a
        states: { a: }
        """)
    #expect(try stage.take("expect lamp=0.33; turn knob=1; expect lamp=0.44") == [])
    #expect(try stage.take("turn knob=-4; expect lamp=off; turn knob=9; expect lamp=on") == [])
    #expect(stage.chip.line("GPIO10").level == .high)
    #expect(try stage.take("turn knob=-6; wait 5s") == [])
    // A third of each 10 ms.
    let start = stage.session.now
    #expect(try stage.take("wait 1s") == [])
    let changes = stage.chip.line("GPIO10").changes.filter { $0.moment > start }
    #expect((198...202).contains(changes.count))
  }

  @Test("a name that is no value is told")
  func unknown() {
    #expect(
      Fixture.problems(
        ofPanel: """
          panel: P
          outputs: { lamp: { led: GPIO10 } }
          values: { level: { initial: 4, min: 1, max: 10 } }
          initial: a
          states: { a: { show: { lamp: { level: lvel } } } }
          """) == [#"5:39: unknown value "lvel"; did you mean "level"?"#])
  }

  @Test("the length of a list is a brightness; the list itself is none")
  func lengthOfAList() throws {
    let file = """
      panel: P
      inputs: { key: { button: GPIO17 } }
      outputs: { lamp: { led: GPIO10 } }
      values: { code: { list: 4, min: 1, max: 9 } }
      initial: a
      states: { a: { show: { lamp: { level: code.count } }, on: { key.pressed: { set: { code: append 7 } } } } }
      """
    #expect(try Stage(panel: file).take("click key; expect lamp=0.25; click key; expect lamp=0.5") == [])
    #expect(
      Fixture.problems(ofPanel: file.split(separator: ".count").joined())
        == [#"6:39: "code" is a list; write code.count to show how long it is"#])
  }
}

@Suite("Outputs that several regions show")
struct SharedOutputTests {
  private static let lamp = """
    panel: Dust
    inputs: { bag: { switch: GPIO13 }, estop: { switch: GPIO19 }, reset: { button: GPIO26 } }

    """

  @Test("the first region of the list that shows the output wins, off too")
  func firstWins() throws {
    let stage = try Stage(
      panel: Self.lamp + """
        outputs: { fault: { led: GPIO23, shown-by: [safety, bag] }, other: { led: GPIO22 } }
        show: { fault: { level: 0.5 }, other: on }
        regions:
          bag:
            initial: fine
            states: { fine: { on: { bag.on: full } }, full: { show: { fault: on }, on: { bag.off: fine } } }
          safety:
            initial: ok
            states:
              ok: { on: { estop.on: stopped } }
              stopped: { show: { fault: { blink: 200ms } }, on: { reset.pressed: quiet, estop.off: ok } }
              quiet: { show: { fault: off }, on: { estop.off: ok } }
        """)
    #expect(try stage.take("expect fault=0.5 other=on; switch bag=on; wait 10ms; expect fault=on") == [])
    #expect(try stage.take("switch estop=on; wait 10ms; expect fault=blinking") == [])
    #expect(
      try stage.take("click reset; expect fault=off other=on; switch estop=off; wait 10ms; expect fault=on") == [])
    #expect(try stage.take("switch bag=off; wait 10ms; expect fault=0.5") == [])
  }

  @Test("regions inside a state are listed, and the state around them comes last")
  func nested() throws {
    let stage = try Stage(
      panel: Self.lamp + """
        outputs: { fault: { led: GPIO23, shown-by: [two, one] } }
        initial: work
        states:
          work:
            show: { fault: { pulse: 1s } }
            regions:
              one: { initial: a, states: { a: { on: { bag.on: b } }, b: { show: { fault: on } } } }
              two: { initial: c, states: { c: { on: { estop.on: d } }, d: { show: { fault: off } } } }
        """)
    #expect(try stage.take("expect fault=pulsing; switch bag=on; wait 10ms; expect fault=on") == [])
    #expect(try stage.take("switch estop=on; wait 10ms; expect fault=off") == [])
  }
}
