/// Which lens has an event at which moment: what drivers emitted when they were woken, ordered by moment and, at one moment, by lens. The
/// events of one lens keep the order in which they were emitted.
///
/// Drivers are woken one after the other, so events arrive in one ordered run for each driver. They are appended as they arrive, and merged
/// when all have been woken: for `n` events of `k` drivers that takes `n · log k` steps.
@usableFromInline
struct TimedQueue {
  /// A lens's next event, or its next trouble, counts at this moment.
  struct Entry {
    /// The lens's number in the lower 32 bits, and the marks of ``Mailbox``.
    var word: Int
    var moment: Moment

    func precedes(_ other: Entry) -> Bool {
      moment == other.moment ? word & Mailbox.lensMask < other.word & Mailbox.lensMask : moment < other.moment
    }
  }

  /// `capacity - 1`; the capacity is a power of two, so `& mask` wraps an index.
  private var mask = 63
  private var entries: UnsafeMutablePointer<Entry>
  private var head = 0
  private var tail = 0
  /// Entries from here on have been appended since the last ``endAppending()``.
  private var appended = 0
  /// Whether all that was appended lies in order, behind what was there.
  private var isOrdered = true
  /// Room for merging: twice as many entries as have ever been merged at once.
  private var scratch: UnsafeMutableBufferPointer<Entry>
  /// How many entries each lens has, and the moment of its last one.
  private let lenses: UnsafeMutablePointer<(count: Int, latest: Moment)>

  init(lensCount: Int) {
    entries = .allocate(capacity: mask + 1)
    scratch = .allocate(capacity: 0)
    lenses = .allocate(capacity: max(1, lensCount))
    lenses.initialize(repeating: (0, .zero), count: max(1, lensCount))
  }

  func deallocate() {
    entries.deallocate()
    scratch.deallocate()
    lenses.deallocate()
  }

  /// The moment of the first entry; `distantFuture` where there is none.
  var firstMoment: Moment { head == tail ? .distantFuture : entries[head & mask].moment }

  /// The lens of the first entry, which must be there.
  var firstLens: Int { entries[head & mask].word & Mailbox.lensMask }

  /// Whether a lens has an entry.
  func holds(_ lens: Int) -> Bool { lenses[lens].count > 0 }

  // MARK: - Adding

  /// Appends an entry. A moment before that of the lens's last entry counts as that one.
  mutating func append(_ word: Int, at moment: Moment) {
    if tail &- head > mask { grow() }
    let lens = word & Mailbox.lensMask
    let entry = Entry(word: word, moment: lenses[lens].count > 0 ? max(moment, lenses[lens].latest) : moment)
    lenses[lens].count += 1
    lenses[lens].latest = entry.moment
    if head != tail, entry.precedes(entries[(tail &- 1) & mask]) { isOrdered = false }
    entries[tail & mask] = entry
    tail &+= 1
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * (mask + 1))
    for index in head..<tail { (larger + (index & (2 * mask + 1))).initialize(to: entries[index & mask]) }
    entries.deallocate()
    entries = larger
    mask = 2 * mask + 1
  }

  /// Puts what has been appended into its order.
  @inline(__always)
  mutating func endAppending() {
    if !isOrdered { order() }
    appended = tail
  }

  private mutating func order() {
    isOrdered = true
    let count = tail &- appended
    if scratch.count < 2 * count {
      scratch.deallocate()
      scratch = .allocate(capacity: 2 * count)
    }
    for index in 0..<count { scratch.initializeElement(at: index, to: entries[(appended &+ index) & mask]) }
    mergeIntoQueue(mergedRuns(of: count))
  }

  /// Merges the ordered runs at the beginning of `scratch`, two at a time, until they are one: `count` entries, as a part of `scratch`.
  private func mergedRuns(of count: Int) -> UnsafeMutableBufferPointer<Entry>.SubSequence {
    var (source, target) = (0, count)
    while true {
      var (read, written) = (source, target)
      var runs = 0
      while read < source + count {
        let middle = endOfRun(from: read, to: source + count)
        let end = middle < source + count ? endOfRun(from: middle, to: source + count) : middle
        var (left, right) = (read, middle)
        while left < middle || right < end {
          // Of two that are alike the left one comes first: it was appended first.
          let takesRight = left == middle || (right < end && scratch[right].precedes(scratch[left]))
          scratch.initializeElement(at: written, to: scratch[takesRight ? right : left])
          if takesRight { right += 1 } else { left += 1 }
          written += 1
        }
        read = end
        runs += 1
      }
      (source, target) = (target, source)
      if runs == 1 { return scratch[source..<source + count] }
    }
  }

  private func endOfRun(from begin: Int, to end: Int) -> Int {
    var index = begin + 1
    while index < end, !scratch[index].precedes(scratch[index - 1]) { index += 1 }
    return index
  }

  /// Merges ordered entries into those that were there before they were appended. Only what comes before the last of them is moved.
  private mutating func mergeIntoQueue(_ merged: UnsafeMutableBufferPointer<Entry>.SubSequence) {
    var read = head
    tail = appended
    head &-= merged.count
    var written = head
    for entry in merged {
      while read != tail, !entry.precedes(entries[read & mask]) {
        entries[written & mask] = entries[read & mask]
        read &+= 1
        written &+= 1
      }
      entries[written & mask] = entry
      written &+= 1
    }
  }

  // MARK: - Removing

  /// Removes the first entry, which must be there.
  mutating func removeFirst() -> Entry {
    let entry = entries[head & mask]
    head &+= 1
    lenses[entry.word & Mailbox.lensMask].count -= 1
    return entry
  }

  mutating func removeAll() {
    while head != tail { _ = removeFirst() }
  }
}
