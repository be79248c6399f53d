import Glibc

/// The clock of this machine, for people.
enum WallClock {
  /// A time of day, as ISO 8601 has it in UTC: `2026-11-21T13:20:05Z`. Calls `clock_gettime` with `CLOCK_REALTIME`, and `gmtime_r`.
  ///
  /// - Parameter span: how long ago it was.
  static func text(ago span: Duration) -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return text(secondsSince1970: now.tv_sec - Int(span.components.seconds))
  }

  static func text(secondsSince1970 seconds: Int) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }
}
