/// What a driver has of the cycle: the time, a lane for its events, one alarm, and descriptors to watch.
///
/// Keep it in the driver from ``Driver/start(showing:in:)`` on. It is used on the cycle's thread only; a driver's own
/// thread gets a ``Postbox``.
public struct DriverContext<Event: Sendable> {
  @usableFromInline let lane: Lane<Event>

  @usableFromInline
  init(lane: Lane<Event>) {
    self.lane = lane
  }

  /// The moment of what is being handled: while rendering, that of the event behind the frame; at an alarm, the moment
  /// it was set to.
  @inlinable
  public var now: Moment { lane.mailbox.pointee.now }

  /// Emits an event that happened now.
  @inlinable
  public func emit(_ event: Event) {
    lane.emit(event, at: lane.mailbox.unsafelyUnwrapped.pointee.now)
  }

  /// Emits an event that happened at `moment`, as the hardware stamped it.
  ///
  /// A moment before that of an event which has been reduced already is taken as that one: time never runs back.
  @inlinable
  public func emit(_ event: Event, at moment: Moment) {
    lane.emit(event, at: moment)
  }

  /// How many events may wait in the lane.
  @inlinable
  public var capacity: Int { lane.capacity }

  /// How many more events fit into the lane now. A driver that can leave its events where they are looks here first.
  @inlinable
  public var room: Int { lane.room }

  /// Sets the driver's one alarm; nil takes it back. A driver with several deadlines sets the earliest.
  @inlinable
  public func setAlarm(_ moment: Moment?) {
    lane.mailbox.pointee.setAlarm(of: lane.lens, to: moment ?? .distantFuture)
  }

  /// By which a driver, or the seam it stands on, has itself woken.
  public var watcher: Watcher { Watcher(wiring: lane.wiring, lens: lane.lens) }

  /// A lane from a thread of the driver's own.
  ///
  /// - Parameter capacity: messages that may wait, at least 1; rounded up to a power of two.
  public func makePostbox<Message: Sendable>(of type: Message.Type, capacity: Int) -> Postbox<Message> {
    lane.wiring.makePostbox(for: lane.lens, capacity: capacity)
  }

  /// What became of this driver's events so far.
  public var account: LaneAccount { lane.account }
}
