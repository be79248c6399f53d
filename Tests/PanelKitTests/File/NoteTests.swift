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
}
