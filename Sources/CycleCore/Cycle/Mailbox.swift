/// The order in which the events of all lanes are reduced: what happens at one moment ends before time moves on.
///
/// Events that drivers emit when they are woken have moments of their own, and wait in the order of these. What drivers emit while a
/// frame is rendered belongs to the moment of that frame: it is reduced before time moves on, behind what waits at that moment.
///
/// The mailbox holds no events, only which lane the next one is in, so that each lane keeps its own type. What it knows lies behind
/// one pointer: an access costs no exclusivity check and no reference count.
@usableFromInline
struct Mailbox {
  // An entry is one word: the lens's number, and marks.
  @usableFromInline static var lensMask: Int { 0xFFFF_FFFF }
  /// The lens has a trouble to hear of, and not its next event.
  @usableFromInline static var troubleMark: Int { 1 << 32 }
  /// The lens's driver emitted the event while a frame was rendered.
  private static var selfMark: Int { 1 << 33 }

  /// A failed driver is tried again then.
  private struct Retry {
    var lens: Int
    var moment: Moment
  }

  /// What was emitted while frames were rendered: a ring of `mask + 1` words, a power of two. It grows up to what all lanes hold.
  @usableFromInline var mask = 255
  @usableFromInline var words: UnsafeMutablePointer<Int>
  @usableFromInline var head = 0
  @usableFromInline var tail = 0
  /// Where appending needs care: the ring may be full there, or too much has been emitted at one moment. At `tail` where all that is emitted
  /// needs care, because it may belong into `timed`, and what is dequeued too. One comparison an event instead of four.
  @usableFromInline var fence = 0
  /// What was emitted at other moments.
  private var timed: TimedQueue
  /// How many reasons there are for more than to reduce the next event and to render its frame: troubles that wait, lanes with a loss that the
  /// application has not been told of, taps, observers.
  private var careCount = 0
  /// Whether events are handed to taps before they are reduced.
  private(set) var isTapped = false
  /// Whether new frames are handed to observers.
  @usableFromInline private(set) var isObserved = false
  /// The moment of what is being handled: what ``DriverContext/now`` says.
  @usableFromInline var now = Moment.zero
  /// The loop's clock when this turn began. No event is younger, except those that were read in this turn.
  @usableFromInline var clock = Moment.zero
  /// The value of `now` before this turn's reads; events read in this turn may be stamped after it.
  private var nowBeforeReads = Moment.zero
  /// Drivers are being woken: what they emit is put in the order of its moments. Otherwise a frame is rendered, and what they emit is
  /// queued in the order of its emission, breadth first.
  private var isGathering = false
  /// How many events drivers may emit while frames are rendered, and alarms may come, before time moves on.
  private let selfEmissionLimit: Int
  /// The value of `tail` when time moved on last.
  private var tailAtMove = 0
  /// Alarms, and events in `timed`, that count towards the limit.
  private var otherSelfEmissions = 0
  /// The lens whose event or alarm came last of those that needed care.
  private var lastLens = 0
  /// The lens that exceeded the limit; -1 as long as none has.
  private(set) var livelockedLens = -1
  /// Each lens's alarm; `distantFuture` where none is set.
  @usableFromInline var alarms: UnsafeMutablePointer<Moment>
  @usableFromInline var lensCount: Int
  /// No alarm and no retry is earlier than this.
  @usableFromInline var earliestAlarm = Moment.distantFuture
  /// Few lenses fail at one time, so their retries are no part of `alarms`.
  private var retries: [Retry] = []
  /// Whose drivers rendered in this turn, of the renders that are not timed one by one: a bit for each lens, whose number is taken modulo 64.
  @usableFromInline var renderedLenses: UInt64 = 0

  @usableFromInline
  init(lensCount: Int, selfEmissionLimit: Int) {
    self.selfEmissionLimit = selfEmissionLimit
    words = .allocate(capacity: mask + 1)
    timed = TimedQueue(lensCount: lensCount)
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
  }

  /// Sets the time that everything begins at.
  mutating func begin(at moment: Moment) {
    now = moment
    clock = moment
    nowBeforeReads = moment
  }

  /// Queues one event of a lane that happened now. There is always room: the lanes bound their shares.
  @inlinable @inline(__always)
  mutating func enqueue(_ word: Int) {
    guard tail != fence else { return enqueue(word, at: now) }
    append(word)
  }

  @inlinable @inline(__always)
  mutating func append(_ word: Int) {
    words[tail & mask] = word
    tail &+= 1
  }

  /// Queues one event of a lane, or a trouble: the lens's number with its mark.
  @usableFromInline
  mutating func enqueue(_ word: Int, at moment: Moment) {
    if word & Self.troubleMark != 0 { careCount &+= 1 }
    if isGathering { timed.append(word, at: moment) } else { enqueueAmidRendering(word, at: moment) }
  }

