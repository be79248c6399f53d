import CycleCore

/// Errors of a clock: the real one and the simulated one report the same text. Throw them in a ``WallClock`` of your own.
public struct ClockErrorFactory {
  /// The name of the clock in messages.
  public static let subject = "clock"

  public init() {}

  /// The error of a clock that can't be read any more: kind `lost`.
  public func lost(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .lost, of: Self.subject, cannot: "read the clock", reason: "it is gone", cause: cause,
      remedy: "It is opened again by itself.")
  }

  /// The error of a clock that is not there: kind `absent`.
  public func absent(cause: DriverError.Cause? = nil) -> DriverError {
    DriverError(
      .absent, of: Self.subject, cannot: "open the clock", reason: "there is no clock", cause: cause,
      remedy: "It is opened again by itself.")
  }

  /// The error of any other failure.
  public func failed(
    _ operation: String, _ kind: DriverError.Kind = .failed, _ reason: String, cause: DriverError.Cause
  ) -> DriverError {
    DriverError(
      kind, of: Self.subject, cannot: operation, reason: reason, cause: cause,
      remedy: "It is tried again by itself; `dmesg` may show the cause.")
  }

  /// The error of a clock whose time is not known.
  public func unknownTime() -> DriverError {
    DriverError(
      .failed, of: Self.subject, cannot: "use the time of day of the clock",
      reason: "it is not synchronised, and no battery clock has set it",
      remedy: "Install systemd-timesyncd, or add a battery clock (RTC); until then no time of day occurs.")
  }

  /// The error of a period that begins when it ends.
  func emptyPeriod(_ time: TimeOfDay) -> DriverError {
    DriverError(
      .misconfigured, of: Self.subject, cannot: "follow the period from \(time) to \(time) of the clock",
      reason: "it ends when it begins", remedy: "Give it different times.")
  }

  /// The error of sunrise or sunset without a place.
  func noPlace() -> DriverError {
    DriverError(
      .misconfigured, of: Self.subject, cannot: "compute the times of the sun for the clock",
      reason: "its place is missing", remedy: "Give the latitude and the longitude.")
  }
}
