/// A condition that compares one number with a constant, as the numbers for which it holds.
struct ConditionInterval {
  var number: Number
  var numbers: ResultBounds

  func covers(_ other: ConditionInterval) -> Bool {
    numbers.lowerBound <= other.numbers.lowerBound && numbers.upperBound >= other.numbers.upperBound
  }
}

extension Condition {
  /// The interval that the condition is; nil for any other condition, and for one that never holds.
  func interval(_ names: Names) -> ConditionInterval? {
    guard case .comparison(.value(let value), let relation, .constant(let constant)) = self, relation != .notEqual,
      let range = names.ranges[value]?.narrowed(relation, constant)
    else { return nil }
    return ConditionInterval(number: .value(value), numbers: range)
  }
}
