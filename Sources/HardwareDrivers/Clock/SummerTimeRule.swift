import CycleCore

/// The offsets of a zone for all years: a standard time, and a summer time between two dates of each year.
///
/// **Source.** POSIX, Base Definitions, section 8.3, `TZ`; RFC 9636, section 3.3.1: hours from -167 to 167.
struct SummerTimeRule: Hashable, Sendable {
  /// A date of each year.
  enum Day: Hashable, Sendable {
    /// `Mm.w.d`: the day of the week (0 Sunday) in the week of the month; week 5 is the last one.
    case weekday(month: Int, week: Int, day: Int)
    /// `Jn`: 1 to 365, without 29 February.
    case withoutLeapDay(Int)
    /// `n`: 0 to 365.
    case ofYear(Int)
  }

  /// A date and a local time, in seconds since its midnight.
  struct Date: Hashable, Sendable {
    var day: Day
    var seconds = 7200
  }

  var standardOffset: Int
  var summerOffset: Int
  var begin: Date
  var end: Date

  func offset(at seconds: Int) -> Int {
    let all = changes(around: seconds)
    return all.last { $0.seconds <= seconds }?.offset ?? standardOffset
  }

  func change(after seconds: Int) -> ZoneRules.Transition? {
    guard standardOffset != summerOffset else { return nil }
    return changes(around: seconds).first { $0.seconds > seconds && offset(at: $0.seconds - 1) != $0.offset }
  }

  /// The changes of the year before, of the year, and of the year after a time, in order.
  private func changes(around seconds: Int) -> [ZoneRules.Transition] {
    let date = CalendarDate(day: CalendarDate.floor(seconds + standardOffset, TimeOfDay.secondsOfDay))
    let year = date.parts.year
    var all: [ZoneRules.Transition] = []
    for year in year - 1...year + 1 {
      all.append(.init(seconds: Self.seconds(of: begin, in: year) - standardOffset, offset: summerOffset))
      all.append(.init(seconds: Self.seconds(of: end, in: year) - summerOffset, offset: standardOffset))
    }
    return all.sorted { $0.seconds < $1.seconds }
  }

  /// The local time of a date of a year, in seconds since 1970.
  private static func seconds(of date: Date, in year: Int) -> Int {
    let january = CalendarDate(year, 1, 1)
    let day: CalendarDate
    switch date.day {
    case .ofYear(let number): day = CalendarDate(day: january.day + number)
    case .withoutLeapDay(let number):
      let isLeap = CalendarDate(year, 3, 1).day - january.day == 60
      day = CalendarDate(day: january.day + number - 1 + (isLeap && number >= 60 ? 1 : 0))
    case .weekday(let month, let week, let weekday):
      let first = CalendarDate(year, month, 1)
      let next = month == 12 ? CalendarDate(year + 1, 1, 1) : CalendarDate(year, month + 1, 1)
      // Sunday is 0 in the rule and 7 in the calendar.
      let shift = CalendarDate.remainder(weekday - first.weekday, 7)
      var day0 = first.day + shift + (week - 1) * 7
      while day0 >= next.day { day0 -= 7 }
      day = CalendarDate(day: day0)
    }
    return day.day * TimeOfDay.secondsOfDay + date.seconds
  }
}

extension ZoneRules {
  /// Reads a text like `CET-1CEST,M3.5.0,M10.5.0/3`.
  ///
  /// - Parameters:
  ///   - text: the text, at most 64 characters.
  ///   - name: the name of the zone; the text unless given.
  /// - Returns: nil for any other text.
  public init?(posix text: String, name: String? = nil) {
    guard text.utf8.count <= 64 else { return nil }
    var reader = PosixZoneReader(Array(text.utf8))
    guard reader.name(), let offset = reader.offset() else { return nil }
    let standard = -offset
    guard !reader.isAtEnd else {
      self.init(name: name ?? text, firstOffset: standard, transitions: [], rule: nil)
      return
    }
    guard reader.name() else { return nil }
    var summer = standard + 3600
    if reader.next != UInt8(ascii: ","), !reader.isAtEnd {
      guard let offset = reader.offset() else { return nil }
      summer = -offset
    }
    // Without dates these are the rules of the United States, as in other readers of such texts.
    var rule = SummerTimeRule(
      standardOffset: standard, summerOffset: summer, begin: .init(day: .weekday(month: 3, week: 2, day: 0)),
      end: .init(day: .weekday(month: 11, week: 1, day: 0)))
    if !reader.isAtEnd {
      guard reader.skip(","), let begin = reader.date(), reader.skip(","), let end = reader.date(), reader.isAtEnd
      else { return nil }
      (rule.begin, rule.end) = (begin, end)
    }
    self.init(name: name ?? text, firstOffset: standard, transitions: [], rule: rule)
  }
}

/// Reads the parts of a `TZ` text.
private struct PosixZoneReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var next: UInt8? { place < bytes.count ? bytes[place] : nil }
  var isAtEnd: Bool { place >= bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  /// Skips a name: three letters or more, or letters, digits and signs in angle brackets.
  mutating func name() -> Bool {
    let begin = place
    if skip("<") {
      while let byte = next, byte != UInt8(ascii: ">") {
        guard Self.isLetter(byte) || Self.isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        else { return false }
        place += 1
      }
      return place - begin >= 4 && skip(">")
    }
    while let byte = next, Self.isLetter(byte) { place += 1 }
    return place - begin >= 3
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Reads a number of one to three digits.
  private mutating func number(atMost limit: Int) -> Int? {
    var number = 0
    let begin = place
    while let byte = next, Self.isDigit(byte), place - begin < 3 {
      number = number * 10 + Int(byte - 0x30)
      place += 1
    }
    return place > begin && number <= limit ? number : nil
  }

  /// Reads `[+-]hh[:mm[:ss]]` as seconds.
  mutating func offset(mostHours: Int = 24) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number(atMost: mostHours) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] {
      guard skip(":") else { break }
      guard let part = number(atMost: 59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// Reads `Mm.w.d`, `Jn` or `n`, and the time after a slash.
  mutating func date() -> SummerTimeRule.Date? {
    let day: SummerTimeRule.Day
    if skip("M") {
      guard let month = number(atMost: 12), month > 0, skip("."), let week = number(atMost: 5), week > 0, skip("."),
        let weekday = number(atMost: 6)
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else if skip("J") {
      guard let number = number(atMost: 365), number > 0 else { return nil }
      day = .withoutLeapDay(number)
    } else {
      guard let number = number(atMost: 365) else { return nil }
      day = .ofYear(number)
    }
    var date = SummerTimeRule.Date(day: day)
    if skip("/") {
      guard let seconds = offset(mostHours: 167) else { return nil }
      date.seconds = seconds
    }
    return date
  }
}
