import CycleCore

/// The date and the time of day at one moment, in the zone of a clock.
///
/// It contains all that follows from the rules of the zone, so that a recording is replayed alike on a machine in another
/// zone.
public struct ClockReading: Hashable, Sendable, Codable {
  /// A change of the offset from UTC: the begin or the end of summer time.
  public struct Change: Hashable, Sendable, Codable {
    /// The number of seconds from 1 January 1970 UTC to the change.
    public var seconds: Int
    /// The offset before it, in seconds.
    public var offsetBefore: Int

    public init(seconds: Int, offsetBefore: Int) {
      (self.seconds, self.offsetBefore) = (seconds, offsetBefore)
    }
  }

  /// The number of microseconds since 1 January 1970 UTC.
  public var microseconds: Int
  /// Local time minus UTC, in seconds.
  public var offset: Int
  /// The last change of the offset, if it was less than two days ago.
  public var change: Change?

  public init(microseconds: Int, offset: Int, change: Change? = nil) {
    (self.microseconds, self.offset, self.change) = (microseconds, offset, change)
  }

  /// The number of seconds since 1 January 1970 UTC, rounded down.
  public var seconds: Int { CalendarDate.floor(microseconds, 1_000_000) }

  /// The number of seconds from 1 January 1970, 00:00 to the local date and time, rounded down.
  public var localSeconds: Int { seconds + offset }

  public var date: CalendarDate { CalendarDate(day: CalendarDate.floor(localSeconds, TimeOfDay.secondsOfDay)) }
  public var timeOfDay: TimeOfDay { TimeOfDay(secondsSinceMidnight: localSeconds) }

  /// The times that a clock shows: 1970 to 2199.
  static let range = 0..<7_258_118_400_000_000
  /// The offsets from UTC that a zone can have.
  static let offsets = -93_600...93_600

  /// The reason why no clock shows it; nil if one does.
  var refusal: String? {
    guard Self.range.contains(microseconds) else { return "\(microseconds) µs is not a time of 1970 to 2199" }
    guard Self.offsets.contains(offset) else { return "an offset from UTC has at most 26 hours; this has \(offset) s" }
    guard let change else { return nil }
    guard Self.offsets.contains(change.offsetBefore), change.seconds <= seconds, change.seconds > seconds - 200_000
    else { return "the last change of the offset is less than two days before the time" }
    return nil
  }
}

extension ClockReading: CustomStringConvertible {
  /// `2026-11-25 06:30`, with seconds if there are any.
  public var description: String { "\(date) \(timeOfDay)" }
}
