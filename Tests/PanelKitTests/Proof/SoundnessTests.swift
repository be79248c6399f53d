import Testing

@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun

@Suite("What a proof must not overlook")
struct SoundnessTests {
  /// The exit status of a proof: 1 where a way to a violation is found, 75 where nothing is claimed.
  private func status(_ text: String, hasTimeLeft: @escaping () -> Bool = { true }) throws -> Int32 {
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let model = ProofModel(PropertySlice(whole: panel), sounds: PanelSound.all(panel.sounds))
    let search = Search(model, within: Search.Bounds(), hasTimeLeft: hasTimeLeft)
    search.run()
    if !search.marks.violations.isEmpty { return 1 }
    return search.isComplete ? 0 : 75
  }

  private static let head = """
    panel: P
    inputs:
      air: { sensor: { file: /run/air }, min: 0, max: 5 }
      a: { button: GPIO5 }
      pad: { buttons: [GPIO6, GPIO7] }
    outputs: { lamps: { leds: [GPIO23, GPIO24] } }
    sounds: { t: { tones: [200Hz, 300Hz], for: 100ms } }
    values: { n: { initial: 0, min: 0, max: 999 } }
    initial: x

    """

  @Test(
    "sensors and members that decide otherwise than by conditions, and what isn't followed to its end",
    arguments: [
      ("show: { lamps: { only: air } }\nnever: { b: lamps(2) == on }\nstates: { x: {} }", 1),
      (
        "never: { b: state == bad }\nstates: { x: { on: { a.pressed: y } }, "
          + "y: { play: [ t(air) ], on: { t(2).finished: bad, t(1).finished: x } }, bad: {} }", 1
      ),
      ("show: { lamps(1): { when: { air > 3: on } } }\nnever: { b: lamps(1) == on }\nstates: { x: {} }", 1),
      (
        "show: { lamps(1): { when: { air > 3: off, a == pressed: on } } }\nnever: { b: lamps(1) == on and air > 3 }\nstates: { x: {} }",
        0
      ),
      (
        "show: { lamps: { from: 2, to: n } }\nnever: { b: lamps(2) == on }\nstates: { x: { on: { a.pressed: { set: { n: +1 } } } } }",
        1
      ),
      (
        "show: { lamps: { from: 2, to: n } }\nnever: { b: lamps(1) == on }\nstates: { x: { on: { a.pressed: { set: { n: 999 } } } } }",
        0
      ),
      (
        "never: { r: { if: state == y, go: x, set: { n: air } }, b: n == 3 }\nstates: { x: { on: { a.pressed: y } }, y: {} }",
        1
      ),
      (
        "never: { b: state == bad }\nstates: { x: { on: { pad(2).pressed: s } }, "
          + "s: { on: { pad.pressed: x }, after: { 1s: [ { go: bad, if: pad == 1 }, x ] } }, bad: {} }", 1
      ),
      ("never: { b: state == y }\nstates: { x: { on: { a.pressed: { go: y, if: elapsed / 1s > 100 } } }, y: {} }", 75),
      (
        "never: { b: state == y }\nstates: { x: { after: { 50s: x }, on: { a.pressed: { go: y, if: elapsed / 1s > 50 } } }, y: {} }",
        0
      ),
    ] as [(String, Int32)])
  func overlooked(states: String, expected: Int32) throws {
    #expect(try status(Self.head + states + "\n") == expected)
  }

  @Test("a panel with mqtt may lose its network")
  func network() throws {
    let states = "never: { b: state == bad }\nstates: { x: { on: { network.lost: bad } }, bad: {} }\n"
    #expect(try status(Self.head + "mqtt: { publish: all }\n" + states) == 1)
  }

  @Test("a search whose time is up claims nothing, whatever is left in its queue")
  func time() throws {
    let text =
      Self.head + "never: { b: n == 900 }\n"
      + "states: { x: { on: { a.pressed: { go: y, set: { n: random 0..999 } } } }, y: { after: { 1s: x }, exit: { set: { n: 0 } } } }\n"
    var looks = 0
    #expect(
      try status(text) {
        looks += 1
        return looks != 2
      } == 75)
  }

  @Test("an input can occur between two deadlines that are a millisecond apart, and the scenario shows it")
  func betweenDeadlines() throws {
    let text = """
      panel: T
      inputs: { k: { button: GPIO5, debounce: 2ms }, w: { switch: { on: k == pressed }, debounce: 3ms } }
      values: { n: { initial: 0, min: 0, max: 2 } }
      never: { bad: state == c and n == 2 }
      initial: a
      states:
        a:
          on: { k.pressed: b, k.released: { go: c, if: n == 2 } }
          after: { 2ms: [ { go: c, if: w == on }, { go: b, set: { n: 0 }, if: n != 2 } ], 5ms: b }
        b: { on: { k.pressed: c }, after: { 1ms: { go: a, set: { n: 0 } } } }
        c: { on: { k.pressed: b, w.on: { go: a, set: { n: +1 } } }, after: { 1ms: { go: b, if: w == on } } }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p.panel.yaml")
    let way = try #require(Proof(panel: panel, sounds: [], elapsed: { .zero }).run().violations.first)
    #expect(CounterexampleReport(panel: panel, file: "p", way: way).failingScenario().text != nil)
  }

  @Test("a contact that was unknown moves again after its debounce time at the earliest")
  func foundContact() throws {
    let text = """
      panel: T
      inputs: { k: { button: GPIO5, debounce: 2ms }, w: { switch: { on: k == pressed }, debounce: 1ms } }
      values: { n: { initial: 0, min: 0, max: 2 } }
      never: { bad: state == b and n == 1 }
      initial: a
      states:
        a: { on: { k.pressed: b, w.on: { set: { n: +1 }, if: n == 0 } } }
        b: { on: { w.on: a, w.off: { set: { n: 0 } } }, after: { 3ms: { set: { n: +1 }, if: n == 0 } } }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p.panel.yaml")
    let outcome = Proof(panel: panel, sounds: [], elapsed: { .zero }).run()
    #expect(outcome.isComplete && outcome.violations.isEmpty)
  }
}
