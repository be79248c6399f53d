/// The events of one driver on their way to being reduced: bounded, on the cycle's thread.
public final class Lane<Event: Sendable> {
  /// How many events of one driver may wait.
  @usableFromInline let capacity: Int
  @usableFromInline let events: UnsafeMutablePointer<Event>
  @usableFromInline @exclusivity(unchecked) var head = 0
  @usableFromInline @exclusivity(unchecked) var tail = 0
  @usableFromInline @exclusivity(unchecked) var lost = 0
  /// Losses that the application hasn't been told of.
  @usableFromInline @exclusivity(unchecked) var untold = 0
  @usableFromInline @exclusivity(unchecked) var lens = -1
  @usableFromInline @exclusivity(unchecked) var mailbox: UnsafeMutablePointer<Mailbox>!
  @usableFromInline unowned(unsafe) var wiring: Wiring!

  /// - Parameter minimumCapacity: at least 1; rounded up to a power of two.
  @usableFromInline
  init(minimumCapacity: Int) {
    precondition(minimumCapacity > 0, "a lane holds at least one event")
    var capacity = 1
    while capacity < minimumCapacity { capacity <<= 1 }
    self.capacity = capacity
    events = .allocate(capacity: capacity)
  }

  deinit {
    while head < tail { _ = take() }
    events.deallocate()
  }

  @usableFromInline
  var account: LaneAccount {
    LaneAccount(offered: tail + lost, delivered: head, lost: lost, pending: tail - head)
  }

  @inlinable
  func emit(_ event: consuming Event, at moment: Moment) {
    guard tail &- head < capacity else {
      lost &+= 1
      untold &+= 1
      return
    }
    (events + (tail & (capacity &- 1))).initialize(to: event)
    tail &+= 1
    mailbox.pointee.enqueue(lens: lens, moment: moment)
  }

  @inlinable
  func take() -> Event {
    let event = (events + (head & (capacity &- 1))).move()
    head &+= 1
    return event
  }
}
