import Synchronization

/// A bounded queue from one thread to another, wait-free on both sides: no lock, no allocation, no system call.
///
/// One thread calls ``push(_:)``, and one thread calls ``pop()``. These threads may be replaced only while neither of
/// them calls. At every instant `offered = delivered + lost + pending`.
public final class SPSCQueue<Element: Sendable>: @unchecked Sendable {
  /// The number of elements that fit: a power of two.
  public let capacity: Int

  private let slots: UnsafeMutablePointer<Element>
  /// The numbers of elements pushed and popped so far. They never overflow: a device does not reach 2^63 events.
  private let pushed = Atomic<Int>(0)
  private let popped = Atomic<Int>(0)
  private let dropped = Atomic<Int>(0)

  /// - Parameter minimumCapacity: the smallest capacity, at least 1; rounded up to a power of two.
  public init(minimumCapacity: Int) {
    precondition(minimumCapacity > 0, "a ring holds at least one element")
    var capacity = 1
    while capacity < minimumCapacity { capacity <<= 1 }
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  deinit {
    while pop() != nil {}
    slots.deallocate()
  }

  /// Consistent counts of the elements so far (offered, delivered, lost, pending). Any thread may read them.
  public var account: LaneEventCounts {
    let delivered = popped.load(ordering: .acquiring)
    let accepted = pushed.load(ordering: .acquiring)
    let lost = dropped.load(ordering: .acquiring)
    return LaneEventCounts(
      offered: accepted + lost, delivered: delivered, lost: lost, pending: accepted - delivered)
  }

  /// Appends the element, on the pushing thread. Returns false if the ring is full, and counts the element as lost.
  @discardableResult
  public func push(_ element: consuming Element) -> Bool {
    let end = pushed.load(ordering: .relaxed)
    guard end &- popped.load(ordering: .acquiring) < capacity else {
      dropped.store(dropped.load(ordering: .relaxed) &+ 1, ordering: .releasing)
      return false
    }
    (slots + (end & (capacity &- 1))).initialize(to: element)
    pushed.store(end &+ 1, ordering: .releasing)
    return true
  }

  /// Removes and returns the oldest element, on the popping thread; nil if there is none.
  public func pop() -> Element? {
    let start = popped.load(ordering: .relaxed)
    guard start < pushed.load(ordering: .acquiring) else { return nil }
    let element = (slots + (start & (capacity &- 1))).move()
    popped.store(start &+ 1, ordering: .releasing)
    return element
  }
}
