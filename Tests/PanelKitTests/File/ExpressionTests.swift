import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage

@Suite("Expressions of panel files") struct ExpressionTests {
  /// Names of a panel: values n 0...10, m -5...5, t 0s...9s, white-time 0s...5m; a switch door that is shut or open, a
  /// button a, an encoder knob; states x and y.
  private static var names: Names {
    var names = Names()
    let problems = ProblemList()
    for (index, name) in ["n", "m", "t", "white-time", "not"].enumerated() {
      names.declare(name, .value(index), at: .start, problems)
    }
    names.ranges = [0...10, -5...5, 0...9000, 0...300_000, 0...3]
    names.durations = [2, 3]
    let inputs: [(String, any InputKind)] = [
      ("door", SwitchKind(line: "A", words: .init(on: "shut", off: "open"))), ("a", ButtonKind(line: "B")),
      ("knob", EncoderKind(lines: ["C", "D"])),
    ]
    for (index, input) in inputs.enumerated() { names.declare(input.0, .input(index), at: .start, problems) }
    names.inputDevices = inputs.map(\.1)
    names.define(regions: [(nil, 0)], states: [("", -1), ("x", 0), ("y", 0)])
    return names
  }

  /// A frame in state y with the door shut, and n 7, m -3, t 2.5s, white-time 1m, not 2.
  private static var frame: PanelFrame {
    var frame = PanelFrame(FrameSizes(regions: 1, inputs: 3), values: [7, -3, 2500, 60_000, 2])
    frame[state: 0] = 2
    frame[position: 0] = 1
    return frame
  }

  private func read(_ text: String) -> (condition: Condition?, problems: [String], notes: [String]) {
    let problems = ProblemList()
    let node = YAMLNode(content: .scalar(text), position: .start, textColumn: 1)
    var reader = ExpressionReader(text, of: node, key: "if", names: Self.names, problems: problems)
    let condition = reader?.condition()
    let list = { (problems: [Problem]) in problems.map { "\($0.column): \($0.text)" } }
    return (condition, list(problems.problems(of: "").list), list(problems.notes))
  }

  @Test(
    "each relation holds for just the pairs it names",
    arguments: [
      ("==", [false, true, false]), ("!=", [true, false, true]), ("<", [true, false, false]),
      ("<=", [true, true, false]), (">", [false, false, true]), (">=", [false, true, true]),
    ])
  func relations(sign: String, expected: [Bool]) throws {
    let relation = try #require(Relation(rawValue: sign))
    #expect([2, 3, 4].map { relation.holds($0, 3) } == expected)
  }

  @Test(
    "blanks around signs may be left out, and constants may be negative",
    arguments: ["m>=-3 and state!=x", "  m  >=  -3  and  state  !=  x  ", "m >=-3\nand state!= x"])
  func blanks(text: String) throws {
    let expected = Condition.all([
      .comparison(.value(1), .greaterOrEqual, .constant(-3)), .not(.state(.init(region: 0, state: 1))),
    ])
    #expect(read(text).condition == expected)
    #expect(read(text).problems == [])
  }

  @Test(
    "conditions hold as they are written",
    arguments: [
      ("n == 7", true), ("n != 7", false), ("n > m", true), ("m + 10 == n", true), ("n - 1 == 6", true),
      ("n -1 == 6", true),
      ("2 * n + 1 == 15", true), ("2 * (n + 1) == 16", true), ("-n == -7", true), ("n / 2 == 3", true),
      ("m / 2 == -2", true), ("m mod 2 == 1", true), ("n mod 5 == 2", true), ("min(n, m) == m", true),
      ("max(n, m) == 7", true), ("abs(m) == 3", true), ("n == 1 or n == 7", true),
      ("n == 7 or n == 8 and m == 0", true),
      ("(n == 7 or n == 8) and m == 0", false), ("not n == 7", false), ("not n == 3 and m == -3", true),
      ("not (n == 7 and m == 0)", true), ("t == 2500ms", true), ("t == 2.5s", true), ("t * 2 > 4s", true),
      ("white-time / 2500ms == 24", true), ("white-time / 2 == 30s", true), ("t mod 1s == 500ms", true),
      ("t + 500ms == 3s", true),
      ("door == shut", true), ("door != shut", false), ("door == open", false), ("a == released", true),
      ("a == pressed", false), ("state == y", true), ("state != y", false), ("gpio == there", true),
      ("audio == lost", false),
      ("not == 2", true), ("not not == 2", false), ("3 < n", true),
    ])
  func holds(text: String, expected: Bool) {
    let found = read(text)
    #expect(found.problems == [], "\(text)")
    #expect(found.condition?.holds(in: Self.frame) == expected, "\(text)")
  }

