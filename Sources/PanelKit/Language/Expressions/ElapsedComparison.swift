import Terminal

/// The comparisons with `elapsed` in a `when`. They change as time passes, so the state checks its `when` then.
extension Condition {
  /// The ages of the state, in milliseconds, at which a comparison of `elapsed` with a constant changes.
  var agesOfChange: [Int] {
    comparisons.flatMap { left, relation, right -> [Int] in
      let age: Int
      switch (left, right) {
      case (.elapsed, .constant(let number)), (.constant(let number), .elapsed): age = number
      default: return []
      }
      let isMirrored = left.constant != nil
      let ages: [Int] =
        switch relation {
        case .equal, .notEqual: [age, age + 1]
        case .less, .greaterOrEqual: [isMirrored ? age + 1 : age]
        case .lessOrEqual, .greater: [isMirrored ? age : age + 1]
        }
      return ages.filter { $0 > 0 }
    }
  }

  /// The error for a use of `elapsed` other than a comparison with a constant; nil if there is none.
  var faultOfElapsed: String? {
    for (left, relation, right) in comparisons {
      let others: (Number, Number)
      switch (left, right) {
      case (.elapsed, .constant), (.constant, .elapsed): continue
      case (_, .constant): others = (left, right)
      default: others = (right, left)
      }
      guard left.usesElapsed || right.usesElapsed else { continue }
      let fault = "\"elapsed\" in \"when\" is compared alone with a constant"
      if case (.elapsed, .value) = (left, right) { return "\(fault); write after: { VALUE: STATE }" }
      if case (.value, .elapsed) = (left, right) { return "\(fault); write after: { VALUE: STATE }" }
      let age = others.1.constant.flatMap { others.0.age(at: $0) } ?? 3000
      let isLess = (relation == .less || relation == .lessOrEqual) != (left.constant != nil)
      return "\(fault); write elapsed \(isLess ? "<" : ">") "
        + Quantity.text(.milliseconds(age))
    }
    return nil
  }

  private var comparisons: [(left: Number, relation: Relation, right: Number)] {
    switch self {
    case .comparison(let left, let relation, let right): [(left, relation, right)]
    case .not(let condition): condition.comparisons
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.comparisons)
    case .state, .position, .isLost, .isUnknown, .elements, .sameElements, .output, .contact: []
    }
  }
}

extension Number {
  fileprivate var usesElapsed: Bool {
    var used = Dependencies()
    used.add(self)
    return !used.elapsed.isEmpty
  }

  /// The age at which a simple expression of `elapsed` has this result; nil for any other expression.
  fileprivate func age(at result: Int) -> Int? {
    switch self {
    case .product(.elapsed, .constant(let factor)), .product(.constant(let factor), .elapsed):
      factor > 0 && result >= 0 ? result / factor : nil
    case .quotient(.elapsed, .constant(let divisor)):
      divisor > 0 && result >= 0 ? (Int128(result) * Int128(divisor)).narrow : nil
    case .sum(.elapsed, .constant(let part)), .sum(.constant(let part), .elapsed):
      result > part ? result - part : nil
    case .difference(.elapsed, .constant(let part)): result + part > 0 ? result + part : nil
    default: nil
    }
  }
}
