import CycleCore
import HardwareSimulation
import Testing

@testable import PanelProof

@Suite("Zones")
struct ZoneTests {
  /// All points of two clocks that are looked at.
  static let side = 0...12
  static let points = side.flatMap { x in side.map { y in [x, y] } }

  /// Those of the points that are in a zone, by its bounds.
  static func members(_ zone: Zone) -> Set<[Int]> {
    guard !zone.isEmpty else { return [] }
    return Set(
      points.filter { point in
        let values = [0] + point
        return (0..<3).allSatisfy { a in (0..<3).allSatisfy { b in values[a] - values[b] <= zone.bound(a, b) } }
      })
  }

  /// A zone that random operations lead to, all of whose points are among those that are looked at.
  static func zone(_ random: inout SeededGenerator) -> Zone {
    var zone = Zone(clocks: 2)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      var next = zone
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        next.up(byAtLeast: Int.random(in: 0...2, using: &random))
        next.constrain(1, atMost: 12)
        next.constrain(2, atMost: 12)
      case 1: next = reset(next, Int.random(in: 1...2, using: &random))
      default: constrain(&next, &random)
      }
      if !next.isEmpty { zone = next }
    }
    return zone
  }

  private static func reset(_ zone: Zone, _ clock: Int) -> Zone {
    var other = Zone(clocks: 2)
    zone.carry(clock == 1 ? [0, 2] : [1, 0], into: &other)
    return other
  }

  private static func constrain(_ zone: inout Zone, _ random: inout SeededGenerator) {
    let clock = Int.random(in: 1...2, using: &random)
    let number = Int.random(in: 0...9, using: &random)
    if Bool.random(using: &random) {
      zone.constrain(clock, atLeast: number)
    } else {
      zone.constrain(clock, atMost: number)
    }
  }

  @Test("each operation does to the bounds what it does to the set of points, seeds 0 to 499")
  func operations() {
    for seed in 0..<500 {
      var random = SeededGenerator(seed: UInt64(seed))
      let zone = Self.zone(&random)
      let before = Self.members(zone)
      #expect(!before.isEmpty, "seed \(seed)")

      var narrowed = zone
      let (clock, number) = (Int.random(in: 1...2, using: &random), Int.random(in: 0...12, using: &random))
      narrowed.constrain(clock, atLeast: number)
      let above = before.filter { $0[clock - 1] >= number }
      #expect(Self.members(narrowed) == above, "seed \(seed)")
      #expect(narrowed.isEmpty == above.isEmpty, "seed \(seed)")

      var later = zone
      let least = Int.random(in: 0...3, using: &random)
      later.up(byAtLeast: least)
      let wanted = Self.points.filter { point in
        (least...max(least, 12)).contains { span in before.contains(point.map { $0 - span }) }
      }
      #expect(Self.members(later) == Set(wanted), "seed \(seed)")

      var exchanged = Zone(clocks: 0)
      zone.carry([2, 0, 1], into: &exchanged)
      #expect(
        before.allSatisfy { point in
          let values = [0, point[1], 0, point[0]]
          return (0..<4).allSatisfy { a in
            (0..<4).allSatisfy { b in values[a] - values[b] <= exchanged.bound(a, b) }
          }
        }, "seed \(seed)")
      #expect(exchanged.bound(2, 0) == 0 && exchanged.bound(1, 0) == zone.bound(2, 0), "seed \(seed)")

      let other = Self.zone(&random)
      #expect(zone.includes(other) == Self.members(other).isSubset(of: before), "seed \(seed)")
    }
  }

  @Test("what is forgotten of a zone are numbers beyond the greatest that matters, seeds 0 to 499")
  func forgetting() {
    for seed in 0..<500 {
      var random = SeededGenerator(seed: UInt64(seed))
      let zone = Self.zone(&random)
      let greatest = [Int.random(in: 0...6, using: &random), Int.random(in: 0...6, using: &random)]
      var wider = zone
      wider.forgetBeyond(greatest)
      #expect(wider.includes(zone), "seed \(seed)")
      var closed = wider
      closed.close()
      #expect(closed == wider, "seed \(seed): its bounds are tight")
      let before = Self.members(zone)
      for point in Self.members(wider) {
        let isMeant = before.contains { other in
          (0..<2).allSatisfy { clock in
            if point[clock] == other[clock] { return true }
            return point[clock] > greatest[clock] && other[clock] > greatest[clock]
          }
        }
        #expect(isMeant, "seed \(seed), \(point)")
      }
    }
  }

  @Test("closing makes a bound as tight as it follows from two others, also by way of the clock that is 0")
  func closing() {
    var zone = Zone(clocks: 2)
    zone.load(clocks: 2) { place in
      // x <= 5, y >= 2, and nothing said of x - y.
      switch place {
      case 0, 4, 8: 0
      case 3: 5
      case 2: -2
      case 1: 0
      default: Zone.unbounded
      }
    }
    zone.close()
    #expect(zone.bound(1, 2) == 3 && zone.bound(1, 0) == 5 && zone.bound(0, 2) == -2)
    #expect(zone.bound(2, 1) == Zone.unbounded && !zone.isEmpty)
  }

  @Test("bounds that contradict each other leave nothing")
  func empty() {
    var zone = Zone(clocks: 1)
    zone.up()
    zone.constrain(1, atMost: 3)
    zone.constrain(1, atLeast: 4)
    #expect(zone.isEmpty)
  }
}
