/// The queue of all lanes' events, in the order in which they are reduced: all events of one moment, then those of the
/// next moment.
///
/// Events that drivers emit when they are woken have their own moments, and are ordered by them. Events that drivers
/// emit while a frame is rendered have the moment of that frame. They are reduced after the events already queued at
/// that moment, and before time advances.
///
/// The schedule stores no events, only the lane of each, so that each lane keeps its own type. The schedule is accessed
/// through one pointer: an access needs no exclusivity check and no reference count.
@usableFromInline
struct EventScheduler {
  // An entry is one word: the lens's number, and marks.
  @usableFromInline static var lensMask: Int { 0xFFFF_FFFF }
  /// Marks an entry for a trouble of the lens instead of an event.
  @usableFromInline static var troubleMark: Int { 1 << 32 }
  /// Marks an event that the lens's driver emitted while a frame was rendered.
  private static var selfMark: Int { 1 << 33 }
  /// Marks an event that describes the state in which hardware was found (``QueueEntryKind/found``).
  static var foundMark: Int { 1 << 34 }
  /// The marks of entries that are reduced on the slow path.
  private static var slowPathMarks: Int { troubleMark | foundMark }

  /// The next try of a failed driver.
  private struct Retry {
    var lens: Int
    var moment: Moment
  }

  /// Entries of events emitted while frames were rendered: a ring of `mask + 1` words, a power of two. It grows up to
  /// the total capacity of all lanes.
  @usableFromInline var mask = 255
  @usableFromInline var words: UnsafeMutablePointer<Int>
  @usableFromInline var head = 0
  @usableFromInline var tail = 0
  /// The value of `tail` at which appending takes the slow path: the ring may be full there, or too many events may
  /// have been emitted at one moment. Equal to `tail` if each event must take the slow path, when appended and when
  /// dequeued, because it may belong into `timed`. It allows one comparison per event instead of four.
  @usableFromInline var fastPathEnd = 0
  /// Entries of events with their own moments.
  private var timed: TimedEventQueue
  /// The number of reasons for the slow path, which does more than reduce the next event and render its frame: queued
  /// troubles, lanes with an unreported loss, taps, observers.
  private var slowPathReasons = 0
  /// Whether events are passed to taps before they are reduced.
  private(set) var isTapped = false
  /// Whether events are written into a recording.
  @usableFromInline private(set) var isRecorded = false
  /// Whether models are discarded: in a replay that doesn't write them.
  @usableFromInline var hidesModels = false
  /// Whether new frames are passed to observers.
  @usableFromInline private(set) var isObserved = false
  /// The moment of the current call: ``DriverContext/now``.
  @usableFromInline var now = Moment.zero
  /// The loop's clock at the start of this turn. Events have no later moment, except those that were read in this turn.
  @usableFromInline var clock = Moment.zero
  /// The value of `now` before this turn's reads. Events read in this turn can have later timestamps.
  private var nowBeforeReads = Moment.zero
  /// Whether drivers are being woken: their events are then ordered by moment. If false, a frame is being rendered, and
  /// their events are queued in the order of emission, breadth first.
  private var isGathering = false
  /// The number of events that drivers may emit while they render, alarms included, before time advances.
  private let selfEmissionLimit: Int
  /// The value of `tail` when time last advanced.
  private var tailAtMove = 0
  /// The number of alarms and of events in `timed` that count towards the limit.
  private var otherSelfEmissions = 0
  /// The lens of the last event or alarm that took the slow path.
  private var lastLens = 0
  /// The lens that exceeded the limit; -1 if none has.
  private(set) var livelockedLens = -1
  /// The earliest alarm of each lens; `distantFuture` if none is set.
  @usableFromInline var alarms: UnsafeMutablePointer<Moment>
  /// All alarms of each lens; nil until a worker has set one. Until then ``alarms`` has those of the drivers.
  @usableFromInline var namedAlarms: UnsafeMutablePointer<AlarmTable>?
  @usableFromInline var lensCount: Int
  /// The earliest of all alarms and retries; `distantFuture` if there is none.
  @usableFromInline var earliestAlarm = Moment.distantFuture
  /// The retries of failed lenses. There are few at any time, so they are not stored per lens like `alarms`.
  private var retries: [Retry] = []
  /// The drivers that rendered in this turn, except renders that are timed individually: bit `lens % 64` for each lens.
  @usableFromInline var renderedLenses: UInt64 = 0

