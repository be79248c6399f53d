import TestSupport
import Testing

@testable import CycleCore

@Suite("The order of what hardware told")
struct TimedEventQueueTests {
  private func moment(_ nanoseconds: Int) -> Moment { .zero + .nanoseconds(Int64(nanoseconds)) }

  @Test("entries come by moment, then by lens, and those of one lens in their order, whatever is removed in between")
  func order() {
    for seed in UInt64(0)..<300 {
      var chance = SeededGenerator(seed: seed)
      var wrong = 0
      let lensCount = Int.random(in: 1...9, using: &chance)
      var queue = TimedEventQueue(lensCount: lensCount)
      defer { queue.deallocate() }
      var expected: [(moment: Int, lens: Int)] = []
      // The last moment of each lens: none of its events counts before the one before it.
      var stamps = Array(repeating: Int.min, count: lensCount)
      for _ in 0..<20 {
        // Drivers are woken one after the other, some of them twice; a stamp may lie before the one before it.
        for _ in 0..<Int.random(in: 0...12, using: &chance) {
          let lens = Int.random(in: 0..<lensCount, using: &chance)
          var stamp = Int.random(in: 0..<50, using: &chance)
          for _ in 0..<Int.random(in: 0...20, using: &chance) {
            queue.append(lens, at: moment(stamp))
            stamps[lens] = max(stamp, stamps[lens])
            expected.append((stamps[lens], lens))
            stamp += Int.random(in: -2...6, using: &chance)
          }
        }
        queue.endAppending()
        // A sort that is stable.
        expected = expected.enumerated().sorted {
          ($0.element.moment, $0.element.lens, $0.offset) < ($1.element.moment, $1.element.lens, $1.offset)
        }.map(\.element)
        for _ in 0..<min(expected.count, Int.random(in: 0...150, using: &chance)) {
          let first = expected.removeFirst()
          let isRight =
            queue.firstMoment == moment(first.moment) && queue.firstLens == first.lens
            && queue.holds(first.lens, after: moment(first.moment - 1))
          if !isRight { wrong += 1 }
          _ = queue.removeFirst()
        }
      }
      while !expected.isEmpty {
        if queue.firstLens != expected.removeFirst().lens { wrong += 1 }
        _ = queue.removeFirst()
      }
      #expect(wrong == 0 && queue.firstMoment == .distantFuture, "seed \(seed)")
    }
  }
}
