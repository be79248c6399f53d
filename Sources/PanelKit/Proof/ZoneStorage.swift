/// The bounds of many zones in sequence. They are stored in pieces, so nothing is copied when the store grows. Each
/// bound takes 32 bits while all of them fit; in milliseconds, that is 24 days.
struct ZoneStorage {
  private static let pieceSize = 1 << 18

  private var narrow: [[Int32]] = []
  private var wide: [[Int]] = []
  private var isWide = false

  /// Adds the bounds of a zone.
  ///
  /// - Returns: the place of the bounds in the store.
  mutating func append(_ bounds: [Int]) -> Int {
    if !isWide, bounds.contains(where: { $0 != Zone.unbounded && abs($0) >= Int(Int32.max) }) { widen() }
    if isWide { return Self.append(bounds, to: &wide) { $0 } }
    return Self.append(bounds, to: &narrow) { $0 == Zone.unbounded ? Int32.max : Int32($0) }
  }

  private static func append<Number>(
    _ bounds: [Int], to pieces: inout [[Number]], _ number: (Int) -> Number
  ) -> Int {
    if pieces.last.map({ $0.count + bounds.count > max(pieceSize, bounds.count) }) ?? true {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(max(pieceSize, bounds.count))
    }
    let place = (pieces.count - 1) << 32 | pieces[pieces.count - 1].count
    for bound in bounds { pieces[pieces.count - 1].append(number(bound)) }
    return place
  }

  /// Reads the bounds of a zone.
  func load(_ place: Int, clocks: Int, into zone: inout Zone) {
    let (piece, first) = (place >> 32, place & 0xFFFF_FFFF)
    if isWide {
      wide[piece].withUnsafeBufferPointer { stored in zone.load(clocks: clocks) { stored[first + $0] } }
    } else {
      narrow[piece].withUnsafeBufferPointer { stored in
        zone.load(clocks: clocks) { stored[first + $0] == Int32.max ? Zone.unbounded : Int(stored[first + $0]) }
      }
    }
  }

  private mutating func widen() {
    isWide = true
    wide = narrow.map { $0.map { $0 == Int32.max ? Zone.unbounded : Int($0) } }
    narrow = []
  }
}
