import CycleCore

/// One contact of a device on lines, debounced by the edges' time stamps. Every value, including the first, is settled
/// when it has been stable for the period of that value.
///
/// A device passes it the edges of the line, whose ``LineConfiguration/debounce`` is zero. The kernel would accept the
/// first level, even if the line is still rising, and would round the period up to its own ticks, up to 10 ms.
///
///     mutating func receive(_ edge: LineEdge, emit: Emit) {
///       if let change = contact.receive(edge.value, at: edge.moment) { emit(change.value.isActive ? .shut : .open, change.moment) }
///     }
///
/// The device also calls ``begin(_:at:)`` and ``correct(_:at:)``, ``end()`` when the lines are lost, and
/// ``settle(by:)`` at its alarm, which it sets to ``deadline``.
public struct DebouncedContact: Equatable, Sendable {
  private let periods: DebouncePeriods
  private var debouncer: Debouncer?
  /// Whether a value has settled since the start. Until then, ``firstPeriod`` is enough.
  private var isStarted = false

  /// The greatest time for which the first value after the start must be stable. An application waits so long for the
  /// positions of its contacts before its first frame.
  public static let firstPeriod = Duration.milliseconds(90)

  /// - Parameter period: the time for which a value must be stable; with zero, every edge settles immediately.
  public init(period: Duration) { self.init(periods: DebouncePeriods(period)) }

  /// - Parameter periods: the time for which each value must be stable; with zero, edges to it settle immediately.
  public init(periods: DebouncePeriods) { self.periods = periods }

  /// Starts with the line's value when it was requested. Returns it if both periods are zero; if not, it must settle
  /// first.
  public mutating func begin(_ value: LineValue, at moment: Moment) -> Change? {
    guard !periods.isZero else {
      debouncer = nil
      return (value, moment)
    }
    var periods = periods
    if !isStarted { periods.first = Self.firstPeriod }
    debouncer = Debouncer(periods: periods, value: value, at: moment)
    return nil
  }

  /// The settled value and the moment at which it settled.
  public typealias Change = (value: LineValue, moment: Moment)

  /// Applies an edge. Returns its value if both periods are zero; if not, the value before the edge, if that has settled by
  /// then; nil if no value has settled.
  public mutating func receive(_ value: LineValue, at moment: Moment) -> Change? {
    guard debouncer != nil else { return (value, moment) }
    let settled = settle(by: moment)
    debouncer?.receive(value, at: moment)
    return settled
  }

  /// Returns the value that has settled by `moment`, if any.
  public mutating func settle(by moment: Moment) -> Change? {
    let change = debouncer?.settle(by: moment)
    if change != nil { isStarted = true }
    return change
  }

  /// Applies the value that the line has at `moment`. Returns it if both periods are zero.
  ///
  /// If not, returns nil: the value may have been read during a bounce, so it must be stable like any other.
  public mutating func correct(_ value: LineValue, at moment: Moment) -> Change? {
    guard let latest = debouncer?.latest else { return (value, moment) }
    if latest != value { debouncer?.receive(value, at: moment) }
    return nil
  }

  /// Drops an unsettled value, because the line is lost. Call ``begin(_:at:)`` when the line is held again.
  public mutating func end() {
    debouncer = nil
  }

  /// The moment at which the line's latest value will settle; nil if it is settled.
  public var deadline: Moment? { debouncer?.deadline }

  /// Whether the edges missing before `moment` can only have been bounces, too short to settle.
  ///
  /// - Parameter count: the number of missing edges; nil if the kernel doesn't report it.
  /// - Parameter moment: the moment of the edge.
  public func missedOnlyBounces(at moment: Moment, lost count: Int?) -> Bool {
    guard let debouncer, count == nil else { return false }
    return moment - debouncer.lastEdge < periods.shortest
  }
}
