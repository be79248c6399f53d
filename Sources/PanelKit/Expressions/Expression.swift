/// A whole number, computed from a panel's values: the number of a number, the milliseconds of a duration.
indirect enum Number: Equatable, Sendable {
  case constant(Int)
  /// A value of the panel, by its index.
  case value(Int)
  case negative(Number)
  case magnitude(Number)
  case sum(Number, Number)
  case difference(Number, Number)
  case product(Number, Number)
  /// Rounded down. The divisor is never 0: a file in which it can be is refused.
  case quotient(Number, Number)
  /// What the quotient, rounded down, leaves: `n mod 5` is 0...4.
  case remainder(Number, Number)
  case minimum(Number, Number)
  case maximum(Number, Number)

  /// The number with these values. Nothing overflows: what is too large for 64 bits is the largest that fits.
  func result(in frame: PanelFrame) -> Int {
    switch self {
    case .constant(let number): number
    case .value(let value): frame[value: value]
    case .negative(let number): Saturating.difference(0, number.result(in: frame))
    case .magnitude(let number): Saturating.magnitude(number.result(in: frame))
    case .sum(let a, let b): Saturating.sum(a.result(in: frame), b.result(in: frame))
    case .difference(let a, let b): Saturating.difference(a.result(in: frame), b.result(in: frame))
    case .product(let a, let b): Saturating.product(a.result(in: frame), b.result(in: frame))
    case .quotient(let a, let b): Saturating.quotient(a.result(in: frame), b.result(in: frame))
    case .remainder(let a, let b): Saturating.remainder(a.result(in: frame), b.result(in: frame))
    case .minimum(let a, let b): min(a.result(in: frame), b.result(in: frame))
    case .maximum(let a, let b): max(a.result(in: frame), b.result(in: frame))
    }
  }
}

enum Relation: String, Equatable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// Whether `a` stands in this relation to `b`.
  func holds(_ a: Int, _ b: Int) -> Bool {
    switch self {
    case .equal: a == b
    case .notEqual: a != b
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    }
  }
}

/// Something that holds or doesn't, in a frame of a panel: what an `if` says.
indirect enum Condition: Equatable, Sendable {
  case comparison(Number, Relation, Number)
  /// Whether this state is the region's current one.
  case state(PanelDefinition.Target)
  /// Whether an input is in this position, by its place in ``InputKind/positions``.
  case position(input: Int, Int)
  case isLost(PluggableHardware)
  case not(Condition)
  /// All of them hold; at least one.
  case all([Condition])
  /// One of them holds at least; at least one.
  case any([Condition])

  func holds(in frame: PanelFrame) -> Bool {
    switch self {
    case .comparison(.value(let value), let relation, .constant(let constant)):
      return relation.holds(frame[value: value], constant)
    case .comparison(let left, let relation, let right):
      return relation.holds(left.result(in: frame), right.result(in: frame))
    case .state(let target): return frame[state: target.region] == target.state
    case .position(let input, let position): return frame[position: input] == position
    case .isLost(let hardware): return frame.isMissing(hardware)
    case .not(let condition): return !condition.holds(in: frame)
    case .all(let conditions):
      for condition in conditions where !condition.holds(in: frame) { return false }
      return true
    case .any(let conditions):
      for condition in conditions where condition.holds(in: frame) { return true }
      return false
    }
  }
}

/// Arithmetic whose results are clamped to 64 bits.
enum Saturating {
  static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b < 0 ? .min : .max) : sum
  }

  static func difference(_ a: Int, _ b: Int) -> Int {
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? (b < 0 ? .max : .min) : difference
  }

  static func product(_ a: Int, _ b: Int) -> Int {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? ((a < 0) == (b < 0) ? .max : .min) : product
  }

  static func magnitude(_ a: Int) -> Int { a < 0 ? difference(0, a) : a }

  /// Rounded down; 0 for a divisor of 0.
  static func quotient(_ a: Int, _ b: Int) -> Int {
    guard b != 0 else { return 0 }
    let (quotient, overflow) = a.dividedReportingOverflow(by: b)
    if overflow { return .max }
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient
  }

  static func remainder(_ a: Int, _ b: Int) -> Int {
    guard b != 0, b != -1 else { return 0 }
    let remainder = a % b
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
  }
}
