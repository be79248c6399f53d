/// The nodes of a complete search, and the moves between them.
struct SearchGraph {
  let search: Search
  /// The representative of each node: the last node that includes it.
  let standing: [Int32]
  /// The source nodes of all edges, sorted by destination.
  private let sources: [Int32]
  private let starts: [Int]
  /// Whether a move from a node takes a transition, for each node.
  private let takes: [Bool]

  init(_ search: Search) {
    self.search = search
    let count = search.store.count
    var standing = (0..<Int32(count)).map { $0 }
    // A node that includes another was added later. In reverse order, each is known before it is needed.
    for node in standing.indices.reversed() where search.store.replacements[node] >= 0 {
      standing[node] = standing[Int(search.store.replacements[node])]
    }
    var starts = [Int](repeating: 0, count: count + 1)
    var takes = [Bool](repeating: false, count: count)
    for edge in search.edges {
      starts[Int(standing[Int(edge.to)]) + 1] += 1
      if edge.takes { takes[Int(standing[Int(edge.from)])] = true }
    }
    for node in 0..<count { starts[node + 1] += starts[node] }
    var next = starts
    var sources = [Int32](repeating: 0, count: search.edges.count)
    for edge in search.edges {
      let to = Int(standing[Int(edge.to)])
      sources[next[to]] = standing[Int(edge.from)]
      next[to] += 1
    }
    self.standing = standing
    self.sources = sources
    self.starts = starts
    self.takes = takes
  }

  /// The nodes that are their own representatives.
  var nodes: [Int] { standing.indices.filter { Int(standing[$0]) == $0 } }

  /// Whether a path leads from a node to one of the wanted nodes, for each node.
  func leadsTo(_ wanted: [Bool]) -> [Bool] {
    var leads = wanted
    var open = wanted.indices.filter { wanted[$0] }
    while let node = open.popLast() {
      for source in sources[starts[node]..<starts[node + 1]] where !leads[Int(source)] {
        leads[Int(source)] = true
        open.append(Int(source))
      }
    }
    return leads
  }

  /// Whether a transition can still be taken from a node, immediately or later, for each node.
  var isAlive: [Bool] { leadsTo(takes) }

  /// Whether the moves contain a loop, so that the panel can continue endlessly.
  var goesOn: Bool {
    // Removes nodes without remaining moves until none is left, or only loops and the paths to them.
    var outgoing = [Int](repeating: 0, count: standing.count)
    for node in standing.indices {
      for source in sources[starts[node]..<starts[node + 1]] { outgoing[Int(source)] += 1 }
    }
    var open = nodes.filter { outgoing[$0] == 0 }
    var left = nodes.count
    while let node = open.popLast() {
      left -= 1
      for source in sources[starts[node]..<starts[node + 1]] {
        outgoing[Int(source)] -= 1
        if outgoing[Int(source)] == 0 { open.append(Int(source)) }
      }
    }
    return left > 0
  }

  /// The moves as pairs of nodes.
  var moves: some Sequence<(from: Int, to: Int)> {
    search.edges.lazy.map { (Int(standing[Int($0.from)]), Int(standing[Int($0.to)])) }
  }
}
