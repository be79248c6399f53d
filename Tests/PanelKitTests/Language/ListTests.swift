import Testing

@testable import PanelKit

@Suite("Lists")
struct ListTests {
  private static let lock = """
    panel: Lock
    inputs: { pad: { buttons: [GPIO1, GPIO2, GPIO3, GPIO4] }, clear: { button: GPIO5 }, swap: { button: GPIO6 } }
    outputs: { dots: { bar: [GPIO10, GPIO11, GPIO12, GPIO13] } }
    values:
      code: { list: 4, min: 1, max: 4 }
      last: { list: 2, min: 1, max: 3 }
      n: { initial: 0, min: 0, max: 9 }
    show: { dots: code.count }
    on:
      pad.pressed: { set: { code: append pad } }
      clear.pressed: { set: { code: [] } }
      swap.pressed: { set: { last: code, n: code(2) * 2 + code(n + 4) } }
    initial: shut
    states:
      shut: { when: { code == '31': open } }
      open: { enter: { set: { code: [4, 4] } }, when: { last == code: same } }
      same: {}

    """

  @Test("an element is added at the end, a full list stays, and a list is as long as it has elements")
  func append() throws {
    let stage = try Stage(panel: Self.lock)
    #expect(try stage.take("click pad(1); click pad(4); click pad(2); expect dots=3 state=shut") == [])
    #expect(stage.list("code") == [1, 4, 2])
    #expect(try stage.take("click pad(2); click pad(3); expect dots=4") == [])
    #expect(stage.list("code") == [1, 4, 2, 2])
    #expect(try stage.take("click clear; expect dots=0") == [])
    #expect(stage.list("code") == [])
  }

  @Test("a list that is called append is copied like any other")
  func listCalledAppend() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { a: { button: GPIO1 }, b: { button: GPIO2 } }
        values: { append: { list: 2, min: 1, max: 3 }, code: { list: 2, min: 1, max: 3 } }
        on: { a.pressed: { set: { append: append 3 } }, b.pressed: { set: { code: append } } }
        initial: x
        states: { x: {} }

        """)
    #expect(try stage.take("click a; click a; click b; expect code=[3,3]") == [])
  }

  @Test("digits are compared with the elements, and a list is set whole")
  func comparison() throws {
    let stage = try Stage(panel: Self.lock)
    #expect(try stage.take("click pad(3); expect state=shut; click pad(1); expect state=open dots=2") == [])
    #expect(stage.list("code") == [4, 4])
  }

  @Test("a list that is set to another takes what its length and its range allow; an element that isn't there is 0")
  func copy() throws {
    let stage = try Stage(panel: Self.lock)
    #expect(try stage.take("click pad(2); click pad(4); click pad(1); click swap; expect n=8") == [])
    #expect(stage.list("last") == [2, 3])
  }

  @Test("right sides are read before any list is set")
  func exchange() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { b: { button: GPIO1 } }
        values: { a: { list: 3, min: 0, max: 9 }, c: { list: 3, min: 0, max: 9 } }
        on: { b.pressed: { set: { a: c, c: a } } }
        initial: x
        states: { x: { enter: { set: { a: [1, 2], c: [7] } } } }
        """)
    try stage.take("click b")
    #expect(stage.list("a") == [7])
    #expect(stage.list("c") == [1, 2])
  }

  @Test(
    "what a list can't be is told at its place",
    arguments: [
      ("if: q > '12'", "8:11: lists can't be ordered; compare \"q\" with == or !=, or q.count"),
      ("if: q == 3", "8:16: a list can only be compared with a list; write q == '12', or q.count == 2"),
      ("if: q == '111'", "8:16: '111' has 3 elements; \"q\" has at most 2"),
      ("if: q + 1 == 2", "8:11: \"q\" is a list; write q.count for its length, or q(1) for an element"),
      ("if: q", "8:11: \"q\" alone is not a condition; write q.count == 0"),
      ("if: q(0) == 1", "8:13: 0 is not the number of an element of \"q\"; write 1...2"),
      ("if: q(1 == 1", "8:18: a comparison is not a number; write \"and\" or \"or\" between comparisons"),
      ("if: q.count > 2", nil),
      ("if: q.count == 0 or 0 < q.count", nil),
      ("if: q.count == 3", "8:22: 3 is outside the range of \"q.count\"; write 0...2"),
      ("set: { q: 3 }", "8:17: \"q\" is a list; write append 1, [ ], or [ 1 ]"),
      ("set: { q: append 3 }", "8:24: 3 is outside the range of \"q\"; write 1...2"),
      ("set: { q: [1, 5] }", "8:21: \"5\" is not an element of \"q\"; write 1...2"),
      ("set: { q: [1, 1, 1] }", "8:17: the list has 3 elements; \"q\" has at most 2"),
      ("set: { n: [1] }", "8:17: \"n\" is set to a list; write a number: 3, or +1 or -1 to change it"),
      ("set: { n: q }", "8:17: \"q\" is a list; write q.count for its length, or q(1) for an element"),
    ])
  func wrong(transition: String, message: String?) {
    let text = """
      panel: P
      inputs: { b: { button: GPIO1 } }
      values: { q: { list: 2, min: 1, max: 2 }, n: { initial: 0, min: 0, max: 9 } }
      initial: x
      states:
        x:
          on: { b.pressed: [ {
            \(transition),
            go: y } ] }
        y: {}

      """
    #expect(Fixture.problems(ofPanel: text) == (message.map { [$0] } ?? []))
  }
}
