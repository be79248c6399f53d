import CycleCore
import HardwareDrivers
import PanelLanguage
import PanelRun

/// The times to which random steps set the clock of a panel, and the times of its file for which they wait.
struct ExploredClock {
  /// A time of day of the file.
  private struct Daily: Hashable {
    /// A time that no value has.
    var time: ClockDefinition.Time
    /// The days of the week, 1 to 7; empty for each day.
    var days: Set<Int> = []
    /// The longest time for which it may be late, in seconds.
    var late = 0
  }

  private let zone: ZoneRules
  private let place: Place?
  private let times: [Daily]
  /// The dates on which the zone changes to or from summer time.
  private let changes: [CalendarDate]
  /// Days of the week, days and months with which conditions compare.
  private let numbers: [(part: ClockDefinition.Part, number: Int)]

  /// The dates of the runs; one of the years is a leap year.
  private static let dates = CalendarDate(2024, 1, 1).day...CalendarDate(2027, 12, 31).day

  /// - Parameters:
  ///   - clock: the clock of the panel.
  ///   - panel: the panel.
  ///   - readings: for each input, the numbers at and next to which a condition changes.
  init(_ clock: ClockDefinition, of panel: PanelDefinition, _ readings: [Int: [Int]]) {
    zone = clock.simulatedZone
    place = clock.place
    let watched = clock.watched.map { Daily(time: $0) }
    let alarms = clock.alarms.map { Daily(time: $0.time, days: $0.days, late: Int($0.late.components.seconds)) }
    // The date changes at midnight.
    let midnight = clock.inputs.count > 1 ? [Daily(time: .fixed(0))] : []
    let all = Set((watched + alarms + midnight).flatMap { Self.timesOfDay($0, of: panel) })
    times = all.sorted { Self.order($0).lexicographicallyPrecedes(Self.order($1)) }
    changes = Self.changes(of: zone)
    let parts: [ClockDefinition.Part] = [.weekday, .day, .month]
    numbers = parts.flatMap { part in
      (clock.inputs[part].flatMap { readings[$0] } ?? []).map { (part: part, number: $0) }
    }
  }

  /// Replaces a time of a value by the times that the value can have by the file: the first one, the least and the
  /// greatest one, and those that transitions set.
  private static func timesOfDay(_ daily: Daily, of panel: PanelDefinition) -> [Daily] {
    guard case .value(let value, let later) = daily.time else { return [daily] }
    let definition = panel.values[value]
    var minutes: Set<Int> = [definition.initial, definition.min, definition.max]
    for assignment in panel.states.flatMap(\.assignments) where assignment.value == value {
      if case .to(.number(.constant(let number))) = assignment.change { minutes.insert(number) }
    }
    return minutes.map { Daily(time: .fixed(($0 + later) % 1440), days: daily.days, late: daily.late) }
  }

  /// The numbers by which times are sorted, so that the same seed gives the same steps.
  private static func order(_ daily: Daily) -> [Int] {
    let time: [Int] =
      switch daily.time {
      case .fixed(let minutes): [0, minutes]
      case .sunrise(let minutes): [1, minutes]
      case .sunset(let minutes): [2, minutes]
      case .value(let value, let later): [3, value, later]
      }
    return time + [daily.late] + daily.days.sorted()
  }

  private static func changes(of zone: ZoneRules) -> [CalendarDate] {
    var changes: [CalendarDate] = []
    var seconds = zone.seconds(on: CalendarDate(day: dates.lowerBound), at: 0)
    let end = zone.seconds(on: CalendarDate(day: dates.upperBound + 1), at: 0)
    while let change = zone.change(after: seconds), change.seconds < end {
      changes.append(zone.reading(at: (change.seconds - 1) * 1_000_000).date)
      seconds = change.seconds
    }
    return changes
  }

  // MARK: - The start

