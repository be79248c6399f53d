/// A date of the Gregorian calendar, as the number of days since 1 January 1970.
///
/// **Source.** Hinnant, *chrono-compatible low-level date algorithms*: eras of 400 years that begin on 1 March.
public struct CalendarDate: Hashable, Comparable, Sendable {
  /// The number of days since 1 January 1970.
  public var day: Int

  public init(day: Int) { self.day = day }

  /// - Parameters:
  ///   - year: the year.
  ///   - month: 1 to 12.
  ///   - day: the day of the month. A day that the month lacks is one of the next month.
  public init(_ year: Int, _ month: Int, _ day: Int) {
    let year = month <= 2 ? year - 1 : year
    let era = Self.floor(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.day = era * 146_097 + dayOfEra - 719_468
  }

  /// Year, month (1 to 12) and day of the month (1 to 31).
  public var parts: (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = Self.floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let place = (5 * dayOfYear + 2) / 153
    let month = place < 10 ? place + 3 : place - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * place + 2) / 5 + 1)
  }

  /// The day of the week: 1 Monday to 7 Sunday.
  public var weekday: Int { Self.remainder(day + 3, 7) + 1 }

  public static func < (earlier: CalendarDate, later: CalendarDate) -> Bool { earlier.day < later.day }

  /// The quotient, rounded towards minus infinity.
  static func floor(_ number: Int, _ divisor: Int) -> Int {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }

  /// The remainder, never negative.
  static func remainder(_ number: Int, _ divisor: Int) -> Int { number - floor(number, divisor) * divisor }
}

extension CalendarDate: CustomStringConvertible {
  /// `2026-11-25`.
  public var description: String {
    let (year, month, day) = parts
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(digits(month))-\(digits(day))"
  }
}
