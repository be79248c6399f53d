/// The events of one driver on their way to being reduced: bounded, on the cycle's thread.
public final class Lane<Event: Sendable> {
  /// How many events of one driver may wait, less one.
  @usableFromInline let mask: Int
  @usableFromInline var capacity: Int { mask + 1 }
  @usableFromInline let events: UnsafeMutablePointer<Event>
  @usableFromInline @exclusivity(unchecked) var head = 0
  @usableFromInline @exclusivity(unchecked) var tail = 0
  @usableFromInline @exclusivity(unchecked) var lost = 0
  /// Losses that the application hasn't been told of.
  @usableFromInline @exclusivity(unchecked) var untold = 0
  /// Somebody wants to see each event before it is reduced.
  @usableFromInline @exclusivity(unchecked) var isObserved = false
  @usableFromInline @exclusivity(unchecked) var lens = -1
  @usableFromInline @exclusivity(unchecked) var mailbox: UnsafeMutablePointer<Mailbox>!
  @usableFromInline unowned(unsafe) var wiring: Wiring!

  /// - Parameter minimumCapacity: at least 1; rounded up to a power of two.
  @usableFromInline
  init(minimumCapacity: Int) {
    precondition(minimumCapacity > 0, "a lane holds at least one event")
    var capacity = 1
    while capacity < minimumCapacity { capacity <<= 1 }
    mask = capacity - 1
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
  var room: Int { mask &+ 1 &- (tail &- head) }

  @inlinable
  var hasRoom: Bool { tail &- head <= mask }

  @inlinable
  func emit(_ event: consuming Event, at moment: Moment) {
    guard hasRoom else {
      lost &+= 1
      untold &+= 1
      return
    }
    (events + (tail & mask)).initialize(to: event)
    tail &+= 1
    mailbox.unsafelyUnwrapped.pointee.enqueue(lens: lens, moment: moment)
  }

  /// Shows the next event to those who observe.
  @usableFromInline
  func showNext(at moment: Moment) {
    wiring.eventObserver?(lens, events[head & mask], moment)
  }

  @inlinable
  func take() -> Event {
    let event = (events + (head & mask)).move()
    head &+= 1
    return event
  }
}
