import CycleCore

/// One contact, debounced by the kernel where it can and by a ``Debouncer`` where it can't.
struct DebouncedContact: Equatable, Sendable {
  private let period: Duration
  private var debouncer: Debouncer?

  init(period: Duration) {
    self.period = period
  }

  mutating func begin(_ value: LineValue, isDebounced: Bool, at moment: Moment) {
    debouncer =
      isDebounced || period == .zero ? nil : Debouncer(period: period, value: value, at: moment)
  }

  /// A value that counts, and when it began to.
  typealias Change = (value: LineValue, moment: Moment)

  /// Takes an edge: the value that counts because of it, or because of the time before it; nil if none does.
  mutating func receive(_ value: LineValue, at moment: Moment) -> Change? {
    guard debouncer != nil else { return (value, moment) }
    let settled = settle(by: moment)
    debouncer?.receive(value, at: moment)
    return settled
  }

  /// Lets time pass: the value that counts because of it.
  mutating func settle(by moment: Moment) -> Change? {
    debouncer?.settle(by: moment)
  }

  /// Takes the value that the line has at `moment`: the value that counts because of it; nil if none does.
  ///
  /// Where the kernel doesn't debounce it may have been read amid a bounce, so it has to be stable like any other.
  mutating func correct(_ value: LineValue, at moment: Moment) -> Change? {
    guard let latest = debouncer?.latest else { return (value, moment) }
    if latest != value { debouncer?.receive(value, at: moment) }
    return nil
  }

  /// The line is gone: nothing counts until the next ``begin(_:isDebounced:at:)``.
  mutating func end() {
    debouncer = nil
  }

  var deadline: Moment? { debouncer?.deadline }

  /// Whether edges that are missing before `moment` can only have been bounces, too short to count in any case.
  func isBouncing(at moment: Moment, lost count: Int?) -> Bool {
    guard let debouncer, count == nil else { return false }
    return moment - debouncer.lastEdge < period
  }
}
