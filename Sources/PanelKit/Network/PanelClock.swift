import CycleCore
import Glibc
import HardwareDrivers

/// What the time of day is at a moment of a panel's loop.
struct PanelClock {
  /// Nanoseconds since 1970 in UTC, minus those of the loop's clock.
  private let difference: () -> Int64

  /// The time of this machine. Calls `clock_gettime`.
  ///
  /// - Parameter now: the loop's clock.
  init(of now: @escaping () -> Moment) {
    difference = {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) - now().nanoseconds
    }
  }

  /// The time of a simulated world, which begins at 2026-01-01T00:00:00Z.
  static var simulated: PanelClock { PanelClock(beginning: 1_767_225_600) }

  private init(beginning: Int64) { difference = { beginning * 1_000_000_000 } }

  /// The time at a moment, in milliseconds since 1970; it need not be this moment.
  func milliseconds(at moment: Moment) -> Int {
    Int((moment.nanoseconds + difference()) / 1_000_000)
  }

  /// A time as RFC 3339 has it: `2026-11-21T13:20:05.123Z`.
  static func write(_ milliseconds: Int, to writer: inout PayloadWriter) {
    let days = Int((Double(milliseconds) / 86_400_000).rounded(.down))
    let rest = milliseconds - days * 86_400_000
    let (year, month, day) = date(ofDay: days)
    writer.write(year, width: 4)
    writer.write("-")
    writer.write(month, width: 2)
    writer.write("-")
    writer.write(day, width: 2)
    writer.write("T")
    writer.write(rest / 3_600_000, width: 2)
    writer.write(":")
    writer.write(rest / 60_000 % 60, width: 2)
    writer.write(":")
    writer.write(rest / 1000 % 60, width: 2)
    writer.write(".")
    writer.write(rest % 1000, width: 3)
    writer.write("Z")
  }

  /// The date of a day since 1970-01-01, in the Gregorian calendar: years begin in March here, so that the leap day
  /// is the last.
  private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let day = day + 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let ofEra = day - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * ofYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * march + 2) / 5 + 1)
  }
}
