import Testing

@testable import PanelKit

@Suite("Debounce times of a switch for each position")
struct DebounceDirectionTests {
  private static let text = """
    panel: Rain
    inputs:
      rain: { switch: GPIO17, debounce: { on: 3s, off: 30m } }
      air: { sensor: { file: /x }, min: 0, max: 50 }
      hot: { switch: { on: air > 30, off: air < 25 }, debounce: { on: 5m, off: 0s } }
    outputs: { lamp: { led: GPIO23 }, fan: { led: GPIO24 } }
    initial: a
    states:
      a:
        show: { lamp: { when: { rain == on: on } }, fan: { when: { hot == on: on } } }

    """

  @Test("a contact counts after the time of its position, and is known at the start")
  func contact() throws {
    let stage = try Stage(panel: Self.text)
    #expect(
      try stage.take(
        "expect rain=off; switch rain=on; wait 2990ms; expect rain=off; wait 20ms; expect rain=on lamp=on;"
          + "switch rain=off; wait 20m; expect rain=on; switch rain=on; wait 10ms; switch rain=off;"
          + "wait 1799s; expect rain=on; wait 2s; expect rain=off lamp=off"
      ) == [])
  }

  @Test("a computed switch does, too; zero counts immediately")
  func computed() throws {
    let stage = try Stage(panel: Self.text)
    #expect(
      try stage.take(
        "sense air=20; wait 10ms; expect hot=off; sense air=35; wait 299s; expect hot=off; wait 2s; expect hot=on fan=on;"
          + "sense air=20; expect hot=off fan=off; sense air=35; wait 4m; sense air=20; sense air=35; wait 61s; expect hot=off;"
          + "wait 4m; expect hot=on"
      ) == [])
  }

  @Test("a proof knows both times: off before on is impossible within the time of off")
  func proof() throws {
    func verdict(_ off: String) -> Bool {
      prove(
        """
        panel: P
        inputs: { s: { switch: { on: n > 5, off: n < 3 }, debounce: { on: 1s, off: \(off) } }, n: { sensor: { file: /x }, min: 0, max: 9 } }
        outputs: { lamp: { led: GPIO23 } }
        never: { early: state == b and s == off }
        initial: x
        states:
          x: { on: { s.on: b } }
          b: { show: { lamp: on }, after: { 10s: x } }

        """
      ).lines.contains { $0.contains("proved") && $0.contains("early") }
    }
    #expect(verdict("11s"))
    #expect(!verdict("9s"))
  }

  @Test("both times are needed in a map, and each has its range")
  func wrong() {
    func problems(_ debounce: String) -> [String] {
      Fixture.problems(
        ofPanel: """
          panel: T
          inputs: { s: { switch: GPIO5, debounce: \(debounce) } }
          initial: x
          states: { x: }

          """)
    }
    #expect(problems("{ on: 1s }") == [#"2:31: missing key "off" of debounce; it takes a duration: 30m"#])
    #expect(problems("{ on: 1s, off: 2h }") == [#"2:56: "off" is 2h; it takes 0s...1h"#])
    #expect(problems("2h") == [#"2:41: "debounce" is 2h; it takes 0s...1h"#])
    #expect(problems("{ on: 1s, off: 30m }") == [])
  }
}
