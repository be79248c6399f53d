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
      ("q(n / 2): 0.5", #"0.5 has decimals and "q" has none; write 0, or give "q" decimals: 1"#),
      ("q(w): 1", #""w" is not a whole number; write the number of an element, from 1"#),
      ("q(n: 1", #""(" is not closed; write )"#), ("q: 1", #""q" has 2 elements; write q(1) or q(2)"#),
      ("q: append 1", #""q" has 2 elements; write q(1) or q(2)"#), ("q: [ 1 ]", #"the list has 1 element; "q" has 2"#),
      ("q(1): [ 1 ]", #""q(1)" is set to a list; write a number: 3, or +1 or -1 to change it"#),
      ("q: p", #""q" has 2 elements; write q(1) or q(2)"#),
      ("q(1): 5s", #"5s is a duration and "q" a number; "q" can't be set to it"#),
      ("d(1): 3", #"3 has no unit; "d" is a duration, write 3ms, 3s or 3m"#),
      ("d(2): 2h", #"2h is outside the range of "d"; write 0s...1h"#),
      ("d: [ 1m, 90 ]", #""90" is not an element of "d"; write 0s...1h"#),
      ("q: f", #""f" has numbers with 1 decimal and "q" has numbers with 0 decimals; give both the same"#),
      ("f: [ 1.25, 2 ]", #""1.25" is not an element of "f"; write -4.5...9"#),
      ("f(2): 0.25", #"0.25 has more decimals than "f"; write at most 1, as 0.2"#),
      ("p(1): 1", #""p" is empty at first and its elements are appended; to set them by number give it filled: 0"#),
    ])
  func faults(set: String, expected: String) {
    let text = """
      panel: T
      inputs: { a: { button: GPIO5 } }
      values: { q: { list: 2, filled: 0, min: 0, max: 1 }, p: { list: 2, min: 0, max: 1 }, d: { list: 2, filled: 1m, min: 0s, max: 1h }, f: { list: 2, filled: [ -4.5, 9 ], min: -4.5, max: 9, decimals: 1 }, n: { initial: 2, min: 0, max: 4 }, w: { initial: 1.5, min: 0, max: 9, decimals: 1 } }
      initial: x
      states: { x: { on: { a.pressed: { set: { "\(set)": } } } } }

      """.replacing("\"\(set)\":", with: set)
    let problems = Fixture.problems(ofPanel: text)
    #expect(problems.count == 1 && problems[0].hasSuffix(": " + expected), "\(problems)")
  }

  @Test(
    "wrong elements at the start are errors",
    arguments: [
      ("list: 2, filled: 3, min: 0, max: 1", #"2:33: filled 3 of "q" is out of its range; write 0...1"#),
      ("list: 2, filled: [1, 3], min: 0, max: 1", #"2:33: filled 3 of "q" is out of its range; write 0...1"#),
      (
        "list: 2, filled: [1], min: 0, max: 1",
        #"2:33: "filled" has 1 element; "q" has 2, write all of them or one number"#
      ),
      (
        "list: 2, filled: [1, 0.5], min: 0, max: 1",
        #"2:37: 0.5 has decimals and "q" has none; write 0, or give "q" decimals: 1"#
      ),
      (
        "list: 2, filled: 1, min: 0s, max: 1m",
        #"2:33: 1 has no unit; write 1ms, 1s or 1m"#
      ),
      (
        "list: 2, min: 0s, max: 1m, decimals: 1",
        #"2:43: "q" is a duration, which has no decimals; leave it out"#
      ),
    ])
  func filled(list: String, expected: String) {
    let text = """
      panel: T
      values: { q: { \(list) } }
      initial: x
      states: { x: {} }

      """
    #expect(Fixture.problems(ofPanel: text) == [expected])
  }

  private static let measures = """
    panel: P
    inputs: { up: { button: GPIO5 }, next: { button: GPIO6 }, all: { button: GPIO7 } }
    outputs: { screen: { display: { i2c: 0x27 } }, lamp: { led: GPIO23 } }
    values:
      goals: { list: 3, filled: [ 52.5, 63, 72 ], min: 20, max: 78, decimals: 1, keep: true }
      times: { list: 3, filled: [ 10m, 45m, 90s ], min: 0s, max: 90m }
      rest: { initial: 1, min: 0, max: 4 }
      goal: { initial: 20, min: 20, max: 78, decimals: 1 }
      left: { initial: 0s, min: 0s, max: 90m }
    show: { screen: [ "{goals(rest):.1} {times(rest)}", "{goals}" ], lamp: { when: { goals(rest) > 63.5: on } } }
    on:
      up.pressed: { set: { goals(rest): +0.5, times(rest): -30s } }
      next.pressed: { set: { rest: +1 } }
      all.pressed: { set: { goals: [ 40, 50.5, 60 ], times: [ 1m, 2m, 3m ], goal: goals(2), left: times(2) * 2 } }
    initial: x
    states: { x: }

    """

  @Test("elements have decimals, or are durations, with different ones at the start")
  func measures() throws {
    let stage = try Stage(panel: Self.measures)
    #expect(
      try stage.take(
        #"wait 200ms; expect goals=[52.5,63,72] times=[10m,45m,90s] screen="52.5 10:00 / 52.5 63 72" lamp=off"#) == []
    )
    #expect(try stage.take("click up; expect goals=[53,63,72] times=[570s,45m,90s]; click next; click next") == [])
    #expect(try stage.take("click up; expect goals=[53,63,72.5] times=[570s,45m,1m] lamp=on") == [])
    #expect(try stage.take("click all; expect goals=[40,50.5,60] goal=63 left=90m") == [])
    #expect(try stage.take("click up; restart after=stop; expect goals=[40,50.5,60.5] times=[10m,45m,90s]") == [])
    #expect(try stage.take("expect goals=[40,50.5,60]") == ["expected goals [40, 50.5, 60]; it is [40, 50.5, 60.5]"])
  }

  @Test("an element that the list does not have reads as 0, and nothing sets it")
  func measuresOutside() throws {
    let stage = try Stage(panel: Self.measures.replacing("rest: { initial: 1,", with: "rest: { initial: 4,"))
    #expect(try stage.take(#"wait 200ms; expect screen="0.0 0.0s / 52.5 63 72" lamp=off; click up"#) == [])
    #expect(try stage.take("expect goals=[52.5,63,72] times=[10m,45m,90s]") == [])
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
