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

  /// Whether a loop of moves takes a transition, so that the panel can take transitions endlessly.
  var goesOn: Bool {
    let loops = loops
    return search.edges.contains { $0.takes && loops[Int(standing[Int($0.from)])] == loops[Int(standing[Int($0.to)])] }
  }

  /// A number for each node. Two nodes have the same number if paths lead from each to the other: Tarjan, "Depth-first
  /// search and linear graph algorithms" (1972).
  private var loops: [Int] {
    // The order in which the nodes are found, from 1, and the first node of those that each leads to.
    var order = [Int](repeating: 0, count: standing.count)
    var first = order
    var loops = [Int](repeating: -1, count: standing.count)
    var (count, open) = (0, [Int]())
    var path: [(node: Int, next: Int)] = []
    for root in nodes where order[root] == 0 {
      path.append((root, starts[root]))
      while let (node, next) = path.last {
        if order[node] == 0 {
          count += 1
          (order[node], first[node]) = (count, count)
          open.append(node)
        }
        guard next == starts[node + 1] else {
          path[path.count - 1].next += 1
          let source = Int(sources[next])
          if order[source] == 0 {
            path.append((source, starts[source]))
          } else if loops[source] < 0 {
            first[node] = min(first[node], order[source])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.node { first[parent] = min(first[parent], first[node]) }
        guard first[node] == order[node] else { continue }
        while let last = open.popLast() {
          loops[last] = node
          if last == node { break }
        }
      }
    }
    return loops
  }

  /// The moves as pairs of nodes.
  var moves: some Sequence<(from: Int, to: Int)> {
    search.edges.lazy.map { (Int(standing[Int($0.from)]), Int(standing[Int($0.to)])) }
  }
}
