/// The size of a display, and the address of each of its cells in the controller's memory.
///
/// Source: Hitachi HD44780U, ADE-207-272(Z) rev. 0.0, "Display Data RAM", figures 2 to 6; a display with four rows is
/// wired as two long rows: the third row continues the first.
public struct CharacterDisplayLayout: Equatable, Sendable {
  public let columns: Int
  public let rows: Int
  /// Whether the two halves of a single row are wired as two rows, as in most 16×1 displays.
  public let isSplit: Bool

  /// - Parameters:
  ///   - columns: 1 to 40; with four rows 1 to 20, with one row 1 to 80.
  ///   - rows: 1, 2 or 4. A 40×4 display has two controllers: use it as two displays.
  ///   - isSplit: for one row only: the right half is the controller's second row.
  public init(columns: Int, rows: Int, isSplit: Bool = false) {
    precondition([1, 2, 4].contains(rows), "a display has 1, 2 or 4 rows, not \(rows)")
    precondition(!isSplit || (rows == 1 && columns.isMultiple(of: 2)), "only one row of even length is split")
    let most = rows == 4 ? 20 : rows == 2 ? 40 : 80
    precondition((1...most).contains(columns), "a display of \(rows) rows has 1 to \(most) columns, not \(columns)")
    self.columns = columns
    self.rows = rows
    self.isSplit = isSplit
  }

  public static var columns16rows2: CharacterDisplayLayout { CharacterDisplayLayout(columns: 16, rows: 2) }
  public static var columns20rows4: CharacterDisplayLayout { CharacterDisplayLayout(columns: 20, rows: 4) }
  public static var columns8rows1: CharacterDisplayLayout { CharacterDisplayLayout(columns: 8, rows: 1) }

  /// The number of characters.
  public var count: Int { columns * rows }

  /// Whether the controller is set to two rows of 40 cells (function set, N) instead of one row of 80.
  public var hasTwoLines: Bool { rows > 1 || isSplit }

  /// The address in the display data RAM of a cell, counted row by row from the top left.
  public func address(of cell: Int) -> UInt8 {
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    if isSplit { return UInt8(column < columns / 2 ? column : 0x40 + column - columns / 2) }
    return UInt8((row.isMultiple(of: 2) ? 0 : 0x40) + (row < 2 ? 0 : columns) + column)
  }

  /// The cell at an address of the display data RAM; nil if that address isn't visible.
  public func cell(at address: UInt8) -> Int? {
    let isSecond = address >= 0x40 && hasTwoLines
    let place = Int(address) - (isSecond ? 0x40 : 0)
    if isSplit { return place < columns / 2 ? place + (isSecond ? columns / 2 : 0) : nil }
    let row = (place < columns ? 0 : 2) + (isSecond ? 1 : 0)
    return row < rows && place < columns * (rows == 4 ? 2 : 1) ? row * columns + place % columns : nil
  }

  /// The address at which the controller continues after a write to `address`.
  public func address(after address: UInt8) -> UInt8 {
    switch address {
    case 0x27 where hasTwoLines: 0x40
    case 0x67 where hasTwoLines: 0
    case 0x4F where !hasTwoLines: 0
    default: (address + 1) & 0x7F
    }
  }
}
