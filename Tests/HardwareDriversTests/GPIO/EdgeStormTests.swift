import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("A storm of edges")
struct EdgeStormTests {
  private func at(_ milliseconds: Int) -> Moment { .zero + .milliseconds(milliseconds) }

  @Test("a hundred missing edges are a storm, 99 are none; it ends a second after its last edge", arguments: [99, 100])
  func hundred(count: Int) {
    var storm = EdgeStorm()
    storm.lose(count - 1, at: at(0))
    storm.lose(nil, at: at(10))
    #expect(storm.deadline == (count < 100 ? nil : at(1_010)))
    storm.receive(at: at(500))
    #expect(storm.deadline == (count < 100 ? nil : at(1_500)))
    storm.end()
    #expect(storm.deadline == nil)
  }

  @Test("edges that went missing more than ten seconds apart belong to no one storm", arguments: [10_000, 10_001])
  func apart(milliseconds: Int) {
    var storm = EdgeStorm()
    storm.lose(60, at: at(0))
    storm.lose(60, at: at(milliseconds))
    #expect((storm.deadline != nil) == (milliseconds == 10_000))
  }
}