  @usableFromInline
  init(lensCount: Int, selfEmissionLimit: Int) {
    self.selfEmissionLimit = selfEmissionLimit
    words = .allocate(capacity: mask + 1)
    timed = TimedEventQueue(lensCount: lensCount)
    self.lensCount = lensCount
    alarms = .allocate(capacity: max(1, lensCount))
    alarms.initialize(repeating: .distantFuture, count: max(1, lensCount))
    moveFence()
  }

  @usableFromInline
  func deallocate() {
    words.deallocate()
    timed.deallocate()
    alarms.deallocate()
    namedAlarms?.deallocate()
  }

  /// Sets the first moment.
  mutating func begin(at moment: Moment) {
    now = moment
    clock = moment
    nowBeforeReads = moment
  }

  /// Queues an event of a lane that happened now. There is always room, because each lane is bounded.
  @inlinable @inline(__always)
  mutating func enqueue(_ word: Int) {
    guard tail != fastPathEnd else { return enqueue(word, at: now) }
    append(word)
  }

  @inlinable @inline(__always)
  mutating func append(_ word: Int) {
    words[tail & mask] = word
    tail &+= 1
  }

  /// Queues an event of a lane, or a trouble. `word` is the lens's number with the mark of its ``QueueEntryKind``.
  @usableFromInline
  mutating func enqueue(_ word: Int, at moment: Moment) {
    if word & Self.slowPathMarks != 0 { slowPathReasons &+= 1 }
    if isGathering { timed.append(word, at: moment) } else { enqueueAmidRendering(word, at: moment) }
  }

  private mutating func enqueueAmidRendering(_ word: Int, at moment: Moment) {
    lastLens = word & Self.lensMask
    if moment > now || timed.holds(word & Self.lensMask, after: now) {
      // The event happened after the frame being rendered, or it follows an event of its lens that did.
      otherSelfEmissions &+= 1
      timed.append(word | Self.selfMark, at: moment)
      timed.endAppending()
    } else {
      if tail &- head > mask { grow() }
      append(word)
    }
    moveFence()
  }

  private mutating func moveFence() {
    let emitted = (tail &- tailAtMove) &+ otherSelfEmissions
    if emitted > selfEmissionLimit, livelockedLens < 0 { livelockedLens = lastLens }
    if isGathering || !timed.isEmpty || slowPathReasons > 0 || livelockedLens >= 0 {
      fastPathEnd = tail
    } else {
      fastPathEnd = min(head &+ mask &+ 1, tail &+ min(selfEmissionLimit &- emitted, mask))
    }
  }

  /// Called when a lane has a loss to report, and after it has reported the loss.
  mutating func setHasUntoldLoss(_ hasLoss: Bool) { changeCare(by: hasLoss) }

  mutating func setIsTapped(_ isTapped: Bool) {
    guard isTapped != self.isTapped else { return }
    self.isTapped = isTapped
    changeCare(by: isTapped)
  }

  @usableFromInline
  mutating func setIsObserved(_ isObserved: Bool) {
    guard isObserved != self.isObserved else { return }
    self.isObserved = isObserved
    changeCare(by: isObserved)
  }

  mutating func setIsRecorded(_ isRecorded: Bool) {
    guard isRecorded != self.isRecorded else { return }
    self.isRecorded = isRecorded
    changeCare(by: isRecorded)
  }

  private mutating func changeCare(by isNeeded: Bool) {
    slowPathReasons &+= isNeeded ? 1 : -1
    moveFence()
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Int>.allocate(capacity: 2 * (mask + 1))
    for index in head..<tail { larger[index & (2 * mask + 1)] = words[index & mask] }
    words.deallocate()
    words = larger
    mask = 2 * mask + 1
  }

