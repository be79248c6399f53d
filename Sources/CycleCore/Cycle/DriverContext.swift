/// The cycle's services for a driver: the time, a lane for its events, alarms, and descriptors to watch.
///
/// Keep it in the driver from ``Driver/start(showing:in:)`` on. Use it on the cycle's thread only; a driver's own
/// thread gets a ``Postbox``.
public struct DriverContext<Event: Sendable> {
  @usableFromInline let lane: Lane<Event>

  @usableFromInline
  init(lane: Lane<Event>) {
    self.lane = lane
  }

  // MARK: - Time

  /// The moment of the current call: in a render, that of the event that led to the frame; in a wake by an alarm, the
  /// moment for which the alarm was set. Time spans of events and patterns start at it, so that they don't depend on
  /// how late the cycle is.
  @inlinable
  public var now: Moment { lane.schedule.pointee.now }

  /// The current time of the loop's clock, even if the cycle is late. Use it for a pause between two writes: counted
  /// from the clock after the first write, the pause is never shorter than requested. Don't use it for time spans of
  /// events.
  public var clock: Moment { lane.cycleContext.readClock() }

  /// Whether time is virtual. A driver's ``Worker`` then has no thread.
  public var isVirtual: Bool { lane.cycleContext.loop.isVirtual }

  /// Blocks the cycle's thread for at least `span`, for pauses that are too short for an alarm. A span above 100 µs is
  /// a programming error and traps. In virtual time the clock advances by the span, by at least 1 µs.
  public func pause(for span: Duration) {
    precondition(span <= .microseconds(100), "a pause of more than 100 µs holds the cycle up: set an alarm")
    lane.cycleContext.pause(for: span)
  }

  /// Sets the driver's own alarm, ``DriverAlarm/driver``; nil cancels it. A driver with several deadlines sets the
  /// earliest.
  @inlinable @inline(__always)
  public func setAlarm(_ moment: Moment?) {
    lane.schedule.pointee.setAlarm(of: lane.lens, to: moment ?? .distantFuture)
  }

  /// Sets one of the driver's alarms without changing the others; nil cancels it.
  public func setAlarm(_ moment: Moment?, named name: DriverAlarm) {
    lane.schedule.pointee.setAlarm(of: lane.lens, named: name, to: moment ?? .distantFuture)
  }

  /// The time and the alarm without the type of the events, for closures of a driver that is generic: they would look
  /// for the type at each call.
  package var timing: DriverTiming { DriverTiming(owner: lane, schedule: lane.schedule, lens: lane.lens) }

  // MARK: - Events

  /// Emits an event that happened now.
  @inlinable
  public func emit(_ event: Event) {
    lane.emit(event)
  }

  /// Emits an event that happened at `moment`, the hardware's timestamp.
  ///
  /// A moment before that of the last reduced event is replaced by that event's moment: time never goes backwards. A
  /// moment after the loop's clock is replaced by the clock's. The first such moment is reported as trouble.
  @inlinable
  public func emit(_ event: Event, at moment: Moment) {
    lane.emit(event, at: moment)
  }

  /// Reports the state in which the hardware was found, as the event that leads to it. For example, a switch that is on
  /// reports the event that it emits when it is switched on. The event did not occur, so only the lens's filter for
  /// found states receives it (`Lens.onFound`). Before the first frame it becomes a part of that frame.
  ///
  /// Call it once, when the state is first known. Later changes are events.
  public func find(_ event: Event, at moment: Moment) {
    lane.find(event, at: moment)
  }

  /// Whether the first frame is not made yet.
  public var isStarting: Bool { lane.cycleContext.isStarting }

  /// Whether the application ends. A driver that is stopped at another time is started again by the same application.
  package var isEnding: Bool { lane.isClosed }

  /// Makes the first frame wait for a reading of the driver's hardware, until ``endReading()``, at most 100 ms after
  /// all inputs were started. Has no effect later.
  public func awaitReading() { lane.awaitedReadings += 1 }

  /// Ends one ``awaitReading()``: the state of the hardware was found, or can't be found.
  public func endReading() { lane.awaitedReadings -= 1 }

  /// Reports trouble to the application, after the events emitted so far. For a driver that recovers by itself, such as
  /// one with a thread. Other drivers throw, and the cycle reports the error.
  ///
  /// Such a driver also reports ``Trouble/restored``, because the cycle reports it only for errors that were thrown.
  /// The application receives `restored` when neither the cycle nor the driver has an error left. A stop discards the
  /// errors that the driver has reported: after a restart, it reports the remaining ones again.
  public func report(_ trouble: Trouble) {
    lane.report(trouble, from: .driver)
  }

  /// Reports an error that is already over: no `restored` follows.
  package func report(once error: DriverError) { lane.report(.failed(error), from: nil) }

  /// The number of the driver's devices with a fault that was reported to the application. The devices may belong to
  /// several groups of lines: `restored` is reported when none has a fault any more.
  package var faultCount: Int {
    get { lane.faultCount }
    nonmutating set { lane.faultCount = newValue }
  }

  /// The number of events that can wait in the lane.
  @inlinable
  public var capacity: Int { lane.capacity }

  /// The number of further events that fit into the lane now. A driver that can leave events unread in the kernel or
  /// the hardware checks this first. While the application ends it is never 0: events emitted then are dropped.
  @inlinable
  public var room: Int { lane.room }

  /// The counts of this driver's events so far (offered, delivered, lost, pending).
  public var account: LaneEventCounts { lane.account }

  // MARK: - Waiting

  /// Whether the lens requires this hardware (`isRequired:`). If so, a driver that opens it on a thread waits in its
  /// start for the result, at most 5 s, and throws the error.
  public var isRequired: Bool { lane.isRequired }

  /// The watcher that wakes this driver when a descriptor is ready; for the driver, or for the port that it uses.
  public var watcher: Watcher { Watcher(cycleContext: lane.cycleContext, lens: lane.lens) }

  /// Makes a bounded queue of messages from the driver's own thread.
  ///
  /// - Parameter capacity: the number of messages that can wait, at least 1; rounded up to a power of two.
  /// - Parameter type: the type of the messages.
  public func makePostbox<Message: Sendable>(of type: Message.Type, capacity: Int) -> Postbox<Message> {
    lane.cycleContext.makePostbox(for: lane.lens, capacity: capacity)
  }

  /// Connects a postbox of an application that has ended to this driver: from now on its messages wake this driver.
  ///
  /// - Parameter box: the postbox, of an application on the same loop.
  package func take<Message: Sendable>(_ box: Postbox<Message>) {
    lane.cycleContext.add(box, for: lane.lens)
  }
}

/// The time and the alarm of a driver: see ``DriverContext/timing``.
package struct DriverTiming {
  /// Keeps the schedule alive, as a context does.
  fileprivate let owner: AnyObject
  fileprivate let schedule: UnsafeMutablePointer<EventScheduler>
  fileprivate let lens: Int

  /// The moment of the current call: see ``DriverContext/now``.
  package var now: Moment { schedule.pointee.now }

  /// Sets the driver's own alarm: see ``DriverContext/setAlarm(_:)``.
  package func setAlarm(_ moment: Moment?) { schedule.pointee.setAlarm(of: lens, to: moment ?? .distantFuture) }
}
