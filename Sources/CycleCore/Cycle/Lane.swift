/// The queue of one driver's events that are not reduced yet. It is bounded, and used on the cycle's thread.
public final class Lane<Event: Sendable> {
  /// The number of events that can wait: a power of two.
  @usableFromInline let capacity: Int
  /// The size of the buffer minus 1. The size is a power of two, so `& mask` wraps an index. It grows up to the
  /// capacity, which most lanes never need.
  @usableFromInline @exclusivity(unchecked) var mask: Int
  @usableFromInline @exclusivity(unchecked) var events: UnsafeMutablePointer<Event>
  @usableFromInline @exclusivity(unchecked) var head = 0
  @usableFromInline @exclusivity(unchecked) var tail = 0
  @usableFromInline @exclusivity(unchecked) var lost = 0
  /// The number of removed entries that were not events, but states in which hardware was found.
  @exclusivity(unchecked) private var findings = 0
  /// Whether events of this lane were lost and the loss has not been reported yet.
  @exclusivity(unchecked) private var hasUntoldLoss = false {
    didSet { if hasUntoldLoss != oldValue { schedule.pointee.setHasUntoldLoss(hasUntoldLoss) } }
  }
  @exclusivity(unchecked) var troubles = TroubleQueue()
  /// The number of events that `emit` may queue without a slow path: the size of the buffer; 0 in a closed lane, which
  /// drops events.
  @usableFromInline @exclusivity(unchecked) var limit: Int
  /// The limit from which ``room`` is computed: the capacity; in a closed lane it is larger, so that ``room`` is the
  /// capacity. A closed lane drops events, but a driver that finds no room would leave its events unread, and would
  /// immediately be woken for them again.
  @usableFromInline @exclusivity(unchecked) var roomLimit: Int
  @usableFromInline @exclusivity(unchecked) var lens = -1
  @usableFromInline @exclusivity(unchecked) var schedule: UnsafeMutablePointer<EventScheduler>!
  @usableFromInline @exclusivity(unchecked) unowned(unsafe) var cycleContext: CycleContext!
  /// Whether the application's start fails without this driver's hardware.
  let isRequired: Bool
  private var hasToldFuture = false
  /// The number of readings of the driver's hardware that the first frame waits for.
  @exclusivity(unchecked) var awaitedReadings = 0
  /// The number of the driver's devices with a fault that was reported to the application.
  @exclusivity(unchecked) var faultCount = 0
  /// The codec that writes the events into a recording; nil without a recording.
  @exclusivity(unchecked) var codec: ValueCodec<Event>?

  /// Whether the lens has a filter for the events.
  let isHeard: Bool

  /// - Parameter minimumCapacity: the smallest capacity, at least 1; rounded up to a power of two.
  @usableFromInline
  init(minimumCapacity: Int, isRequired: Bool, isHeard: Bool = true) {
    precondition(minimumCapacity > 0, "a lane holds at least one event")
    var capacity = 1
    while capacity < minimumCapacity { capacity <<= 1 }
    self.capacity = capacity
    let size = min(capacity, Self.firstSize)
    mask = size - 1
    limit = size
    roomLimit = capacity
    self.isRequired = isRequired
    self.isHeard = isHeard
    events = .allocate(capacity: size)
  }

  private static var firstSize: Int { 16 }

  deinit {
    while head < tail { _ = take() }
    events.deallocate()
  }

  /// The moment of the current call, as in ``DriverContext/now``.
  @inlinable
  var now: Moment { schedule.unsafelyUnwrapped.pointee.now }

  @usableFromInline
  var account: LaneEventCounts {
    LaneEventCounts(offered: tail + lost - findings, delivered: head - findings, lost: lost, pending: tail - head)
  }

  /// Removes and returns the state in which hardware was found.
  func takeFinding() -> Event {
    findings += 1
    return take()
  }

  @inlinable
  var room: Int { max(0, roomLimit &- (tail &- head)) }

  var isClosed: Bool { limit == 0 }

  /// Closes the lane: later events are dropped, and queued ones are not reduced any more.
  func close() {
    limit = 0
    roomLimit = capacity + tail - head
  }

  /// Queues the state in which hardware was found, as the event that leads to it.
  func find(_ event: consuming Event, at moment: Moment) {
    var moment = moment
    if moment > schedule.pointee.clock { moment = clamped(moment) }
    guard tail &- head < limit || grow() else { return lose(event) }
    append(event)
    schedule.pointee.enqueue(lens | EventScheduler.foundMark, at: moment)
  }

  @inlinable
  func emit(_ event: consuming Event, at moment: Moment) {
    var moment = moment
    if moment > schedule.unsafelyUnwrapped.pointee.clock { moment = clamped(moment) }
    guard tail &- head < limit || grow() else { return lose(event) }
    append(event)
    schedule.unsafelyUnwrapped.pointee.enqueue(lens, at: moment)
  }

  /// Emits an event that happened now. It needs no comparison with the clock.
  @inlinable
  func emit(_ event: consuming Event) {
    guard tail &- head < limit else { return emitOnSlowPath(event) }
    append(event)
    schedule.unsafelyUnwrapped.pointee.enqueue(lens)
  }

  @inlinable @inline(__always)
  func append(_ event: consuming Event) {
    (events + (tail & mask)).initialize(to: event)
    tail &+= 1
  }

  // Not inlined: this rare path would take registers from the common one.
  @inlinable @inline(never)
  func emitOnSlowPath(_ event: consuming Event) {
    guard grow() else { return lose(event) }
    append(event)
    schedule.unsafelyUnwrapped.pointee.enqueue(lens)
  }

