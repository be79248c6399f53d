/// The zones of a search, each with its situation and the move that led to it. A node of the search is a number in this
/// store.
package struct ZoneStore {
  /// How a node was reached.
  struct Origin {
    /// The previous node; -1 for a start.
    var parent: Int32
    var step: MadeMove
    /// The number of inputs before the node.
    var cost: Int32
  }

  private var bounds = ZoneStorage()
  /// The place of each node's bounds, and its number of clocks.
  private var places: [Int] = []
  private var clockCounts: [Int32] = []
  private(set) var situations: [Int32] = []
  private(set) var origins: [Origin] = []
  /// The next node of the same situation; -1 for the last.
  private var next: [Int32] = []
  /// The first node of each situation that no other node includes.
  private var first: [Int32] = []
  /// The later node that includes each node; -1 if there is none.
  private(set) var replacements: [Int32] = []
  private var scratch = Zone(clocks: 0)

  package var count: Int { situations.count }

  func zone(of node: Int) -> Zone {
    var zone = Zone(clocks: 0)
    bounds.load(places[node], clocks: Int(clockCounts[node]), into: &zone)
    return zone
  }

  enum Entry {
    case added(Int)
    /// An existing node that already includes the zone.
    case known(Int)
  }

  /// Adds a zone of a situation, unless it is included in a node that was reached with at most as many inputs. It
  /// replaces the nodes that it includes and that were reached with at least as many inputs.
  mutating func add(_ zone: Zone, of situation: Int, from origin: Origin) -> Entry {
    while first.count <= situation { first.append(-1) }
    var (node, last) = (first[situation], Int32(-1))
    while node >= 0 {
      bounds.load(places[Int(node)], clocks: zone.size - 1, into: &scratch)
      if origins[Int(node)].cost <= origin.cost, scratch.includes(zone) { return .known(Int(node)) }
      let following = next[Int(node)]
      if origins[Int(node)].cost >= origin.cost, zone.includes(scratch) {
        replacements[Int(node)] = Int32(count)
        if last < 0 { first[situation] = following } else { next[Int(last)] = following }
      } else {
        last = node
      }
      node = following
    }
    places.append(bounds.append(zone.bounds))
    clockCounts.append(Int32(zone.size - 1))
    situations.append(Int32(situation))
    origins.append(origin)
    replacements.append(-1)
    next.append(first[situation])
    first[situation] = Int32(count - 1)
    return .added(count - 1)
  }

  /// The steps from the start to a node.
  func path(to node: Int) -> [MadeMove] {
    var (path, node) = ([MadeMove](), Int32(node))
    while node >= 0 {
      path.append(origins[Int(node)].step)
      node = origins[Int(node)].parent
    }
    return path.reversed()
  }
}
