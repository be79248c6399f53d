import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A bounded, wait-free queue of messages from a driver's own thread to the driver.
///
/// The driver makes it with ``DriverContext/makePostbox(of:capacity:)`` and gives it to its thread; a ``Worker`` does
/// both. Only one thread may post, always the same: a driver with two threads makes two postboxes. A post wakes the
/// driver with ``Wake/posted``. The driver receives the messages on the cycle's thread. Messages that don't fit are
/// counted, and reported to the application as ``Trouble/eventsLost(_:)``.
public final class Postbox<Message: Sendable>: @unchecked Sendable {
  private let ring: SPSCQueue<Message>
  let flag: PostFlag
  private let refused = Atomic<Int>(0)
  private let poster = OneThread()

  init(capacity: Int, flag: PostFlag) {
    ring = SPSCQueue(minimumCapacity: capacity)
    self.flag = flag
  }

  /// Posts from the driver's thread and wakes the cycle. Returns false when the postbox is full.
  ///
  /// Wait-free. Rings the loop's doorbell (one `write` to an eventfd) only for the first post after each delivery.
  /// Posting from a second thread is a programming error: it traps in a debug build, and corrupts the postbox in a
  /// release build.
  @discardableResult
  public func post(_ message: consuming Message) -> Bool {
    assert(poster.isThis, "one thread posts into a postbox: a driver with two threads makes two")
    return postLocked(message)
  }

  /// Posts like ``post(_:)``, from any thread, if all threads that post hold the same lock.
  @discardableResult
  package func postLocked(_ message: consuming Message) -> Bool {
    let fits = ring.push(message)
    flag.raise()
    return fits
  }

  /// Counts a message as lost without posting it. Returns false, as ``post(_:)`` does when the postbox is full.
  func refuse() -> Bool {
    refused.add(1, ordering: .relaxed)
    flag.raise()
    return false
  }

  /// Wakes the driver without a message.
  func raise() { flag.raise() }

  /// Removes and returns the oldest message, on the cycle's thread; nil if there is none.
  public func receive() -> Message? { ring.pop() }

  /// The counts of the messages so far (offered, delivered, lost, pending).
  public var account: LaneEventCounts {
    var account = ring.account
    let refused = refused.load(ordering: .relaxed)
    account.offered += refused
    account.lost += refused
    return account
  }
}

/// Signals, from another thread, that a postbox of a lens has messages.
final class PostFlag: Sendable {
  private let raised = Atomic<Bool>(false)
  private let doorbell: any Doorbell

  init(doorbell: any Doorbell) {
    self.doorbell = doorbell
  }

  func raise() {
    if !raised.exchange(true, ordering: .acquiringAndReleasing) { doorbell.ring() }
  }

  /// Whether it was raised since it was last lowered.
  var isRaised: Bool { raised.load(ordering: .acquiring) }

  /// Lowers the flag and returns whether it was raised. Lower it before receiving: a message posted during the
  /// receiving raises it again.
  func lower() -> Bool {
    raised.load(ordering: .relaxed) && raised.exchange(false, ordering: .acquiringAndReleasing)
  }
}

/// Remembers the first thread that reads ``isThis``.
final class OneThread: Sendable {
  private let first = Atomic<UInt>(0)

  /// Whether the calling thread is the first one that has read this property.
  var isThis: Bool {
    #if canImport(Glibc)
      let this = pthread_self()
    #else
      let this = UInt(bitPattern: pthread_self())
    #endif
    let (isFirst, first) = first.compareExchange(expected: 0, desired: this, ordering: .relaxed)
    return isFirst || first == this
  }
}
