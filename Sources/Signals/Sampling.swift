import CycleCore

/// Measurements in a frame, of which each counts: also one that equals the one before.
///
/// A model that equals the one before is not rendered, so a ``SignalDriver`` that is shown a bare number never hears of a second
/// measurement of the same value. This value is another one after each:
///
///     struct Frame: Equatable { var distance = Samples<Int>(); var isNear = false }
///
///     Lens(DistanceSensor(chip, trigger: "GPIO23", echo: "GPIO24"), show: { _ in .every(.milliseconds(100)) },
///       on: { frame, event in if case .distance(let millimetres) = event { frame.distance.append(millimetres) } })
///     Lens(SignalDriver(samples: { distance, _ in distance.median(of: 5).hysteresis(from: 300, to: 400).map { !$0 } }),
///       show: { $0.distance }, on: { frame, event in if case .value(let isNear) = event { frame.isNear = isNear } })
public struct Samples<Value: Equatable & Sendable>: Equatable, Sendable {
  /// How many there have been.
  public private(set) var count = 0
  /// The newest one; nil before the first.
  public private(set) var last: Value?

  public init() {}

  public mutating func append(_ value: Value) {
    count += 1
    last = value
  }
}

extension SignalDriver {
  /// A driver that is shown measurements: each of them is pushed, also one that equals the one before.
  ///
  /// - Parameter build: makes the signal that comes out of the one of measurements. Called once, at the start.
  public convenience init<Value>(
    samples build: @escaping (Signal<Value>, SignalClock) -> Signal<Output>
  ) where Input == Samples<Value> {
    self.init { samples, clock in build(samples.compactMap(\.last), clock) }
  }
}

extension Signal {
  /// The newest values of so many, the oldest first; as long as fewer have come, those.
  ///
  ///     source   1    2      3      4
  ///     result   [1]  [1 2]  [2 3]  [3 4]     # a window of two
  ///
  /// - Parameter size: at least 1.
  public func window(_ size: Int) -> Signal<[Value]> {
    precondition(size > 0, "a window has room for a value at least")
    var values: [Value] = []
    return lift(isKept: false) { _, value in
      if values.count == size { values.removeFirst() }
      values.append(value)
      return .value(values)
    }
  }
}

extension Signal where Value: Comparable {
  /// The middle one of the newest values, in the order of their sizes: what single outliers don't reach. Of an even number the smaller of the
  /// two in the middle.
  ///
  /// - Parameter size: how many values count, at least 1; an odd number, as a rule. As long as fewer have come, those count.
  public func median(of size: Int) -> Signal<Value> {
    window(size).map { values in values.sorted()[(values.count - 1) / 2] }
  }

  /// Whether a value is high: from `high` on it is, below `low` it is not, and between them it stays what it was. Before the first value
  /// that is one or the other there is none.
  ///
  ///     source   20  50  56  50  44  50
  ///     result   F   .   T   .   F   .        # from 55, to 45
  ///
  /// - Parameters:
  ///   - high: from where on it is high.
  ///   - low: below which it is low; no greater than `high`.
  public func hysteresis(from high: Value, to low: Value) -> Signal<Bool> {
    precondition(low <= high, "a signal can't be high and low at once")
    return lift(isKept: true) { cell, value in
      guard value >= high || value < low else { return .unchanged }
      let isHigh = value >= high
      return cell.value == isHigh ? .unchanged : .value(isHigh)
    }
  }
}