  @Test(
    "what makes no sense is told where it is",
    arguments: [
      ("n == 3 or", #"8: "if" ends after "or"; a comparison must follow: n >= 10"#),
      ("(n == 3 or n == 5", #"1: "(" is not closed; write )"#),
      ("n == 3)", #"7: ")" has no "(" before it; write ( where it starts"#),
      ("door == on", #"9: switch "door" can't be "on"; it is shut or open"#),
      ("door", #"1: "door" alone is not a condition; write door == shut"#),
      ("door > shut", #"1: "door" can't be ordered; compare it with == or !="#),
      ("n-1 == 3", #"1: unknown value "n-1"; to subtract, write spaces around -: n - 1"#),
      ("t > 5", #"5: 5 has no unit; "t" is a duration, write 5ms, 5s or 5m"#),
      ("5 < t", #"1: 5 has no unit; "t" is a duration, write 5ms, 5s or 5m"#),
      ("n + 5s > 3s", #"5: 5s is a duration and "n" a number; they can't be added"#),
      ("n > 3s", #"5: 3s is a duration and "n" a number; they can't be compared"#),
      ("t * t > 3s", #"5: "t" and "t" are durations; they can't be multiplied"#),
      ("10 / n > 3", #"4: "n" can be 0 here; divide by a number that can't be 0"#),
      ("n / 0 == 1", #"3: 0 can be 0 here; divide by a number that can't be 0"#),
      ("n == 11", #"6: 11 is outside the range of "n"; write 0...10"#),
      ("t > 10s", #"5: 10s is outside the range of "t"; write 0s...9s"#),
      ("n == 2.5", #"6: 2.5 has decimals and "n" has none; write 2, or give "n" decimals: 1"#),
      ("n == three", #"6: unknown value "three"; values: n, m, t, white-time, not"#),
      ("n = 3", #"3: "=" is not a comparison; use == != < <= > or >="#),
      ("n >= 3 >= 2", #"8: ">=" is not allowed after a comparison; join comparisons with "and" or "or""#),
      ("n >=", #"3: "if" ends after ">="; a constant must follow: level >= 10"#),
      ("n", #"1: "if" ends after "n"; compare it with a constant: level >= 10"#),
      ("n == 3 and", #"8: "if" ends after "and"; a comparison must follow: n >= 10"#),
      ("state < x", "1: states can't be ordered; compare them with == or !="),
      ("state == z", #"10: unknown state "z"; states: x, y"#),
      ("gpio == gone", #"9: "gpio" can't be "gone"; it is lost or there"#),
      ("knob == 3", #"1: encoder "knob" has no position; count its turns in a value"#),
      ("door + 1 == 2", #"1: "door" is not a number; write it alone before == or !="#),
      ("min(n) == 1", #"1: "min" has 1 argument; it takes 2"#),
      ("min n == 1", #"1: "min" has no ( after it; write min(a, b)"#),
      ("n == $", #"6: "$" is not allowed here; use names, numbers and == != < <= > >= + - * / ( )"#),
      ("n == 3x", #"6: unknown unit "x" of a duration; write ms, s, m or h, or 3 for a number"#),
      ("n == 1m30s", #"6: "1m30s" is a duration in several units; write 90s"#),
      ("gpio.lost", #"1: "gpio.lost" is an event, not a condition; write gpio == lost"#),
      ("gpio.restored", #"1: "gpio.restored" is an event, not a condition; write gpio == there"#),
      ("n % -3 == 1", #"3: "%" is not an operator; write mod"#),
      ("n % (m + 4) == 1", #"3: "%" is not an operator; write mod"#),
      ("(n % 3) == 1", #"4: "%" is not an operator; write mod"#),
      ("n > 8% - m", "6: unexpected unit after 8; this number has no unit, write 8"),
      ("t == 0.5ms", "6: 0.5ms is not a whole number of milliseconds; write 0s or 1ms"),
    ])
  func faults(text: String, expected: String) {
    let found = read(text)
    #expect(found.problems == [expected])
    #expect(found.condition == nil)
  }

  @Test(
    "what always or never holds is noted",
    arguments: [
      ("n > 10", "1: never true: n is 0...10"), ("n >= 0", "1: always true: n is 0...10; leave it out"),
      ("n > 5 and n < 3", "11: never true: n > 5 limits it to 6...10, which excludes n < 3"),
      ("n > 5 and n > 2", "11: always true: n > 5 limits it to 6...10; leave it out"),
      ("t < 0s", "1: never true: t is 0s...9s"), ("n + 1 > 11", "1: never true: n + 1 is 1...11"),
      ("n == 3 or n > 10", "11: never true: n is 0...10"),
    ])
  func notes(text: String, expected: String) {
    #expect(read(text).problems == [])
    #expect(read(text).notes == [expected])
  }

  @Test(
    "a comparison in one alternative narrows nothing in another", arguments: ["n > 5 or n < 3", "not n > 5 and n < 8"])
  func alternatives(text: String) {
    #expect(read(text).notes == [])
  }

  @Test("an expression is bounded in characters, operators and depth, far above what anybody writes")
  func limits() {
    func first(_ text: String) -> String { read(text).problems.first ?? "" }
    #expect(first("n == 3" + String(repeating: " or n == 3", count: 60)) == "")
    #expect(first("n == 3" + String(repeating: " or n == 3", count: 70)).contains("more than 128 operators"))
    #expect(first("n == 3" + String(repeating: " ", count: 1024)).contains("longer than 1024"))
    #expect(first(String(repeating: "-", count: 31) + "n==3") == "")
    #expect(first(String(repeating: "-", count: 32) + "n==3").contains("nested more than 32"))
    #expect(first(String(repeating: "-", count: 100) + "n==3").contains("nested more than 32"))
    #expect(first(String(repeating: "(", count: 100) + "n==3").contains("nested more than 32"))
    #expect(first("n 3") == #"3: "3" is not a comparison; use == != < <= > or >="#)
    #expect(first("n == 999999999999") == "6: 999999999999 has more than nine digits; write a smaller number")
  }

  @Test("what is too large for 128 bits is the largest that fits")
  func saturation() {
    #expect(Saturating.product(.max, 2) == .max && Saturating.product(.max, -2) == -.max)
    #expect(Saturating.sum(.max, 1) == .max && Saturating.difference(-.max, 1) == -.max)
    #expect(Saturating.quotient(-.max, -1) == .max && Saturating.remainder(-.max, -1) == 0)
    #expect(Saturating.magnitude(-.max) == .max)
  }

  @Test("what is computed with an unknown number is unknown")
  func unknown() {
    let operations = [
      Saturating.sum, Saturating.difference, Saturating.product, Saturating.quotient, Saturating.remainder,
      Saturating.maximum,
    ]
    for operation in operations {
      for other in [Int128.unknown, -.max, -1, 0, 1, .max] {
        #expect(operation(.unknown, other) == .unknown && operation(other, .unknown) == .unknown)
      }
    }
    #expect(Saturating.magnitude(.unknown) == .unknown)
  }
}
