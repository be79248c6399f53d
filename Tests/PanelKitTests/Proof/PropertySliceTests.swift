import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelProof

@Suite("Proofs of a property in the part of a panel that can influence it")
struct PropertySliceTests {
  private func panel(_ text: String) throws -> PanelDefinition { try PanelFile.read(Array(text.utf8), file: "p") }

  private func prove(_ panel: PanelDefinition, isSliced: Bool = true, situations: Int = 1_500) -> Proof.Outcome {
    var bounds = Search.Bounds()
    bounds.situations = situations
    var proof = Proof(panel: panel, sounds: [], bounds: bounds, elapsed: { .zero })
    proof.isSliced = isSliced
    return proof.run()
  }

  /// The fewest inputs to a violation of a rule, on a path that a hand is quick enough for; nil if there is none.
  private static func inputs(to never: Int, in outcome: Proof.Outcome) -> Int? {
    outcome.violations.first { $0.moments != nil && $0.trace.violation?.property == .never(never) }?.inputs
  }

  /// The fewest inputs with which a panel stops, but not because of one rule; nil if it doesn't stop.
  private static func inputsToStop(besides never: Int, in outcome: Proof.Outcome) -> Int? {
    outcome.violations.filter { $0.trace.violation?.property != .never(never) }.map(\.inputs).min()
  }

  /// Whether a search has covered everything and has found no violation of a rule.
  private static func isProved(_ never: Int, in outcome: Proof.Outcome) -> Bool {
    guard let search = outcome.part(of: .never(never))?.search else { return false }
    return search.isComplete && search.marks.violations[.never(never)] == nil
  }

  private static func text(_ inputs: Int?) -> String { inputs.map { "\($0) inputs" } ?? "no way" }