  /// Called before drivers are woken to read their hardware. Until ``endGathering()``, ``now`` is the clock's moment.
  mutating func beginGathering(at moment: Moment) {
    nowBeforeReads = now
    clock = max(clock, moment)
    now = max(now, moment)
    beginAppending()
    forgetRendering()
  }

  /// Called after the hardware was read: resets ``now``, so that each event is reduced at its own moment.
  @inline(__always)
  mutating func endGathering() {
    now = nowBeforeReads
    endAppending()
  }

  /// Called before drivers are woken at ``now``: their events are ordered by moment. All events take the slow path
  /// until the first one emitted after ``endAppending()``.
  mutating func beginAppending() {
    isGathering = true
    fastPathEnd = tail
  }

  @inline(__always)
  mutating func endAppending() {
    isGathering = false
    timed.endAppending()
  }

  /// Whether the next event is the first one in the ring, and can take the fast path: only reduce it and render its
  /// frame.
  @inlinable
  var hasNext: Bool { head != tail && tail != fastPathEnd }

  /// Removes and returns the word of the first event in the ring.
  @inlinable @inline(__always)
  mutating func dequeue() -> Int {
    let word = words[head & mask]
    head &+= 1
    return word
  }

  /// Removes and returns the word of the next event or trouble, if ``hasNext`` is false. Returns -1 if none is queued,
  /// if an alarm comes before it, or if there is a ``livelockedLens``. Advances ``now`` to the event's moment, never
  /// back.
  ///
  /// At one moment, the lens that is wired first comes first, whether it has an event or an alarm. The event of a lens
  /// comes before its alarm.
  @usableFromInline
  mutating func dequeueOnSlowPath() -> Int {
    // Most turns end here: this case is separate from the rest, which needs many registers.
    head == tail && timed.isEmpty ? -1 : dequeueFromBoth()
  }

  @inline(never)
  private mutating func dequeueFromBoth() -> Int {
    if livelockedLens >= 0 { return -1 }
    let waits = head != tail
    if !timed.isEmpty, timed.firstMoment <= now || !waits, comesBeforeAlarm() {
      let entry = timed.removeFirst()
      if entry.word & Self.slowPathMarks != 0 { slowPathReasons &-= 1 }
      if entry.moment > now {
        now = entry.moment
        // An event from the hardware starts a new count of emitted events. An event that a driver emitted while it
        // rendered does not.
        if entry.word & Self.selfMark == 0 {
          tailAtMove = tail
          otherSelfEmissions = 0
        }
      }
      // The next event that a driver emits takes the slow path, which computes `fastPathEnd` again.
      fastPathEnd = tail
      return entry.word & ~Self.selfMark
    }
    guard waits else { return -1 }
    let word = dequeue()
    if word & Self.slowPathMarks != 0 { slowPathReasons &-= 1 }
    moveFence()
    return word
  }

  /// Whether the first entry of `timed` comes before every alarm.
  @inline(__always)
  private func comesBeforeAlarm() -> Bool {
    timed.firstMoment < earliestAlarm || (timed.firstMoment == earliestAlarm && comesBeforeLensWithAlarm())
  }

  private func comesBeforeLensWithAlarm() -> Bool {
    for lens in 0..<timed.firstLens where alarms[lens] == earliestAlarm { return false }
    return true
  }

  /// Advances ``now``, never back, and starts a new count of the events emitted at one moment.
  mutating func moveTime(to moment: Moment) {
    guard moment > now else { return }
    now = moment
    tailAtMove = tail
    otherSelfEmissions = 0
    moveFence()
  }

  /// Drops all queued events.
  mutating func dropAll() {
    head = tail
    timed.removeAll()
    moveFence()
  }

  // MARK: - Alarms

  /// Sets the alarm ``DriverAlarm/driver`` of a lens.
  @inlinable
  mutating func setAlarm(of lens: Int, to moment: Moment) {
    guard let namedAlarms else { return setEarliestAlarm(of: lens, to: moment) }
    namedAlarms[lens].driver = moment
    setEarliestAlarm(of: lens, to: min(moment, namedAlarms[lens].earliestOfWorkers))
  }

