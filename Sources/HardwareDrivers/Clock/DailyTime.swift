/// A time that occurs once on each date: a time of day, or a time of the sun.
public enum DailyTime: Hashable, Sendable {
  case at(TimeOfDay)
  /// This number of minutes after sunrise; negative for before.
  case sunrise(minutes: Int = 0)
  case sunset(minutes: Int = 0)

  var needsPlace: Bool {
    if case .at = self { false } else { true }
  }

  /// Whether it is after noon: a sunset is, a sunrise is not.
  ///
  /// - Parameter isAtNoon: the result for noon.
  func isAfternoon(atNoon isAtNoon: Bool) -> Bool {
    switch self {
    case .at(let time): time.seconds == 43_200 ? isAtNoon : time.seconds > 43_200
    case .sunrise: false
    case .sunset: true
    }
  }
}

/// The times of day at which a driver wakes the application.
public struct WantedTimes: Equatable, Sendable {
  /// The maximum number of different times.
  public static var mostTimes: Int { 1_536 }

  public var times: Set<DailyTime>
  /// Whether each whole minute is wanted, too, for example for a display.
  public var everyMinute: Bool

  /// - Parameters:
  ///   - times: at most ``mostTimes``; more trap.
  ///   - everyMinute: whether each whole minute is wanted, too.
  public init(_ times: Set<DailyTime> = [], everyMinute: Bool = false) {
    precondition(times.count <= Self.mostTimes, "at most \(Self.mostTimes) times of day can be wanted")
    (self.times, self.everyMinute) = (times, everyMinute)
  }

  /// No times. A change of the clock and of summer time is an event nevertheless.
  public static let none = WantedTimes()
}
