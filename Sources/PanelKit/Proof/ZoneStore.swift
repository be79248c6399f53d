/// The zones that were met, each with the situation that it belongs to and the move that led to it. A node of the search is its
/// number here.
struct ZoneStore {
  /// How a node was reached.
  struct Origin {
    /// The node before; -1 for a start.
    var parent: Int32
    var step: MadeMove
    /// How many inputs came before.
    var cost: Int32
  }

  private var bounds = BoundStore()
  /// For each node where its bounds are, and how many clocks it has.
  private var places: [Int] = []
  private var clockCounts: [Int32] = []
  private(set) var situations: [Int32] = []
  private(set) var origins: [Origin] = []
  /// For each node the next one of its situation; -1 for the last.
  private var next: [Int32] = []
  /// For each situation the first of its nodes that no other includes.
  private var first: [Int32] = []
  /// For each node the one that includes it and came later; -1 if there is none.
  private(set) var replacements: [Int32] = []
  private var scratch = Zone(clocks: 0)

  var count: Int { situations.count }

  func zone(of node: Int) -> Zone {
    var zone = Zone(clocks: 0)
    bounds.load(places[node], clocks: Int(clockCounts[node]), into: &zone)
    return zone
  }

  enum Entry {
    case added(Int)
    /// A node that is there already includes it.
    case known(Int)
  }

  /// Adds a zone of a situation unless a node that was reached with no more inputs includes it. Nodes that it includes, reached with
  /// no fewer inputs, give way to it.
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

  /// The steps that led to a node, from the start on.
  func path(to node: Int) -> [MadeMove] {
    var (path, node) = ([MadeMove](), Int32(node))
    while node >= 0 {
      path.append(origins[Int(node)].step)
      node = origins[Int(node)].parent
    }
    return path.reversed()
  }
}
