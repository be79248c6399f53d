/// A queue of fixed capacity: it allocates nothing after its initialization.
struct FixedQueue<Element> {
  private var elements: [Element]
  private var first = 0
  private(set) var count = 0
  private let empty: Element

  /// - Parameters:
  ///   - capacity: the maximum number of elements.
  ///   - empty: a value for places without an element.
  init(capacity: Int, empty: Element) {
    elements = Array(repeating: empty, count: max(1, capacity))
    self.empty = empty
  }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == elements.count }

  private func place(_ index: Int) -> Int {
    let place = first + index
    return place < elements.count ? place : place - elements.count
  }

  subscript(index: Int) -> Element {
    get { elements[place(index)] }
    set { elements[place(index)] = newValue }
  }

  mutating func append(_ element: Element) {
    precondition(!isFull, "there is no room")
    elements[place(count)] = element
    count += 1
  }

  mutating func prepend(_ element: Element) {
    precondition(!isFull, "there is no room")
    first = first == 0 ? elements.count - 1 : first - 1
    elements[first] = element
    count += 1
  }

  mutating func removeFirst() -> Element {
    let element = elements[first]
    elements[first] = empty
    first = place(1)
    count -= 1
    return element
  }

  mutating func removeLast() -> Element {
    count -= 1
    let last = place(count)
    let element = elements[last]
    elements[last] = empty
    return element
  }

  /// Removes and returns an element at any position.
  mutating func remove(at index: Int) -> Element {
    let element = self[index]
    for later in index..<(count - 1) { self[later] = self[later + 1] }
    _ = removeLast()
    return element
  }
}
