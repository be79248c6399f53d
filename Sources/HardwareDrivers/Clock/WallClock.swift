import CycleCore

/// The clock of a machine, which shows the date and the time of day, and may be set.
///
/// `LinuxClock` is the system's clock, `SimulatedClock` is in memory.
public protocol WallClock: AnyObject {
  /// The rules of its zone. Reads the zone's file at the first call.
  func zoneRules() throws(DriverError) -> ZoneRules

  /// Opens a timer on the clock.
  func open() throws(DriverError) -> any WallClockConnection

  /// Starts a watch that wakes the driver when the clock may be back. Nil if that can't be watched.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?
}

/// A clock with a timer.
public protocol WallClockConnection: AnyObject {
  /// The time after which the driver reads a clock again whose time is not known, because nothing wakes it when the time
  /// becomes known; nil if something does.
  var pauseWhileUnknown: Duration? { get }

  /// Wakes the driver when the timer is due, and whenever the clock is set.
  func watch(_ watcher: Watcher) throws(DriverError)

  /// Reads the clock.
  func read() throws(DriverError) -> WallClockSample

  /// Sets the timer; the last setting counts.
  ///
  /// - Parameter microseconds: the number of microseconds since 1 January 1970 UTC at which the driver is woken. A time
  ///   in the past wakes it now.
  func setTimer(to microseconds: Int) throws(DriverError)

  func close()
}

/// A clock at one moment.
public struct WallClockSample: Equatable, Sendable {
  /// The moment of the reading.
  public var moment: Moment
  /// The number of nanoseconds since 1 January 1970 UTC.
  public var nanoseconds: Int64
  /// Whether the time is right: a time server or a battery clock has set it.
  public var isKnown: Bool

  public init(moment: Moment, nanoseconds: Int64, isKnown: Bool) {
    (self.moment, self.nanoseconds, self.isKnown) = (moment, nanoseconds, isKnown)
  }

  /// The number of microseconds since 1 January 1970 UTC, rounded down.
  var microseconds: Int { CalendarDate.floor(Int(nanoseconds), 1000) }

  /// The moment at which the clock showed a time.
  func moment(of microseconds: Int) -> Moment {
    Moment(nanoseconds: moment.nanoseconds - (nanoseconds - Int64(microseconds) * 1000))
  }
}
