import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a driver's own thread reaches the driver: a bounded, wait-free lane into the cycle's thread.
///
/// The driver makes it with ``DriverContext/makePostbox(of:capacity:)`` and gives it to its thread; a ``Worker`` has done both. One
/// thread posts, and always the same one: a driver with two threads makes two boxes. The driver is woken with ``Wake/posted`` and
/// receives on the cycle's thread. What did not fit is counted, and the application hears of it by ``Trouble/eventsLost(_:)``.
public final class Postbox<Message: Sendable>: @unchecked Sendable {
  private let ring: Ring<Message>
  private let flag: PostFlag
  private let refused = Atomic<Int>(0)
  private let poster = OneThread()

  init(capacity: Int, flag: PostFlag) {
    ring = Ring(minimumCapacity: capacity)
    self.flag = flag
  }

  /// Posts from the driver's thread and wakes the cycle. False when the box is full.
  ///
  /// Wait-free; rings the loop's doorbell (one `write` to an eventfd) only if the cycle isn't on its way already. A second thread that
  /// posts is a programmer's fault: it traps in a debug build, and spoils the box in a release build.
  @discardableResult
  public func post(_ message: consuming Message) -> Bool {
    assert(poster.isThis, "one thread posts into a postbox: a driver with two threads makes two")
    return postLocked(message)
  }

  /// As ``post(_:)``, from any thread, where one and the same lock is held by all that post.
  @discardableResult
  package func postLocked(_ message: consuming Message) -> Bool {
    let fits = ring.push(message)
    flag.raise()
    return fits
  }

  /// Counts a message that was not even posted as lost. False, as from a box that is full.
  func refuse() -> Bool {
    refused.add(1, ordering: .relaxed)
    flag.raise()
    return false
  }

  /// Has the driver woken without a message.
  func raise() { flag.raise() }

  /// The oldest message, taken out, on the cycle's thread; nil when there is none.
  public func receive() -> Message? { ring.pop() }

  /// What became of the messages so far.
  public var account: LaneAccount {
    var account = ring.account
    let refused = refused.load(ordering: .relaxed)
    account.offered += refused
    account.lost += refused
    return account
  }
}

/// What became of the events of a lane. `offered = delivered + lost + pending`, at every instant.
public struct LaneAccount: Equatable, Sendable {
  public var offered: Int
  public var delivered: Int
  public var lost: Int
  public var pending: Int

  public init(offered: Int, delivered: Int, lost: Int, pending: Int) {
    self.offered = offered
    self.delivered = delivered
    self.lost = lost
    self.pending = pending
  }
}

/// Says "there is post for this lens" from another thread.
final class PostFlag: Sendable {
  private let raised = Atomic<Bool>(false)
  private let doorbell: any Doorbell

  init(doorbell: any Doorbell) {
    self.doorbell = doorbell
  }

  func raise() {
    if !raised.exchange(true, ordering: .acquiringAndReleasing) { doorbell.ring() }
  }

  /// Whether there is post that nobody has been told of.
  var isRaised: Bool { raised.load(ordering: .acquiring) }

  /// Whether it was raised; lowers it. Lower first, then take the post: what comes in between raises it again.
  func lower() -> Bool {
    raised.load(ordering: .relaxed) && raised.exchange(false, ordering: .acquiringAndReleasing)
  }
}

/// Knows the first thread that asked.
final class OneThread: Sendable {
  private let first = Atomic<UInt>(0)

  /// Whether the calling thread is the first one that asked.
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