  /// The time on the clock when a run begins: midnight of any date, in a quarter of the runs of one on which the zone
  /// changes. Nil for an unknown time, which is another quarter.
  func start(_ random: inout SeededGenerator) -> ClockTime? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return nil
    case 1:
      let change = changes.randomElement(using: &random)
      return ClockTime(change ?? anyDate(&random), TimeOfDay(0, 0))
    default: return ClockTime(anyDate(&random), TimeOfDay(0, 0))
    }
  }

  private func anyDate(_ random: inout SeededGenerator) -> CalendarDate {
    CalendarDate(day: Int.random(in: Self.dates, using: &random))
  }

  // MARK: - Steps

  /// The present time in milliseconds since 1 January 1970 UTC, without the time that clicks take; nil while it is
  /// unknown.
  private func now(in world: ExploredWorld) -> Int? {
    world.clock.map { clock in
      zone.seconds(on: clock.date, at: clock.time.seconds) * 1000 + Int(world.passed.wholeNanoseconds / 1_000_000)
    }
  }

  /// The time until the next time of the file, or until the zone changes; nil if it is longer than a limit, and while
  /// the clock is unknown.
  func pause(in world: ExploredWorld, atMost most: Duration) -> Duration? {
    guard let now = now(in: world) else { return nil }
    let today = zone.reading(at: now * 1000).date.day
    var next = zone.change(after: now / 1000).map { $0.seconds * 1000 } ?? .max
    for daily in times {
      // The sun of yesterday may set after midnight.
      for day in today - 1...today + 1 {
        guard let seconds = seconds(of: daily.time, on: CalendarDate(day: day)), seconds * 1000 > now else { continue }
        next = min(next, seconds * 1000)
      }
    }
    guard next < .max else { return nil }
    let span = Duration.milliseconds(next - now)
    return span <= most ? span : nil
  }

  /// Generates a time to which the clock is set. Three in four are beside a time of the file, most of them one second
  /// before it. The date is the present one, the next one, or any other.
  func setting(in world: ExploredWorld, _ random: inout SeededGenerator) -> ClockTime {
    var date = date(in: world, &random)
    guard Int.random(in: 0..<4, using: &random) > 0, let daily = times.randomElement(using: &random) else {
      return ClockTime(date, TimeOfDay(secondsSinceMidnight: Int.random(in: 0..<1440, using: &random) * 60))
    }
    if !daily.days.isEmpty, Int.random(in: 0..<4, using: &random) > 0 {
      while !daily.days.contains(date.weekday) { date.day += 1 }
    }
    let shifts = [-1, -1, -1, -1, 0, daily.late, daily.late + 1]
    let shift = shifts[Int.random(in: shifts.indices, using: &random)]
    guard let seconds = seconds(of: daily.time, on: date) else { return ClockTime(date, TimeOfDay(0, 0)) }
    let reading = zone.reading(at: (seconds + shift) * 1_000_000)
    return ClockTime(reading.date, reading.timeOfDay)
  }

  private func date(in world: ExploredWorld, _ random: inout SeededGenerator) -> CalendarDate {
    if let now = now(in: world), Bool.random(using: &random) {
      var date = zone.reading(at: now * 1000).date
      if Int.random(in: 0..<4, using: &random) == 0 { date.day += 1 }
      // A clock that is set forward again and again stays in these years.
      if Self.dates.contains(date.day) { return date }
    }
    var date = anyDate(&random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return changes.randomElement(using: &random) ?? date
    case 1:
      guard let (part, number) = numbers.randomElement(using: &random) else { return date }
      for _ in 0..<366 where Self.number(part, of: date) != number { date.day += 1 }
      return date
    default: return date
    }
  }

  private static func number(_ part: ClockDefinition.Part, of date: CalendarDate) -> Int? {
    switch part {
    case .weekday: date.weekday
    case .day: date.parts.day
    case .month: date.parts.month
    case .time, .sunrise, .sunset: nil
    }
  }

  /// The moment of a time on a date, in seconds since 1 January 1970 UTC; nil if the sun does not rise or set.
  private func seconds(of time: ClockDefinition.Time, on date: CalendarDate) -> Int? {
    switch time {
    case .fixed(let minutes): return zone.seconds(on: date, at: minutes * 60)
    case .sunrise(let minutes): return sun(on: date)?.sunrise.map { $0 + minutes * 60 }
    case .sunset(let minutes): return sun(on: date)?.sunset.map { $0 + minutes * 60 }
    // Each was replaced.
    case .value: return nil
    }
  }

  private func sun(on date: CalendarDate) -> SunTimes? {
    place.map { SunTimes(at: $0, on: date, offset: zone.offset(at: zone.seconds(on: date, at: 43_200))) }
  }
}
