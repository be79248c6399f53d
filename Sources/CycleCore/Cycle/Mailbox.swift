/// The order in which the events of all lanes are reduced: by moment, then by lens, and what drivers emit while a frame goes round
/// behind what waits already.
///
/// It holds no events, only which lane the next one is in, so that each lane keeps its own type. What it knows lies behind
/// one pointer: an access costs no exclusivity check and no reference count.
@usableFromInline
struct Mailbox {
  /// Whose event is next, and when it happened. What it is lies in one word, so that it is written and read at once.
  @usableFromInline
  struct Entry {
    /// The lens's number in the lower 32 bits, and the marks.
    @usableFromInline var word: Int
    @usableFromInline var moment: Moment

    /// The lens has a trouble to hear of, and not its next event.
    @usableFromInline static var troubleMark: Int { 1 << 32 }
    /// A driver emitted it while a frame went round.
    @usableFromInline static var selfMark: Int { 1 << 33 }

    @inlinable
    init(_ word: Int, _ moment: Moment) {
      self.word = word
      self.moment = moment
    }

    @inlinable
    var lens: Int { word & 0xFFFF_FFFF }

    @inlinable
    var isTrouble: Bool { word & Self.troubleMark != 0 }

    @inlinable
    var isSelfEmitted: Bool { word & Self.selfMark != 0 }
  }

  /// A failed driver is tried again then.
  private struct Retry {
    var lens: Int
    var moment: Moment
  }

  /// `capacity - 1` of the ring, a power of two. It grows up to what all lanes hold together.
  @usableFromInline var mask = 63
  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  @usableFromInline var head = 0
  @usableFromInline var tail = 0
  /// The moment of what is being handled: what ``DriverContext/now`` says.
  @usableFromInline var now = Moment.zero
  /// The loop's clock when this turn began. No event is younger, except those that were read in this turn.
  @usableFromInline var clock = Moment.zero
  /// The value of `now` before this turn's reads; events read in this turn may be stamped after it.
  private var nowBeforeReads = Moment.zero
  /// Drivers are being woken: what they emit is put in the order of its moments. Otherwise a frame goes round, and it is
  /// queued at the end, breadth first.
  @usableFromInline var isGathering = false
  /// Events that drivers emitted while a frame went round, and alarms that came, since time moved last.
  @usableFromInline var selfEmitted = 0
  /// Each lens's alarm; `distantFuture` where none is set.
  @usableFromInline var alarms: UnsafeMutablePointer<Moment>
  @usableFromInline var lensCount: Int
  /// No alarm and no retry is earlier than this.
  @usableFromInline var earliestAlarm = Moment.distantFuture
  /// Few lenses fail at one time, so their retries are no part of `alarms`.
  private var retries: [Retry] = []
  /// The lens whose driver rendered last in this turn, of the renders that are not timed one by one; -1 for none.
  @usableFromInline var renderingLens = -1
  /// Another such lens; -1 for none.
  @usableFromInline var otherRenderingLens = -1

  @usableFromInline
  init(lensCount: Int) {
    entries = .allocate(capacity: mask + 1)
    self.lensCount = lensCount
    alarms = .allocate(capacity: max(1, lensCount))
    alarms.initialize(repeating: .distantFuture, count: max(1, lensCount))
  }

  @usableFromInline
  func deallocate() {
    entries.deallocate()
    alarms.deallocate()
  }

  /// Sets the time that everything begins at.
  mutating func begin(at moment: Moment) {
    now = moment
    clock = moment
    nowBeforeReads = moment
  }

  /// Queues one event of a lane, or a trouble: the lens's number with its mark. There is always room: the lanes bound their shares.
  @inlinable @inline(__always)
  mutating func enqueue(_ word: Int, moment: Moment) {
    guard !isGathering, tail &- head <= mask else { return enqueueWithCare(word, moment: moment) }
    selfEmitted &+= 1
    entries[tail & mask] = Entry(word | Entry.selfMark, moment)
    tail &+= 1
  }