  /// Doubles the size of the buffer. Returns false if that would exceed the capacity, or if the lane is closed.
  @usableFromInline
  func grow() -> Bool {
    guard !isClosed, mask + 1 < capacity else { return false }
    let size = 2 * (mask + 1)
    let larger = UnsafeMutablePointer<Event>.allocate(capacity: size)
    for index in head..<tail { (larger + (index & (size - 1))).moveInitialize(from: events + (index & mask), count: 1) }
    events.deallocate()
    events = larger
    mask = size - 1
    limit = size
    return true
  }

  @inlinable @inline(never)
  func lose(_ event: consuming Event) { lose() }

  @usableFromInline
  func lose() {
    lost += 1
    if !isClosed { loseMessages(1) }
  }

  /// Counts lost events or messages. The loss is reported when the lane has room again.
  func loseMessages(_ count: Int) {
    guard count > 0 else { return }
    troubles.untold += count
    hasUntoldLoss = true
  }

  /// Reports the losses that have not been reported yet.
  @usableFromInline
  func tellLoss() {
    guard hasUntoldLoss, !isClosed else { return }
    hasUntoldLoss = false
    let count = troubles.untold
    troubles.untold = 0
    report(.eventsLost(count), from: nil)
  }

  /// Returns the moment, or the clock's if the moment is in the future: one wrong timestamp would delay every alarm
  /// until then.
  @usableFromInline
  func clamped(_ moment: Moment) -> Moment {
    // Time passed while the hardware was read, so a timestamp can be later than the start of this turn.
    let clock = cycleContext.readClock()
    guard moment > clock else { return moment }
    if !hasToldFuture {
      hasToldFuture = true
      report(
        .failed(
          DriverError(
            .failed, of: cycleContext.name(of: lens),
            cannot: "take the time stamps of \(cycleContext.name(of: lens)) as they are",
            reason: "one lies \((moment - clock)) ahead of the clock, at \(moment)",
            remedy: "Events get the time at which they are read. Check the clock of the device or the kernel.")),
        from: nil)
    }
    return clock
  }

  /// Queues trouble after the driver's events. The source is nil for a trouble that is never restored.
  func report(_ trouble: Trouble, from source: TroubleQueue.Source?) {
    guard !isClosed, troubles.add(trouble, from: source) else {
      if troubles.untold > 0 { hasUntoldLoss = true }
      return
    }
    schedule.pointee.enqueue(lens | EventScheduler.troubleMark, at: schedule.pointee.now)
  }

  func takeTrouble() -> Trouble { troubles.next() }

  /// Passes the next event to the taps.
  @usableFromInline
  func tapNext() {
    guard schedule.pointee.isTapped else { return }
    cycleContext.forEachTap { $0.receive(events[head & mask], of: lens, at: now) }
  }

  func tapFinding() {
    guard schedule.pointee.isTapped else { return }
    cycleContext.forEachTap { $0.receive(found: events[head & mask], of: lens, at: now) }
  }

  func tap(_ trouble: Trouble) {
    guard schedule.pointee.isTapped else { return }
    cycleContext.forEachTap { $0.receive(trouble, of: lens, at: now) }
  }

  /// Whether the next event must be passed to a tap or written into a recording, or a loss must be reported after it.
  @usableFromInline
  var needsSlowPath: Bool { hasUntoldLoss || schedule.pointee.isTapped || schedule.pointee.isRecorded }

  /// Begins the recording's record of the next event. The cycle ends it after the event was reduced.
  @usableFromInline
  func recordNext(as kind: ParsedRecordingLine.Kind = .event) {
    // Each access through `cycleContext` counts its references.
    guard let context = cycleContext, let recorder = context.recorder, codec != nil else { return }
    let isInjected = context.injectedLens == lens
    if isInjected { context.injectedLens = -1 }
    recorder.beginCause(isInjected ? .injection : kind, of: lens, at: now)
    // A copy of the codec would count the references of its closures.
    recorder.write { (recording) throws(RecordingTextFault) in try codec!.write(events + (head & mask), &recording) }
  }

  func record(_ trouble: Trouble) {
    guard let recorder = cycleContext.recorder else { return }
    recorder.beginCause(.trouble, of: lens, at: now)
    recorder.write(trouble)
  }

  /// Reads an event or a trouble from a recording, and stores it. The caller adds its entry to the schedule.
  func put(_ entry: QueueEntryKind, from recording: inout JSONReader) throws(RecordingTextFault) {
    if entry == .trouble {
      let trouble = try Recorder.trouble.read(&recording)
      if case .eventsLost(let count) = trouble, !UntrustedNumber.counts.contains(count) {
        throw RecordingTextFault("\(cycleContext.name(of: lens)): \(count) is not a number of lost events")
      }
      return troubles.put(trouble)
    }
    guard let codec else { throw recording.fault("this lens has no events") }
    let event = try codec.read(&recording)
    // A replay reduces each event before it reads the next, so there is always room.
    append(event)
  }

  /// The event that was put in last; nil if none waits.
  @inlinable
  var newest: Event? { tail > head ? events[(tail - 1) & mask] : nil }

  /// Removes the event that was put in last.
  @inlinable
  func dropNewest() {
    tail -= 1
    (events + (tail & mask)).deinitialize(count: 1)
  }

  @inlinable
  func take() -> Event {
    let event = (events + (head & mask)).move()
    head &+= 1
    return event
  }
}
