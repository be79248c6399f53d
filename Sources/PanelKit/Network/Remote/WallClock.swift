import Glibc
import HardwareDrivers

/// The wall clock of this machine: times of day in the format of RFC 3339, in UTC.
package enum WallClock {
  /// A time like `2026-11-21T13:20:05Z`. Calls `clock_gettime` with `CLOCK_REALTIME`, and `gmtime_r`.
  ///
  /// - Parameter span: the age of the time, before now.
  package static func text(ago span: Duration) -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return text(secondsSince1970: now.tv_sec - Int(span.components.seconds))
  }

  static func text(secondsSince1970 seconds: Int) -> String {
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let parts = parts(of: seconds)
    let day = "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// Writes a time like `2026-11-21T13:20:05.123Z`, without an allocation.
  static func write(millisecondsSince1970 milliseconds: Int, to writer: inout PayloadWriter) {
    let thousandths = ((milliseconds % 1000) + 1000) % 1000
    let parts = parts(of: (milliseconds - thousandths) / 1000)
    writer.write(Int(parts.tm_year) + 1900, width: 4)
    writer.write("-")
    writer.write(Int(parts.tm_mon) + 1, width: 2)
    writer.write("-")
    writer.write(Int(parts.tm_mday), width: 2)
    writer.write("T")
    writer.write(Int(parts.tm_hour), width: 2)
    writer.write(":")
    writer.write(Int(parts.tm_min), width: 2)
    writer.write(":")
    writer.write(Int(parts.tm_sec), width: 2)
    writer.write(".")
    writer.write(thousandths, width: 3)
    writer.write("Z")
  }

  private static func parts(of seconds: Int) -> tm {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    return parts
  }
}
