import CycleCore

/// One contact of a device on lines, debounced by the kernel where it can, and where it can't by the edges' time stamps: a value counts
/// when it has been stable for a period, in both directions.
///
/// A device hands it what it hears of the line, and gives the line's configuration the same period
/// (``LineConfiguration/debounce``):
///
///     mutating func receive(_ edge: LineEdge, emit: Emit) {
///       if let change = contact.receive(edge.value, at: edge.moment) { emit(change.value.isActive ? .shut : .open, change.moment) }
///     }
///
/// The others are ``begin(_:isDebounced:at:)``, ``correct(_:at:)``, ``end()`` for lines that are lost, and ``settle(by:)`` for the alarm,
/// which is ``deadline``.
public struct DebouncedContact: Equatable, Sendable {
  private let period: Duration
  private var debouncer: Debouncer?

  /// - Parameter period: how long a value must be stable to count; zero lets every edge count.
  public init(period: Duration) {
    self.period = period
  }

  /// The line is held, and has this value. `isDebounced` says that the kernel debounces it.
  public mutating func begin(_ value: LineValue, isDebounced: Bool, at moment: Moment) {
    debouncer =
      isDebounced || period == .zero ? nil : Debouncer(period: period, value: value, at: moment)
  }

  /// A value that counts, and when it began to.
  public typealias Change = (value: LineValue, moment: Moment)

  /// Takes an edge: the value that counts because of it, or because of the time before it; nil if none does.
  public mutating func receive(_ value: LineValue, at moment: Moment) -> Change? {
    guard debouncer != nil else { return (value, moment) }
    let settled = settle(by: moment)
    debouncer?.receive(value, at: moment)
    return settled
  }

  /// Lets time pass: the value that counts because of it.
  public mutating func settle(by moment: Moment) -> Change? {
    debouncer?.settle(by: moment)
  }

  /// Takes the value that the line has at `moment`: the value that counts because of it; nil if none does.
  ///
  /// Where the kernel doesn't debounce it may have been read amid a bounce, so it has to be stable like any other.
  public mutating func correct(_ value: LineValue, at moment: Moment) -> Change? {
    guard let latest = debouncer?.latest else { return (value, moment) }
    if latest != value { debouncer?.receive(value, at: moment) }
    return nil
  }

  /// The line is gone: nothing counts until the next ``begin(_:isDebounced:at:)``.
  public mutating func end() {
    debouncer = nil
  }

  /// When the line's value will have been stable for long enough; nil if it counts already.
  public var deadline: Moment? { debouncer?.deadline }

  /// Whether edges that are missing before `moment` can only have been bounces, too short to count in any case.
  ///
  /// - Parameter count: how many are missing; nil where the kernel can't tell.
  public func isBouncing(at moment: Moment, lost count: Int?) -> Bool {
    guard let debouncer, count == nil else { return false }
    return moment - debouncer.lastEdge < period
  }
}
