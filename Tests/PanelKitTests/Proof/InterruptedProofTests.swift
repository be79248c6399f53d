import TestSupport
import Testing

@testable import PanelKit

@Suite("A proof that Ctrl-C stops")
struct InterruptedProofTests {
  @Test("is undecided, and tells how far it came")
  func stopped() throws {
    let file = "\(checkoutRoot)/Examples/chess-clock/chess-clock.panel.yaml"
    let panel = try PanelFile.read(path: file)
    let sounds = try PanelSound.load(panel.sounds)
    let outcome = Proof(panel: panel, sounds: sounds, elapsed: { .zero }, goesOn: { _ in false }).run()
    #expect(!outcome.search.isComplete)
    var options = Verdict.Options()
    (options.isInterrupted, options.span) = (true, .seconds(3))
    let verdict = Verdict(panel: panel, file: "p", outcome: outcome, options: options)
    #expect(verdict.status == 75)
    let line = try #require(verdict.lines(.seconds(3)).first)
    #expect(
      line.hasPrefix("p: stopped by Ctrl-C at ") && line.contains("nothing found so far, nothing proved."), "\(line)")
    let summary = try #require(verdict.json(.seconds(3)).last).line
    #expect(summary.hasPrefix(#"{"file": "p", "kind": "summary", "result": "undecided", "situations": "#), "\(summary)")
    #expect(summary.hasSuffix(#""interrupted": true}"#), "\(summary)")
  }
}
