@testable import PanelWiring

/// What a layout must not have, found by looking at every pair of wires and cards.
enum WiringGeometry {
  /// A straight part of a wire.
  struct Segment {
    let wire: WirePath
    let a: WirePath.Point
    let b: WirePath.Point

    var isHorizontal: Bool { a.y == b.y }
    var isVertical: Bool { a.x == b.x }
  }

  /// All that is wrong with the layout of a plan, in words; empty if nothing is.
  static func faults(of layout: WiringLayout, _ plan: WiringPlan) -> [String] {
    var faults: [String] = []
    var segments: [Segment] = []
    for side in WiringLayout.Side.allCases {
      let column = layout[side]
      faults += cards(column)
      for wire in column.wires {
        let points = wire.points(to: side, cardDistance: column.cardDistance)
        faults += ends(of: wire, points, column, plan.devices[wire.device])
        segments += zip(points, points.dropFirst()).map { Segment(wire: wire, a: $0, b: $1) }
      }
    }
    let connected = layout.left.wires.count + layout.right.wires.count
    let terminals = plan.devices.reduce(0) { $0 + $1.terminals.count }
    if connected != terminals { faults.append("\(connected) wires for \(terminals) terminals") }
    for (index, first) in segments.enumerated() {
      for second in segments[..<index] where first.wire.pin != second.wire.pin {
        if overlap(first, second) || slanted(first, second) {
          faults.append("the wires of pin \(first.wire.pin) and pin \(second.wire.pin) lie on each other")
        }
      }
    }
    return faults
  }

  private static func cards(_ column: CardColumn) -> [String] {
    zip(column.cards, column.cards.dropFirst()).compactMap { upper, lower in
      upper.top + upper.height <= lower.top ? nil : "card \(lower.device) lies on card \(upper.device)"
    }
  }

  /// Whether a wire begins at its pin and ends at its terminal.
  private static func ends(
    of wire: WirePath, _ points: [WirePath.Point], _ column: CardColumn, _ device: WiringPlan.Device
  ) -> [String] {
    let terminal = device.terminals[wire.terminal]
    let card = column.cards.first { $0.device == wire.device }!
    let pin = BoardHeader.pin(ofLineNamed: terminal.line)!
    let isLeftPin = pin % 2 == 1
    var faults: [String] = []
    if points[0].y != 12 + 24 * ((pin - 1) / 2) || (points[0].x < 0) != isLeftPin {
      faults.append("the wire of \(device.name) doesn't begin at pin \(pin)")
    }
    let row = device.terminalRows[wire.terminal]
    let end = WirePath.Point(x: column.side.sign * column.cardDistance, y: card.top + 36 + 24 * row)
    if points.last != end { faults.append("the wire of pin \(pin) doesn't end at its terminal") }
    for (a, b) in zip(points, points.dropFirst()) where a.x != b.x && a.y != b.y && max(abs(a.x), abs(b.x)) > 8 {
      faults.append("the wire of pin \(pin) runs aslant outside the header")
    }
    return faults
  }

  /// Whether two straight parts have more than a point in common.
  private static func overlap(_ a: Segment, _ b: Segment) -> Bool {
    if a.isHorizontal, b.isHorizontal, a.a.y == b.a.y {
      return max(min(a.a.x, a.b.x), min(b.a.x, b.b.x)) < min(max(a.a.x, a.b.x), max(b.a.x, b.b.x))
    }
    if a.isVertical, b.isVertical, a.a.x == b.a.x {
      return max(min(a.a.y, a.b.y), min(b.a.y, b.b.y)) < min(max(a.a.y, a.b.y), max(b.a.y, b.b.y))
    }
    return false
  }

  /// Whether two parts that both run aslant through the header touch: then the order of their ends differs on the
  /// two sides.
  private static func slanted(_ a: Segment, _ b: Segment) -> Bool {
    guard !a.isHorizontal, !a.isVertical, !b.isHorizontal, !b.isVertical else { return false }
    func heights(_ segment: Segment) -> (left: Int, right: Int) {
      segment.a.x < segment.b.x ? (segment.a.y, segment.b.y) : (segment.b.y, segment.a.y)
    }
    let (first, second) = (heights(a), heights(b))
    return (first.left - second.left).signum() * (first.right - second.right).signum() <= 0
  }
}
