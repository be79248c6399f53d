import Testing

@testable import PanelKit

@Suite("A note of a proof")
struct ProofNoteTests {
  private static func panel(_ condition: String, then: String = "go: b") -> String {
    """
    panel: N
    inputs: { key: { button: GPIO17 }, other: { button: GPIO27 } }
    outputs: { lamp: { led: GPIO23 } }
    values: { n: { initial: 3, min: 0, max: 9 } }
    never: { both: lamp == on and state == a }
    initial: a
    states:
      a: { on: { key.pressed | other.pressed: { if: \(condition), \(then) } } }
      b: { show: { lamp: on }, after: { 1s: a } }

    """
  }

  @Test("is told once where one transition has several events")
  func duplicate() {
    let notes = prove(Self.panel("n > 0")).lines.filter { $0.contains(" true: ") }
    #expect(notes.count == 1)
    #expect(notes.first?.contains("8:49: always true: n > 0") == true, "\(notes)")
  }

  @Test("is told only if it is so of all its events")
  func mixed() {
    // The key's press makes itself pressed, and the other's doesn't.
    let lines = prove(Self.panel("key == pressed")).lines
    #expect(lines.filter { $0.contains(" true: ") } == [], "\(lines)")
  }

  private func deadEnds(_ states: String) -> [String] {
    prove(
      """
      panel: N
      inputs: { key: { button: GPIO17 }, other: { switch: GPIO27 } }
      initial: a
      states: \(states)

      """
    ).lines.filter { $0.contains("no transition leaves it") }
  }

  @Test("that no transition leaves a state is for panels that otherwise go on, not for one that ends")
  func end() {
    // The switch still moves in the last state, but that is no transition.
    #expect(deadEnds("{ a: { on: { key.pressed: { go: b, if: other == on } } }, b: {} }") == [])
    #expect(deadEnds("{ a: { on: { key.pressed: b } }, b: {} }") == [])
    #expect(
      deadEnds("{ a: { on: { key.pressed: b, other.on: c } }, b: {}, c: { on: { other.off: a } } }")
        == ["  note        b: no transition leaves it"])
  }
}
