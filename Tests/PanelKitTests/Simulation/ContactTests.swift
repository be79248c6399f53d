import Testing

@testable import PanelKit

@Suite("Contacts of every wiring in a simulated panel")
struct ContactTests {
  @Test(
    "a switch and a button are off and on as the steps say",
    arguments: [
      "pull: up, active: low", "pull: up, active: high", "pull: down, active: low", "pull: down, active: high",
      "pull: none, active: low", "pull: none, active: high",
    ])
  func wiring(contact: String) throws {
    let stage = try Stage(
      panel: """
        panel: T
        inputs: { stop: { switch: GPIO4, \(contact) }, key: { button: GPIO5, \(contact) } }
        outputs: { motor: { relay: GPIO9 }, lamp: { led: GPIO10 } }
        regions:
          a: { initial: run, states: { run: { show: { motor: on }, on: { stop.on: halt } }, halt: { on: { stop.off: run } } } }
          b: { initial: up, states: { up: { on: { key.pressed: down } }, down: { show: { lamp: on }, on: { key.released: up } } } }
        """)
    let failures = try stage.take(
      """
      wait 100ms; expect motor=on lamp=off; switch stop=on; wait 100ms; expect motor=off; switch stop=off; wait 100ms;
      expect motor=on; press key; wait 100ms; expect lamp=on; release key; wait 100ms; expect lamp=off
      """)
    #expect(failures == [])
  }

  @Test("a knob turns with every pull resistor", arguments: ["up", "down", "none"])
  func knob(pull: String) throws {
    let stage = try Stage(
      panel: """
        panel: T
        inputs: { knob: { encoder: [GPIO4, GPIO5], pull: \(pull) } }
        values: { n: { initial: 5, min: 0, max: 10 } }
        initial: a
        states: { a: { on: { knob.clockwise: { set: { n: +1 } }, knob.counterclockwise: { set: { n: -1 } } } } }
        """)
    #expect(try stage.take("turn knob=3; expect n=8; turn knob=-5; expect n=3") == [])
  }
}
