import CycleCore
import HardwareSimulation
import Testing

@testable import PanelKit

@Suite("A tap, then a hold")
struct TapThenHoldTests {
  /// - Parameter key: the event source that is counted: `key` or `pad(1)`.
  private static func counting(_ inputs: String, _ key: String = "key", accept: String = "") -> String {
    """
    panel: One button, three gestures
    inputs:
      \(inputs)
    outputs:
      a: { led: GPIO23 }
    values:
      clicks:  { initial: 0, min: 0, max: 99 }
      doubles: { initial: 0, min: 0, max: 99 }
      holds:   { initial: 0, min: 0, max: 99 }
      presses: { initial: 0, min: 0, max: 99 }
      releases: { initial: 0, min: 0, max: 99 }
    \(accept)
    show: { a: on }
    on:
      \(key).clicked: { set: { clicks: +1 } }
      \(key).double-clicked: { set: { doubles: +1 } }
      \(key).held: { set: { holds: +1 } }
      \(key).pressed: { set: { presses: +1 } }
      \(key).released: { set: { releases: +1 } }
    initial: on
    states: { on: {} }

    """
  }

  private static let settings = "hold: 600ms, double-click: 400ms"

  /// Each kind of button, with the steps that press and release it.
  static let kinds: [(text: String, press: String, release: String)] = [
    (counting("key: { button: GPIO5, \(settings) }"), "press key", "release key"),
    (counting("pad: { buttons: [ GPIO5, GPIO6 ], \(settings) }", "pad(1)"), "press pad(1)", "release pad(1)"),
    (
      counting("pad: { keypad: { rows: [ GPIO5, GPIO6 ], columns: [ GPIO12, GPIO13 ] }, \(settings) }", "pad(4)"),
      "press pad(4)", "release pad(4)"
    ),
    (
      counting(
        "l: { button: GPIO5 }\n  r: { button: GPIO6 }\n  key: { chord: [ l, r ], \(settings) }"), "press l; press r",
      "release l; release r"
    ),
    (
      counting("key: { button: GPIO5, \(settings) }", accept: "accept: { press: [ key ] }"), "remote key=press",
      "remote key=release"
    ),
  ]

  @Test("a short press and a long one behind it are a click and a hold, whatever is between them", arguments: 0..<5)
  func held(kind: Int) throws {
    let (text, press, release) = Self.kinds[kind]
    for gap in [60, 100, 300, 500] {
      let stage = try Stage(panel: text)
      #expect(try stage.take("\(press); wait 100ms; \(release); wait \(gap)ms; \(press); wait 200ms") == [])
      #expect(try stage.take("expect doubles=0 holds=0; wait 500ms; expect clicks=1 doubles=0 holds=1 presses=2") == [])
      #expect(
        try stage.take("wait 4s; \(release); wait 2s; expect clicks=1 doubles=0 holds=1 presses=2 releases=2") == [])
    }
  }

  @Test("two short presses are a double click, told when the second one ends", arguments: 0..<5)
  func double(kind: Int) throws {
    let (text, press, release) = Self.kinds[kind]
    let stage = try Stage(panel: text)
    #expect(try stage.take("\(press); wait 100ms; \(release); wait 60ms; \(press); wait 100ms; expect doubles=0") == [])
    #expect(try stage.take("\(release); wait 100ms; expect clicks=0 doubles=1 holds=0; wait 2s") == [])
    #expect(try stage.take("expect clicks=0 doubles=1 holds=0 presses=2 releases=2") == [])
  }

  @Test("without holds a double click is told at the second press, as it is in Swift")
  func withoutHold() throws {
    let text = Self.counting("key: { button: GPIO5, double-click: 400ms }").replacing(
      "  key.held: { set: { holds: +1 } }\n", with: "")
    let stage = try Stage(panel: text)
    #expect(try stage.take("click key; wait 60ms; press key; wait 10ms; expect doubles=1 releases=1") == [])
    #expect(try stage.take("wait 5s; release key; wait 1s; expect clicks=0 doubles=1 holds=0") == [])
  }

  @Test("a tap before a chord that is held stays a click of its button")
  func beforeChord() throws {
    let text = """
      panel: P
      inputs:
        l: { button: GPIO5, hold: 1s, double-click: 400ms }
        r: { button: GPIO6 }
        both: { chord: [ l, r ], hold: 2s }
      values:
        clicks: { initial: 0, min: 0, max: 9 }
        doubles: { initial: 0, min: 0, max: 9 }
        holds: { initial: 0, min: 0, max: 9 }
        chords: { initial: 0, min: 0, max: 9 }
      on:
        l.clicked: { set: { clicks: +1 } }
        l.double-clicked: { set: { doubles: +1 } }
        l.held: { set: { holds: +1 } }
        both.held: { set: { chords: +1 } }
      initial: x
      states: { x: {} }

      """
    let held = try Stage(panel: text)
    #expect(try held.take("click l; wait 60ms; press l; press r; wait 3s; release l; release r; wait 1s") == [])
    #expect(try held.take("expect clicks=1 doubles=0 holds=0 chords=1") == [])
    let brief = try Stage(panel: text)
    #expect(try brief.take("click l; wait 60ms; press l; press r; wait 100ms; release l; release r; wait 1s") == [])
    #expect(try brief.take("expect clicks=1 doubles=0 holds=0 chords=0") == [])
    // A press that is a part of the chord is no half of a double click.
    let after = try Stage(panel: text)
    #expect(try after.take("press l; press r; wait 100ms; release l; release r; wait 60ms; click l; wait 1s") == [])
    #expect(try after.take("expect doubles=0 holds=0 chords=0") == [])
  }

  @Test("a proof finds the click and the hold of a second press, and its test fails")
  func proved() {
    let text = """
      panel: P
      inputs: { key: { button: GPIO5, hold: 600ms, double-click: 400ms } }
      values: { n: { initial: 0, min: 0, max: 3 } }
      never: { both: n == 2 and key == pressed }
      initial: x
      states:
        x: { on: { key.clicked: { set: { n: 1 } }, key.held: { set: { n: 2 }, if: n == 1 }, key.double-clicked: { set: { n: 0 } } } }

      """
    let outcome = prove(text)
    #expect(outcome.status == 1)
    #expect(outcome.lines.contains { $0.contains("key.clicked, key.held") }, "\(outcome.lines)")
  }

  @Test("whatever is pressed for however long, each press is told once and is one thing at most")
  func random() throws {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (text, press, release) = Self.kinds[Int(seed % 5)]
      let stage = try Stage(panel: text)
      var presses = 0
      for _ in 0..<20 {
        presses += 1
        let (down, up) = (Int.random(in: 60...900, using: &random), Int.random(in: 60...700, using: &random))
        try stage.take("\(press); wait \(down)ms; \(release); wait \(up)ms")
      }
      try stage.take("wait 2s")
      let (clicks, doubles, holds) = (stage.value("clicks"), stage.value("doubles"), stage.value("holds"))
      #expect(stage.value("presses") == presses && stage.value("releases") == presses, "seed \(seed)")
      #expect(clicks + 2 * doubles + holds == presses, "seed \(seed): \(clicks), \(doubles), \(holds)")
    }
  }
}
