import CycleCore
import HardwareDrivers
import PanelLanguage

/// The rules of the clock: its numbers, and the times of `at`.
///
/// A frame has the time up to which occurrences were checked, and for each alarm the date on which it was taken last and
/// the occurrence that waits for a condition whose result is unknown.
extension PanelRules {
  /// Applies an event of the clock. A time that becomes known is not an event.
  package func follow(_ event: ClockDriver.Event, at now: Moment, in frame: inout PanelFrame) {
    guard let clock = panel.clock, let time = clock.inputs[.time] else { return }
    switch event {
    case .unknown:
      applyNumber(at: now, after: .reading(time), in: &frame) { frame in
        for input in clock.inputs.values {
          frame[reading: input] = .unknown
          frame[position: input] = PanelFrame.unknownPosition
        }
        for alarm in clock.alarms.indices { frame[pending: alarm] = -1 }
      }
    case .known(let reading), .jumped(let reading), .reached(let reading):
      // The time that the clock would show if it had not been set.
      let expected = frame.clockReading(at: now).seconds
      frame.noteClock(reading, at: now)
      // The first frame catches up with the times before it.
      guard frame.hasBegun else { return clock.setNumbers(to: reading, in: &frame) }
      applyNumber(at: now, after: .reading(time), in: &frame) { clock.setNumbers(to: reading, in: &$0) }
      takeDueAlarms(until: reading, insteadOf: expected, at: now, in: &frame)
    }
  }

  /// Takes the alarms that are due at the start: those of a power cut or a restart.
  func takeMissedAlarms(at now: Moment, in frame: inout PanelFrame) {
    guard let time = panel.clock?.inputs[.time], frame[position: time] != PanelFrame.unknownPosition else { return }
    takeDueAlarms(until: frame.clockReading(at: now), insteadOf: frame[checked: ()], at: now, in: &frame)
  }

  /// Takes the alarms that have occurred since the last check.
  ///
  /// - Parameter expected: the time that the clock would show if it had not been set, in seconds since 1970 UTC. The last
  ///   check may have been hours before.
  private func takeDueAlarms(
    until reading: ClockReading, insteadOf expected: Int, at now: Moment, in frame: inout PanelFrame
  ) {
    guard let clock = panel.clock, let time = clock.inputs[.time] else { return }
    let checked = frame[checked: ()]
    let occurrences = dueOccurrences(until: reading, of: clock, in: frame)
    frame[checked: ()] = reading.seconds
    // More than half a day back, dates occur again.
    if reading.seconds < max(checked, expected) - 43_200 {
      for alarm in clock.alarms.indices { (frame[taken: alarm], frame[pending: alarm]) = (-1, -1) }
    }
    let current = panel.states.indices.filter { tree.isCurrent($0, in: frame) }
    for occurrence in occurrences where isForOne(of: current, occurrence, time, in: frame) {
      take(occurrence, of: clock, time, at: now, in: &frame)
    }
  }

  /// Whether an occurrence is for a state that was current before the occurrences of this moment. A state that one of
  /// them has entered was not current at the time of another.
  ///
  /// - Parameter current: the states that were current before.
  private func isForOne(of current: [Int], _ occurrence: Occurrence, _ time: Int, in frame: PanelFrame) -> Bool {
    let trigger = Int32(table.events[.input(time, ClockDefinition.firstAlarm + occurrence.alarm)])
    let reacting = panel.states.indices.filter { state in
      tree.isCurrent(state, in: frame) && table.byEvent[state].contains { table.triggers[$0] == trigger }
    }
    return reacting.isEmpty || reacting.contains(where: current.contains)
  }

  /// An alarm on a date.
  private struct Occurrence {
    var alarm: Int
    /// The number of seconds since 1970 UTC.
    var seconds: Int
    var day: Int
  }

  /// The occurrences of alarms since the last check that are not too late, in their order.
  private func dueOccurrences(
    until reading: ClockReading, of clock: ClockDefinition, in frame: PanelFrame
  ) -> [Occurrence] {
    let (checked, now) = (frame[checked: ()], reading.seconds)
    guard checked >= 0, now > checked else { return [] }
    var due: [Occurrence] = []
    for (place, alarm) in clock.alarms.enumerated() {
      let late = Int(alarm.late.components.seconds)
      let first = max(checked + 1, now - late)
      // Sunset may be after midnight, and a time of yesterday may be late.
      for day in reading.date.day - 2...reading.date.day {
        let date = CalendarDate(day: day)
        guard alarm.isOn(date.weekday), frame[taken: place] != day,
          let seconds = seconds(of: alarm.time, on: date, as: reading, clock, in: frame), seconds >= first,
          seconds <= now
        else { continue }
        due.append(Occurrence(alarm: place, seconds: seconds, day: day))
      }
    }
    return due.sorted { ($0.seconds, $0.alarm) < ($1.seconds, $1.alarm) }
  }

