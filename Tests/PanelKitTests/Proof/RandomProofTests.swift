import Glibc
import Testing

@testable import PanelLanguage
@testable import PanelProof

/// Random panels, against a search that goes on in steps of a millisecond, or of a quarter of one. PROVE_PANELS says how
/// many.
@Suite("Random proofs")
struct RandomProofTests {
  static let count = getenv("PROVE_PANELS").flatMap { Int(String(cString: $0)) } ?? 300

  @Test("what is proved, found and reached is what a search in steps of a millisecond finds, from seed 0 on")
  func random() throws {
    var (proved, violated) = (0, 0)
    for seed in 0..<UInt64(Self.count) {
      let chart = RandomChart(seed: seed)
      guard let panel = try? PanelFile.read(Array(chart.text.utf8), file: "p.panel.yaml") else { continue }
      func searched(parts: Int, most: Int) -> MillisecondSearch {
        var search = MillisecondSearch(panel, debounce: chart.debounce, parts: parts)
        search.run(most: most)
        return search
      }
      let outcome = Proof(panel: panel, sounds: [], elapsed: { .zero }).run()
      let way = outcome.violations.first
      var search = searched(parts: seed % 8 == 0 ? 4 : 1, most: 60_000)
      if search.isTooLarge { continue }
      // Some paths need an input between two deadlines that are a millisecond apart.
      if way?.inputs != search.violation { search = searched(parts: 4, most: 1_000_000) }
      #expect(way?.inputs == search.violation, "seed \(seed)\n\(chart.text)")
      if let way {
        violated += 1
        let counterexample = CounterexampleReport(panel: panel, file: "p", way: way)
        let scenario = counterexample.failingScenario().text
        // Only a missing chip makes a contact without a debounce time unknown, and no step does that to one contact.
        var isBeyondSteps = chart.debounce == 0 && !way.trace.unknown.isEmpty
        // No step sets the clock at the moment of a deadline before it.
        isBeyondSteps = isBeyondSteps || chart.debounce > 0 && panel.clock != nil
        #expect(scenario != nil || isBeyondSteps, "seed \(seed)\n\(chart.text)")
      } else {
        proved += 1
        #expect(outcome.isComplete, "seed \(seed)\n\(chart.text)")
        let reached = Dictionary(uniqueKeysWithValues: outcome.ways.map { ($0.key, $0.value.inputs) })
        let entered = search.entered.filter { entry in panel.reach.contains { $0.state == entry.key } }
        #expect(reached == entered, "seed \(seed)\n\(chart.text)")
      }
    }
    // Both happen often.
    #expect(proved > Self.count / 10 && violated > Self.count / 10, "\(proved) proved, \(violated) violated")
  }
}
