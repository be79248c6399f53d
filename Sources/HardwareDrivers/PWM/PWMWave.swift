import CycleCore

/// The wave of a PWM channel: high for ``high`` in every ``period``, and low for the rest.
public struct PWMWave: Equatable, Sendable, Codable {
  /// The time from one rising edge to the next one, at least 1 ns.
  public var period: Duration
  /// The time for which the line is high in each period, from zero to the period.
  public var high: Duration

  /// - Parameters:
  ///   - period: at least 1 ns; less counts as 1 ns.
  ///   - high: clamped to zero to the period.
  public init(period: Duration, high: Duration) {
    self.period = max(.nanoseconds(1), period)
    self.high = min(max(.zero, high), self.period)
  }

  /// A wave that is high for a share of its period.
  ///
  /// - Parameters:
  ///   - share: clamped to 0 to 1; NaN counts as 0.
  ///   - hertz: the periods in a second, above 0.
  public init(_ share: Double, hertz: Double) {
    let period = 1_000_000_000 / hertz
    let share = share > 0 ? min(share, 1) : 0
    self.init(period: .nanoseconds(Int64(period.rounded())), high: .nanoseconds(Int64((period * share).rounded())))
  }

  /// The part of the period in which the line is high, 0 to 1.
  public var share: Double { Double(high.wholeNanoseconds) / Double(period.wholeNanoseconds) }
}