  private mutating func enqueueAmidRendering(_ word: Int, at moment: Moment) {
    lastLens = word & Self.lensMask
    if moment > now || timed.holds(word & Self.lensMask, after: now) {
      // It happened later than the frame that is rendered, or is behind events of its lens that did.
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
    if isGathering || !timed.isEmpty || careCount > 0 || livelockedLens >= 0 {
      fence = tail
    } else {
      fence = min(head &+ mask &+ 1, tail &+ min(selfEmissionLimit &- emitted, mask))
    }
  }

  /// A lane has lost events that the application has not been told of, or it has been told.
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

  private mutating func changeCare(by isNeeded: Bool) {
    careCount &+= isNeeded ? 1 : -1
    moveFence()
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Int>.allocate(capacity: 2 * (mask + 1))
    for index in head..<tail { larger[index & (2 * mask + 1)] = words[index & mask] }
    words.deallocate()
    words = larger
    mask = 2 * mask + 1
  }

  /// Drivers read their hardware from here on: their now is the clock's.
  mutating func beginGathering(at moment: Moment) {
    nowBeforeReads = now
    clock = max(clock, moment)
    now = max(now, moment)
    beginAppending()
    forgetRendering()
  }

  /// What was read is reduced from here on, each event at its own moment.
  @inline(__always)
  mutating func endGathering() {
    now = nowBeforeReads
    endAppending()
  }

  /// Drivers are woken at `now`, and what they emit is put in the order of its moments. Until the first event is emitted behind
  /// ``endAppending()``, all that is emitted needs care.
  mutating func beginAppending() {
    isGathering = true
    fence = tail
  }

  @inline(__always)
  mutating func endAppending() {
    isGathering = false
    timed.endAppending()
  }

  /// Whether the next event is the first one in the ring, and reducing it and rendering its frame is all there is to do.
  @inlinable
  var hasNext: Bool { head != tail && tail != fence }

  /// The word of the first event in the ring.
  @inlinable @inline(__always)
  mutating func dequeue() -> Int {
    let word = words[head & mask]
    head &+= 1
    return word
  }

  /// The word of the next event or trouble, where ``hasNext`` is false; -1 when nothing waits, an alarm comes before it, or there is a
  /// ``livelockedLens``. Moves time on to the event's moment: it never runs back.
  ///
  /// At one moment a lens that is wired first comes first, whether it has an event or an alarm; a lens's own event comes before
  /// its alarm.
  @usableFromInline
  mutating func dequeueWithCare() -> Int {
    // Most turns end here: it is apart from the rest, which needs many registers.
    head == tail && timed.isEmpty ? -1 : dequeueFromBoth()
  }

  @inline(never)
  private mutating func dequeueFromBoth() -> Int {
    if livelockedLens >= 0 { return -1 }
    let waits = head != tail
    if !timed.isEmpty, timed.firstMoment <= now || !waits, comesBeforeAlarm() {
      let entry = timed.removeFirst()
      if entry.word & Self.troubleMark != 0 { careCount &-= 1 }
      if entry.moment > now {
        now = entry.moment
        // Only what hardware told moves time on to a moment at which drivers may emit anew.
        if entry.word & Self.selfMark == 0 {
          tailAtMove = tail
          otherSelfEmissions = 0
        }
      }
      // The next event that a driver emits, if there is one, finds out whether those after it need care.
      fence = tail
      return entry.word & ~Self.selfMark
    }
    guard waits else { return -1 }
    let word = dequeue()
    if word & Self.troubleMark != 0 { careCount &-= 1 }
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

  /// Time never runs back. What drivers emitted at one moment counts from 0 again at the next.
  mutating func moveTime(to moment: Moment) {
    guard moment > now else { return }
    now = moment
    tailAtMove = tail
    otherSelfEmissions = 0
    moveFence()
  }

  /// Events that still wait are not reduced any more.
  mutating func dropAll() {
    head = tail
    timed.removeAll()
    moveFence()
  }

  // MARK: - Alarms

  @inlinable
  mutating func setAlarm(of lens: Int, to moment: Moment) {
    let previous = alarms[lens]
    alarms[lens] = moment
    if moment <= earliestAlarm {
      earliestAlarm = moment
    } else if previous == earliestAlarm {
      findEarliestAlarm()
    }
  }

  /// Sets when a lens that has failed is tried again; nil takes that back.
  mutating func setRetry(of lens: Int, to moment: Moment?) {
    retries.removeAll { $0.lens == lens }
    if let moment { retries.append(Retry(lens: lens, moment: moment)) }
    findEarliestAlarm()
  }

  @usableFromInline
  mutating func findEarliestAlarm() {
    var earliest = Moment.distantFuture
    for lens in 0..<lensCount where alarms[lens] < earliest { earliest = alarms[lens] }
    for retry in retries where retry.moment < earliest { earliest = retry.moment }
    earliestAlarm = earliest
  }

  /// What ``takeAlarm(dueAt:)`` has found.
  enum Due {
    case alarm(Int)
    case retry(Int)
  }

  /// Takes the earliest alarm that is due at `moment` or before the next event, of several at one moment that of the lens wired
  /// first; retries come after the alarms of their moment.
  mutating func takeAlarm(dueAt moment: Moment) -> Due? {
    guard earliestAlarm <= moment || !timed.isEmpty, earliestAlarm != .distantFuture else { return nil }
    // A driver that wakes late is still told the moment it asked for: what it does then depends on no scheduler.
    moveTime(to: earliestAlarm)
    defer {
      findEarliestAlarm()
      otherSelfEmissions &+= 1
      moveFence()
    }
    for lens in 0..<lensCount where alarms[lens] == earliestAlarm {
      alarms[lens] = .distantFuture
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

  /// The only lens whose driver rendered in this turn; nil if there were several, or so many lenses that a bit doesn't tell which.
  var onlyRenderedLens: Int? {
    lensCount <= 64 && renderedLenses.nonzeroBitCount == 1 ? renderedLenses.trailingZeroBitCount : nil
  }
}
