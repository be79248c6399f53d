import Synchronization

/// How a driver's own thread reaches the driver: a bounded, wait-free lane into the cycle's thread.
///
/// The driver makes it with ``DriverContext/makePostbox(of:capacity:)`` and gives it to its thread. That one thread posts;
/// the driver is woken with ``Wake/posted`` and takes. What did not fit is counted, and the application hears of it by
/// ``Trouble/eventsLost(_:)``.
public final class Postbox<Message: Sendable>: @unchecked Sendable {
  private let ring: Ring<Message>
  private let flag: PostFlag

  init(capacity: Int, flag: PostFlag) {
    ring = Ring(minimumCapacity: capacity)
    self.flag = flag
  }

  /// Posts from the driver's thread and wakes the cycle. False when the box is full.
  ///
  /// Wait-free; rings the loop's doorbell (one `write` to an eventfd) only if the cycle isn't on its way already.
  @discardableResult
  public func post(_ message: consuming Message) -> Bool {
    let fits = ring.push(message)
    flag.raise()
    return fits
  }

  /// The oldest message, taken out, on the cycle's thread; nil when there is none.
  public func receive() -> Message? { ring.pop() }

  /// What became of the messages so far.
  public var account: LaneAccount { ring.account }
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

  /// Whether it was raised; lowers it. Lower first, then take the post: what comes in between raises it again.
  func lower() -> Bool {
    raised.load(ordering: .relaxed) && raised.exchange(false, ordering: .acquiringAndReleasing)
  }
}
