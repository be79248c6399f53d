/// A point in time: nanoseconds on the clock of the cycle's event loop.
///
/// On Linux this clock is `CLOCK_MONOTONIC`, with which the kernel timestamps GPIO edges. In a simulation it is virtual
/// and begins at zero. Filters never read a clock: each event has its moment.
@frozen
public struct Moment: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the clock's beginning.
  public var nanoseconds: Int64

  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The beginning of the clock.
  @inlinable
  public static var zero: Moment { Moment(nanoseconds: 0) }

  /// A moment later than any that a clock reaches (292 years).
  @inlinable
  public static var distantFuture: Moment { Moment(nanoseconds: .max) }

  @inlinable
  public static func < (earlier: Moment, later: Moment) -> Bool {
    earlier.nanoseconds < later.nanoseconds
  }

  /// Returns the moment later by a span; `distantFuture` if the sum does not fit.
  @inlinable
  public static func + (moment: Moment, span: Duration) -> Moment {
    let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(span.wholeNanoseconds)
    return overflow ? .distantFuture : Moment(nanoseconds: sum)
  }

  /// Returns the span from the right moment to the left one.
  @inlinable
  public static func - (later: Moment, earlier: Moment) -> Duration {
    .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
  }

  /// The first multiple of a period after this moment, counted from the clock's beginning. Things that are due at such
  /// moments, with one period, share their wake-ups.
  ///
  /// - Parameter period: above 0.
  public func next(multipleOf period: Duration) -> Moment {
    let period = period.wholeNanoseconds
    precondition(period > 0, "a period is above 0")
    let rest = nanoseconds % period
    return self + .nanoseconds(period - (rest < 0 ? rest + period : rest))
  }
}

extension Duration {
  /// The span in nanoseconds, rounded towards zero and clamped to `Int64`.
  @inlinable
  public var wholeNanoseconds: Int64 {
    #if compiler(>=6.2)
      // Up to 9.2 s, a 64-bit division is enough; `components` divides 128-bit numbers.
      if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
    #endif
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }
}

extension Moment: CustomStringConvertible {
  /// Seconds with nine decimals: `12.000250000s`.
  public var description: String {
    let magnitude = nanoseconds.magnitude
    let fraction = String(magnitude % 1_000_000_000)
    let zeros = String(repeating: "0", count: 9 - fraction.count)
    return "\(nanoseconds < 0 ? "-" : "")\(magnitude / 1_000_000_000).\(zeros)\(fraction)s"
  }
}
