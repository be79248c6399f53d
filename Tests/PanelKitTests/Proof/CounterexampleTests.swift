import Testing

@testable import PanelKit

@Suite("The counterexample of a proof")
struct CounterexampleTests {
  @Test(
    "of a keypad, whose scans see a key later than a contact would be seen, it waits for that: as first or second input",
    arguments: ["", "first: { switch: GPIO1 }\n  "])
  func keypad(before: String) throws {
    let text = """
      panel: P
      inputs:
        \(before)pad: { keypad: { rows: [GPIO5], columns: [GPIO12, GPIO16] } }
      never: { b: state == bad }
      initial: x
      states: { x: { on: { pad(1).pressed: bad } }, bad: {} }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let outcome = Proof(panel: panel, sounds: [], elapsed: { .zero }).run()
    let way = try #require(outcome.violations.first)
    let counterexample = Counterexample(panel: panel, file: "p", model: outcome.search.model, way: way)
    #expect(counterexample.failingScenario() != nil)
  }

  @Test("of several that are as short and as early the first one of the file is shown")
  func first() throws {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, b: { button: GPIO6 }, c: { button: GPIO7 } }
      never: { b: state == bad }
      initial: x
      states: { x: { on: { c.pressed: bad, b.pressed: bad, a.pressed: bad } }, bad: {} }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    let way = try #require(Proof(panel: panel, sounds: [], elapsed: { .zero }).run().violations.first)
    #expect(way.trace.events.compactMap(\.hand).map(\.input) == [0])
  }
}
