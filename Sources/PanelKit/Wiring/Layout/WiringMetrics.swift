/// The dimensions of a wiring picture, in px.
///
/// Heights are counted down from the top of the header. Pins are 12 px beside a multiple of 24. The gaps between them
/// and all terminals of cards are at multiples of 12.
enum WiringMetrics {
  /// The distance from one row of pins, or of terminals, to the next.
  static let pitch = 24
  /// Half a row.
  static let half = 12
  /// The height of the header.
  static let headerHeight = 20 * pitch
  /// The width of a card.
  static let cardWidth = 264
  /// The height of a card above its first row.
  static let cardHead = 36
  /// The gap below a card, which is a part of its height in the layout.
  static let cardGap = 6
  /// The distance from the middle of the header to the middle of a column of pins.
  static let column = 16
  /// Half the free space between the columns of pins.
  static let channel = 8
  /// The distance from the middle of a pin to the far end of its tab.
  static let tab = 67
  /// The distance from the middle of the header to the start of the tracks.
  static let exit = 101
  /// The distance from one track to the next.
  static let track = 10

  /// The height of a pin's middle.
  static func y(ofPin pin: Int) -> Int { half + pitch * ((pin - 1) / 2) }

  /// The height of a row's middle on a card with its top at `top`.
  static func y(ofRow row: Int, top: Int) -> Int { top + cardHead + pitch * row }

  /// The height of a card, with the gap below it; a multiple of 12.
  static func height(rows: Int) -> Int { cardHead + pitch * rows }
}
