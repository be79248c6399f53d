import Testing

@testable import PanelKit

@Suite("What check notes")
struct NoteTests {
  private func notes(_ input: String) throws -> [String] {
    let text = "panel: P\ninputs: { in: { \(input) } }\ninitial: a\nstates: { a: }\n"
    return try PanelFile.read(Array(text.utf8), file: "test").notes.map { "\($0.line):\($0.column): \($0.text)" }
  }

  @Test("a button that its pull resistor alone presses is noted; a switch is a normally closed contact")
  func pressedForEver() throws {
    #expect(
      try notes("button: GPIO4, active: high") == [
        "2:40: \"in\" is pressed while its contact is open; for a contact that closes when pressed leave \"active\" out"
      ])
    #expect(try notes("button: GPIO4, pull: down, active: low").count == 1)
    #expect(try notes("switch: GPIO4, active: high") == [])
    #expect(try notes("button: GPIO4, pull: down, active: high") == [])
    #expect(try notes("button: GPIO4, pull: none, active: high") == [])
    #expect(try notes("button: GPIO4") == [])
  }

  @Test("a pull-down at the two lines of a Pi's header that have pull-ups is noted", arguments: ["GPIO2", "GPIO3"])
  func fixedPullUps(line: String) throws {
    let text =
      "\(line) of a Raspberry Pi's header has a pull-up resistor of 1.8 kΩ, which pull: down can't overcome; use another line"
    #expect(try notes("button: \(line), pull: down") == ["2:38: \(text)"])
    #expect(try notes("switch: \(line), pull: down") == ["2:38: \(text)"])
    #expect(try notes("encoder: [GPIO4, \(line)], pull: down") == ["2:48: \(text)"])
    #expect(try notes("button: \(line)") == [])
    #expect(try notes("button: GPIO4, pull: down") == [])
  }

  @Test("a later transition that an earlier one covers, a state that can't be current, and a tone without an end")
  func covered() throws {
    let text = """
      panel: P
      inputs: { b: { button: GPIO1 } }
      sounds: { hum: { tone: 90Hz } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      on: { hum.finished: { set: { n: 0 } } }
      initial: x
      states:
        x:
          on:
            b.pressed:
              - { go: z, if: n > 3 }
              - { go: y, if: n >= 5 }
              - { go: y, if: n < 5 }
          initial: x1
          states:
            x1: { on: { b.released: { go: x2, if: state == y } } }
            x2: { on: { b.released: { go: x1, if: state == x } } }
        y: { on: { b.pressed: { go: x, if: state == z or state == y } } }
        z: {}

      """
    let notes = try PanelFile.read(Array(text.utf8), file: "test").notes.map { "\($0.line):\($0.column): \($0.text)" }
    #expect(
      notes == [
        "5:7: a tone ends with its state and tells nothing; give it for: 80ms",
        "12:11: never reached; line 11 holds whenever this does",
        "16:54: never holds: state is x or x1 here, not y",
        "18:47: never holds: state is y here, not z",
      ])
  }

  @Test("an event of the top level that a region reacts to as well")
  func topLevel() throws {
    let text = """
      panel: P
      inputs: { b: { button: GPIO1 }, c: { button: GPIO2 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      on: { b.pressed: { set: { n: +1 } }, c.pressed: shut }
      regions:
        doors: { initial: open, states: { open: { on: { b.pressed: shut } }, shut: { on: { c.pressed: open } } } }
        lights: { initial: off, states: { off: {} } }

      """
    let notes = try PanelFile.read(Array(text.utf8), file: "test").notes.map { "\($0.line):\($0.column): \($0.text)" }
    #expect(
      notes == [
        "4:7: since 0.1 the top level reacts too, for region lights; to prevent it write if: state.doors != open"
      ])
  }
}
