/// The smallest and the largest possible result of an expression.
package typealias ResultBounds = ClosedRange<Int128>

extension ClosedRange<Int> {
  /// The range as bounds of results.
  package var bounds: ResultBounds { Int128(lowerBound)...Int128(upperBound) }
}

extension ResultBounds {
  static func constant(_ number: Int) -> ResultBounds { Int128(number)...Int128(number) }

  var negated: ResultBounds { Saturating.difference(0, upperBound)...Saturating.difference(0, lowerBound) }

  var magnitude: ResultBounds {
    let ends = [Saturating.magnitude(lowerBound), Saturating.magnitude(upperBound)]
    return (contains(0) ? 0 : Swift.min(ends[0], ends[1]))...Swift.max(ends[0], ends[1])
  }

  func sum(_ other: ResultBounds) -> ResultBounds {
    Saturating.sum(lowerBound, other.lowerBound)...Saturating.sum(upperBound, other.upperBound)
  }

  func difference(_ other: ResultBounds) -> ResultBounds {
    Saturating.difference(lowerBound, other.upperBound)...Saturating.difference(upperBound, other.lowerBound)
  }

  func product(_ other: ResultBounds) -> ResultBounds { ends(other, Saturating.product) }

  /// Returns the bounds of the quotient. Requires that `other` doesn't contain 0.
  func quotient(_ other: ResultBounds) -> ResultBounds { ends(other, Saturating.quotient) }

  /// Returns the bounds of the remainder, which has the divisor's sign. Requires that `other` doesn't contain 0.
  func remainder(_ other: ResultBounds) -> ResultBounds {
    if lowerBound >= 0, other.lowerBound > upperBound { return self }
    return other.lowerBound > 0 ? 0...other.upperBound - 1 : (other.lowerBound + 1)...0
  }

  func minimum(_ other: ResultBounds) -> ResultBounds {
    Swift.min(lowerBound, other.lowerBound)...Swift.min(upperBound, other.upperBound)
  }

  func maximum(_ other: ResultBounds) -> ResultBounds {
    Swift.max(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }

  /// Returns the bounds of the rounded quotient by a positive number.
  func rounded(by divisor: Int) -> ResultBounds {
    Saturating.rounded(lowerBound, by: Int128(divisor))...Saturating.rounded(upperBound, by: Int128(divisor))
  }

  /// The only number in the bounds, if there is only one and it fits into 64 bits; otherwise nil.
  var constant: Int? { lowerBound == upperBound ? Int(exactly: lowerBound) : nil }

  /// Returns the bounds of an operation whose extremes are at the ends of both ranges.
  private func ends(_ other: ResultBounds, _ operation: (Int128, Int128) -> Int128) -> ResultBounds {
    let results = [
      operation(lowerBound, other.lowerBound), operation(lowerBound, other.upperBound),
      operation(upperBound, other.lowerBound), operation(upperBound, other.upperBound),
    ]
    return (results.min() ?? 0)...(results.max() ?? 0)
  }

  /// Returns true if the relation holds for every pair of numbers from the two ranges, false if for none; nil if it
  /// depends on the numbers.
  func alwaysHolds(_ relation: Relation, _ other: ResultBounds) -> Bool? {
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

  /// Returns the smallest range with all numbers of this range that satisfy the relation to a constant; nil if there
  /// are none.
  func narrowed(_ relation: Relation, _ constant: Int128) -> ResultBounds? {
    let (low, high) =
      switch relation {
      case .equal: (constant, constant)
      case .notEqual:
        (
          lowerBound == constant ? Saturating.sum(constant, 1) : lowerBound,
          upperBound == constant ? Saturating.difference(constant, 1) : upperBound
        )
      case .less: (Int128.min, Saturating.difference(constant, 1))
      case .lessOrEqual: (Int128.min, constant)
      case .greater: (Saturating.sum(constant, 1), Int128.max)
      case .greaterOrEqual: (constant, Int128.max)
      }
    let (lower, upper) = (Swift.max(low, lowerBound), Swift.min(high, upperBound))
    return lower <= upper ? lower...upper : nil
  }
}
