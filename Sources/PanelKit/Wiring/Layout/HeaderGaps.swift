/// The gaps between the rows of pins, through which a wire leaves the header on the side where its pin isn't.
///
/// Gap 0 is above the first row, gap 20 below the last one. From the pin to the gap a wire runs aslant between the
/// two columns:
///
///     (13)─╲    (14)     pin 13 goes right through the gap below its row,
///     (15)  ╲── (16)
///
/// and all wires that run so are parallel, or far from each other, as long as no two pins of a column use the same
/// gap, and the two pins of a row use one gap above it and one below it.
struct HeaderGaps: Equatable {
  /// Whether a pin uses the gap below its row, by the number of the pin: at first those with an even number.
  private var isBelow = (0...BoardHeader.pinCount).map { $0 % 2 == 0 }

  /// Lets a pin use the other of its two gaps.
  mutating func flip(_ pin: Int) { isBelow[pin].toggle() }

  /// The height at which the wire of a pin leaves the header on a side: that of the pin, or that of a gap.
  func y(ofPin pin: Int, leavingAt side: WiringLayout.Side) -> Int {
    guard WiringLayout.Side(ofPin: pin) != side else { return WiringGrid.y(ofPin: pin) }
    return WiringGrid.y(ofPin: pin) + (isBelow[pin] ? WiringGrid.half : -WiringGrid.half)
  }

  /// Whether pins of one column, in their order, use different gaps on their way to the side of the other column.
  func areFree(for pins: [Int], leavingAt side: WiringLayout.Side) -> Bool {
    zip(pins, pins.dropFirst()).allSatisfy { y(ofPin: $0, leavingAt: side) != y(ofPin: $1, leavingAt: side) }
  }
}
