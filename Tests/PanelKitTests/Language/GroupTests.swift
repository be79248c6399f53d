import Testing

@testable import PanelLanguage

@Suite("Groups")
struct GroupTests {
  private static let panel = """
    panel: P
    inputs: { pad: { buttons: [GPIO1, GPIO2, GPIO3] }, go: { button: GPIO4 } }
    outputs: { lamps: { leds: [GPIO10, GPIO11, GPIO12] } }
    sounds: { notes: { tones: [262Hz, 330Hz, 392Hz], volume: 0.1, for: 80ms } }
    values: { at: { initial: 0, min: 0, max: 9 }, beeps: { initial: 0, min: 0, max: 99 } }
    on: { notes.finished: { set: { beeps: +1 } }, pad(3).clicked: { play: [ notes(3) ] } }
    initial: rest
    states:
      rest: { show: { lamps: { pulse: 2s } }, on: { pad.pressed: chosen, go.pressed: { go: told, set: { at: 9 } } } }
      chosen: { show: { lamps: { only: pad } }, play: [ notes(pad) ], on: { pad(2).released: rest, go.pressed: told } }
      told: { show: { lamps: { only: at, as: { blink: 100ms } } }, play: [ notes(at) ], on: { go.pressed: { go: told, set: { at: 2 } } } }

    """

  @Test("an event of any member, or of one, and which one told an event last")
  func inputs() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(stage.look("lamps") == [.pulsing, .pulsing, .pulsing])
    try stage.take("press pad(2); wait 10ms")
    #expect(stage.look("lamps") == [.off, .on, .off])
    try stage.take("press pad(3); wait 10ms; release pad(3); wait 10ms")
    #expect(stage.state == "chosen")
    #expect(stage.look("lamps") == [.off, .off, .on])
    try stage.take("release pad(2); wait 10ms")
    #expect(stage.state == "rest")
  }

  @Test("a state plays the member that a number says when it is entered; another number is silence")
  func sounds() throws {
    let stage = try Stage(panel: Self.panel)
    try stage.take("press pad(2); wait 10ms")
    #expect(stage.audible == ["notes(2)"])
    try stage.take("press pad(1); wait 10ms")
    #expect(stage.audible == ["notes(2)"])
    try stage.take("click go")
    #expect(stage.state == "told")
    #expect(stage.audible == [])
    try stage.take("click go; wait 10ms")
    #expect(stage.audible == ["notes(2)"])
    #expect(stage.look("lamps") == [.off, .blinking, .off])
  }

  @Test("a sound of a transition goes to its end, whatever the state, and tells that it is finished")
  func once() throws {
    let stage = try Stage(panel: Self.panel)
    try stage.take("click pad(3)")
    #expect(stage.audible == ["notes(3)"])
    try stage.take("click go; wait 1s")
    #expect(stage.audible == [])
    #expect(try stage.take("expect beeps=1") == [])
  }

  @Test(
    "what a group can't be is told at its place",
    arguments: [
      (
        "on: { pad.turned: y }",
        "8:7: button \"pad\" has no event \"turned\"; it has pressed, released, held, clicked, double-clicked, repeated, "
          + "triple-clicked, quadruple-clicked, quintuple-clicked"
      ),
      ("on: { pad(9).pressed: y }", "8:7: unknown event source \"pad(9)\"; did you mean \"pad(1)\"?"),
      (
        "on: { b.pressed: { go: y, if: pad == pressed } }",
        "8:38: \"pad\" can't be \"pressed\"; it is a number, 0...2; for one of them write pad(2) == pressed"
      ),
      ("on: { b.pressed: { go: y, if: pad(4) == pressed } }", "8:35: pad has no member 4; write 1...2"),
      ("on: { b.pressed: { go: y, if: pad(n) == pressed } }", "8:35: \"n\" is not constant; write a number, as pad(1)"),
      ("on: { b.pressed: { go: y, if: pad == 3 } }", "8:38: 3 is outside the range of \"pad\"; write 0...2"),
      ("play: [ notes ]", "8:9: \"notes\" is a group of 2; write one member, notes(1) to notes(2)"),
      ("play: [ notes(3) ]", "8:9: \"notes\" has no member 3; write 1...2"),
      ("play: [ notes(t) ]", "8:15: \"t\" is not a whole number; write the number of an element, from 1"),
      (
        "on: { b.pressed: { go: y, play: [ notes(1) ] } }",
        "8:35: tone \"notes(1)\" has no length; add for: 500ms, or play it in a state"
      ),
      ("show: { lamps: { only: t } }", "8:24: \"t\" is not a whole number; write the number of an element, from 1"),
      (
        "show: { lamps: { as: on } }",
        "8:18: unknown key \"as\"; keys of a lamp's show: blink, pulse, level, fade, over, keys, rise, times, linear"
      ),
    ])
  func wrong(line: String, message: String) {
    let text = """
      panel: P
      inputs: { pad: { buttons: [GPIO1, GPIO2] }, b: { button: GPIO3 } }
      outputs: { lamps: { leds: [GPIO10, GPIO11] } }
      sounds: { notes: { tones: [262Hz, 330Hz] } }
      values: { n: { initial: 0, min: 0, max: 9 }, t: { initial: 0s, min: 0s, max: 9s } }
      initial: x
      states: { x: { after: { 1s: y } }, y: { after: { 1s: x } ,
      \(line) } }
      """
    #expect(Fixture.problems(ofPanel: text) == [message])
  }
}
