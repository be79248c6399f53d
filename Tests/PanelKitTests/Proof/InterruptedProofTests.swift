import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun

@Suite("A proof that Ctrl-C stops")
struct InterruptedProofTests {
  @Test("is undecided, and tells how far it came")
  func stopped() throws {
    let file = "\(checkoutRoot)/Examples/chess-clock/chess-clock.panel.yaml"
    let panel = try PanelFile.read(path: file)
    let sounds = PanelSound.all(panel.sounds)
    let outcome = Proof(panel: panel, sounds: sounds, elapsed: { .zero }, goesOn: { _ in false }).run()
    #expect(!outcome.isComplete)
    var options = ProofReport.Options()
    options.span = .seconds(3)
    let verdict = ProofReport(panel: panel, file: "p", outcome: outcome, options: options)
    #expect(verdict.status == 130)
    let lines = try verdict.lines(.seconds(3)).filter { $0.hasPrefix("p: stopped by Ctrl-C at ") }
    #expect(lines.count == 1 && lines.first?.contains(": no counterexample found so far") == true, "\(lines)")
    let summary = try #require(verdict.json(.seconds(3)).last).line
    #expect(summary.hasPrefix(#"{"file": "p", "kind": "summary", "result": "undecided", "situations": "#), "\(summary)")
    #expect(summary.hasSuffix(#""interrupted": true}"#), "\(summary)")
  }

  /// So small that the search is complete before it asks whether it may continue.
  private static func small(_ rules: String) throws -> (panel: PanelDefinition, outcome: Proof.Outcome) {
    let text = """
      panel: P
      inputs: { a: { button: GPIO5 } }
      \(rules)
      initial: x
      states: { x: { on: { a.pressed: y } }, y: { on: { a.pressed: x } } }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "p")
    return (panel, Proof(panel: panel, sounds: [], elapsed: { .zero }, goesOn: { _ in false }).run())
  }

  private static func verdict(_ rules: String) throws -> ProofReport {
    let (panel, outcome) = try small(rules)
    return ProofReport(panel: panel, file: "p", outcome: outcome, options: ProofReport.Options())
  }

  @Test("is undecided also if Ctrl-C comes after the search, before the paths are known")
  func stoppedBehindSearch() throws {
    let verdict = try Self.verdict("reach: [y]")
    #expect(verdict.status == 130)
    let lines = try verdict.lines(.zero)
    #expect(lines.first?.hasPrefix("p: stopped by Ctrl-C at ") == true, "\(lines)")
    let objects = try verdict.json(.zero).map(\.line)
    #expect(objects.first?.hasSuffix(#""kind": "reach", "name": "y", "text": "", "result": "undecided"}"#) == true)
    #expect(objects.last?.hasSuffix(#""interrupted": true}"#) == true, "\(objects)")
  }

  @Test("is decided if it was complete before Ctrl-C")
  func complete() throws {
    let verdict = try Self.verdict("never: { bad: state == x and state == y }")
    #expect(verdict.status == 0)
    let summary = try #require(verdict.json(.zero).last).line
    #expect(summary.hasPrefix(#"{"file": "p", "kind": "summary", "result": "proved", "#), "\(summary)")
    #expect(!summary.contains("interrupted"), "\(summary)")
  }

  @Test("fails if a violation was found before Ctrl-C")
  func violated() throws {
    let verdict = try Self.verdict("never: { bad: state == y }\nreach: [x]")
    #expect(verdict.status == 1)
    let lines = try verdict.lines(.zero)
    #expect(lines.first?.hasPrefix("p:3:10: never bad is violated: state == y") == true, "\(lines)")
  }
}