  /// Continues with the last check, the dates and the waiting occurrences of a panel that this one replaces. A time that
  /// is new does not occur for a moment before.
  ///
  /// - Parameters:
  ///   - before: the last frame of the replaced panel.
  ///   - same: for each alarm, that of the replaced panel; nil for a new one.
  package func continueClock(from before: PanelFrame, same: [Int?], at now: Moment, in frame: inout PanelFrame) {
    guard let clock = panel.clock else { return }
    frame[checked: ()] = before[checked: ()]
    for (place, alarm) in clock.alarms.enumerated() {
      if let same = same[place] {
        (frame[taken: place], frame[pending: place]) = (before[taken: same], before[pending: same])
      } else if before[checked: ()] >= 0 {
        frame[taken: place] = lastDay(of: alarm, until: before.clockReading(at: now), clock, in: frame) ?? -1
      }
    }
  }

  /// The last date on which an alarm has occurred before a reading, as a number of days; nil if that is longer ago than
  /// alarms can be late.
  private func lastDay(
    of alarm: ClockDefinition.Alarm, until reading: ClockReading, _ clock: ClockDefinition, in frame: PanelFrame
  ) -> Int? {
    (reading.date.day - 2...reading.date.day).last { day in
      let date = CalendarDate(day: day)
      let seconds = seconds(of: alarm.time, on: date, as: reading, clock, in: frame)
      return alarm.isOn(date.weekday) && seconds.map { $0 <= reading.seconds } == true
    }
  }

  /// The moment of a time on a date, by the offsets of a reading; nil if the sun does not rise or set.
  private func seconds(
    of time: ClockDefinition.Time, on date: CalendarDate, as reading: ClockReading, _ clock: ClockDefinition,
    in frame: PanelFrame
  ) -> Int? {
    switch time {
    case .fixed(let minutes): return reading.seconds(on: date, at: minutes * 60)
    case .value(let value, let later):
      return reading.seconds(on: date, at: (frame[value: value] + later) % 1440 * 60)
    case .sunrise(let minutes): return sun(on: date, as: reading, clock)?.sunrise.map { $0 + minutes * 60 }
    case .sunset(let minutes): return sun(on: date, as: reading, clock)?.sunset.map { $0 + minutes * 60 }
    }
  }

  private func sun(on date: CalendarDate, as reading: ClockReading, _ clock: ClockDefinition) -> SunTimes? {
    clock.place.map { SunTimes(at: $0, on: date, offset: reading.offset) }
  }

  /// Takes the transitions of an occurrence. If none has a condition that holds, but one has a condition whose result is
  /// unknown, the occurrence waits for it.
  private func take(
    _ occurrence: Occurrence, of clock: ClockDefinition, _ time: Int, at now: Moment, in frame: inout PanelFrame
  ) {
    let event = PanelEvent.input(time, ClockDefinition.firstAlarm + occurrence.alarm)
    switch result(of: event, in: frame) {
    case .taken:
      frame[taken: occurrence.alarm] = occurrence.day
      react(to: event, at: now, in: &frame)
    case .unknown:
      // Its date is used, whatever the condition turns out to be.
      frame[taken: occurrence.alarm] = occurrence.day
      frame[pending: occurrence.alarm] = occurrence.seconds
    case .ignored: react(to: event, at: now, in: &frame)
    }
  }

  /// Takes occurrences whose conditions have become known, and drops those that are too late. Called within an event.
  func settlePendingAlarms(in frame: inout PanelFrame) {
    guard let clock = panel.clock, let time = clock.inputs[.time] else { return }
    let now = (frame[clockDifference: ()] + frame.now / 1000) / 1_000_000
    for (place, alarm) in clock.alarms.enumerated() where frame[pending: place] >= 0 {
      let event = PanelEvent.input(time, ClockDefinition.firstAlarm + place)
      let isLate = now - frame[pending: place] > Int(alarm.late.components.seconds)
      let result = isLate ? .ignored : result(of: event, in: frame)
      if result == .unknown { continue }
      frame[pending: place] = -1
      if result == .taken { hear(event, in: &frame) }
    }
  }

  // MARK: - The driver's model

