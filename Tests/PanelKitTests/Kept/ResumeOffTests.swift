import Testing

@testable import PanelLanguage

@Suite("Resume off: a state that begins again waits for an event that is over")
struct ResumeOffTests {
  private static let wallSwitch = """
    panel: Wall switch
    inputs: { sw: { switch: GPIO5 } }
    outputs: { lamp: { led: GPIO24 } }
    initial: dark
    resume: [ lit ]
    states:
      dark: { on: { sw.on: lit } }
      lit: { show: { lamp: on }, on: { sw.off: dark } }

    """

  private func notes(_ text: String) throws -> [String] {
    try PanelFile.read(Array(text.utf8), file: "test").notes.map { "\($0.line):\($0.column): \($0.text)" }
  }

  @Test("a switch that is turned off while the power is away leaves the lamp lit, and check notes it")
  func noted() throws {
    #expect(
      try notes(Self.wallSwitch) == [
        #"8:36: after a power cut "lit" begins again, and "sw" may be off already: sw.off does not occur then; write when: { sw == off: dark }"#
      ])
    let stage = try Stage(panel: Self.wallSwitch)
    #expect(
      try stage.take("switch sw=on; wait 5s; switch sw=off; wait 1ms; power-cut 5s; wait 1s; expect sw=off state=lit")
        == [])
  }

  @Test("with the remedy the lamp is dark, and nothing is noted")
  func remedy() throws {
    let text = Self.wallSwitch.replacing("on: { sw.off: dark }", with: "when: { sw == off: dark }")
    #expect(try notes(text) == [])
    let stage = try Stage(panel: text)
    #expect(
      try stage.take(
        "switch sw=on; wait 5s; expect lamp=on; switch sw=off; wait 1ms; power-cut 5s; wait 1s; expect lamp=off") == [])
  }

  @Test("a press is no position that lasts; a release and a sensor are, and so is what is inside the state")
  func kinds() throws {
    func count(_ state: String, inputs: String = "") throws -> [String] {
      try notes(
        """
        panel: P
        inputs:
          a: { button: GPIO5 }
          door: { switch: GPIO6, words: { on: shut, off: open }\(inputs) }
          air: { sensor: { w1: any }, min: 0, max: 9 }
        outputs: { l: { led: GPIO24 } }
        initial: x
        resume: [ y ]
        states:
          x: { on: { a.pressed: y, door.open: y } }
          y: { show: { l: on }, \(state) }

        """
      ).map { String($0.split(separator: ":")[2].dropFirst()) }
    }
    let begins = "after a power cut \"y\" begins again, and"
    #expect(try count("on: { a.pressed: x }") == [])
    #expect(try count("on: { a.released: x }") == ["\(begins) \"a\" may be released already"])
    #expect(try count("on: { door.open: x }") == ["\(begins) \"door\" may be open already"])
    #expect(try count("on: { a.pressed: x, door.open: { set: { } } }") == [])
    #expect(try count("on: { door.open: x }", inputs: ", report-start: true") == [])
    #expect(try count("on: { door.open: x }, when: { door == open and a == pressed: x }") == [])
    #expect(try count("on: { air.lost: x }") == ["\(begins) \"air\" may be lost already"])
    #expect(try count("on: { gpio.lost: x }") == [])
    #expect(
      try count("on: { a.pressed: x }, initial: z, states: { z: { on: { door.open: x } } }")
        == ["\(begins) \"door\" may be open already"])
  }

  @Test("a chip that is missing at the start is an event of a resumed state")
  func missingChip() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { a: { button: GPIO5 } }
        initial: x
        resume: [ y ]
        states:
          x: { on: { a.pressed: y } }
          y: { on: { gpio.lost: z } }
          z: {}
        """)
    let steps = "click a; wait 5s; expect state=y; unplug gpio; power-cut 5s"
    #expect(try stage.take("\(steps); wait 1s; expect state=z") == [])
  }
}
