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
