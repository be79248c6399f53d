/// What is known of the result of an expression: the least and the greatest number that it can be.
typealias NumberRange = ClosedRange<Int>

extension NumberRange {
  static func constant(_ number: Int) -> NumberRange { number...number }

  var negated: NumberRange { Saturating.difference(0, upperBound)...Saturating.difference(0, lowerBound) }

  var magnitude: NumberRange {
    let ends = [Saturating.magnitude(lowerBound), Saturating.magnitude(upperBound)]
    return (contains(0) ? 0 : Swift.min(ends[0], ends[1]))...Swift.max(ends[0], ends[1])
  }

  func sum(_ other: NumberRange) -> NumberRange {
    Saturating.sum(lowerBound, other.lowerBound)...Saturating.sum(upperBound, other.upperBound)
  }

  func difference(_ other: NumberRange) -> NumberRange {
    Saturating.difference(lowerBound, other.upperBound)...Saturating.difference(upperBound, other.lowerBound)
  }

  func product(_ other: NumberRange) -> NumberRange { ends(other, Saturating.product) }

  /// The divisor's range doesn't contain 0.
  func quotient(_ other: NumberRange) -> NumberRange { ends(other, Saturating.quotient) }

  /// The divisor's range doesn't contain 0. The remainder has the divisor's sign.
  func remainder(_ other: NumberRange) -> NumberRange {
    if lowerBound >= 0, other.lowerBound > upperBound { return self }
    return other.lowerBound > 0 ? 0...other.upperBound - 1 : (other.lowerBound + 1)...0
  }

  func minimum(_ other: NumberRange) -> NumberRange {
    Swift.min(lowerBound, other.lowerBound)...Swift.min(upperBound, other.upperBound)
  }

  func maximum(_ other: NumberRange) -> NumberRange {
    Swift.max(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }

  /// The range of an operation whose extremes are at the ends of both ranges.
  private func ends(_ other: NumberRange, _ operation: (Int, Int) -> Int) -> NumberRange {
    let results = [
      operation(lowerBound, other.lowerBound), operation(lowerBound, other.upperBound),
      operation(upperBound, other.lowerBound), operation(upperBound, other.upperBound),
    ]
    return (results.min() ?? 0)...(results.max() ?? 0)
  }

  /// Whether each number of this range stands in a relation to each of the other one, or none does; nil if that depends on
  /// which numbers they are.
  func alwaysHolds(_ relation: Relation, _ other: NumberRange) -> Bool? {
    switch relation {
    case .equal:
      if !overlaps(other) { return false }
      return lowerBound == upperBound && self == other ? true : nil
    case .notEqual: return alwaysHolds(.equal, other).map { !$0 }
    case .less:
      if upperBound < other.lowerBound { return true }
      return lowerBound >= other.upperBound ? false : nil
    case .lessOrEqual:
      if upperBound <= other.lowerBound { return true }
      return lowerBound > other.upperBound ? false : nil
    case .greater: return alwaysHolds(.lessOrEqual, other).map { !$0 }
    case .greaterOrEqual: return alwaysHolds(.less, other).map { !$0 }
    }
  }

  /// The numbers of this range that stand in a relation to a constant, as far as they are a range; nil if there are none.
  func narrowed(_ relation: Relation, _ constant: Int) -> NumberRange? {
    let (low, high) =
      switch relation {
      case .equal: (constant, constant)
      case .notEqual:
        (
          lowerBound == constant ? Saturating.sum(constant, 1) : lowerBound,
          upperBound == constant ? Saturating.difference(constant, 1) : upperBound
        )
      case .less: (Int.min, Saturating.difference(constant, 1))
      case .lessOrEqual: (Int.min, constant)
      case .greater: (Saturating.sum(constant, 1), Int.max)
      case .greaterOrEqual: (constant, Int.max)
      }
    let (lower, upper) = (Swift.max(low, lowerBound), Swift.min(high, upperBound))
    return lower <= upper ? lower...upper : nil
  }
}
