import CycleCore

/// Follows a clock: opens it, finds whether its time is known, notices that it was set, and waits for wanted times.
struct ClockFollower {
  enum Change: Equatable {
    /// The time became known.
    case known(ClockReading)
    /// The time is not known any more.
    case unknown
    /// The clock was set.
    case jumped(ClockReading)
    /// A wanted time came, or the offset of the zone has changed.
    case reached(ClockReading)
  }

  /// A difference between the clock and the loop's clock that is a jump, in nanoseconds. Smaller ones are inaccuracies
  /// of two readings that are not made at the same moment.
  private static let leastJump: Int64 = 1_000_000

  let clock: any WallClock
  let place: Place?
  private var schedule: ClockSchedule?
  private var connection: (any WallClockConnection)?
  private(set) var isKnown = false
  /// The clock minus the loop's clock, in nanoseconds.
  private var difference: Int64 = 0
  /// The time up to which wanted times were emitted.
  private var checked = 0
  private var timer: Int?
  /// Wanted times that had occurred, but were not emitted, when other times were wanted.
  private var passed: [Int] = []
  /// The maximum number of them: the minutes of a day.
  private static let mostPassed = 1440

  init(_ clock: any WallClock, place: Place?) {
    (self.clock, self.place) = (clock, place)
  }

  /// Opens the clock.
  ///
  /// - Returns: the time, if it is known.
  mutating func open(
    _ wanted: WantedTimes, _ watcher: Watcher
  ) throws(DriverError) -> (reading: ClockReading, moment: Moment)? {
    try check(wanted)
    if schedule == nil { schedule = ClockSchedule(zone: try clock.zoneRules(), place: place) }
    schedule?.wanted = wanted
    let connection = try clock.open()
    do throws(DriverError) {
      try connection.watch(watcher)
      let sample = try connection.read()
      self.connection = connection
      isKnown = sample.isKnown
      note(sample)
      try arm()
      return isKnown ? (reading(sample), sample.moment) : nil
    } catch {
      connection.close()
      self.connection = nil
      isKnown = false
      throw error
    }
  }

  private func check(_ wanted: WantedTimes) throws(DriverError) {
    if place == nil, wanted.times.contains(where: \.needsPlace) { throw ClockErrorFactory().noPlace() }
  }

  private func reading(_ sample: WallClockSample) -> ClockReading { reading(at: sample.microseconds) }

  private func reading(at microseconds: Int) -> ClockReading {
    (schedule?.zone ?? .utc).reading(at: microseconds)
  }

  /// Begins to wait for the times after this reading.
  private mutating func note(_ sample: WallClockSample) {
    difference = sample.nanoseconds - sample.moment.nanoseconds
    checked = sample.microseconds
    passed = []
  }

  /// Changes the wanted times. Times that have passed are not wanted by it; those that the earlier ones wanted are kept
  /// for ``follow(hasRoom:take:)``.
  ///
  /// - Returns: whether that must be called now.
  mutating func want(_ wanted: WantedTimes) throws(DriverError) -> Bool {
    try check(wanted)
    var hasNews = false
    if isKnown, let connection {
      let sample = try connection.read()
      if let timer, timer <= sample.microseconds { self.timer = nil }
      if sample.isKnown != isKnown || isJump(sample) {
        // The reading has cleared the descriptor.
        timer = nil
        hasNews = true
      } else {
        while let next = schedule?.next(after: checked), next <= sample.microseconds, passed.count < Self.mostPassed {
          passed.append(next)
          checked = next
        }
        checked = sample.microseconds
      }
    }
    let before = schedule?.wanted
    schedule?.wanted = wanted
    do throws(DriverError) {
      try arm()
    } catch {
      if let before { schedule?.wanted = before }
      throw error
    }
    return hasNews || !passed.isEmpty
  }

  private func isJump(_ sample: WallClockSample) -> Bool {
    (sample.nanoseconds - sample.moment.nanoseconds - difference).magnitude >= UInt64(Self.leastJump)
  }

  /// Sets the timer to the next time, if it is set to another one.
  private mutating func arm() throws(DriverError) {
    // A timer in the distant future notices that the clock is set.
    let next = isKnown ? schedule?.next(after: checked) ?? ClockReading.range.upperBound : ClockReading.range.upperBound
    guard next != timer, let connection else { return }
    try connection.setTimer(to: next)
    timer = next
  }

  /// Reads the clock, and passes on what has changed.
  ///
  /// - Parameters:
  ///   - hasRoom: whether another change can be passed on.
  ///   - take: gets the changes, each with its moment.
  /// - Returns: whether all changes were passed on.
  mutating func follow(
    hasRoom: () -> Bool, take: (Change, Moment) -> Void
  ) throws(DriverError) -> Bool {
    guard let connection else { return true }
    let sample = try connection.read()
    // A timer that was due is not set any more.
    if let timer, timer <= sample.microseconds { self.timer = nil }
    if sample.isKnown != isKnown {
      guard hasRoom() else { return false }
      isKnown = sample.isKnown
      take(isKnown ? .known(reading(sample)) : .unknown, sample.moment)
      note(sample)
    } else if !isKnown {
      note(sample)
    } else if isJump(sample) {
      guard hasRoom() else { return false }
      take(.jumped(reading(sample)), sample.moment)
      note(sample)
      // The timer of a clock that was set may be cancelled.
      timer = nil
    } else {
      while let next = passed.first {
        guard hasRoom() else { return false }
        take(.reached(reading(at: next)), sample.moment(of: next))
        passed.removeFirst()
      }
      while let next = schedule?.next(after: checked), next <= sample.microseconds {
        guard hasRoom() else { return false }
        take(.reached(reading(at: next)), sample.moment(of: next))
        checked = next
      }
    }
    try arm()
    return true
  }

  /// Whether a reading is in a period that begins and ends on the same date.
  mutating func isInPeriod(from begin: DailyTime, to end: DailyTime, at reading: ClockReading) -> Bool {
    schedule?.isInPeriod(from: begin, to: end, at: reading.seconds) ?? false
  }

  /// Whether, at a reading, the last occurrence of a daily time is later than that of another one.
  mutating func isLater(_ first: DailyTime, than second: DailyTime, at reading: ClockReading) -> Bool {
    guard let start = schedule?.last(first, until: reading.seconds) else { return false }
    guard let end = schedule?.last(second, until: reading.seconds) else { return true }
    return start > end
  }

  /// The time after which the clock is read again although nothing has happened; nil for none.
  var pause: Duration? { isKnown ? nil : connection?.pauseWhileUnknown }

  mutating func close() {
    connection?.close()
    connection = nil
    timer = nil
    isKnown = false
  }
}
