import PanelEngine

/// A loop of deadlines that occur immediately and follow from each other.
struct ZenoCycle {
  /// The node of the loop with the fewest inputs before it.
  let node: Int
  /// The states that the deadlines lead to; at most ``most``.
  let states: [Int]

  static let most = 4

  /// Nil if the search contains no such loop, or was ended before one was found.
  init?(in search: Search) {
    let edges = search.edges.filter(\.isAtOnce)
    guard !edges.isEmpty else { return nil }
    let standing = SearchGraph(search).standing
    var following: [Int: [Int]] = [:]
    for edge in edges { following[Int(standing[Int(edge.from)]), default: []].append(Int(standing[Int(edge.to)])) }
    // Removes nodes without successors until only loops and the paths to them are left.
    while let last = following.first(where: { $0.value.allSatisfy { following[$0] == nil } })?.key {
      guard search.mayContinue() else { return nil }
      following[last] = nil
    }
    let origins = search.store.origins
    guard let node = following.keys.min(by: { (origins[$0].cost, $0) < (origins[$1].cost, $1) }) else { return nil }
    self.node = node
    var (states, next) = ([Int](), node)
    for _ in 0..<Self.most {
      guard let after = following[next]?.first(where: { following[$0] != nil }) else { break }
      next = after
      let (show, frame) = (search.model.show, search.situation(next).frame)
      let region = search.model.toldRegions.first { frame[state: $0] >= 0 } ?? 0
      states.append(show.toldState(of: region, in: frame))
    }
    self.states = states
  }
}