  /// The times of day that the panel waits for now.
  package func wantedTimes(in frame: PanelFrame) -> WantedTimes {
    guard let clock = panel.clock, !frame.isStopped else { return .none }
    var times: Set<DailyTime> = []
    for time in clock.watched.union(clock.alarms.map(\.time)) {
      switch time {
      case .fixed(let minutes): times.insert(.at(TimeOfDay(secondsSinceMidnight: minutes * 60)))
      case .value(let value, let later):
        times.insert(.at(TimeOfDay(secondsSinceMidnight: (frame[value: value] + later) * 60)))
      case .sunrise(let minutes): times.insert(.sunrise(minutes: minutes))
      case .sunset(let minutes): times.insert(.sunset(minutes: minutes))
      }
    }
    // The date changes at midnight.
    if clock.inputs.count > 1 { times.insert(.at(TimeOfDay(0, 0))) }
    return WantedTimes(times, everyMinute: clock.showsTime)
  }
}

extension ClockReading {
  /// The moment at which a clock shows a local time first, by the offset of the reading and its last change. A local time
  /// that the change skips is at the change.
  func seconds(on date: CalendarDate, at secondsOfDay: Int) -> Int {
    let local = date.day * TimeOfDay.secondsOfDay + secondsOfDay
    guard let change else { return local - offset }
    if local - change.offsetBefore < change.seconds { return local - change.offsetBefore }
    return max(local - offset, change.seconds)
  }
}

extension PanelFrame {
  /// The time up to which the occurrences of alarms were checked, in seconds since 1970 UTC; -1 before the time was
  /// known.
  package subscript(checked _: Void) -> Int {
    get { numbers(ofClock: 0) }
    set { setNumber(ofClock: 0, to: newValue) }
  }

  /// The clock minus the moment of an event, in microseconds.
  subscript(clockDifference _: Void) -> Int {
    get { numbers(ofClock: 1) }
    set { setNumber(ofClock: 1, to: newValue) }
  }

  /// The number of numbers of the clock before those of the alarms.
  static let clockCount = 5

  /// Notes the time at a moment, and what the frame needs to compute with it.
  mutating func noteClock(_ reading: ClockReading, at now: Moment) {
    self[clockDifference: ()] = reading.microseconds - Int(now.nanoseconds / 1000)
    setNumber(ofClock: 2, to: reading.offset)
    setNumber(ofClock: 3, to: reading.change?.seconds ?? -1)
    setNumber(ofClock: 4, to: reading.change?.offsetBefore ?? 0)
  }

  /// The time at a moment after the last reading.
  func clockReading(at now: Moment) -> ClockReading {
    let change = numbers(ofClock: 3)
    return ClockReading(
      microseconds: self[clockDifference: ()] + Int(now.nanoseconds / 1000), offset: numbers(ofClock: 2),
      change: change < 0 ? nil : .init(seconds: change, offsetBefore: numbers(ofClock: 4)))
  }

  /// The date on which an alarm was taken last, as a number of days; -1 for none.
  package subscript(taken alarm: Int) -> Int {
    get { numbers(ofClock: Self.clockCount + 2 * alarm) }
    set { setNumber(ofClock: Self.clockCount + 2 * alarm, to: newValue) }
  }

  /// The occurrence of an alarm that waits for a condition, in seconds since 1970 UTC; -1 for none.
  subscript(pending alarm: Int) -> Int {
    get { numbers(ofClock: Self.clockCount + 1 + 2 * alarm) }
    set { setNumber(ofClock: Self.clockCount + 1 + 2 * alarm, to: newValue) }
  }
}

extension ClockDefinition {
  /// Sets the numbers of the clock in a frame.
  package func setNumbers(to reading: ClockReading, in frame: inout PanelFrame) {
    let sun = sun(at: reading)
    for (part, input) in inputs {
      let number: Int =
        switch part {
        case .time: reading.timeOfDay.minutes
        case .weekday: reading.date.weekday
        case .day: reading.date.parts.day
        case .month: reading.date.parts.month
        case .sunrise: sun.rise
        case .sunset: sun.set
        }
      frame[reading: input] = min(part.range.upperBound, max(part.range.lowerBound, number))
      frame[position: input] = 0
    }
  }

  /// Sunrise and sunset of the date of a reading, in minutes since its midnight. A sun that stays up has risen at midnight
  /// and does not set; for one that stays down it is the other way round.
  package func sun(at reading: ClockReading) -> (rise: Int, set: Int) {
    let sun = place.map { SunTimes(at: $0, on: reading.date, offset: reading.offset) }
    let midnight = reading.date.day * TimeOfDay.secondsOfDay - reading.offset
    let isUp = sun?.isUpAtNoon == true
    return (
      sun?.sunrise.map { ($0 - midnight) / 60 } ?? (isUp ? 0 : 2880),
      sun?.sunset.map { ($0 - midnight) / 60 } ?? (isUp ? 2880 : 0)
    )
  }
}
