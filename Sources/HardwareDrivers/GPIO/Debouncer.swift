import CycleCore

/// Debounces one line where the kernel doesn't: a value counts when it has been stable for so long, in both directions.
///
///     line      ___#_#####_#________
///     result    ........#.......#___      # after the period without an edge
///
/// It goes by the edges' time stamps, so a reader that comes late gets the same result.
public struct Debouncer: Equatable, Sendable {
  /// How long a value must be stable; zero lets every edge through.
  public let period: Duration
  /// The value that counts.
  public private(set) var value: LineValue
  /// The value since the last edge, and when that was.
  public private(set) var latest: LineValue
  public private(set) var lastEdge: Moment

  public init(period: Duration, value: LineValue, at moment: Moment) {
    self.period = period
    self.value = value
    latest = value
    lastEdge = moment
  }

  /// When the latest value will have been stable for long enough; nil if it counts already.
  public var deadline: Moment? { latest == value ? nil : lastEdge + period }

  /// Takes the value that was settled by `moment`, if there is one: the change and when it counted.
  public mutating func settle(by moment: Moment) -> (value: LineValue, moment: Moment)? {
    guard let deadline, deadline <= moment else { return nil }
    value = latest
    return (value, deadline)
  }

  /// Takes an edge. Settle by its moment first.
  public mutating func receive(_ value: LineValue, at moment: Moment) {
    latest = value
    lastEdge = moment
  }
}
