import Testing

@testable import PanelKit

@Suite("What steps expect of lamps at their ends, and of displays that are not ready")
struct LookExpectationTests {
  private static let dimmer = """
    panel: L
    inputs: { knob: { encoder: [GPIO5, GPIO6] } }
    outputs: { lamp: { led: GPIO23 } }
    values: { n: { initial: 5, min: 0, max: 10 } }
    initial: a
    states: { a: { show: { lamp: { level: n } }, on: { knob.clockwise: { set: { n: +1 } }, knob.counterclockwise: { set: { n: -1 } } } } }

    """

  @Test("a lamp at level one is on and one at level zero is off, in whatever words it is expected")
  func levelOne() throws {
    let stage = try Stage(panel: Self.dimmer)
    #expect(try stage.take("expect lamp=0.5; expect lamp.level=0.5") == [])
    #expect(try stage.take("expect lamp.level=0.4") == ["expected lamp { level: 0.4 }; it is 0.5"])
    #expect(try stage.take("turn knob=5; expect n=10 lamp=1; expect lamp.level=1; expect lamp=on") == [])
    #expect(try stage.take("expect lamp=0.9") == ["expected lamp 0.9; it is on"])
    #expect(
      try stage.take("turn knob=-10; expect n=0 lamp=0; expect lamp.level=0; expect lamp=off; expect lamp=0.0") == [])
    #expect(try stage.take("expect lamp=1") == ["expected lamp on; it is off"])
  }

  @Test("so is one whose level the file says, and one that is on")
  func fixed() throws {
    let stage = try Stage(
      panel: """
        panel: L
        inputs: { key: { button: GPIO17 } }
        outputs: { lamp: { led: GPIO23 } }
        initial: a
        states:
          a: { show: { lamp: { level: 1 } }, on: { key.pressed: b } }
          b: { show: { lamp: { level: 0 } }, on: { key.pressed: c } }
          c: { show: { lamp: on }, on: { key.pressed: a } }

        """)
    #expect(
      try stage.take("expect lamp=1; click key; expect lamp=0; expect lamp.level=0; click key; expect lamp=1") == [])
    #expect(try stage.take("expect lamp.level=1; wait until=\"lamp == on\" at-most=1s") == [])
  }

  @Test("a brightness near an end is between dark and bright at every moment of its switching")
  func nearAnEnd() throws {
    let stage = try Stage(panel: Self.dimmer.replacing("max: 10", with: "max: 1000"))
    for step in ["turn knob=-4", "wait 1ms", "wait 2ms", "wait 3ms"] {
      #expect(try stage.take("\(step); expect n=1 lamp=0.01") == [])
    }
    #expect(try stage.take("turn knob=998; expect n=999 lamp=0.99; wait 1ms; expect lamp=0.99") == [])
  }

  @Test("an expectation that a display meets in a moment says how long displays need")
  func lateDisplay() throws {
    let stage = try Stage(
      panel: """
        panel: D
        inputs: { key: { button: GPIO17 } }
        outputs: { screen: { display: { i2c: 0x27 } } }
        values: { n: { initial: 1, min: 0, max: 9 } }
        initial: a
        states: { a: { show: { screen: "n {n}" }, on: { key.pressed: b } }, b: { show: { screen: a row of text } } }

        """)
    let hint = "; a display needs up to 0.1 s"
    #expect(try stage.take("wait 10ms; expect screen=\"n 1\"") == ["expected screen n 1; it is off" + hint])
    #expect(try stage.take("wait 100ms; expect screen=\"n 1\"") == [])
    // In the middle of a longer text, too.
    try stage.take("press key; wait 7ms")
    let late = try stage.take("expect screen=\"a row of text\"")
    #expect(late.count == 1 && late[0].hasSuffix(hint), "\(late)")
    // What the display never shows has no such excuse, and one that is away neither.
    #expect(try stage.take("wait 100ms; expect screen=\"n 3\"") == ["expected screen n 3; it is a row of text"])
  }
}
