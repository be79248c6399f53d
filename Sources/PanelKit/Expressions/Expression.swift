/// A whole number that is computed from a panel's frame. A duration is in milliseconds. A number with decimals is
/// multiplied by a power of ten: 28.1 with one decimal is 281.
indirect enum Number: Hashable, Sendable {
  case constant(Int)
  /// A value of the panel, by its index. For a list, it is the length.
  case value(Int)
  /// The last reading of a sensor, by the input's index.
  case reading(Int)
  /// The number of the group's member that had the last event; before the first event one less than the smallest
  /// number.
  case member(group: Int)
  /// The milliseconds since the region's current state was entered.
  case elapsed(region: Int)
  /// The element of a list at a place, from 1; 0 for a place outside the list, unknown for an unknown place.
  case element(ListPlace, at: Number)
  case negative(Number)
  case magnitude(Number)
  case sum(Number, Number)
  case difference(Number, Number)
  case product(Number, Number)
  /// The quotient, rounded down. The divisor is never 0: a file in which it can be 0 is rejected.
  case quotient(Number, Number)
  /// The remainder of the quotient that is rounded down: `n mod 5` is 0...4.
  case remainder(Number, Number)
  case minimum(Number, Number)
  case maximum(Number, Number)

  /// Computes the number in a frame; ``Int/unknown`` if it depends on a sensor that has not been read yet. Results that
  /// don't fit in 64 bits are clamped.
  func result(in frame: PanelFrame) -> Int {
    switch self {
    case .constant(let number): number
    case .value(let value): frame[value: value]
    case .reading(let input): frame[reading: input]
    case .member(let group): frame[member: group]
    case .elapsed(let region): frame.elapsed(in: region)
    case .element(let list, let place):
      switch place.result(in: frame) {
      case .unknown: .unknown
      case let place: frame.element(place, of: list)
      }
    case .negative(let number): Saturating.difference(0, number.result(in: frame))
    case .magnitude(let number): Saturating.magnitude(number.result(in: frame))
    case .sum(let a, let b): Saturating.sum(a.result(in: frame), b.result(in: frame))
    case .difference(let a, let b): Saturating.difference(a.result(in: frame), b.result(in: frame))
    case .product(let a, let b): Saturating.product(a.result(in: frame), b.result(in: frame))
    case .quotient(let a, let b): Saturating.quotient(a.result(in: frame), b.result(in: frame))
    case .remainder(let a, let b): Saturating.remainder(a.result(in: frame), b.result(in: frame))
    case .minimum(let a, let b): min(a.result(in: frame), b.result(in: frame))
    case .maximum(let a, let b): Saturating.maximum(a.result(in: frame), b.result(in: frame))
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

  /// Whether `a` has this relation to `b`.
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

extension Int {
  /// The reading of a sensor that has not been read yet, and the result of any computation with it.
  static var unknown: Int { .min }
  /// The smallest known number.
  fileprivate static var least: Int { .min + 1 }
}

/// Arithmetic whose results are clamped to 64 bits. A result with an unknown operand is unknown.
enum Saturating {
  static func sum(_ a: Int, _ b: Int) -> Int {
    if a == .unknown || b == .unknown { return .unknown }
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b < 0 ? .least : .max) : max(sum, .least)
  }

  static func difference(_ a: Int, _ b: Int) -> Int {
    if a == .unknown || b == .unknown { return .unknown }
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? (b < 0 ? .max : .least) : max(difference, .least)
  }

  static func product(_ a: Int, _ b: Int) -> Int {
    if a == .unknown || b == .unknown { return .unknown }
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? ((a < 0) == (b < 0) ? .max : .least) : max(product, .least)
  }

  static func magnitude(_ a: Int) -> Int { a < 0 ? difference(0, a) : a }

  static func maximum(_ a: Int, _ b: Int) -> Int { a == .unknown || b == .unknown ? .unknown : max(a, b) }

  /// Returns the quotient, rounded down; 0 for a divisor of 0.
  static func quotient(_ a: Int, _ b: Int) -> Int {
    if a == .unknown || b == .unknown { return .unknown }
    guard b != 0 else { return 0 }
    let quotient = a / b
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient
  }

  static func remainder(_ a: Int, _ b: Int) -> Int {
    if a == .unknown || b == .unknown { return .unknown }
    guard b != 0, b != -1 else { return 0 }
    let remainder = a % b
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
  }
}
