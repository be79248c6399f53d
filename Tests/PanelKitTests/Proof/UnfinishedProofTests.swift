import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelProof

@Suite("What a proof tells that hasn't looked at everything, or only at a part", .serialized)
struct UnfinishedProofTests {
  /// What is told of a search that meets a bound.
  private func unfinished(
    _ text: String, limits: [String] = [], situations: Int = 500, elapsed: Duration = .zero
  ) throws -> [String] {
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    var options = ProofReport.Options()
    options.bounds.situations = situations
    options.limits = try RangeRestriction.list(limits, for: panel)
    let proof = Proof(
      panel: panel, sounds: [], bounds: options.bounds, limits: options.limits, elapsed: { elapsed })
    let outcome = proof.run()
    #expect(!outcome.isComplete && outcome.violations.isEmpty)
    let search = try #require(outcome.parts.first { !$0.search.isComplete }).search
    return UnfinishedSearch(panel: panel, file: "p", search: search, span: nil, options: options, undecided: nil).lines
  }

  /// Counts `n` up and down, and asks it.
  private func counter(_ value: String, asking condition: String, step: String = "1") -> String {
    """
    panel: P
    inputs: { a: { button: GPIO5 }, b: { button: GPIO6 }, air: { sensor: { w1: any }, min: -20, max: 60, decimals: 1 } }
    values: { n: \(value), m: { initial: 0, min: 0, max: 9999 } }
    never: { far: m == 9000 }
    initial: x
    states:
      x: { on: { a.pressed: { set: { n: +\(step) } }, b.pressed: [ { go: y, if: \(condition) }, { set: { n: -\(step), m: +1 } } ] } }
      y: { on: { a.pressed: x } }

    """
  }

  @Test(
    "the limit that is advised has what the file compares the value with, and the initial number where that is near",
    arguments: [
      ("{ initial: 0, min: 0, max: 999 }", "n == 3", "1", [], "n=0..4"),
      ("{ initial: 0, min: 0, max: 999 }", "n == 3 or n > 8", "1", [], "n=0..9"),
      ("{ initial: 0, min: 0, max: 999 }", "n == 998", "1", [], "n=996..999"),
      ("{ initial: 0, min: 0, max: 999 }", "n - 1 == 7 and n > 5", "1", [], "n=0..8"),
      ("{ initial: 500, min: 0, max: 999 }", "n == 503", "1", [], "n=500..504"),
      ("{ initial: 0, min: -999, max: 999 }", "n == -3", "1", [], "n=-4..0"),
      ("{ initial: 5m, min: 0s, max: 5m }", "n == 0s", "100ms", [], "n=0s..2s"),
      ("{ initial: 5m, min: 0s, max: 5m }", "n == 3s", "100ms", [], "n=2999ms..4999ms"),
      // A limit that was given is not repeated: a narrower one is advised, or none.
      ("{ initial: 0, min: 0, max: 999 }", "n == 3", "1", ["n=0..50"], "n=0..4"),
      ("{ initial: 0, min: 0, max: 999 }", "n == 3", "1", ["n=0..4"], "n=1..4"),
      ("{ initial: 0, min: 0, max: 999 }", "n == 3", "1", ["n=2..4"], nil),
      // A constant beside something else than the value says nothing of the value.
      ("{ initial: 0, min: 0, max: 999 }", "n - m > 500 and n == 3", "1", [], "n=0..4"),
      ("{ initial: 0, min: 0, max: 999 }", "n == m", "1", ["n=50..90"], "n=50..53"),
      // The numbers of a value that has a limit, too.
      ("{ initial: 0, min: 0, max: 999 }", "n == m", "1", ["m=50..53"], "n=49..54"),
      ("{ initial: 0, min: 0, max: 999 }", "n == 0 or n == 998", "1", [], "n=0..999"),
    ] as [(String, String, String, [String], String?)])
  func limit(value: String, condition: String, step: String, limits: [String], expected: String?) throws {
    let panel = try PanelFile.read(Array(counter(value, asking: condition, step: step).utf8), file: "p")
    let subject = RangeRestriction.Subject.value(0)
    let given = try RangeRestriction.list(limits, for: panel)
    let whole = panel.range(of: subject)
    let advice = LimitAdvice(
      subject, of: panel, within: given.first { $0.subject == subject }?.range ?? whole, under: given)
    let text = advice.map { "n=\(panel.text(of: $0.range, subject))" }
    // The whole range is no limit.
    #expect(text == (expected == "n=\(panel.text(of: whole, subject))" ? nil : expected))
  }

