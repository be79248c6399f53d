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

  // MARK: - Time

  /// The moment of what is being handled: while rendering, that of the event behind the frame; at an alarm, the moment
  /// it was set to. Events and patterns count from it, so that they don't depend on how late the cycle is.
  @inlinable
  public var now: Moment { lane.mailbox.pointee.now }

  /// The loop's clock: what time it is, however late the cycle is. A pause between two writes counts from the clock after the first
  /// one, and is never shorter than asked for. Events never count from it.
  public var clock: Moment { lane.wiring.readClock() }

  /// Whether time is virtual: then a driver's ``Worker`` has no thread.
  public var isVirtual: Bool { lane.wiring.loop.isVirtual }

  /// Waits without letting anything else happen, for a pause that a wake-up is too coarse for: at least `span`, at most 100 µs;
  /// longer spans are a fault of the driver and trap. In virtual time the clock goes on by the span, at least 1 µs.
  public func pause(for span: Duration) {
    precondition(span <= .microseconds(100), "a pause of more than 100 µs holds the cycle up: set an alarm")
    lane.wiring.pause(for: span)
  }

  /// Sets the driver's one alarm; nil takes it back. A driver with several deadlines sets the earliest.
  @inlinable
  public func setAlarm(_ moment: Moment?) {
    lane.mailbox.pointee.setAlarm(of: lane.lens, to: moment ?? .distantFuture)
  }

  // MARK: - Events

  /// Emits an event that happened now.
  @inlinable
  public func emit(_ event: Event) {
    lane.emit(event)
  }

  /// Emits an event that happened at `moment`, as the hardware stamped it.
  ///
  /// A moment before that of an event which has been reduced already counts as that one: time never runs back. A moment that the
  /// loop's clock has not reached counts as the clock's; the first one is told as trouble.
  @inlinable
  public func emit(_ event: Event, at moment: Moment) {
    lane.emit(event, at: moment)
  }

  /// Tells the application of trouble, behind the events emitted so far. For a driver that recovers by itself, as one with a thread
  /// does; others throw, and the cycle tells.
  ///
  /// The driver reports ``Trouble/restored``, too: the cycle restores only what the driver threw. The application hears of it when all is
  /// good again, whoever told. What a driver has reported counts until it is stopped; started again, it reports what is still wrong.
  public func report(_ trouble: Trouble) {
    lane.report(trouble, from: .driver)
  }

  /// How many of the driver's devices have a fault that the application has been told of: they may belong to several groups of lines, and
  /// all of them have to be well before anything is restored.
  package var faultCount: Int {
    get { lane.faultCount }
    nonmutating set { lane.faultCount = newValue }
  }

  /// How many events may wait in the lane.
  @inlinable
  public var capacity: Int { lane.capacity }

  /// How many more events fit into the lane now. A driver that can leave its events where they are looks here first. When the application
  /// ends there is always room: what is emitted from then on is dropped.
  @inlinable
  public var room: Int { lane.room }

  /// What became of this driver's events so far.
  public var account: LaneAccount { lane.account }

  // MARK: - Waiting

  /// Whether the application can't begin without this hardware: a driver that opens it on a thread waits for the outcome at the
  /// start, at most 5 s, and throws the error.
  public var isRequired: Bool { lane.isRequired }

  /// By which a driver, or the port it stands on, has itself woken.
  public var watcher: Watcher { Watcher(wiring: lane.wiring, lens: lane.lens) }

  /// A lane from a thread of the driver's own.
  ///
  /// - Parameter capacity: messages that may wait, at least 1; rounded up to a power of two.
  public func makePostbox<Message: Sendable>(of type: Message.Type, capacity: Int) -> Postbox<Message> {
    lane.wiring.makePostbox(for: lane.lens, capacity: capacity)
  }
}
