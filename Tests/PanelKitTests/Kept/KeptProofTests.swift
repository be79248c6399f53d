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
      CounterexampleReport(panel: panel, file: "p", model: outcome.search.model, limits: "", way: way).failingScenario()
        .text)
    #expect(scenario.split(separator: "\n").dropFirst().first == "start: { n: 3 }")
  }

  @Test("what is proved says that it holds whatever was kept; each start is one, the initial one first")
  func allStarts() throws {
    let (_, outcome, verdict) = try prove(text("max: 3, keep: true").replacing(each: "lamp: on", by: "lamp: off"))
    #expect(verdict.status == 0)
    let model = outcome.search.model
    #expect(model.keptStartCount == 4)
    let starts = Starts(model).map { model.keptNumbers(in: $0.number) }
    #expect(starts == [[1, 0], [0, 0], [2, 0], [3, 0]])
    #expect(
      try verdict.lines(.zero).last?.contains(", random numbers, ends of sounds, kept values, faults.") == true)
  }

  @Test("with too many numbers to start with nothing is claimed, but under a limit")
  func tooMany() throws {
    let (_, outcome, verdict) = try prove(
      text("max: 99999, keep: { within: 60s }").replacing(each: "n == 3", by: "n == 50000"))
    #expect(!outcome.search.isComplete)
    #expect(verdict.status == 75)
    let lines = try verdict.lines(.zero)
    #expect(
      lines.first
        == "p: the search is incomplete: n is kept, and the panel can start with more than 10000 numbers; no counterexample found so far, nothing proved."
    )
    #expect(lines.last?.hasPrefix("  Try --limit n=") == true)
  }
}
