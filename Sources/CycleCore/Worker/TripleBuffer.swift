import Synchronization

/// The newest value of one thread for another: older values are overwritten, the newest is never lost, and neither
/// thread waits.
///
/// One thread stores, and one thread loads. There are three slots: one of the storing thread, one of the loading
/// thread, and one between them that either thread exchanges with its own.
final class TripleBuffer<Value: Sendable>: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<Value>
  /// The number of the slot between the two, plus `isNewer` if its value has not been loaded yet.
  private let between = Atomic<Int>(1)
  @exclusivity(unchecked) private var storing = 0
  @exclusivity(unchecked) private var loading = 2

  private static var isNewer: Int { 4 }

  init(_ value: Value) {
    slots = .allocate(capacity: 3)
    slots.initialize(repeating: value, count: 3)
  }

  deinit {
    slots.deinitialize(count: 3)
    slots.deallocate()
  }

  func store(_ value: Value) {
    slots[storing] = value
    storing = between.exchange(storing | Self.isNewer, ordering: .acquiringAndReleasing) & ~Self.isNewer
  }

  func load() -> Value {
    if between.load(ordering: .relaxed) & Self.isNewer != 0 {
      loading = between.exchange(loading, ordering: .acquiringAndReleasing) & ~Self.isNewer
    }
    return slots[loading]
  }
}
