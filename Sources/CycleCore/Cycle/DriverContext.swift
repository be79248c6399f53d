/// The cycle's services for a driver: the time, a lane for its events, one alarm, and descriptors to watch.
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

  /// The moment of the current call: in a render, that of the event that led to the frame; in a wake by an alarm, the
  /// moment for which the alarm was set. Spans of events and patterns count from it, so that they don't depend on how
  /// late the cycle is.
  @inlinable
  public var now: Moment { lane.schedule.pointee.now }

  /// The loop's clock: the time now, however late the cycle is. For a pause between two writes: counted from the clock
  /// after the first write, it is never shorter than requested. Spans of events never count from it.
  public var clock: Moment { lane.cycleContext.readClock() }

  /// Whether time is virtual: then a driver's ``Worker`` has no thread.
  public var isVirtual: Bool { lane.cycleContext.loop.isVirtual }

  /// Blocks the cycle's thread for at least `span`, for pauses that are too short for an alarm. A span above 100 µs is
  /// a programming error and traps. In virtual time the clock advances by the span, by 1 µs at least.
  public func pause(for span: Duration) {
    precondition(span <= .microseconds(100), "a pause of more than 100 µs holds the cycle up: set an alarm")
    lane.cycleContext.pause(for: span)
  }

  /// Sets the driver's one alarm; nil cancels it. A driver with several deadlines sets the earliest.
  @inlinable @inline(__always)
  public func setAlarm(_ moment: Moment?) {
    lane.schedule.pointee.setAlarm(of: lane.lens, to: moment ?? .distantFuture)
  }

  // MARK: - Events

  /// Emits an event that happened now.
  @inlinable
  public func emit(_ event: Event) {
    lane.emit(event)
  }

  /// Emits an event that happened at `moment`, as the hardware stamped it.
  ///
  /// A moment before that of the last reduced event is replaced by that event's moment: time never runs back. A moment
  /// after the loop's clock is replaced by the clock's; the first one is reported as trouble.
  @inlinable
  public func emit(_ event: Event, at moment: Moment) {
    lane.emit(event, at: moment)
  }

  /// Reports the state in which the hardware was found, as the event that leads to it: a switch that is on emits what
  /// it emits when it is switched on. Nothing has happened, so only the lens's filter for found states gets it
  /// (`Lens.onFound`). Before the first frame it becomes a part of that frame.
  ///
  /// Call it once, when the state is known for the first time. Later changes are events.
  public func find(_ event: Event, at moment: Moment) {
    lane.find(event, at: moment)
  }

  /// Whether the first frame is still to be made.
  public var isStarting: Bool { lane.cycleContext.isStarting }

  /// Has the first frame wait for a reading of the driver's hardware, until ``endReading()``, 100 ms after the start at
  /// most. Has no effect later.
  public func awaitReading() { lane.awaitedReadings += 1 }

  /// Ends one ``awaitReading()``: the state of the hardware was found, or can't be found.
  public func endReading() { lane.awaitedReadings -= 1 }

  /// Reports trouble to the application, after the events emitted so far. For a driver that recovers by itself, such
  /// as one with a thread; other drivers throw, and the cycle reports.
  ///
  /// Such a driver also reports ``Trouble/restored``, because the cycle does that only for errors that were thrown. The
  /// application receives `restored` when no error is left, neither of the cycle nor of the driver. A stop discards the
  /// errors that the driver has reported: started again, it reports those that remain.
  public func report(_ trouble: Trouble) {
    lane.report(trouble, from: .driver)
  }

  /// Reports an error that is over when it is reported: no `restored` follows.
  package func report(once error: DriverError) { lane.report(.failed(error), from: nil) }

  /// How many of the driver's devices have a fault that was reported to the application. The devices may belong to
  /// several groups of lines: `restored` is reported when none has a fault any more.
  package var faultCount: Int {
    get { lane.faultCount }
    nonmutating set { lane.faultCount = newValue }
  }

  /// How many events may wait in the lane.
  @inlinable
  public var capacity: Int { lane.capacity }

  /// How many more events fit into the lane now. A driver that can leave events unread in the kernel or the hardware
  /// checks this first. While the application ends it is never 0: events emitted then are dropped.
  @inlinable
  public var room: Int { lane.room }

  /// The counts of this driver's events so far (offered, delivered, lost, pending).
  public var account: LaneAccount { lane.account }

  // MARK: - Waiting

  /// Whether the lens requires this hardware (`isRequired:`). Then a driver that opens it on a thread waits in its
  /// start for the outcome, 5 s at most, and throws the error.
  public var isRequired: Bool { lane.isRequired }

  /// Wakes this driver when a descriptor is ready; for the driver, or for the port that it uses.
  public var watcher: Watcher { Watcher(cycleContext: lane.cycleContext, lens: lane.lens) }

  /// Makes a bounded queue of messages from a thread of the driver's own.
  ///
  /// - Parameter capacity: messages that may wait, at least 1; rounded up to a power of two.
  /// - Parameter type: the type of the messages.
  public func makePostbox<Message: Sendable>(of type: Message.Type, capacity: Int) -> Postbox<Message> {
    lane.cycleContext.makePostbox(for: lane.lens, capacity: capacity)
  }

  /// Has a postbox of an application that has ended wake this driver from now on: its messages are received here.
  ///
  /// - Parameter box: of an application on the same loop.
  package func take<Message: Sendable>(_ box: Postbox<Message>) {
    lane.cycleContext.add(box, for: lane.lens)
  }
}