  @usableFromInline
  mutating func enqueueWithCare(_ word: Int, moment: Moment) {
    if tail &- head > mask { grow() }
    if isGathering { insert(Entry(word, moment)) } else { enqueue(word, moment: moment) }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * (mask + 1))
    for index in head..<tail { (larger + (index & (2 * mask + 1))).initialize(to: entries[index & mask]) }
    entries.deallocate()
    entries = larger
    mask = 2 * mask + 1
  }

  /// Two drivers read their hardware one after the other: what happened first is reduced first, and of two things at one moment
  /// that of the lens which is wired first. Events of one lane keep their order in any case.
  private mutating func insert(_ entry: Entry) {
    var place = tail
    while place > head {
      let before = entries[(place &- 1) & mask]
      guard before.moment >= entry.moment, before.lens != entry.lens else { break }
      if before.moment == entry.moment, before.lens < entry.lens { break }
      entries[place & mask] = before
      place &-= 1
    }
    entries[place & mask] = entry
    tail &+= 1
  }

  /// Drivers read their hardware from here on: their now is the clock's.
  mutating func beginGathering(at moment: Moment) {
    nowBeforeReads = now
    clock = max(clock, moment)
    now = max(now, moment)
    isGathering = true
    forgetRendering()
  }

  /// What was read is reduced from here on, each event at its own moment.
  mutating func endGathering() {
    now = nowBeforeReads
    isGathering = false
  }

  /// The next event; nil when nothing waits, or an alarm comes before it. Moves time on to the event's moment: it never runs back.
  ///
  /// At one moment a lens that is wired first comes first, whether it has an event or an alarm; a lens's own event comes before
  /// its alarm.
  @inlinable
  mutating func dequeue() -> Entry? {
    guard head != tail else { return nil }
    let entry = entries[head & mask]
    if entry.moment >= earliestAlarm, !comesBeforeAlarm(entry) { return nil }
    head &+= 1
    // Only what hardware told moves time on to a moment at which drivers may emit anew.
    if !entry.isSelfEmitted { moveTime(to: entry.moment) } else if entry.moment > now { now = entry.moment }
    return entry
  }

  @usableFromInline
  func comesBeforeAlarm(_ entry: Entry) -> Bool {
    guard entry.moment == earliestAlarm else { return entry.moment < earliestAlarm }
    // What is emitted while a frame goes round belongs to the event behind that frame.
    if entry.isSelfEmitted { return true }
    for lens in 0..<entry.lens where alarms[lens] == earliestAlarm { return false }
    return true
  }

  /// Time never runs back. What drivers emitted at one moment counts from 0 again at the next.
  @inlinable
  mutating func moveTime(to moment: Moment) {
    guard moment > now else { return }
    now = moment
    selfEmitted = 0
  }

  /// Events that still wait are not reduced any more.
  mutating func dropAll() {
    head = tail
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
    guard earliestAlarm <= moment || head != tail, earliestAlarm != .distantFuture else { return nil }
    // A driver that wakes late is still told the moment it asked for: what it does then depends on no scheduler.
    moveTime(to: earliestAlarm)
    selfEmitted &+= 1
    defer { findEarliestAlarm() }
    for lens in 0..<lensCount where alarms[lens] == earliestAlarm {
      alarms[lens] = .distantFuture
      return .alarm(lens)
    }
    guard
      let index = retries.indices.filter({ retries[$0].moment == earliestAlarm })
        .min(by: { retries[$0].lens < retries[$1].lens })
    else { return nil }
    return .retry(retries.remove(at: index).lens)
  }

  mutating func forgetRendering() {
    renderingLens = -1
    otherRenderingLens = -1
  }

  /// Notes that the lens's driver renders, for whoever looks for a slow one.
  @inlinable
  mutating func noteRendering(_ lens: Int) {
    // Only whether it was one lens or several matters, and which one it was.
    guard renderingLens != lens else { return }
    otherRenderingLens = renderingLens
    renderingLens = lens
  }
}
