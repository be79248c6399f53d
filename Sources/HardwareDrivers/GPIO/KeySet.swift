/// Some keys of a matrix of up to 8 rows and 8 columns, as bits.
struct KeySet: Equatable, Sendable {
  /// Bit 8 × row + column.
  var bits: UInt64 = 0

  static func key(row: Int, column: Int) -> KeySet { KeySet(bits: 1 << UInt64(8 * row + column)) }

  var isEmpty: Bool { bits == 0 }

  func contains(_ place: Int) -> Bool { bits & (1 << UInt64(place)) != 0 }

  func subtracting(_ other: KeySet) -> KeySet { KeySet(bits: bits & ~other.bits) }

  /// The columns of one row, bit n for column n.
  subscript(row row: Int) -> UInt8 {
    get { UInt8(truncatingIfNeeded: bits >> UInt64(8 * row)) }
    set { bits = bits & ~(0xFF << UInt64(8 * row)) | UInt64(newValue) << UInt64(8 * row) }
  }

  /// The keys of this scan whose state is uncertain because the matrix has no diodes.
  ///
  /// A pressed key connects its row with its column. All crossings of connected rows and columns read as pressed, so a
  /// key is certain only if its group of connected lines has a single row or a single column:
  ///
  ///         0 1 2
  ///      0  # # .      three keys at the corners of a rectangle are down; which three is unknown:
  ///      1  # # .      these four are doubtful
  ///      2  . . #      this one isn't
  var doubtful: KeySet {
    var doubtful = KeySet()
    var left = self
    for row in 0..<8 where left[row: row] != 0 {
      var (rows, columns) = (1, left[row: row])
      var group = KeySet()
      group[row: row] = columns
      left[row: row] = 0
      // A row that shares a column adds its own columns, and rows checked before may share those: repeat until nothing
      // is added.
      var hasGrown = true
      while hasGrown {
        hasGrown = false
        for other in 0..<8 where left[row: other] & columns != 0 {
          columns |= left[row: other]
          group[row: other] = left[row: other]
          left[row: other] = 0
          rows += 1
          hasGrown = true
        }
      }
      if rows > 1, columns.nonzeroBitCount > 1 { doubtful.bits |= group.bits }
    }
    return doubtful
  }
}
