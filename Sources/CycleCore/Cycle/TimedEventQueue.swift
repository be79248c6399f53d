/// The entries of events that drivers emitted when they were woken, ordered by moment and, at one moment, by lens. The
/// events of one lens keep the order in which they were emitted.
///
/// Drivers are woken one after the other, so entries arrive in ordered runs, usually one for each driver. They stay
/// where they were appended. A tournament of the runs finds the next entry (a tree of losers: Knuth, The Art of
/// Computer Programming, volume 3, 5.4.1). `n` entries in `k` runs take `n · log k` comparisons; entries in a single
/// run take none.
@usableFromInline
struct TimedEventQueue {
  /// An event or a trouble of a lens, and its moment.
  struct Entry {
    /// The lens's number in the lower 32 bits, and the marks of ``EventScheduler``.
    var word: Int
    var moment: Moment

    var lens: Int { word & EventScheduler.lensMask }

    func precedes(_ other: Entry) -> Bool {
      moment == other.moment ? lens < other.lens : moment < other.moment
    }
  }

  /// The indices of ordered entries, `next..<end`; empty if both are equal.
  private struct Run {
    var next: Int
    var end: Int
  }

  /// The sort key of a run's first entry: its moment in the upper 64 bits, then 32 bits of its lens and 32 bits of the
  /// run's number. Of two runs of one lens, the one appended first therefore comes first.
  private struct Key {
    private let bits: UInt128

    private init(_ bits: UInt128) { self.bits = bits }

    @inline(__always)
    init(_ entry: Entry, run: Int) {
      let lensAndRun = UInt64(truncatingIfNeeded: entry.word) << 32 | UInt64(truncatingIfNeeded: run)
      bits = UInt128(UInt64(bitPattern: entry.moment.nanoseconds) ^ Self.sign) << 64 | UInt128(lensAndRun)
    }

    /// The key of an empty run, which sorts after all others: its moment is the distant future.
    static var end: Key { Key(.max) }
    private static var sign: UInt64 { 1 << 63 }

