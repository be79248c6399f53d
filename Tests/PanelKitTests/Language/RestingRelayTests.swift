import Testing

@testable import PanelKit

@Suite("A relay that rests stays open for a time after it has opened")
struct RestingRelayTests {
  private static let text = """
    panel: Freezer
    inputs: { cold: { switch: GPIO5, debounce: 1ms } }
    outputs: { compressor: { relay: GPIO24, rest: 3m }, lamp: { led: GPIO23 } }
    initial: warm
    states:
      warm:
        show: { compressor: on }
        when: { cold == on: cold-enough }
        initial: waits
        states:
          waits: { when: { compressor == closed: runs } }
          runs: { show: { lamp: on } }
      cold-enough: { when: { cold == off: warm } }

    """

  @Test("the first closing needs no rest, each further one does, and its own contact is known")
  func rest() throws {
    let stage = try Stage(panel: Self.text)
    #expect(
      try stage.take(
        "wait 10ms; expect compressor=on lamp=on; switch cold=on; wait 10ms; expect compressor=off;"
          + "switch cold=off; wait 10ms; expect state=warm compressor=off lamp=off;"
          + "wait 179s; expect compressor=off; wait 1s; expect compressor=on lamp=on"
      ) == [])
  }

  @Test("a request during the rest that is withdrawn has no effect, and the rest goes on")
  func withdrawn() throws {
    let stage = try Stage(panel: Self.text)
    #expect(
      try stage.take(
        "wait 10ms; switch cold=on; wait 100s; switch cold=off; wait 10s; switch cold=on; wait 10s;"
          + "switch cold=off; wait 50s; expect compressor=off; wait 11s; expect compressor=on"
      ) == [])
  }

  @Test("each relay of a group rests for itself")
  func group() throws {
    let stage = try Stage(
      panel: """
        panel: Valves
        inputs: { keys: { buttons: [ GPIO5, GPIO6 ] } }
        outputs: { valves: { relays: [ GPIO23, GPIO24 ], rest: 10s } }
        regions:
          way:
            each: 1..2
            initial: shut
            states:
              shut: { on: { keys(each).pressed: wet } }
              wet: { show: { valves(each): on }, on: { keys(each).pressed: shut } }

        """)
    #expect(
      try stage.take(
        "click keys(1); wait 20ms; expect valves(1)=on; click keys(1); wait 20ms; click keys(1); click keys(2); wait 20ms;"
          + "expect valves(1)=off valves(2)=on; wait 10s; expect valves(1)=on valves(2)=on"
      ) == [])
  }

  @Test("a proof follows the rest if a condition checks the contact, and has no row for it")
  func proof() throws {
    let text = Self.text
    func lines(_ condition: String) -> [String] { prove(text + "never: { one: \(condition) }\n").lines }
    let proved = lines("compressor == closed and cold == on and state == warm")
    #expect(proved.contains { $0.contains("proved") && $0.contains("never one") }, "\(proved)")
    #expect(!proved.contains { $0.contains("together") }, "\(proved)")
    let violated = lines("compressor == closed")
    #expect(violated.contains { $0.contains("never one is violated") }, "\(violated)")
  }

  @Test("looks of the top level may check contacts, of relays that rest and of those in an interlock")
  func onTop() throws {
    let stage = try Stage(
      panel: """
        panel: Top
        inputs: { key: { switch: GPIO5 } }
        outputs:
          pump: { relay: GPIO24, rest: 10s }
          up: { relay: GPIO25 }
          down: { relay: GPIO26 }
          lamps: { leds: [ GPIO23, GPIO22 ] }
        interlocks: [ { relays: [ up, down ], pause: 2s } ]
        show:
          lamps(1): { when: { pump == open: on } }
          lamps(2): { when: { up == closed: on } }
        initial: a
        states:
          a: { show: { pump: on, up: on }, on: { key.on: b } }
          b: { show: { down: on }, on: { key.off: a } }

        """)
    #expect(
      try stage.take(
        "wait 10ms; expect lamps(1)=off lamps(2)=on; switch key=on; wait 10ms; expect lamps(1)=on lamps(2)=off;"
          + "wait 3s; switch key=off; wait 2s; expect lamps(2)=off; wait 10ms; expect lamps(1)=on lamps(2)=on;"
          + "wait 10s; expect lamps(1)=off") == [])
  }

  @Test("a group has a contact for each member")
  func groupContact() {
    #expect(
      Fixture.problems(
        ofPanel: """
          panel: T
          outputs: { valves: { relays: [ GPIO6, GPIO7 ], rest: 1s } }
          initial: x
          states: { x: { show: { valves(1): on }, when: { valves == closed: y } }, y: { when: { valves(1) == open: x } } }

          """) == [#"4:49: "valves" has several contacts; write valves(1) == closed"#])
  }

  @Test("rest belongs to a relay outside of interlocks, and ends with the program")
  func wrong() {
    func problems(_ lines: String) -> [String] {
      Fixture.problems(
        ofPanel: """
          panel: T
          outputs: { up: { relay: GPIO6, rest: 1s }, down: { relay: GPIO7 } }
          initial: x
          states: { x: { show: { up: on } } }
          \(lines)

          """)
    }
    #expect(
      problems("interlocks: [ { relays: [ up, down ] } ]").first
        == #"5:27: "up" has rest, which a relay of an interlock can't have; remove rest and write it as the pause"#)
    #expect(
      problems("safe: { up: on }")
        == [#"5:9: "up" is on in "safe", but its rest ends with the program; write off"#])
  }
}
