/// The cards on one side of the header, and their wires.
struct CardColumn: Equatable {
  struct Card: Equatable {
    /// The index of the device in the plan.
    let device: Int
    /// The y of the card's top, from the header's top.
    var top: Int
    /// The height of the card, with the gap below it.
    let height: Int
  }

  let side: WiringLayout.Side
  /// The cards, from the top.
  private(set) var cards: [Card]
  /// The wires, in the order of the cards and of their terminals.
  private(set) var wires: [WirePath]
  /// The number of parallel tracks.
  private(set) var trackCount: Int
  /// The number of crossings between wires of this side.
  private(set) var crossings: Int

  /// The lower end of the lowest card; 0 without cards.
  var bottom: Int { cards.map { $0.top + $0.height }.max() ?? 0 }

  /// The upper end of the highest card; 0 without cards.
  var top: Int { cards.map(\.top).min() ?? 0 }

  /// The distance from the middle of the header to the cards' inner edges.
  var cardDistance: Int { WiringMetrics.exit + WiringMetrics.track * (trackCount + 1) }

  /// The best column of cards that was found, with the fewest crossings.
  ///
  /// At first, wires from pins of the other side use the default gaps of ``HeaderGaps``. Then one pin at a time moves
  /// to the other gap if that reduces the crossings.
  ///
  /// - Parameter through: The pins whose wires, of this side or the other, lead through the header, in order.
  static func best(
    of devices: [Int], _ shapes: [WiringLayout.Shape], side: WiringLayout.Side, through: [Int]
  ) -> CardColumn {
    var gaps = HeaderGaps()
    var best = CardColumn(ordering: devices, shapes, side: side, gaps)
    let own = through.filter { WiringLayout.Side(ofPin: $0) != side }
    // The wires of two pins in a row would cross if only one of them used its other gap.
    let movable = own.filter { !through.contains($0 % 2 == 1 ? $0 + 1 : $0 - 1) }
    for _ in 0..<3 {
      var isBetter = false
      for pin in movable where best.crossings > 0 {
        var other = gaps
        other.flip(pin)
        guard other.areFree(for: own, leavingAt: side) else { continue }
        let column = CardColumn(ordering: devices, shapes, side: side, other)
        guard column.crossings < best.crossings else { continue }
        (best, gaps, isBetter) = (column, other, true)
      }
      guard isBetter else { break }
    }
    return best
  }

  /// Cards in the order of their pins. Neighbours are swapped as long as that reduces the cost of the wires.
  private init(ordering devices: [Int], _ shapes: [WiringLayout.Shape], side: WiringLayout.Side, _ gaps: HeaderGaps) {
    func sum(_ device: Int) -> Int {
      let pins = shapes[device].pins
      return pins.isEmpty
        ? WiringMetrics.headerHeight / 2 : pins.reduce(0) { $0 + gaps.y(ofPin: $1, leavingAt: side) }
    }
    // The average heights, compared without a division.
    let order = devices.sorted { a, b in
      let (first, second) = (sum(a) * max(1, shapes[b].pins.count), sum(b) * max(1, shapes[a].pins.count))
      return first == second ? a < b : first < second
    }
    var best = CardColumn(placing: order, shapes, side: side, gaps)
    for _ in 0..<6 {
      var isBetter = false
      for upper in best.cards.indices.dropLast() {
        var order = best.cards.map(\.device)
        order.swapAt(upper, upper + 1)
        let column = CardColumn(placing: order, shapes, side: side, gaps)
        guard column.cost < best.cost else { continue }
        (best, isBetter) = (column, true)
      }
      guard isBetter else { break }
    }
    // Moved down by half a step if the terminal end of a wire would overlap the pin end of another. Pins are at
    // multiples of 12, and the terminals are then 6 px beside them.
    self = best.overlaps ? best.moved(down: WiringMetrics.half / 2) : best
  }

  /// Cards in this order, each as near to its pins as the others permit.
  private init(placing order: [Int], _ shapes: [WiringLayout.Shape], side: WiringLayout.Side, _ gaps: HeaderGaps) {
    self.side = side
    let heights = order.map { shapes[$0].height }
    let free = WiringMetrics.headerHeight - heights.reduce(0, +)
    // A column that is taller than the header starts above it, by half the excess.
    let ceiling = min(0, free.dividedDown(by: 2 * WiringMetrics.half) * WiringMetrics.half)
    let wishes = order.map { device -> CardStack.Wish in
      let shape = shapes[device]
      guard !shape.pins.isEmpty else {
        return CardStack.Wish(sum: (WiringMetrics.headerHeight - shape.height) / 2, weight: 1)
      }
      let sum = zip(shape.pins, shape.rows).reduce(0) { sum, terminal in
        sum + gaps.y(ofPin: terminal.0, leavingAt: side) - WiringMetrics.y(ofRow: terminal.1, top: 0)
      }
      return CardStack.Wish(sum: sum, weight: shape.pins.count)
    }
    let tops = CardStack.tops(wishes: wishes, heights: heights, ceiling: ceiling)
    cards = order.indices.map { Card(device: order[$0], top: tops[$0], height: heights[$0]) }
    wires = cards.flatMap { card in
      zip(shapes[card.device].pins, shapes[card.device].rows).enumerated().map { index, terminal in
        WirePath(
          device: card.device, terminal: index, pin: terminal.0, exit: gaps.y(ofPin: terminal.0, leavingAt: side),
          end: WiringMetrics.y(ofRow: terminal.1, top: card.top))
      }
    }
    (trackCount, crossings) = (0, 0)
    overlaps = false
    chooseTracks()
  }

  /// Whether wires overlap each other.
  private var overlaps: Bool

  /// The cost of an order of cards: mainly the crossings, and with a small weight the heights that the wires span.
  private var cost: Int {
    (crossings + (overlaps ? TrackOrder.overlap : 0)) * 4000 + wires.reduce(0) { $0 + abs($1.exit - $1.end) }
  }

  private mutating func chooseTracks() {
    let order = TrackOrder(wires)
    for (index, track) in order.tracks.enumerated() { wires[index].track = track }
    trackCount = (order.tracks.compactMap(\.self).max() ?? -1) + 1
    crossings = order.crossings
    overlaps = order.overlaps
  }

  private func moved(down distance: Int) -> CardColumn {
    var column = self
    for index in cards.indices { column.cards[index].top += distance }
    for index in wires.indices { column.wires[index].end += distance }
    column.chooseTracks()
    return column
  }
}

extension Int {
  /// The quotient, rounded down also for a negative number.
  func dividedDown(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