  @Test(
    "the message names the greatest age that is followed: a minute, or ten if the age is only stored",
    arguments: [
      ("t: elapsed", "10m"), ("t: elapsed - 1s", "1m"),
    ])
  func age(set: String, longest: String) throws {
    let text = """
      panel: P
      inputs: { a: { button: GPIO17 } }
      values: { t: { initial: 0s, min: 0s, max: 30m } }
      initial: x
      never: { n: t > 20m }
      states:
        x: { on: { a.pressed: { go: y, set: { \(set) } } } }
        y: { on: { a.pressed: x } }
      """
    let told = try unfinished(text, situations: 5000).joined(separator: "\n")
    #expect(told.contains("elapsed is followed up to \(longest) only, and x can be current for longer"), "\(told)")
  }

  @Test("where there is too much to look at nothing is claimed, and the value that it comes from is named")
  func bound() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      values: { n: { initial: 0, min: 0, max: 9999 } }
      never: { last: n == 9999 }
      initial: x
      states: { x: { on: { a.pressed: { set: { n: +1 } } } } }

      """
    let result = prove(text, ["--situations", "500"])
    #expect(result.status == 75)
    #expect(
      result.lines == [
        "p.panel.yaml: search limit reached at 500 situations, up to 499 inputs deep: no counterexample found so far, nothing proved. Most situations are due to: n (500).",
        "  Try --limit n=9996..9999, or --situations 2500.",
      ])
  }

  @Test(
    "where two values have about as many numbers a limit of each is advised, and the limits that were given are told")
  func several() throws {
    let text = counter("{ initial: 0, min: 0, max: 9999 }", asking: "n == 4000")
    #expect(
      try unfinished(text, situations: 5000).last
        == "  Try --limit n=3999..4002 --limit m=8999..9002, or --situations 25000.")
    let result = prove(text, ["--situations", "500", "--limit", "n=0..100"])
    #expect(result.status == 75 && result.lines.count == 3)
    #expect(result.lines.last?.contains(" Limited: n=0..100. Assumed arbitrary: contacts") == true, "\(result.lines)")
  }

  @Test("where the seconds are over more of them are advised, not more situations")
  func seconds() throws {
    let text = counter("{ initial: 0, min: 0, max: 9999 }", asking: "n == 3")
    let lines = try unfinished(text, situations: .max, elapsed: .seconds(61))
    #expect(lines[0].hasPrefix("p: search limit reached at 60s, "))
    #expect(lines[1].hasSuffix("or --seconds 300."), "\(lines)")
  }

  @Test("where nothing has more than one number or time nothing is blamed")
  func nothing() throws {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      never: { bad: state == z }
      initial: x
      states: { x: { on: { a.pressed: y } }, y: { on: { a.pressed: z } }, z: {} }

      """
    let lines = try unfinished(text, situations: 1)
    #expect(
      lines[0].hasPrefix("p: search limit reached at 1 situation, ") && !lines[0].contains("come from"), "\(lines)")
  }

  @Test("a value is not blamed where times have more combinations")
  func times() throws {
    let untouched = """
      panel: P
      inputs: { a: { button: GPIO1 }, b: { button: GPIO2 }, c: { button: GPIO3 }, d: { button: GPIO4 }, e: { button: GPIO5 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      never: { bad: n == 10 - 1 and state == y }
      initial: x
      states:
        x: { on: { a.pressed: { set: { n: +1 } } }, untouched: { 30s: y }, after: { 45s: z } }
        y: { on: { a.pressed: { go: x, set: { n: 0 } } } }
        z: { on: { b.held: { go: x, set: { n: 0 } } } }

      """
    let lines = try unfinished(untouched, situations: 300)
    #expect(lines[0].contains("due to: times of untouched ("), "\(lines)")
    #expect(
      lines[1] == "  Try after in a state that each key enters again, instead of untouched, or --situations 1500.",
      "\(lines)")
    let chord = """
      panel: P
      inputs: { a: { button: GPIO1 }, b: { button: GPIO2 }, c: { button: GPIO3 }, two: { chord: [ a, b, c ], within: 500ms, hold: 2s } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      never: { bad: n == 9 and state == y }
      initial: x
      states:
        x: { on: { two.held: y, a.pressed: { set: { n: +1 } } }, after: { 900ms: { go: x, set: { n: 0 } } } }
        y: { on: { two.released: { go: x, set: { n: 0 } } } }

      """
    let both = try unfinished(chord, situations: 300)
    #expect(both[0].contains("due to: times of two ("), "\(both)")
    #expect(both[1] == "  Try --situations 1500.", "\(both)")
  }

  @Test("what is not followed is told with what to do about it")
  func gaps() throws {
    let sensor = """
      panel: P
      inputs: { air: { sensor: { w1: any }, min: 0, max: 900000 }, a: { button: GPIO5 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      never: { bad: air / 2 == n and n == 9 and state == y }
      initial: x
      states: { x: { on: { a.pressed: { go: y, if: n == 9 } } }, y: {} }

      """
    let lines = try unfinished(sensor, situations: 100)
    #expect(lines[0].contains("air has more than 262144 numbers"))
    #expect(lines[1] == "  Try --limit air=LOW..HIGH.", "\(lines)")
  }

  @Test("under a limit what isn't reached is not decided, and notes are of the narrower panel")
  func limited() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      reach: [ y ]
      initial: x
      states:
        x: { on: { a.pressed: [ { go: y, if: n - 1 == 7 }, { set: { n: +1 } } ] } }
        y: { on: { a.pressed: x } }

      """
    #expect(prove(text).status == 0)
    let result = prove(text, ["--limit", "n=0..3"])
    #expect(result.status == 75)
    #expect(
      result.lines.dropLast() == [
        "p.panel.yaml: P", "  unreached   y                       under the limit n=0..3",
        "  note        under the limit: state y is never entered",
        "  note        under the limit: 7:40: never true: n - 1 == 7",
      ])
    #expect(result.lines.last?.contains(" Limited: n=0..3. Assumed arbitrary:") == true)
  }

  @Test("a violation under a limit says so, and is written as a scenario only if the panel itself goes that way")
  func violatedUnderLimit() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      values: { n: { initial: 0, min: 0, max: 9999 } }
      never: { last: n == 9999, third: n == 2 }
      initial: x
      states: { x: { on: { a.pressed: { set: { n: +1 } } } } }

      """
    let result = prove(text.replacing(", third: n == 2", with: ""), ["--limit", "n=0..3"])
    #expect(result.status == 75)
    #expect(
      result.lines.contains(
        "  no scenario can reproduce it without the limit, so it is undecided; try a wider limit, or limit values that are compared with each other to the same numbers"
      ), "\(result.lines)")
    #expect(result.lines.last?.contains(" Limited: n=0..3. Assumed arbitrary:") == true, "\(result.lines)")
    let real = prove(text.replacing("last: n == 9999, ", with: ""), ["--limit", "n=0..3"])
    #expect(real.status == 1)
    #expect(real.lines.contains { $0.hasPrefix("  written to p.third.scenario.yaml") }, "\(real.lines)")
  }

  @Test("a limit narrows what a sensor reads, and a way under it is one of the panel itself")
  func sensor() {
    func text(_ degrees: Int) -> String {
      """
      panel: P
      inputs: { air: { sensor: { w1: any }, min: -20, max: 60, decimals: 1 }, a: { button: GPIO5 } }
      never: { hot: state == y and air > \(degrees) }
      initial: x
      states: { x: { on: { a.pressed: y } }, y: { on: { a.pressed: x } } }

      """
    }
    #expect(prove(text(50)).status == 1)
    let proved = prove(text(50), ["--limit", "air=15.5..30"])
    #expect(proved.status == 0)
    #expect(proved.lines.last?.contains(" Limited: air=15.5..30. Assumed arbitrary:") == true, "\(proved.lines)")
    let violated = prove(text(28), ["--limit", "air=15.5..30"])
    #expect(violated.status == 1)
    #expect(violated.lines.contains { $0.hasPrefix("  written to p.hot.scenario.yaml") }, "\(violated.lines)")
    #expect(violated.lines.contains { $0.hasSuffix("air reads 28.1") }, "\(violated.lines)")
  }

  @Test(
    "a limit that can't be is refused with what can",
    arguments: [
      (["m=0..3"], "unknown value \"m\"; --limit takes values, lists and sensors: n, air, fan"),
      (["a=0..3"], "\"a\" has no range; --limit takes values, lists and sensors: n, air, fan"),
      (["n=5..10000"], "5..10000 is not within the range of \"n\", 0..9999"),
      (["n=3"], "\"n=3\" is not a limit; write NAME=0..3"),
      (["n=0..3", "n=0..2"], "there are two limits for one name, n=0..3 and n=0..2; write one of them"),
      (["air=0..3.55"], "\"0..3.55\" is not a range of \"air\"; write air=-20..60, or a part of it"),
      (["n=0..3.5"], "\"n\" has no decimals; write n=0..9999, or a part of it"),
      (["fan=15.5..30"], "\"fan\" has no decimals; write fan=0..99, or a part of it"),
      (["air=20..10"], "20..10 is in the wrong order; write air=10..20"),
      (["air=50..70"], "50..70 is not within the range of \"air\", -20..60"),
    ])
  func refused(limits: [String], expected: String) {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, air: { sensor: { w1: any }, min: -20, max: 60, decimals: 1 },
       fan: { sensor: { file: /fan }, min: 0, max: 99 } }
      values: { n: { initial: 0, min: 0, max: 9999 } }
      never: { last: n == 9999 and air == 60 }
      initial: x
      states: { x: { on: { a.pressed: { set: { n: +1 } } } } }

      """
    let result = prove(text, limits.flatMap { ["--limit", $0] })
    #expect(result.status == 64 && result.lines == [])
    #expect(result.errors == "panel prove: \(expected)\n")
  }

  @Test("a state that is reached is decided, although the search for endless chains of when is not finished")
  func reachedAndUnfinished() {
    let result = prove(
      """
      panel: B
      inputs: { keys: { buttons: [ GPIO5, GPIO6, GPIO13 ] } }
      outputs: { lamp: { led: GPIO23 } }
      values: { n: { initial: 0, min: 0, max: 9999 }, m: { initial: 0, min: 0, max: 9999 } }
      reach: [ lit ]
      initial: dark
      states:
        dark:
          on: { keys(1).pressed: { set: { n: +1 } }, keys(2).pressed: { set: { m: +1 } }, keys(3).pressed: lit }
          when: { n == 9999: lit, m == 9998: lit }
        lit: { show: { lamp: on }, on: { keys(1).pressed: dark } }

      """, ["--situations", "500"])
    #expect(result.status == 75)
    #expect(result.lines.contains("  reached     lit                     after 1 input, at 5ms"), "\(result.lines)")
    #expect(
      result.lines.contains { $0.contains("no counterexample found so far for the end of each chain of when") },
      "\(result.lines)")
  }

  @Test("a violation that only a limit makes is none: the property is undecided")
  func violatedByLimit() {
    let text = """
      panel: G
      inputs: { key: { button: GPIO17 } }
      outputs: { lamp: { led: GPIO23 } }
      values: { place: { initial: 0, min: 0, max: 100, keep: true }, goal: { initial: 0, min: 0, max: 100 } }
      never: { moved: state == starting and goal != place }
      initial: starting
      states:
        starting: { enter: { set: { goal: place } }, on: { key.pressed: ready } }
        ready: { show: { lamp: on }, when: { goal > place: starting } }

      """
    #expect(prove(text).status == 0)
    let limited = prove(text, ["--limit", "goal=0..3"])
    #expect(limited.status == 75, "\(limited.lines)")
    #expect(limited.lines.contains { $0.contains("undecided") && $0.contains("never moved") }, "\(limited.lines)")
    #expect(
      limited.lines.contains { $0.contains("never moved is violated under the limit goal=0..3: ") }, "\(limited.lines)")
  }

  @Test("a condition whose constant a limit has moved is not called never true")
  func movedConstant() {
    let lines = prove(
      """
      panel: C
      inputs: { key: { button: GPIO17 } }
      outputs: { lamp: { led: GPIO23 } }
      values: { n: { initial: 0, min: 0, max: 100 } }
      never: { odd: state == counting and lamp == on }
      reach: [ done ]
      initial: counting
      states:
        counting: { on: { key.pressed: { set: { n: +1 } } }, when: { n == 100: done } }
        done: { show: { lamp: on } }

      """, ["--limit", "n=0..3"]
    ).lines
    #expect(lines.contains { $0.contains("reached     done") }, "\(lines)")
    #expect(!lines.contains { $0.contains("never true") }, "\(lines)")
  }

  @Test("a limit of a list's elements also limits the lists that are set")
  func limitOfElements() {
    let text = """
      panel: D
      inputs: { key: { button: GPIO17 } }
      outputs: { lamp: { led: GPIO23 } }
      values: { goal: { list: 2, filled: 0, min: 0, max: 9 } }
      never: { five: lamp == on and goal(1) == 5 }
      initial: a
      states:
        a: { on: { key.pressed: { go: b, set: { goal: [5, 5] } } } }
        b: { show: { lamp: on } }

      """
    #expect(prove(text).status == 1)
    #expect(prove(text, ["--limit", "goal=0..0"]).status == 0)
  }

  @Test("beside a violation each property and each state is told of which nothing is known")
  func undecided() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 }, b: { button: GPIO6 } }
      outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 } }
      interlocks: [ { relays: [up, down] } ]
      values: { n: { initial: 0, min: 0, max: 9999 } }
      never: { first: state == y, last: n == 9999 }
      reach: [ z, x ]
      initial: x
      states:
        x: { on: { a.pressed: [ { go: z, if: n == 9998 }, { set: { n: +1 } } ], b.pressed: y } }
        y: { on: { a.pressed: x } }
        z: { show: { up: on } }

      """
    let result = prove(text, ["--situations", "500"])
    #expect(result.status == 1)
    #expect(
      result.lines.suffix(4) == [
        "  written to p.first.scenario.yaml; panel test p.panel.yaml p.first.scenario.yaml reproduces it",
        "  undecided   never last              n == 9999",
        "  undecided   interlock up, down      never switched on together",
        "  undecided   z",
      ])
  }

  @Test("of properties that are violated at one moment each is told")
  func together() {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 }, left: { relay: GPIO22 }, right: { relay: GPIO23 } }
      interlocks: [ { relays: [up, down] }, { relays: [left, right] } ]
      never:
        one: state.r == y
        other: up == on
        mended: { if: state.r == y and down == off, go: x }
      regions:
        r: { initial: x, states: { x: { on: { a.pressed: y } }, y: { show: { up: on, left: on } } } }
        s: { initial: v, states: { v: { on: { a.pressed: w } }, w: { show: { down: on, right: on } } } }

      """
    let result = prove(text)
    #expect(result.status == 1)
    #expect(
      result.lines.filter { $0.contains("is violated") } == [
        "p.panel.yaml:6:3: never one is violated: state.r == y",
        "p.panel.yaml:7:3: never other is violated: up == on",
        "p.panel.yaml:4:15: interlock up, down is violated: switched on together",
        "p.panel.yaml:4:39: interlock left, right is violated: switched on together",
      ])
    #expect(result.lines.count { $0.hasPrefix("  written to") } == 4)
  }
}