    var isEnd: Bool { bits == .max }
    var run: Int { Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: bits)) }
    var lens: Int { Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: bits >> 32)) }
    var moment: Moment { Moment(nanoseconds: Int64(bitPattern: UInt64(truncatingIfNeeded: bits >> 64) ^ Self.sign)) }

    func precedes(_ other: Key) -> Bool { bits < other.bits }
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 64
  /// The index at which the next entry is appended.
  private var tail = 0
  /// The index of the first entry of the run that is being appended.
  private var runBegin = 0
  private var runs: UnsafeMutablePointer<Run>
  private var runCount = 0
  /// The number of runs that have taken part in the tournament.
  private var playedCount = 0
  /// The capacity of `runs`, a power of two; `losers` has twice as many.
  private var runCapacity = 16
  /// The key of the first of all entries; ``Key/end`` if there is none.
  private var winner = Key.end
  /// The tournament: at each index from 1, the key that lost the match there. The winners of matches `2 * i` and
  /// `2 * i + 1` meet in match `i`; run `r` enters at `leafCount + r`.
  private var losers: UnsafeMutablePointer<Key>
  private var leafCount: UInt = 1
  /// The moment of each lens's last entry; the lowest possible moment before its first.
  private let latest: UnsafeMutablePointer<Moment>

  init(lensCount: Int) {
    entries = .allocate(capacity: capacity)
    runs = .allocate(capacity: runCapacity)
    losers = .allocate(capacity: 2 * runCapacity)
    latest = .allocate(capacity: max(1, lensCount))
    latest.initialize(repeating: Moment(nanoseconds: .min), count: max(1, lensCount))
  }

  func deallocate() {
    entries.deallocate()
    runs.deallocate()
    losers.deallocate()
    latest.deallocate()
  }

  /// Whether the queue is empty, apart from entries that are being appended.
  var isEmpty: Bool { runCount == 0 }

  /// The moment of the first entry; `distantFuture` if there is none.
  var firstMoment: Moment { winner.moment }

  /// The lens of the first entry. The queue must not be empty.
  var firstLens: Int { winner.lens }

  /// Whether a lens has an entry later than `moment`. Requires that no entry later than `moment` has been removed.
  func holds(_ lens: Int, after moment: Moment) -> Bool { latest[lens] > moment }

  // MARK: - Adding

  /// Appends an entry, which becomes part of the queue at ``endAppending()``. A moment before that of the lens's last
  /// entry is replaced by that one.
  @inline(__always)
  mutating func append(_ word: Int, at moment: Moment) {
    if tail == capacity { makeRoom() }
    let lens = word & EventScheduler.lensMask
    let entry = Entry(word: word, moment: max(moment, latest[lens]))
    latest[lens] = entry.moment
    if tail != runBegin, entry.precedes(entries[tail &- 1]) { endRun() }
    entries[tail] = entry
    tail &+= 1
  }

  /// Makes the appended entries part of the queue.
  @inline(__always)
  mutating func endAppending() {
    if tail == runBegin, playedCount == runCount { return }
    guard runCount == 0 else { return endAppendingToRuns() }
    // This run is the only one, so no tournament is needed.
    runs[0] = Run(next: runBegin, end: tail)
    winner = Key(entries[runBegin], run: 0)
    runBegin = tail
    runCount = 1
    playedCount = 1
  }

  private mutating func endAppendingToRuns() {
    if tail != runBegin { endRun() }
    if playedCount != runCount { play() }
  }

  private mutating func endRun() {
    defer { runBegin = tail }
    // A run that continues the last one extends it.
    if runCount > 0, case let last = runs[runCount &- 1], last.next < last.end, last.end == runBegin,
      !entries[runBegin].precedes(entries[runBegin &- 1])
    {
      runs[runCount &- 1].end = tail
      return
    }
    if runCount == runCapacity { makeRoomForRuns() }
    runs[runCount] = Run(next: runBegin, end: tail)
    runCount &+= 1
  }

  /// Computes the tournament of all runs again.
  private mutating func play() {
    removeEmptyRuns()
    playedCount = runCount
    leafCount = 1
    while leafCount < runCount { leafCount <<= 1 }
    let leafCount = Int(leafCount)
    // First store the winner of each match: the runs' first entries, then the matches from the last to the first.
    let places = losers
    for run in 0..<leafCount { places[leafCount + run] = run < runCount ? key(of: run) : .end }
    for place in (1..<leafCount).reversed() {
      let (left, right) = (places[2 * place], places[2 * place + 1])
      places[place] = right.precedes(left) ? right : left
    }
    winner = places[1]
    // Then replace each match's winner by its loser.
    for place in 1..<leafCount {
      let (left, right) = (places[2 * place], places[2 * place + 1])
      places[place] = right.precedes(left) ? left : right
    }
  }

  private func key(of run: Int) -> Key {
    runs[run].next < runs[run].end ? Key(entries[runs[run].next], run: run) : .end
  }

  /// Removes the runs without entries; the others keep their order.
  private mutating func removeEmptyRuns() {
    var count = 0
    for run in 0..<runCount where runs[run].next < runs[run].end {
      runs[count] = runs[run]
      count += 1
    }
    runCount = count
  }

  /// Moves the remaining entries into a buffer with room for at least as many more.
  private mutating func makeRoom() {
    let count = (0..<runCount).reduce(tail - runBegin) { $0 + runs[$1].end - runs[$1].next }
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: max(capacity, 2 * count))
    var written = 0
    for run in 0..<runCount {
      let length = runs[run].end - runs[run].next
      (larger + written).moveInitialize(from: entries + runs[run].next, count: length)
      runs[run] = Run(next: written, end: written + length)
      written += length
    }
    (larger + written).moveInitialize(from: entries + runBegin, count: tail - runBegin)
    runBegin = written
    tail = count
    entries.deallocate()
    entries = larger
    capacity = max(capacity, 2 * count)
  }

  private mutating func makeRoomForRuns() {
    let larger = UnsafeMutablePointer<Run>.allocate(capacity: 2 * runCapacity)
    larger.moveInitialize(from: runs, count: runCount)
    runs.deallocate()
    runs = larger
    let places = UnsafeMutablePointer<Key>.allocate(capacity: 4 * runCapacity)
    places.moveInitialize(from: losers, count: Int(leafCount))
    losers.deallocate()
    losers = places
    runCapacity *= 2
  }

  // MARK: - Removing

  /// Removes and returns the first entry. The queue must not be empty.
  @inline(__always)
  mutating func removeFirst() -> Entry {
    let run = winner.run
    let place = runs[run].next
    let entry = entries[place]
    let next = place &+ 1
    runs[run].next = next
    var key = next < runs[run].end ? Key(entries[next], run: run) : .end
    if playedCount > 1 { key = winner(against: key) }
    winner = key
    if key.isEnd {
      // No entries are left, apart from those that are being appended.
      runCount = 0
      playedCount = 0
      leafCount = 1
      if runBegin == tail {
        runBegin = 0
        tail = 0
      }
    }
    return entry
  }

  /// Plays the winning run's next entry against the losers on its path. Returns the new winner.
  @inline(__always)
  private func winner(against challenger: Key) -> Key {
    var key = challenger
    let losers = losers
    var match = (leafCount &+ UInt(bitPattern: winner.run)) >> 1
    while match != 0 {
      let place = losers + Int(bitPattern: match)
      let other = place.pointee
      if other.precedes(key) {
        place.pointee = key
        key = other
      }
      match >>= 1
    }
    return key
  }

  mutating func removeAll() {
    endAppending()
    while !winner.isEnd { _ = removeFirst() }
  }
}
