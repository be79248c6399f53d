import CycleCore
import Testing

@testable import HardwareSimulation

@Suite("What the world plans")
struct ScheduleTests {
  @Test("actions come by moment, and at one moment in the order of their addition, whatever is added amid them")
  func order() {
    for seed in UInt64(0)..<200 {
      var random = SeededGenerator(seed: seed)
      var schedule = ActionQueue()
      var expected: [(moment: Int, number: Int)] = []
      var (number, last) = (0, 0)
      var done: [Int] = []
      for _ in 0..<300 {
        if Int.random(in: 0..<3, using: &random) < 2 {
          // Nothing is planned for the past.
          let (moment, addition) = (last + Int.random(in: 0..<20, using: &random), number)
          schedule.add(at: .zero + .nanoseconds(Int64(moment)), .closure { done.append(addition) })
          let place = expected.firstIndex { $0.moment > moment } ?? expected.endIndex
          expected.insert((moment, addition), at: place)
          number += 1
        } else if !expected.isEmpty {
          let first = expected.removeFirst()
          last = first.moment
          #expect(schedule.firstMoment == .zero + .nanoseconds(Int64(last)), "seed \(seed)")
          let removed = schedule.removeFirst()
          removed.perform()
          #expect(done.last == first.number, "seed \(seed)")
        }
      }
      #expect(schedule.isEmpty == expected.isEmpty, "seed \(seed)")
    }
  }
}
