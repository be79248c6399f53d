/// The nodes of a search that is complete, and how they lead to each other.
struct SearchGraph {
  let search: Search
  /// For each node the one that stands for it: the last that includes it.
  let standing: [Int32]
  /// The edges sorted by where they lead, and for each node where its edges begin.
  private let sources: [Int32]
  private let starts: [Int]
  /// For each node whether a transition is taken by a move from it.
  private let takes: [Bool]

  init(_ search: Search) {
    self.search = search
    let count = search.store.count
    var standing = (0..<Int32(count)).map { $0 }
    // One that includes another came later: from the back, each is known before it is asked for.
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

  /// The nodes that stand for themselves.
  var nodes: [Int] { standing.indices.filter { Int(standing[$0]) == $0 } }

  /// For each node whether a way leads from it to one of these.
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

  /// For each node whether a transition can still be taken from it, at once or later.
  var isAlive: [Bool] { leadsTo(takes) }

  /// Whether transitions can be taken for ever: on some circle of nodes one is taken.
  var goesOn: Bool {
    // Nodes without a way that comes to them are taken away until there are none.
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

  /// The pairs of nodes that a move leads from and to.
  var moves: some Sequence<(from: Int, to: Int)> {
    search.edges.lazy.map { (Int(standing[Int($0.from)]), Int(standing[Int($0.to)])) }
  }
}
