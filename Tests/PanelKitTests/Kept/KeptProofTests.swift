import Testing

@testable import PanelLanguage
@testable import PanelProof

@Suite("Proofs of panels that keep values")
struct KeptProofTests {
  private func text(_ value: String) -> String {
    """
    panel: P
    inputs: { key: { button: GPIO1 } }
    outputs: { lamp: { led: GPIO10 } }
    values:
      n: { initial: 1, min: 0, \(value) }
      shown: { initial: 0, min: 0, max: 999999, keep: true }
    on: { key.pressed: { set: { shown: +1, n: 0 } } }
    never: { lit: lamp == on }
    initial: a
    states: { a: { when: { n == 3: b } }, b: { show: { lamp: on } } }
    """
  }

  private func prove(_ text: String, limits: [String] = []) throws -> (
    panel: PanelDefinition, Proof.Outcome, ProofReport
  ) {
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    var options = ProofReport.Options()
    options.limits = try RangeRestriction.list(limits, for: panel)
    let proof = Proof(panel: panel, sounds: [], limits: options.limits, elapsed: { .zero })
    let outcome = proof.run()
    return (panel, outcome, ProofReport(panel: panel, file: "p", outcome: outcome, options: options))
  }

  @Test("a value that is not kept starts with its initial number, and a kept one with any")
  func starts() throws {
    #expect(try prove(text("max: 9")).2.status == 0)
    let (panel, outcome, verdict) = try prove(text("max: 9, keep: true"))
    #expect(verdict.status == 1)
    let way = try #require(outcome.violations.first)
    #expect(way.inputs == 0)
    #expect(way.trace.kept.map { "\($0.name) \($0.text)" } == ["n 3"])
    let scenario = try #require(
      CounterexampleReport(panel: panel, file: "p", limits: "", way: way).failingScenario()
        .text)
    #expect(scenario.split(separator: "\n").dropFirst().first == "start: { n: 3 }")
  }

  @Test("what is proved says that it holds whatever was kept; each start is one, the initial one first")
  func allStarts() throws {
    let (_, outcome, verdict) = try prove(text("max: 3, keep: true").replacing(each: "lamp: on", by: "lamp: off"))
    #expect(verdict.status == 0)
    let model = outcome.parts[0].search.model
    #expect(model.keptStartCount == 4)
    let starts = Starts(model).map { model.keptNumbers(in: $0.number) }
    #expect(starts == [[1, 0], [0, 0], [2, 0], [3, 0]])
    #expect(
      try verdict.lines(.zero).last?.contains(", random numbers, ends of sounds, kept values, faults.") == true)
  }

  @Test("a kept list can start with each of its contents, the initial one first, and no other numbers")
  func lists() throws {
    func starts(_ list: String) throws -> [[Int]] {
      let (_, outcome, _) = try prove(
        """
        panel: P
        inputs: { key: { button: GPIO1 } }
        outputs: { lamp: { led: GPIO10 } }
        values: { code: { list: 2, min: 1, max: 2, \(list)keep: true } }
        never: { lit: lamp == on }
        initial: a
        states: { a: { when: { code == '9': b } }, b: { show: { lamp: on } } }
        """.replacing(each: "'9'", by: "'12'"))
      let model = outcome.parts[0].search.model
      return Starts(model).map { model.keptNumbers(in: $0.number) }
    }
    #expect(
      try starts("") == [
        [0, 0, 0], [1, 1, 0], [1, 2, 0], [2, 1, 1], [2, 1, 2], [2, 2, 1], [2, 2, 2],
      ])
    #expect(try starts("filled: 2, ") == [[2, 2], [1, 1], [1, 2], [2, 1]])
    #expect(try starts("filled: [ 1, 2 ], ") == [[1, 2], [1, 1], [2, 1], [2, 2]])
    let text = """
      panel: A
      inputs: { key: { button: GPIO17 } }
      outputs: { lock: { relay: GPIO24 } }
      values: { secret: { list: 2, min: 1, max: 2, keep: true } }
      never: { opened: lock == on and secret.count == 2 }
      initial: shut
      states:
        shut: { on: { key.pressed: { go: open, if: secret == '12' } } }
        open: { show: { lock: on } }

      """
    let (panel, outcome, _) = try prove(text)
    let way = try #require(outcome.violations.first)
    #expect(way.trace.kept.map { "\($0.name) \($0.text)" } == ["secret [ 1, 2 ]"])
    let scenario = CounterexampleReport(panel: panel, file: "p", limits: "", way: way).failingScenario().text ?? ""
    #expect(scenario.contains("start: { secret: [ 1, 2 ] }"), "\(scenario)")
  }

  @Test("a kept list with more contents than a number can count is told, and does not end the proof")
  func hugeList() throws {
    let (_, outcome, verdict) = try prove(
      """
      panel: P
      inputs: { key: { button: GPIO1 } }
      outputs: { lamp: { led: GPIO10 } }
      values: { code: { list: 64, filled: 5, min: 0, max: 9, keep: true } }
      never: { lit: lamp == on and code(1) == 5 }
      initial: a
      states: { a: { on: { key.pressed: { set: { code(1): +1 } } } } }
      """)
    #expect(!outcome.isComplete && verdict.status == 75)
  }

  @Test("with too many numbers to start with nothing is claimed, but under a limit")
  func tooMany() throws {
    let (_, outcome, verdict) = try prove(
      text("max: 99999, keep: { within: 60s }").replacing(each: "n == 3", by: "n == 50000"))
    #expect(!outcome.isComplete)
    #expect(verdict.status == 75)
    let lines = try verdict.lines(.zero)
    #expect(
      lines.first
        == "p: the search is incomplete: n is kept, and the panel can start with more than 10000 numbers; no counterexample found so far, nothing proved."
    )
    #expect(lines.last?.hasPrefix("  Try --limit n=") == true)
  }

  @Test("of several kept values with too many starts together, all are named")
  func tooManyTogether() throws {
    let (_, outcome, verdict) = try prove(
      """
      panel: P
      inputs: { key: { button: GPIO1 } }
      outputs: { lamp: { led: GPIO10 } }
      values: { n: { initial: 0, min: 0, max: 200, keep: true }, m: { initial: 0, min: 0, max: 200, keep: true } }
      never: { lit: lamp == on and n * m == 40000 }
      initial: a
      states: { a: { on: { key.pressed: { set: { n: +1, m: +1 } } } } }
      """)
    #expect(!outcome.isComplete)
    let line = try #require(try verdict.lines(.zero).first)
    #expect(
      line.contains(text: "n, m are kept, and the panel can start with more than 10000 combinations of numbers"),
      "\(line)")
  }
}
