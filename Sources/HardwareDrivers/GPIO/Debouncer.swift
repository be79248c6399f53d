import CycleCore

/// Debounces one line if the kernel can't: a value is settled when it has been stable for `period`, in both directions.
///
///     line      ___#_#####_#________
///     result    ........#.......#___      # after the period without an edge
///
/// It uses the edges' time stamps, so a late reader gets the same result.
public struct Debouncer: Equatable, Sendable {
  /// The time for which a value must be stable; with zero, every edge settles immediately.
  public let period: Duration
  /// The settled value; nil until the first one has settled.
  public private(set) var value: LineValue?
  /// The value after the last edge, and the moment of that edge.
  public private(set) var latest: LineValue
  public private(set) var lastEdge: Moment

  /// - Parameters:
  ///   - period: the time for which a value must be stable.
  ///   - value: the first reading of the line, which settles like every later value.
  ///   - moment: the moment of that reading.
  ///   - isSettled: whether the value counts as settled immediately, as for lines that the kernel debounces.
  public init(period: Duration, value: LineValue, at moment: Moment, isSettled: Bool = false) {
    self.period = period
    self.value = isSettled ? value : nil
    latest = value
    lastEdge = moment
  }

  /// The moment at which the latest value will settle; nil if it is settled.
  public var deadline: Moment? { latest == value ? nil : lastEdge + period }

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
  }
}
