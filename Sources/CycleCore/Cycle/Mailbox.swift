/// The order in which the events of all lanes are reduced: first in, first out, over every driver.
///
/// It holds no events, only which lane the next one is in, so that each lane keeps its own type. What it knows lies behind
/// one pointer: an access costs no exclusivity check and no reference count.
@usableFromInline
struct Mailbox {
  @usableFromInline
  struct Entry {
    @usableFromInline var lens: Int
    @usableFromInline var moment: Moment

    @inlinable
    init(lens: Int, moment: Moment) {
      self.lens = lens
      self.moment = moment
    }
  }

  /// How many events may wait in all lanes together; a lane bounds its own share.
  @usableFromInline var mask: Int
  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  @usableFromInline var head = 0
  @usableFromInline var tail = 0
  /// The moment of what is being handled: what ``DriverContext/now`` says.
  @usableFromInline var now = Moment.zero
  /// Where time stood before the hardware was read: what it tells of may have happened since.
  private var reduced = Moment.zero
  /// Drivers are being woken: what they emit is put in the order of its moments. Otherwise a frame goes round, and it is
  /// queued at the end, breadth first.
  @usableFromInline var isGathering = false
  /// Events that drivers emitted while a frame went round, and alarms that came, since time moved last.
  @usableFromInline var selfEmitted = 0
  /// Each lens's alarm; `distantFuture` where none is set.
  @usableFromInline var alarms: UnsafeMutablePointer<Moment>
  @usableFromInline var lensCount: Int
  /// No alarm is earlier than this.
  @usableFromInline var earliestAlarm = Moment.distantFuture

  @usableFromInline
  init(lensCount: Int, capacity: Int) {
    var size = 1
    while size < capacity { size <<= 1 }
    mask = size - 1
    entries = .allocate(capacity: size)
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
    reduced = moment
  }

  /// Queues one event of a lane. There is always room: the lanes bound their shares.
  @inlinable
  mutating func enqueue(lens: Int, moment: Moment) {
    if isGathering {
      insert(lens: lens, moment: moment)
    } else {
      selfEmitted &+= 1
      entries[tail & mask] = Entry(lens: lens, moment: moment)
      tail &+= 1
    }
  }

  /// Two drivers read their hardware one after the other: what happened first is reduced first. Events of one lane keep
  /// their order in any case.
  @usableFromInline
  mutating func insert(lens: Int, moment: Moment) {
    var place = tail
    while place > head, entries[(place &- 1) & mask].moment > moment, entries[(place &- 1) & mask].lens != lens {
      entries[place & mask] = entries[(place &- 1) & mask]
      place &-= 1
    }
    entries[place & mask] = Entry(lens: lens, moment: moment)
    tail &+= 1
  }

  /// Drivers read their hardware from here on: their now is the clock's.
  mutating func beginGathering(at moment: Moment) {
    reduced = now
    now = max(now, moment)
    isGathering = true
  }

  /// What was read is reduced from here on, each event at its own moment.
  mutating func endGathering() {
    now = reduced
    isGathering = false
  }

  /// The next event's lane; nil when nothing waits, or an alarm comes before it. Moves time on to the event's moment: it never
  /// runs back.
  @inlinable
  mutating func dequeue() -> Int? {
    guard head != tail else { return nil }
    let entry = entries[head & mask]
    guard entry.moment <= earliestAlarm else { return nil }
    head &+= 1
    moveTime(to: entry.moment)
    return entry.lens
  }

  /// Time never runs back. What drivers emitted at one moment counts from 0 again at the next.
  @inlinable
  mutating func moveTime(to moment: Moment) {
    guard moment > now else { return }
    now = moment
    selfEmitted = 0
  }

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

  @usableFromInline
  mutating func findEarliestAlarm() {
    var earliest = Moment.distantFuture
    for lens in 0..<lensCount where alarms[lens] < earliest { earliest = alarms[lens] }
    earliestAlarm = earliest
  }

  /// Takes the earliest alarm that is due at `moment` or before the next event, of several at one moment the one wired first.
  mutating func takeAlarm(dueAt moment: Moment) -> Int? {
    guard earliestAlarm <= moment || head != tail, earliestAlarm != .distantFuture else { return nil }
    var due = 0
    while alarms[due] != earliestAlarm { due += 1 }
    // A driver that wakes late is still told the moment it asked for: what it does then depends on no scheduler.
    moveTime(to: earliestAlarm)
    selfEmitted &+= 1
    alarms[due] = .distantFuture
    findEarliestAlarm()
    return due
  }
}