  mutating func setAlarm(of lens: Int, named name: DriverAlarm, to moment: Moment) {
    let tables = namedAlarms ?? makeTables()
    tables[lens][name] = moment
    setEarliestAlarm(of: lens, to: tables[lens].earliest)
  }

  private mutating func makeTables() -> UnsafeMutablePointer<AlarmTable> {
    let tables = UnsafeMutablePointer<AlarmTable>.allocate(capacity: max(1, lensCount))
    tables.initialize(repeating: AlarmTable(), count: max(1, lensCount))
    for lens in 0..<lensCount { tables[lens].driver = alarms[lens] }
    namedAlarms = tables
    return tables
  }

  mutating func cancelAlarms(of lens: Int) {
    namedAlarms?[lens] = AlarmTable()
    setEarliestAlarm(of: lens, to: .distantFuture)
  }

  @inlinable
  mutating func setEarliestAlarm(of lens: Int, to moment: Moment) {
    let previous = alarms[lens]
    alarms[lens] = moment
    if moment <= earliestAlarm {
      earliestAlarm = moment
    } else if previous == earliestAlarm {
      findEarliestAlarm()
    }
  }

  /// Sets when a failed lens is retried; nil cancels the retry.
  mutating func setRetry(of lens: Int, to moment: Moment?) {
    retries.removeAll { $0.lens == lens }
    if let moment { retries.append(Retry(lens: lens, moment: moment)) }
    findEarliestAlarm()
  }

  /// The lenses that wait for a moment, by their numbers, each with its moment.
  var waits: [(lens: Int, moment: Moment)] {
    let set = (0..<lensCount).filter { alarms[$0] != .distantFuture }.map { (lens: $0, moment: alarms[$0]) }
    return set + retries.map { (lens: $0.lens, moment: $0.moment) }
  }

  @usableFromInline
  mutating func findEarliestAlarm() {
    var earliest = Moment.distantFuture
    for lens in 0..<lensCount where alarms[lens] < earliest { earliest = alarms[lens] }
    for retry in retries where retry.moment < earliest { earliest = retry.moment }
    earliestAlarm = earliest
  }

  /// The result of ``takeAlarm(dueAt:)``.
  enum Due {
    case alarm(Int)
    case retry(Int)
  }

  /// Removes and returns the earliest alarm that is due at `moment` or before the next event. Of several alarms at one
  /// moment, that of the lens wired first comes first; those of one lens are one. Retries come after the alarms of
  /// their moment.
  mutating func takeAlarm(dueAt moment: Moment) -> Due? {
    guard earliestAlarm <= moment || !timed.isEmpty, earliestAlarm != .distantFuture else { return nil }
    // ``now`` is the moment for which the driver set the alarm, even if the cycle is late: the driver's behaviour must
    // not depend on scheduling.
    moveTime(to: earliestAlarm)
    defer {
      findEarliestAlarm()
      otherSelfEmissions &+= 1
      moveFence()
    }
    for lens in 0..<lensCount where alarms[lens] == earliestAlarm {
      if let namedAlarms {
        namedAlarms[lens].cancel(until: earliestAlarm)
        alarms[lens] = namedAlarms[lens].earliest
      } else {
        alarms[lens] = .distantFuture
      }
      lastLens = lens
      return .alarm(lens)
    }
    guard
      let index = retries.indices.filter({ retries[$0].moment == earliestAlarm })
        .min(by: { retries[$0].lens < retries[$1].lens })
    else { return nil }
    lastLens = retries[index].lens
    return .retry(retries.remove(at: index).lens)
  }

  mutating func forgetRendering() { renderedLenses = 0 }

  /// The only lens whose driver rendered in this turn; nil if there were none or several, or if there are more than 64
  /// lenses.
  var onlyRenderedLens: Int? {
    lensCount <= 64 && renderedLenses.nonzeroBitCount == 1 ? renderedLenses.trailingZeroBitCount : nil
  }
}
