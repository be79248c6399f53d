/// Nodes to be lifted, the lowest first, each with its new height.
///
/// A node is above all its parents. When the lowest one is removed, all parents that need it have therefore been
/// lifted. Each node is lifted once, however many paths lead to it.
struct HeightAdjustmentQueue {
  private struct Entry {
    var node: SignalNode
    /// The height before the node is lifted.
    var height: Int
  }

  /// The entry at `index` is not above those at `2 * index + 1` and `2 * index + 2`.
  private var heap: [Entry] = []
  private var needed: [ObjectIdentifier: Int] = [:]

  /// Adds a node, or raises its new height.
  mutating func add(_ node: SignalNode, to height: Int) {
    let id = ObjectIdentifier(node)
    if let other = needed[id] {
      needed[id] = max(other, height)
      return
    }
    needed[id] = height
    heap.append(Entry(node: node, height: node.height))
    var index = heap.count - 1
    while index > 0, heap[index].height < heap[(index - 1) / 2].height {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the lowest node; nil if there is none.
  mutating func removeFirst() -> (node: SignalNode, height: Int)? {
    guard !heap.isEmpty else { return nil }
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast()
    var index = 0
    while 2 * index + 1 < heap.count {
      var child = 2 * index + 1
      if child + 1 < heap.count, heap[child + 1].height < heap[child].height { child += 1 }
      guard heap[child].height < heap[index].height else { break }
      heap.swapAt(child, index)
      index = child
    }
    return (first.node, needed.removeValue(forKey: ObjectIdentifier(first.node))!)
  }
}
