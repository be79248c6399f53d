/// Chooses the tracks between the header and the cards, in which the wires of one side change their heights.
///
/// Each bent wire is horizontal, vertical, horizontal. The number of crossings of two wires depends only on which track
/// is nearer to the header. So the order of tracks with a small sum over all pairs is searched. Each wire in turn is
/// removed, and inserted at the position with the lowest sum, until the sum stops improving.
struct TrackOrder {
  /// The cost of two wires that overlap each other. It is higher than that of all crossings.
  static let overlap = 1000

  /// The track of each wire, 0 next to the header; nil for a wire that is straight.
  let tracks: [Int?]
  /// The number of crossings between the wires.
  let crossings: Int
  /// Whether some wires overlap each other.
  let overlaps: Bool

  init(_ wires: [WirePath]) {
    let bent = wires.indices.filter { wires[$0].exit != wires[$0].end }
    let costs = bent.map { near in bent.map { far in Self.cost(near: wires[near], far: wires[far]) } }
    var order = Self.start(bent.map { wires[$0] })
    Self.improve(&order, costs)

    var tracks = [Int?](repeating: nil, count: wires.count)
    for (place, wire) in order.enumerated() {
      let span = wires[bent[wire]].span
      var track = 0
      for other in order[..<place] {
        let otherSpan = wires[bent[other]].span
        let isNear = span.lowerBound <= otherSpan.upperBound + 8 && otherSpan.lowerBound <= span.upperBound + 8
        // Wires that never come near each other can share a track, and swap the order of their tracks if that costs
        // nothing.
        if isNear || costs[wire][other] > costs[other][wire] { track = max(track, tracks[bent[other]]! + 1) }
      }
      tracks[bent[wire]] = track
    }
    self.tracks = tracks

    var sum = 0
    for (place, near) in order.enumerated() {
      for far in order[(place + 1)...] { sum += costs[near][far] }
    }
    for wire in wires where wire.exit == wire.end {
      sum += bent.count { wires[$0].pin != wire.pin && Self.isInside(wire.end, wires[$0]) }
    }
    (overlaps, crossings) = (sum >= Self.overlap, sum % Self.overlap)
  }

  /// The cost of two bent wires if the track of `near` is nearer to the header than that of `far`.
  private static func cost(near: WirePath, far: WirePath) -> Int {
    // Wires of one pin are one net, and are joined where they meet.
    if near.pin == far.pin { return 0 }
    var cost = near.end == far.exit ? overlap : 0
    if isInside(far.exit, near) { cost += 1 }
    if isInside(near.end, far) { cost += 1 }
    return cost
  }

  /// Whether a horizontal wire at a height crosses the vertical part of a wire.
  private static func isInside(_ y: Int, _ wire: WirePath) -> Bool {
    wire.span.lowerBound < y && y < wire.span.upperBound
  }

  /// The wires that lead down, from the lowest one on, then the wires that lead up, from the highest one on.
  private static func start(_ wires: [WirePath]) -> [Int] {
    func key(_ wire: Int) -> (Int, Int) {
      let falls = wires[wire].end > wires[wire].exit
      return (falls ? 0 : 1, falls ? -wires[wire].exit : wires[wire].exit)
    }
    return wires.indices.sorted { key($0) == key($1) ? $0 < $1 : key($0) < key($1) }
  }

  private static func improve(_ order: inout [Int], _ costs: [[Int]]) {
    for _ in 0..<20 {
      var isBetter = false
      for wire in order {
        let place = order.firstIndex(of: wire)!
        var rest = order
        rest.remove(at: place)
        // The sum of the pairs with this wire, at the front, and then after each of the others in turn.
        var sum = rest.reduce(0) { $0 + costs[wire][$1] }
        var (least, leastPlace, present) = (sum, 0, place == 0 ? sum : 0)
        for (index, other) in rest.enumerated() {
          sum += costs[other][wire] - costs[wire][other]
          if sum < least { (least, leastPlace) = (sum, index + 1) }
          if index + 1 == place { present = sum }
        }
        if least < present {
          rest.insert(wire, at: leastPlace)
          order = rest
          isBetter = true
        }
      }
      if !isBetter { return }
    }
  }
}
