/// A comparison of one number with a constant, as the interval of numbers for which it holds.
struct ComparisonRange {
  var number: Number
  var numbers: ResultBounds

  func covers(_ other: ComparisonRange) -> Bool {
    numbers.lowerBound <= other.numbers.lowerBound && numbers.upperBound >= other.numbers.upperBound
  }
}

extension Condition {
  /// Returns the interval of the condition; nil for any other condition, and for one that never holds.
  func interval(_ names: Names) -> ComparisonRange? {
    guard case .comparison(.value(let value), let relation, .constant(let constant)) = self, relation != .notEqual,
      let range = names.ranges[value]?.bounds.narrowed(relation, Int128(constant))
    else { return nil }
    return ComparisonRange(number: .value(value), numbers: range)
  }
}