  @Test("the slice has the verdict of the whole panel for each rule, unless another one stops the whole earlier")
  func random() throws {
    var (proved, violated, smaller) = (0, 0, 0)
    // The rules, and those of them that the search of the whole panel decides.
    var (rules, decided) = (0, 0)
    for seed in 0..<UInt64(RandomProofTests.count / 8) {
      let text = RandomRegions(seed: seed).text
      guard let panel = try? panel(text) else { continue }
      let whole = prove(panel, isSliced: false)
      // A slice does not stop where the whole stops, so it can have more situations.
      let sliced = prove(panel, situations: 6_000)
      rules += panel.nevers.count
      for never in panel.nevers.indices {
        let (one, other) = (Self.inputs(to: never, in: whole), Self.inputs(to: never, in: sliced))
        guard one != nil || Self.isProved(never, in: whole) else { continue }
        decided += 1
        guard one != other, other != nil || Self.isProved(never, in: sliced) else { continue }
        let stop = Self.inputsToStop(besides: never, in: whole)
        let isEarlier = if let other, let stop { stop <= other && other < one ?? .max } else { false }
        #expect(
          isEarlier,
          """
          seed \(seed), \(panel.nevers[never].name): \(Self.text(one)) of the whole panel, \(Self.text(other)) of the \
          slice, \(Self.text(stop)) to another stop
          \(text)
          """)
      }
      guard whole.isComplete || !whole.violations.isEmpty else { continue }
      if sliced.parts.contains(where: { $0.search.model.regions.count < panel.states[0].regions.count }) {
        smaller += 1
      }
      guard whole.violations.isEmpty else {
        violated += 1
        continue
      }
      proved += 1
      #expect(sliced.isComplete && sliced.violations.isEmpty, "seed \(seed)\n\(text)")
      #expect(whole.ways.mapValues(\.inputs) == sliced.ways.mapValues(\.inputs), "seed \(seed)\n\(text)")
    }
    let counts = "\(proved) proved, \(violated) violated, \(smaller) with fewer regions"
    #expect(proved > 5 && violated > 5 && smaller > 5, "\(counts)")
    #expect(decided * 2 >= rules, "\(decided) of \(rules) rules decided")
  }

  private static let two = """
    panel: P
    inputs: { a: { button: GPIO5 }, b: { button: GPIO6 } }
    outputs: { pump: { relay: GPIO23 }, lamp: { led: GPIO24 } }
    values: { n: { initial: 0, min: 0, max: 9999 } }
    never: { flood: pump == on and state.tank == full }
    regions:
      tank:
        initial: empty
        states: { empty: { show: { pump: on }, on: { a.pressed: full } }, full: { on: { a.pressed: empty } } }
      other:
        initial: x
        states: { x: { on: { b.pressed: { set: { n: +3 } }, a.pressed: { go: y, if: n * 7 > 12 } } }, y: { show: { lamp: on } } }

    """

  @Test("regions that can't influence a property are not followed")
  func regions() throws {
    let panel = try panel(Self.two)
    let whole = prove(panel, isSliced: false, situations: 500)
    #expect(!whole.isComplete)
    let sliced = prove(panel, situations: 500)
    #expect(sliced.isComplete && sliced.violations.isEmpty)
    #expect(sliced.parts.map { $0.search.store.count } == [2])
    // The findings of the other region are left out, because its search is too large.
    #expect(sliced.others.map { $0.search.isComplete } == [false])
    let report = ProofReport(panel: panel, file: "p", outcome: sliced, options: ProofReport.Options())
    #expect(report.status == 0)
    #expect(try report.lines(.zero).contains("  proved      never flood             pump == on and state.tank == full"))
  }

  private func topLevel(other reaction: String) throws -> Proof.Outcome {
    prove(
      try panel(
        """
        panel: P
        inputs: { a: { button: GPIO5 }, b: { button: GPIO6 } }
        values: { n: { initial: 0, min: 0, max: 9 } }
        never: { far: n > 2 }
        on: { a.pressed: { set: { n: 3 } } }
        regions:
          tank: { initial: empty, states: { empty: { on: { a.pressed: full } }, full: { on: { a.pressed: empty } } } }
          other: { initial: x, states: { x: { on: { \(reaction): y } }, y: { on: { a.pressed: x } } } }

        """))
  }

  @Test("a transition of the top level is followed with the regions that keep it from firing")
  func topLevel() throws {
    // Each region has a transition for each press.
    let kept = try topLevel(other: "a.pressed")
    #expect(kept.isComplete && kept.violations.isEmpty)
    #expect(kept.parts.map { $0.search.model.regions.count } == [2])
    // The other region has none until b is pressed.
    let fired = try topLevel(other: "b.pressed")
    #expect(fired.violations.map(\.inputs) == [1])
  }

  @Test("a draw whose number depends on the result of another draw", arguments: 0...3)
  func draws(number: Int) throws {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      values: { n: { initial: 0, min: 0, max: 3 }, m: { initial: 0, min: 0, max: 3 } }
      never: { bad: m == 3 }
      initial: x
      states:
        x: { on: { a.pressed: { go: y, set: { n: random 0..3 } } } }
        y: { when: { n == \(number): z }, on: { a.pressed: x } }
        z: { enter: { set: { m: random 0..3 } }, on: { a.pressed: x } }

      """
    #expect(prove(try panel(text)).violations.map(\.inputs) == [1])
  }

  @Test("what is proved is reported next to what is undecided")
  func partly() throws {
    let panel = try panel(
      Self.two.replacing(each: "state.tank == full }", by: "state.tank == full, far: n == 9998 and state.other == y }"))
    let outcome = prove(panel, situations: 500)
    var options = ProofReport.Options()
    options.bounds.situations = 500
    let report = ProofReport(panel: panel, file: "p", outcome: outcome, options: options)
    #expect(report.status == 75)
    let lines = try report.lines(.zero)
    #expect(
      lines.prefix(3) == [
        "p: P", "  proved      never flood             pump == on and state.tank == full",
        "  undecided   never far               n == 9998 and state.other == y",
      ])
    #expect(lines.last?.hasPrefix("  Try --limit n=") == true, "\(lines)")
    #expect(lines[3].contains(": no counterexample found so far for never far. Most situations are due to: n ("))
    let words = try report.json(.zero).map(\.line)
    #expect(words[0].hasSuffix(#""result": "proved"}"#) && words[1].hasSuffix(#""result": "undecided"}"#), "\(words)")
  }

  private static let counter = """
    panel: P
    inputs: { a: { button: GPIO5 }, b: { button: GPIO6 } }
    outputs: { motor: { relay: GPIO23 } }
    values: { place: { initial: 0, min: 0, max: 100000 } }
    never: { beyond: motor == on and place == 100000 }
    initial: still
    states:
      still: { on: { a.pressed: { go: runs, if: place < 99990 }, b.pressed: { set: { place: -5 } } } }
      runs: { show: { motor: on }, every: { 100ms: [ { if: place < 99990, set: { place: +5 } }, still ] }, on: { a.pressed: still } }

    """

  @Test("numbers between the constants of the file are one cell")
  func cells() throws {
    let panel = try panel(Self.counter)
    let outcome = prove(panel)
    #expect(outcome.isComplete && outcome.violations.isEmpty)
    #expect(outcome.parts.count == 1 && outcome.parts[0].search.store.count < 100)
    // With a step of 10 the number gets to the end, which only a search with all numbers finds.
    let found = prove(
      try self.panel(Self.counter.replacing(each: "100000", by: "1000").replacing(each: "99990", by: "999")))
    #expect(found.violations.count == 1)
  }

  @Test("a random number of a value with decimals is a whole number in each cell")
  func drawnDecimals() throws {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      values: { n: { initial: 0, min: 0, max: 90, decimals: 1 } }
      never: { bad: n > 49.5 }
      initial: x
      states: { x: { on: { a.pressed: { set: { n: random 0..50 } } } } }

      """
    #expect(prove(try panel(text)).violations.map(\.inputs) == [1])
  }

  @Test("a remote command sets a value to each number, at any time")
  func settable() throws {
    let text = Self.counter.replacing(each: "initial: still\n", by: "accept: { set: [ place ] }\ninitial: still\n")
      .replacing(each: "100000", by: "200").replacing(each: "99990", by: "190")
    let panel = try panel(text)
    let outcome = prove(panel)
    let way = try #require(outcome.violations.first)
    #expect(way.inputs == 2)
    let report = CounterexampleReport(panel: panel, file: "p", way: way)
    #expect(report.lines.contains { $0.contains("set place 200") }, "\(report.lines)")
    #expect(report.failingScenario().text?.contains("remote: { place: 200 }") == true)
    // A value that is only compared is proved for all of its numbers.
    let guarded = try self.panel(
      text.replacing(each: "motor == on and place == 200", by: "motor == on and place > 250").replacing(
        each: "max: 200", by: "max: 100000"))
    let proved = prove(guarded)
    #expect(!proved.violations.isEmpty)
  }

  @Test("more numbers than are tried leave a property undecided, and the limit is named")
  func tooManyToSet() throws {
    let text = Self.counter.replacing(each: "initial: still\n", by: "accept: { set: [ place ] }\ninitial: still\n")
      .replacing(each: "place == 100000", by: "place * 2 == 100")
    let panel = try panel(text.replacing(each: "motor == on", by: "motor == off and motor == on"))
    let outcome = prove(panel, situations: 50)
    let lines = try ProofReport(panel: panel, file: "p", outcome: outcome, options: .init()).lines(.zero)
    #expect(
      lines.first
        == "p: the search is incomplete: a remote command can set place to more than 256 numbers; "
        + "no counterexample found so far, nothing proved.")
  }
}
