import Testing

@Suite("States that lead to each other for ever")
struct CircleTests {
  private func problems(_ states: String, _ other: String = "") -> [String] {
    Fixture.problems(
      ofPanel: """
        panel: T
        inputs: { a: { button: GPIO5 }, s: { switch: GPIO6 } }
        values: { n: { initial: 0, min: 0, max: 9 }, t: { initial: 0s, min: 0s, max: 9s } }
        initial: x
        \(other)
        states:
        \(states)
        """)
  }

  @Test(
    "at one moment by deadlines are refused where it is sure",
    arguments: [
      ("  x: { after: { 0s: y } }\n  y: { after: { 0s: x } }", true),
      ("  x: { after: { 0s: x } }", true),
      ("  x: { after: { 0s: { go: y, if: n >= 0 } } }\n  y: { after: { 0s: { go: x, if: n <= 9 or s == on } } }", true),
      ("  x: { after: { 5s: x, 0s: y } }\n  y: { after: { 0s: x } }", true),
      ("  x: { initial: i, after: { 0s: y }, states: { i: {} } }\n  y: { after: { 0s: x } }", true),
      // The first of a list has a condition.
      ("  x: { after: { 0s: [ { go: z, if: n == 5 }, y ] } }\n  y: { after: { 0s: x } }\n  z: {}", false),
      ("  x: { after: { 0s: { go: y, if: n < 9 } } }\n  y: { after: { 0s: x } }", false),
      // A time that is 0 only at first, and one that may be over before.
      ("  x: { after: { t: y } }\n  y: { after: { 0s: x } }", false),
      ("  x: { after: { t: z, 0s: y } }\n  y: { after: { 0s: x } }\n  z: {}", false),
      // Something else leads out.
      ("  x: { after: { 0s: y } }\n  y: { after: { 0s: x }, when: { s == on: z } }\n  z: {}", false),
      (
        "  x: { after: { 0s: y } }\n  y: { initial: i, after: { 0s: x }, states: { i: { when: { s == on: z } } } }\n  z: {}",
        false
      ),
    ])
  func deadlines(states: String, isSure: Bool) {
    #expect(problems(states).contains { $0.contains("endless loop of \"after: 0s\"") } == isSure)
    #expect(isSure || problems(states) == [])
  }

  @Test("a keypad's number is what its keys are called, and one less than the least before the first event")
  func numbersOfKeys() {
    func problems(_ low: String, _ high: String) -> [String] {
      Fixture.problems(
        ofPanel: """
          panel: T
          inputs: { pad: { keypad: { rows: [GPIO5, GPIO6], columns: [GPIO12, GPIO13] }, numbers: [0, 10, 20, 30] } }
          initial: x
          states: { x: { when: { \(low): y } }, y: { when: { \(high): x } } }

          """)
    }
    #expect(problems("pad <= 4", "pad > 4") == [])
    #expect(problems("pad >= 0", "pad < 0") == [])
    #expect(problems("pad <= 4", "pad <= 30 and pad >= 0") == [])
    #expect(problems("pad <= 30", "pad >= -1").count == 1)
  }

  @Test("by deadlines inside a state that has none itself, and one that a region beside it or a never can end")
  func inside() {
    let circle = "initial: i, states: { i: { after: { 0s: j } }, j: { after: { 0s: i } } }"
    #expect(problems("  x: { \(circle) }").count == 1)
    #expect(problems("  x: { after: { 0s: y }, \(circle) }\n  y: {}") == [])
    #expect(problems("  x: { when: { s == on: y }, \(circle) }\n  y: {}") == [])
    let beside = "r: { initial: k, states: { k: { after: { 0s: y } } } }"
    #expect(problems("  x: { regions: { q: { \(circle) }, \(beside) } }\n  y: {}") == [])
    let two = "  x: { after: { 0s: y } }\n  y: { after: { 0s: x } }\n  z: {}"
    #expect(problems(two, "never: { out: { if: n == 5, go: z } }") == [])
  }

  @Test(
    "by when are refused where it is sure",
    arguments: [
      ("  x: { when: { n >= 0: y } }\n  y: { when: { n <= 9: x } }", true),
      ("  x: { when: { n + 1 > 0: y } }\n  y: { when: { state == y: x } }", true),
      ("  x: { when: { n >= 0 and t >= 0s: y } }\n  y: { when: { not (n > 9): { go: x, if: n >= 0 } } }", true),
      ("  x: { initial: i, states: { i: { when: { n >= 0: j } }, j: { when: { n >= 0: i } } } }", true),
      ("  x: { when: { n > 0: y } }\n  y: { when: { n <= 9: x } }", false),
      ("  x: { when: { n >= 0: { go: y, if: n == 3 } } }\n  y: { when: { n <= 9: x } }", false),
      ("  x: { when: { s == on: z, n >= 0: y } }\n  y: { when: { n <= 9: x } }\n  z: {}", false),
      // To a state around it that is current already.
      ("  x: { initial: i, states: { i: { when: { n >= 0: x } } } }", false),
      // An inner state is asked first.
      (
        "  x: { when: { n >= 0: y }, initial: i, states: { i: { when: { s == on: z } } } }\n  y: { when: { n >= 0: x } }\n  z: {}",
        false
      ),
      // The divisor is kept from being 0 by what comes before it.
      ("  x: { when: { n > 0 and 9 mod n >= 0: y } }\n  y: { when: { n >= 0: x } }", false),
    ])
  func whens(states: String, isSure: Bool) {
    #expect(problems(states).contains { $0.contains("endless loop of \"when\"") } == isSure)
    #expect(isSure || problems(states) == [])
  }

  @Test("the message of when")
  func message() {
    #expect(
      problems("  x: { when: { n >= 0: y } }\n  y: { when: { n <= 9: x } }") == [
        #"7:3: endless loop of "when": x, y; these conditions are always true, change one"#
      ])
  }
}
