import CycleCore

/// Debounces one line if the kernel can't: a value is settled when it has been stable for the period of that value.
///
///     line      ___#_#####_#________
///     result    ........#.......#___      # after the period without an edge
///
/// It uses the edges' time stamps, so a late reader gets the same result.
public struct Debouncer: Equatable, Sendable {
  /// The time for which each value must be stable.
  public let periods: DebouncePeriods
  /// The settled value; nil until the first one has settled.
  public private(set) var value: LineValue?
  /// The value after the last edge, and the moment of that edge.
  public private(set) var latest: LineValue
  public private(set) var lastEdge: Moment
  /// The moment at which the latest value settles, unless it is settled.
  private var due: Moment

  /// - Parameters:
  ///   - periods: the time for which each value must be stable.
  ///   - value: the first reading of the line, which settles like every later value.
  ///   - moment: the moment of that reading.
  ///   - isSettled: whether the value counts as settled immediately, as for lines that the kernel debounces.
  public init(periods: DebouncePeriods, value: LineValue, at moment: Moment, isSettled: Bool = false) {
    self.periods = periods
    self.value = isSettled ? value : nil
    latest = value
    lastEdge = moment
    let period = periods.period(of: value)
    due = moment + (isSettled ? period : min(period, periods.first))
  }

  /// The moment at which the latest value will settle; nil if it is settled.
  public var deadline: Moment? { latest == value ? nil : due }

  /// Settles the latest value if it has been stable for long enough by `moment`, and returns it with the moment at
  /// which it settled; if not, returns nil.
  public mutating func settle(by moment: Moment) -> (value: LineValue, moment: Moment)? {
    guard let deadline, deadline <= moment else { return nil }
    value = latest
    return (latest, deadline)
  }

  /// Applies an edge. Call ``settle(by:)`` with its moment first.
  public mutating func receive(_ value: LineValue, at moment: Moment) {
    latest = value
    lastEdge = moment
    let period = periods.period(of: value)
    due = moment + (self.value == nil ? min(period, periods.first) : period)
  }
}

/// The times for which the values of a line must be stable; with zero, every edge to that value settles immediately.
public struct DebouncePeriods: Equatable, Sendable {
  public var active: Duration
  public var inactive: Duration
  /// The greatest time that is asked of the first value, which has no value before it. The default is without a limit.
  public var first: Duration

  public init(active: Duration, inactive: Duration, first: Duration = .seconds(1_000_000_000)) {
    (self.active, self.inactive, self.first) = (active, inactive, first)
  }

  /// The same period for both values.
  public init(_ period: Duration) { self.init(active: period, inactive: period) }

  public func period(of value: LineValue) -> Duration { value.isActive ? active : inactive }
  var shortest: Duration { min(active, inactive) }
  var isZero: Bool { active == .zero && inactive == .zero }
}
