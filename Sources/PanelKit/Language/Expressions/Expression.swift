/// A whole number that is computed from a panel's frame. A duration is in milliseconds. A number with decimals is
/// multiplied by a power of ten: 28.1 with one decimal is 281.
package indirect enum Number: Hashable, Sendable {
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
  /// 1 while the state is the region's current one, else 0.
  case isCurrent(PanelDefinition.Target)
  /// The element of a list at a place, from 1; 0 for a place outside the list, unknown for an unknown place.
  case element(ListSlots, at: Number)
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
  /// The quotient by a positive constant, rounded to the nearest whole number, halves away from zero.
  case rounded(Number, by: Int)
}

extension Number {
  package var constant: Int? { if case .constant(let number) = self { number } else { nil } }
}

package enum Relation: String, Equatable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// Whether `a` has this relation to `b`.
  package func holds(_ a: Int, _ b: Int) -> Bool { isTrue(a, b) }

  package func holds(_ a: Int128, _ b: Int128) -> Bool { isTrue(a, b) }

  private func isTrue<Number: Comparable>(_ a: Number, _ b: Number) -> Bool {
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
  package static var unknown: Int { .min }

  /// The number for a computation.
  package var wide: Int128 { self == .unknown ? .unknown : Int128(self) }
}

extension Int128 {
  /// The result of any computation with a number that is not known.
  package static var unknown: Int128 { .min }
  /// The smallest known number.
  fileprivate static var least: Int128 { .min + 1 }

  /// The number in 64 bits. A number beyond them becomes the nearest one.
  package var narrow: Int { self == .unknown ? .unknown : Int(clamping: Swift.max(self, Int128(Int.min + 1))) }
}

/// Arithmetic whose results are clamped to 128 bits. A result with an unknown operand is unknown.
package enum Saturating {
  package static func sum(_ a: Int128, _ b: Int128) -> Int128 {
    if a == .unknown || b == .unknown { return .unknown }
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b < 0 ? .least : .max) : max(sum, .least)
  }

  package static func difference(_ a: Int128, _ b: Int128) -> Int128 {
    if a == .unknown || b == .unknown { return .unknown }
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? (b < 0 ? .max : .least) : max(difference, .least)
  }

  package static func product(_ a: Int128, _ b: Int128) -> Int128 {
    if a == .unknown || b == .unknown { return .unknown }
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? ((a < 0) == (b < 0) ? .max : .least) : max(product, .least)
  }

  package static func magnitude(_ a: Int128) -> Int128 { a < 0 ? difference(0, a) : a }

  package static func minimum(_ a: Int128, _ b: Int128) -> Int128 { min(a, b) }

  package static func maximum(_ a: Int128, _ b: Int128) -> Int128 {
    a == .unknown || b == .unknown ? .unknown : max(a, b)
  }

  /// Returns the quotient, rounded down; 0 for a divisor of 0.
  package static func quotient(_ a: Int128, _ b: Int128) -> Int128 {
    if a == .unknown || b == .unknown { return .unknown }
    guard b != 0 else { return 0 }
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient
  }

  package static func remainder(_ a: Int128, _ b: Int128) -> Int128 {
    if a == .unknown || b == .unknown { return .unknown }
    guard b != 0, b != -1 else { return 0 }
    let remainder = a % b
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
  }

  /// Returns the quotient by a positive number, rounded to the nearest whole number, halves away from zero.
  package static func rounded(_ a: Int128, by b: Int128) -> Int128 {
    if a == .unknown { return .unknown }
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    guard magnitude(remainder) >= b - magnitude(remainder) else { return quotient }
    return a < 0 ? quotient - 1 : quotient + 1
  }
}
