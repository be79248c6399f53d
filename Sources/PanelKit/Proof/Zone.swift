/// A set of clock values in which the difference of any two clocks is at most a bound (a difference bound matrix).
///
/// Clocks count from 1. Clock 0 is always 0, so a bound of one clock is also a bound of a difference. All bounds are
/// whole numbers and closed (`x - y <= bound`), so a zone is the set of its whole points. Before and after each
/// operation, the bounds are tight (see ``close()``). An operation that can make the zone empty has this in its
/// comment.
struct Zone: Equatable, Sendable {
  /// The bound of an unbounded difference. The sum of two does not overflow.
  static let unbounded = Int.max / 4

  /// The number of clocks, including clock 0.
  private(set) var size: Int
  /// `bounds[a * size + b]` is the bound of clock `a` minus clock `b`.
  private(set) var bounds: [Int]
  private(set) var isEmpty = false

  /// The zone in which all clocks are 0.
  init(clocks: Int) {
    size = clocks + 1
    bounds = [Int](repeating: 0, count: size * size)
  }

  func bound(_ a: Int, _ b: Int) -> Int { bounds[a * size + b] }

  /// Lets time pass: advances all clocks together, by at least `least` ticks.
  mutating func up(byAtLeast least: Int = 0) {
    for clock in 1..<max(size, 1) {
      bounds[clock * size] = Self.unbounded
      bounds[clock] -= least
    }
  }

  /// Keeps the points at which clock `a` minus clock `b` is at most `bound`.
  mutating func constrain(_ a: Int, _ b: Int, _ bound: Int) {
    guard !isEmpty, bound < bounds[a * size + b] else { return }
    guard bound + bounds[b * size + a] >= 0 else {
      isEmpty = true
      return
    }
    bounds[a * size + b] = bound
    // Only differences that use this one can become tighter.
    for from in 0..<size where bounds[from * size + a] < Self.unbounded {
      let toA = bounds[from * size + a] + bound
      for to in 0..<size where bounds[b * size + to] < Self.unbounded {
        bounds[from * size + to] = min(bounds[from * size + to], toA + bounds[b * size + to])
      }
    }
  }

  /// Keeps the points at which a clock is at least, or at most, this number of ticks.
  mutating func constrain(_ clock: Int, atLeast least: Int) { constrain(0, clock, -least) }
  mutating func constrain(_ clock: Int, atMost most: Int) { constrain(clock, 0, most) }

  /// The zone of other clocks, each of which is a clock of this zone or begins at 0 now.
  ///
  /// - Parameter origins: the clock of this zone for each new clock, from clock 1 on; 0 for one that begins.
  func carry(_ origins: [Int], into other: inout Zone) {
    other.resize(origins.count + 1)
    other.isEmpty = isEmpty
    for a in 0...origins.count {
      let from = a == 0 ? 0 : origins[a - 1]
      for b in 0...origins.count {
        let to = b == 0 ? 0 : origins[b - 1]
        other.bounds[a * other.size + b] = bounds[from * size + to]
      }
    }
  }

  /// Makes all bounds as tight as they follow from each other (Floyd and Warshall).
  mutating func close() {
    for way in 0..<size {
      for a in 0..<size where bounds[a * size + way] < Self.unbounded {
        let toWay = bounds[a * size + way]
        for b in 0..<size where bounds[way * size + b] < Self.unbounded {
          bounds[a * size + b] = min(bounds[a * size + b], toWay + bounds[way * size + b])
        }
      }
    }
    for clock in 0..<size where bounds[clock * size + clock] < 0 { isEmpty = true }
  }

  /// Drops the exact values of clocks above the greatest number that they are still compared with, because the next
  /// moves do not depend on them (Extra-M: Behrmann, Bouyer, Larsen and Pelánek 2004). This bounds the number of zones.
  ///
  /// - Parameter greatest: the greatest number that each clock is compared with before it restarts, from clock 1 on.
  mutating func forgetBeyond(_ greatest: [Int]) {
    var isChanged = false
    for a in 0..<size {
      for b in 0..<size where a != b {
        let bound = bounds[a * size + b]
        if a > 0, bound > greatest[a - 1], bound < Self.unbounded {
          bounds[a * size + b] = Self.unbounded
          isChanged = true
        } else if b > 0, bound < -greatest[b - 1] - 1 {
          bounds[a * size + b] = -greatest[b - 1] - 1
          isChanged = true
        }
      }
    }
    if isChanged { close() }
  }

  /// Whether this zone contains all points of another zone of the same clocks.
  func includes(_ other: Zone) -> Bool {
    for place in bounds.indices where other.bounds[place] > bounds[place] { return false }
    return true
  }

  /// Replaces the zone by one with these bounds.
  @inline(__always)
  mutating func load(clocks: Int, _ bound: (_ place: Int) -> Int) {
    resize(clocks + 1)
    isEmpty = false
    for place in bounds.indices { bounds[place] = bound(place) }
  }

  private mutating func resize(_ size: Int) {
    guard self.size != size else { return }
    self.size = size
    if bounds.count > size * size { bounds.removeLast(bounds.count - size * size) }
    while bounds.count < size * size { bounds.append(0) }
  }
}
