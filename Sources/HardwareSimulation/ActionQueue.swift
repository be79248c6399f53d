import CycleCore

/// The planned actions of a bench, ordered by moment, and at the same moment by the order of adding.
///
/// A binary heap: adding an action and removing the first one take O(log n) for n planned actions.
struct ActionQueue {
  enum Action {
    case closure(() -> Void)
    /// An object, and the number that its ``SelfScheduling/perform(_:at:)`` gets; adding one allocates no closure.
    case task(any SelfScheduling, Int)
  }

  struct Entry {
    var moment: Moment
    /// The number of the addition, so that actions at the same moment keep their order.
    fileprivate var number: Int
    var action: Action

    fileprivate func precedes(_ other: Entry) -> Bool {
      moment == other.moment ? number < other.number : moment < other.moment
    }

    func perform() {
      switch action {
      case .closure(let action): action()
      case .task(let task, let number): task.perform(number, at: moment)
      }
    }
  }

  /// The entry at `index` precedes those at `2 * index + 1` and `2 * index + 2`.
  private var heap: [Entry] = []
  private var additions = 0

  var isEmpty: Bool { heap.isEmpty }

  /// The moment of the first action; nil if nothing is planned.
  var firstMoment: Moment? { heap.isEmpty ? nil : heap[0].moment }

  mutating func add(at moment: Moment, _ action: Action) {
    heap.append(Entry(moment: moment, number: additions, action: action))
    additions += 1
    var index = heap.count - 1
    while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the first action; there must be one.
  mutating func removeFirst() -> Entry {
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast()
    var index = 0
    while 2 * index + 1 < heap.count {
      let left = 2 * index + 1
      let earlier = left + 1 < heap.count && heap[left + 1].precedes(heap[left]) ? left + 1 : left
      guard heap[earlier].precedes(heap[index]) else { break }
      heap.swapAt(index, earlier)
      index = earlier
    }
    return first
  }

  /// Removes the first action if its moment is not after `moment`.
  mutating func removeFirst(dueAt moment: Moment) -> Entry? {
    guard !heap.isEmpty, heap[0].moment <= moment else { return nil }
    return removeFirst()
  }
}
