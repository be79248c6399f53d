import CycleCore

/// The newest measurement, as part of a frame. Each measurement changes it, even one that equals the one before.
///
/// A model that equals the one before is not rendered. A ``SignalDriver`` whose model is a plain number therefore never
/// receives a second measurement of the same value. This value differs after each measurement:
///
///     struct Frame: Equatable { var distance = Samples<Int>(); var isNear = false }
///
///     Lens(DistanceSensor(chip, trigger: "GPIO23", echo: "GPIO24"), show: { _ in .measuring },
///       on: { frame, event in if case .distance(let millimetres) = event { frame.distance.append(millimetres) } })
///     Lens(
///       SignalDriver(samples: { distance, _ in distance.median(of: 5).hysteresis(from: 300, to: 400).map { !$0 } }),
///       show: { $0.distance }, on: { frame, event in if case .value(let isNear) = event { frame.isNear = isNear } })
public struct Samples<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The number of measurements so far.
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
  /// Makes a driver whose models are measurements. Each one is pushed, even one that equals the one before.
  ///
  /// - Parameter build: makes the signal of the events from that of the measurements. Called once, at the start.
  public convenience init<Value>(
    samples build: @escaping (Signal<Value>, SignalClock) -> Signal<Output>
  ) where Input == Samples<Value> {
    self.init { samples, clock in build(samples.compactMap(\.last), clock) }
  }
}

extension Signal {
  /// Makes a signal with the newest `size` values, the oldest first; fewer at the beginning.
  ///
  ///     source   1    2      3      4
  ///     result   [1]  [1 2]  [2 3]  [3 4]     # a window of two
  ///
  /// - Parameter size: the number of values, at least 1.
  public func window(_ size: Int) -> Signal<[Value]> {
    precondition(size > 0, "the size must be at least 1")
    var values: [Value] = []
    return lift(keepsLatestValue: false) { _, value in
      if values.count == size { values.removeFirst() }
      values.append(value)
      return .value(values)
    }
  }
}

extension Signal where Value: Comparable {
  /// Makes a signal with the median of the newest values, which single outliers don't affect. The median of an even
  /// number of values is the smaller of the two in the middle.
  ///
  /// - Parameter size: the number of newest values that are used, at least 1; usually an odd number. At the beginning,
  ///   all values so far are used.
  public func median(of size: Int) -> Signal<Value> {
    window(size).map { values in values.sorted()[(values.count - 1) / 2] }
  }

  /// Makes a signal that reports whether a value is high: true from `high` on, false below `low`, unchanged between
  /// them. It has no value until the first value that is high or low.
  ///
  ///     source   20  50  56  50  44  50
  ///     result   F   .   T   .   F   .        # from 55, to 45
  ///
  /// - Parameters:
  ///   - high: the lowest value that is high.
  ///   - low: the limit below which a value is low; must not be greater than `high`.
  public func hysteresis(from high: Value, to low: Value) -> Signal<Bool> {
    precondition(low <= high, "a signal can't be high and low at the same time")
    return lift(keepsLatestValue: true) { cell, value in
      guard value >= high || value < low else { return .unchanged }
      let isHigh = value >= high
      return cell.value == isHigh ? .unchanged : .value(isHigh)
    }
  }
}
