import CycleCore

/// The moments at which wanted times occur, in a zone and at a place.
struct ClockSchedule {
  let zone: ZoneRules
  let place: Place?
  var wanted = WantedTimes.none
  /// The sun on the dates that were asked for last, by their day.
  private var suns: [Int: SunTimes] = [:]

  init(zone: ZoneRules, place: Place?) {
    (self.zone, self.place) = (zone, place)
  }

  /// The moment at which a daily time occurs on a date; nil if the sun does not rise or set.
  mutating func seconds(of time: DailyTime, on date: CalendarDate) -> Int? {
    switch time {
    case .at(let time): return zone.seconds(on: date, at: time.seconds)
    case .sunrise(let minutes): return sun(on: date)?.sunrise.map { $0 + minutes * 60 }
    case .sunset(let minutes): return sun(on: date)?.sunset.map { $0 + minutes * 60 }
    }
  }

  private mutating func sun(on date: CalendarDate) -> SunTimes? {
    if let known = suns[date.day] { return known }
    guard let place else { return nil }
    let noon = zone.seconds(on: date, at: 43_200)
    let times = SunTimes(at: place, on: date, offset: zone.offset(at: noon))
    if suns.count >= 16 { suns = [:] }
    suns[date.day] = times
    return times
  }

  /// The first moment after a time at which something wanted occurs, or the offset of the zone changes; nil if there is
  /// none.
  ///
  /// - Parameter microseconds: the number of microseconds since 1 January 1970 UTC.
  mutating func next(after microseconds: Int) -> Int? {
    let seconds = CalendarDate.floor(microseconds, 1_000_000)
    var next = zone.change(after: seconds)?.seconds
    func consider(_ candidate: Int?) {
      if let candidate, candidate > seconds, candidate < next ?? .max { next = candidate }
    }
    if wanted.everyMinute { consider(CalendarDate.floor(seconds, 60) * 60 + 60) }
    let today = CalendarDate.floor(seconds + zone.offset(at: seconds), TimeOfDay.secondsOfDay)
    // The time of today may have passed, and that of yesterday's sun may occur after midnight.
    for time in wanted.times {
      for day in today - 1...today + 2 {
        guard let candidate = self.seconds(of: time, on: CalendarDate(day: day)) else { continue }
        consider(candidate)
        if candidate > seconds { break }
      }
    }
    return next.map { $0 * 1_000_000 }
  }

  /// The last moment up to a time at which a daily time came, in the last two days; nil if there was none.
  ///
  /// A date on which the sun stays down counts as one with sunset at midnight, and one on which it stays up as one with
  /// sunrise at midnight.
  mutating func last(_ time: DailyTime, until seconds: Int) -> Int? {
    let today = CalendarDate.floor(seconds + zone.offset(at: seconds), TimeOfDay.secondsOfDay)
    for day in (today - 2...today + 1).reversed() {
      let date = CalendarDate(day: day)
      let moment =
        self.seconds(of: time, on: date) ?? (isReplaced(time, on: date) ? zone.seconds(on: date, at: 0) : nil)
      if let moment, moment <= seconds { return moment }
    }
    return nil
  }

  /// Whether a time is in a period of its date, or of the date before. The period ends on the date on which it begins; on
  /// a date on which it would end earlier, there is none.
  mutating func isInPeriod(from begin: DailyTime, to end: DailyTime, at seconds: Int) -> Bool {
    let today = CalendarDate.floor(seconds + zone.offset(at: seconds), TimeOfDay.secondsOfDay)
    for day in today - 1...today {
      let start = moment(of: begin, on: CalendarDate(day: day))
      let end = moment(of: end, on: CalendarDate(day: day))
      if start <= seconds, seconds < end { return true }
    }
    return false
  }

  /// The moment at which a daily time occurs on a date: the end of the date for a sunrise or a sunset that does not occur,
  /// or its beginning if the sun has risen or set before.
  private mutating func moment(of time: DailyTime, on date: CalendarDate) -> Int {
    if let moment = seconds(of: time, on: date) { return moment }
    return zone.seconds(on: isReplaced(time, on: date) ? date : CalendarDate(day: date.day + 1), at: 0)
  }

  private mutating func isReplaced(_ time: DailyTime, on date: CalendarDate) -> Bool {
    guard let sun = sun(on: date), sun.sunrise == nil, sun.sunset == nil else { return false }
    switch time {
    case .at: return false
    case .sunrise: return sun.isUpAtNoon
    case .sunset: return !sun.isUpAtNoon
    }
  }
}
