import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelProof

@Suite("Elements of lists")
struct ListElementTests {
  private static let text = """
    panel: P
    inputs: { up: { button: GPIO5 }, next: { button: GPIO6 }, all: { button: GPIO7 } }
    outputs: { lamp: { led: GPIO23 } }
    values:
      minutes: { list: 3, filled: 10, min: 1, max: 12 }
      zone: { initial: 1, min: 0, max: 9 }
      step: { initial: 0, min: 0, max: 99 }
      left: { initial: 0s, min: 0s, max: 60m }
    on:
      up.pressed: { set: { minutes(zone): +1, step: 60 / minutes(1) } }
      next.pressed: { set: { zone: +1, minutes(zone): minutes(zone) - 8 } }
      all.pressed: { set: { minutes: [ 1, 2, 3 ], minutes(2): 7, left: minutes(3) * 1m } }
    initial: x
    states: { x: { when: { minutes == '33' : y } }, y: }

    """.replacing("when: { minutes == '33' : y }", with: "when: { minutes(2) == 12: y }")

  @Test("all elements are there from the start; one is set by its number, within its range")
  func set() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("expect minutes=[10,10,10]; click up; expect minutes=[11,10,10] step=6") == [])
    #expect(try stage.take("click up; click up; expect minutes=[12,10,10]") == [])
    #expect(try stage.take("click next; expect minutes=[4,10,10] zone=2; click next; expect minutes=[4,2,10]") == [])
  }

  @Test("an index that the list does not have sets nothing")
  func outside() throws {
    let stage = try Stage(panel: Self.text)
    try stage.take("click next; click next; click next; expect zone=4")
    #expect(try stage.take("expect minutes=[2,2,2]; click up; expect minutes=[2,2,2] step=30") == [])
  }

  @Test("the right sides see the numbers from before; the list is set first")
  func several() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("click all; expect minutes=[1,7,3] left=10m") == [])
  }

  @Test("a when follows an element")
  func followed() throws {
    let stage = try Stage(panel: Self.text)
    #expect(try stage.take("click next; click up; click up; expect state=y minutes=[2,12,10]") == [])
  }

  @Test(
    "what is wrong with them is an error",
    arguments: [
      ("q(3): 1", #"3 is not the number of an element of "q"; write 1...2"#),
      ("q(0): 1", #"0 is not the number of an element of "q"; write 1...2"#),
      ("q(1): 2", #"2 is outside the range of "q"; write 0...1"#),
      ("q(n / 2): 0.5", #"0.5 has decimals and "q" has none; write 0"#),
      ("q(w): 1", #""w" is not a whole number; write the number of an element, from 1"#),
      ("q(n: 1", #""(" is not closed; write )"#), ("q: 1", #""q" has 2 elements; write q(1) or q(2)"#),
      ("q: append 1", #""q" has 2 elements; write q(1) or q(2)"#), ("q: [ 1 ]", #"the list has 1 element; "q" has 2"#),
      ("q(1): [ 1 ]", #""q(1)" is set to a list; write a number: 3, or +1 or -1 to change it"#),
      ("q: p", #""q" has 2 elements; write q(1) or q(2)"#),
      ("p(1): 1", #""p" is empty at first and its elements are appended; to set them by number give it filled: 0"#),
    ])
  func faults(set: String, expected: String) {
    let text = """
      panel: T
      inputs: { a: { button: GPIO5 } }
      values: { q: { list: 2, filled: 0, min: 0, max: 1 }, p: { list: 2, min: 0, max: 1 }, n: { initial: 2, min: 0, max: 4 }, w: { initial: 1.5, min: 0, max: 9, decimals: 1 } }
      initial: x
      states: { x: { on: { a.pressed: { set: { "\(set)": } } } } }

      """.replacing("\"\(set)\":", with: set)
    let problems = Fixture.problems(ofPanel: text)
    #expect(problems.count == 1 && problems[0].hasSuffix(": " + expected), "\(problems)")
  }

  @Test("a number of `filled` outside the range is an error")
  func filled() {
    let text = """
      panel: T
      values: { q: { list: 2, filled: 3, min: 0, max: 1 } }
      initial: x
      states: { x: {} }

      """
    #expect(Fixture.problems(ofPanel: text) == [#"2:33: filled 3 of "q" is out of its range; write 0...1"#])
  }

  @Test("a proof follows each element")
  func proved() throws {
    func violations(_ limit: Int) throws -> Int {
      let text = """
        panel: P
        inputs: { a: { button: GPIO5 }, b: { button: GPIO6 } }
        values: { q: { list: 2, filled: 0, min: 0, max: 2 }, n: { initial: 1, min: 0, max: 3 } }
        never: { full: q(1) + q(2) > \(limit) }
        initial: x
        states: { x: { on: { a.pressed: { set: { q(n): +1 } }, b.pressed: { set: { n: 3 - n } } } } }

        """
      let search = Search(
        ProofModel(PropertySlice(whole: try PanelFile.read(Array(text.utf8), file: "p")), sounds: []),
        within: Search.Bounds(),
        hasTimeLeft: { true })
      search.run()
      return search.isComplete || !search.marks.violations.isEmpty ? search.marks.violations.count : -1
    }
    #expect(try violations(3) == 1)
    #expect(try violations(4) == 0)
  }
}
