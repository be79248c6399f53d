import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("The messages that wait for a broker")
struct OutboxTests {
  @Test("what a connection leaves unacknowledged is sent first in the next one, in the order of before")
  func sentAgain() {
    var outbox = Outbox(topicCount: 3)
    for topic in 0..<3 { outbox.offer(value: topic) }
    #expect(outbox.next(at: .zero)?.topic == 0)
    #expect(outbox.next(at: .zero)?.topic == 1)
    outbox.disconnect()
    let later = Moment.zero + .seconds(1)
    #expect((0..<3).map { _ in outbox.next(at: later)?.topic } == [0, 1, 2])
  }
}
