/// How many characters a display has, and where its controller keeps each of them.
///
/// Source: Hitachi HD44780U, ADE-207-272(Z) rev. 0.0, "Display Data RAM", figures 2 to 6; displays with four rows are wired as two
/// long ones, the third row behind the first.
public struct DisplaySize: Equatable, Sendable {
  public let columns: Int
  public let rows: Int
  /// Whether a display of one row is wired as two halves, as most of 16×1 are.
  public let isSplit: Bool

  /// - Parameters:
  ///   - columns: 1 to 40, to 20 with four rows, to 80 with one.
  ///   - rows: 1, 2 or 4. Displays of 40×4 have two controllers: they are two displays.
  ///   - isSplit: of one row only: the right half is the controller's second row.
  public init(columns: Int, rows: Int, isSplit: Bool = false) {
    precondition([1, 2, 4].contains(rows), "a display has 1, 2 or 4 rows, not \(rows)")
    precondition(!isSplit || (rows == 1 && columns.isMultiple(of: 2)), "only one row of even length is split")
    let most = rows == 4 ? 20 : rows == 2 ? 40 : 80
    precondition((1...most).contains(columns), "a display of \(rows) rows has 1 to \(most) columns, not \(columns)")
    self.columns = columns
    self.rows = rows
    self.isSplit = isSplit
  }

  public static var columns16rows2: DisplaySize { DisplaySize(columns: 16, rows: 2) }
  public static var columns20rows4: DisplaySize { DisplaySize(columns: 20, rows: 4) }
  public static var columns8rows1: DisplaySize { DisplaySize(columns: 8, rows: 1) }

  /// How many characters.
  public var count: Int { columns * rows }

  /// Whether the controller works with two rows of 40 (function set, N) rather than one of 80.
  public var hasTwoLines: Bool { rows > 1 || isSplit }

  /// The address in the display data RAM of a cell, counted row by row from the top left.
  public func address(of cell: Int) -> UInt8 {
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    if isSplit { return UInt8(column < columns / 2 ? column : 0x40 + column - columns / 2) }
    return UInt8((row.isMultiple(of: 2) ? 0 : 0x40) + (row < 2 ? 0 : columns) + column)
  }

  /// The cell at an address of the display data RAM; nil where that shows nowhere.
  public func cell(at address: UInt8) -> Int? {
    let isSecond = address >= 0x40 && hasTwoLines
    let place = Int(address) - (isSecond ? 0x40 : 0)
    if isSplit { return place < columns / 2 ? place + (isSecond ? columns / 2 : 0) : nil }
    let row = (place < columns ? 0 : 2) + (isSecond ? 1 : 0)
    return row < rows && place < columns * (rows == 4 ? 2 : 1) ? row * columns + place % columns : nil
  }

  /// The address that the controller goes on to after writing at one.
  public func address(after address: UInt8) -> UInt8 {
    switch address {
    case 0x27 where hasTwoLines: 0x40
    case 0x67 where hasTwoLines: 0
    case 0x4F where !hasTwoLines: 0
    default: (address + 1) & 0x7F
    }
  }
}
