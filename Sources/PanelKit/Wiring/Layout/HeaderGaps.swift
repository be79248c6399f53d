/// The gaps between the rows of pins, through which a wire leaves the header on the side opposite to its pin.
///
/// Gap 0 is above the first row, gap 20 below the last one. From the pin to the gap, a wire runs diagonally between the
/// two columns:
///
///     (13)─╲    (14)     pin 13 leads right through the gap below its row,
///     (15)  ╲── (16)
///
/// These wires are parallel, or far from each other, under two conditions. No two pins of a column use the same gap.
/// The two pins of a row use one gap above it and one below it.
struct HeaderGaps: Equatable {
  /// Whether a pin uses the gap below its row, by the number of the pin. At first, even pins do.
  private var isBelow = (0...BoardHeader.pinCount).map { $0 % 2 == 0 }

  /// Moves a pin to the other of its two gaps.
  mutating func flip(_ pin: Int) { isBelow[pin].toggle() }

  /// The height at which the wire of a pin leaves the header on a side: that of the pin, or that of a gap.
  func y(ofPin pin: Int, leavingAt side: WiringLayout.Side) -> Int {
    guard WiringLayout.Side(ofPin: pin) != side else { return WiringMetrics.y(ofPin: pin) }
    return WiringMetrics.y(ofPin: pin) + (isBelow[pin] ? WiringMetrics.half : -WiringMetrics.half)
  }

  /// Whether pins of one column, in order, use different gaps to the side of the other column.
  func areFree(for pins: [Int], leavingAt side: WiringLayout.Side) -> Bool {
    zip(pins, pins.dropFirst()).allSatisfy { y(ofPin: $0, leavingAt: side) != y(ofPin: $1, leavingAt: side) }
  }
}
