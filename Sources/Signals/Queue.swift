import CycleCore

/// A first-in, first-out queue that keeps its storage: a steady flow allocates nothing.
struct Queue<Element> {
  private var elements: [Element] = []
  private var start = 0

  var isEmpty: Bool { start == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func append(_ others: Queue) { elements += others.elements[others.start...] }

  /// Removes and returns the oldest element. The queue must not be empty.
  mutating func removeFirst() -> Element {
    let element = elements[start]
    start += 1
    if start == elements.count {
      removeAll()
    } else if start > 64, 2 * start > elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }

  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
    start = 0
  }
}
