/// The path of a wire from a pin of the header to a terminal of a card.
struct WirePath: Equatable {
  /// A position in px: x right from the middle of the header, y down from the header's top.
  struct Point: Equatable {
    var x: Int
    var y: Int
  }

  /// The index of the device in the plan.
  let device: Int
  /// The index of the terminal on the device.
  let terminal: Int
  let pin: Int
  /// The height at which it leaves the header.
  let exit: Int
  /// The height of the terminal.
  var end: Int
  /// The track in which the wire changes its height, 0 next to the header; nil for a straight wire.
  var track: Int?

  /// The heights that the wire spans in its track.
  var span: ClosedRange<Int> { min(exit, end)...max(exit, end) }

  /// The corners of the wire. It starts at the pin's tab, or at the pin itself if it leaves on the other side.
  ///
  /// - Parameter cardDistance: The distance from the middle of the header to the inner edges of the cards.
  func points(to side: WiringLayout.Side, cardDistance: Int) -> [Point] {
    let sign = side.sign
    let start =
      WiringLayout.Side(ofPin: pin) == side
      ? [Point(x: sign * (WiringMetrics.column + WiringMetrics.tab), y: exit)]
      : [
        Point(x: -sign * WiringMetrics.channel, y: WiringMetrics.y(ofPin: pin)),
        Point(x: sign * WiringMetrics.channel, y: exit),
      ]
    return start + bends(to: side) + [Point(x: sign * cardDistance, y: end)]
  }

  /// The part of the wire outside the header, where it is drawn as a bridge over other wires.
  func bridge(to side: WiringLayout.Side, cardDistance: Int) -> [Point] {
    [Point(x: side.sign * (WiringMetrics.exit - WiringMetrics.track), y: exit)] + bends(to: side)
      + [Point(x: side.sign * cardDistance, y: end)]
  }

  private func bends(to side: WiringLayout.Side) -> [Point] {
    guard let track else { return [] }
    let x = side.sign * (WiringMetrics.exit + WiringMetrics.track * track)
    return [Point(x: x, y: exit), Point(x: x, y: end)]
  }
}
