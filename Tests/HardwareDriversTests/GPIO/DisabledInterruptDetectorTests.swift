import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("A storm of edges")
struct EdgeStormTests {
  private func at(_ milliseconds: Int) -> Moment { .zero + .milliseconds(milliseconds) }

  @Test("a hundred missing edges are a storm, 99 are none; it ends a second after its last edge", arguments: [99, 100])
  func hundred(count: Int) {
    var storm = DisabledInterruptDetector(lines: .first(1))
    storm.lose(count - 1, of: 0, at: at(0))
    storm.lose(nil, of: 0, at: at(10))
    #expect(storm.deadline == (count < 100 ? nil : at(1_010)))
    storm.receive(0, at: at(500))
    #expect(storm.deadline == (count < 100 ? nil : at(1_500)))
    storm.end()
    #expect(storm.deadline == nil)
  }

  @Test("a line that is not watched neither begins a storm nor prolongs one")
  func unwatched() {
    var storm = DisabledInterruptDetector(lines: .first(1))
    storm.lose(1_000, of: 1, at: at(0))
    #expect(storm.deadline == nil)
    storm.lose(100, of: 0, at: at(0))
    storm.receive(1, at: at(500))
    #expect(storm.deadline == at(1_000))
  }

  @Test("edges that went missing more than ten seconds apart belong to no one storm", arguments: [10_000, 10_001])
  func apart(milliseconds: Int) {
    var storm = DisabledInterruptDetector(lines: .first(1))
    storm.lose(60, of: 0, at: at(0))
    storm.lose(60, of: 0, at: at(milliseconds))
    #expect((storm.deadline != nil) == (milliseconds == 10_000))
  }
}
