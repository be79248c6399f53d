/// A formula of a ``Sheet``, such as `(raw * 5 + 128) / 256`.
///
///     sum        = product { ( "+" | "-" ) product }
///     product    = factor { ( "*" | "/" | "mod" ) factor }
///     comparison = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ]
///     factor     = { "-" } ( number | name | "(" comparison ")" | "min(" … ")" | "max(" … ")" | "abs(" … ")"
///                | "if(" comparison "," … "," … ")" )
///
/// Whole numbers have 128 bits. A result beyond them stays at the end of the range, so no formula overflows. `/` rounds
/// towards minus infinity, as a shift of bits does, and `mod` has the sign of the divisor.
public struct SheetExpression: Equatable, Sendable {
  /// The maximum length of a text.
  public static let longest = 1_024
  /// The maximum number of nested parentheses and signs.
  static let deepest = 32

  indirect enum Node: Equatable, Sendable {
    case whole(Int128)
    case real(Double)
    /// A number of the sheet: its place in the list of names.
    case slot(Int)
    case negative(Node)
    case operation(Operation, Node, Node)
    case choice(condition: Node, Node, Node)
    case absolute(Node)
  }

  enum Operation: String, Equatable, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulo = "mod"
    case minimum = "min"
    case maximum = "max"
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// A mistake in the text of a formula, as a phrase: `"Q1" is not a number of this sheet`.
  public struct Mistake: Error, Equatable, Sendable {
    public var text: String
  }

  /// A formula divides by zero.
  struct DivisionByZero: Error {}

  let node: Node

  /// - Parameters:
  ///   - text: the formula.
  ///   - names: the numbers that it can use, each with its place in the list of values.
  public init(_ text: String, names: [String: Int]) throws(Mistake) {
    guard text.utf8.count <= Self.longest else {
      throw Mistake(text: "a formula has more than \(Self.longest) characters")
    }
    var parser = try SheetExpressionParser(text, names: names)
    node = try parser.whole()
  }

  /// A number.
  public init(_ number: Int) { node = .whole(Int128(number)) }

  /// Its value if it is a number in the text; nil for a formula.
  package var constant: Int128? {
    switch node {
    case .whole(let number): number
    case .negative(.whole(let number)): -number
    default: nil
    }
  }

  /// Whether it contains a number with decimals, which only a scale can use.
  package var hasDecimals: Bool { Self.hasDecimals(node) }

  private static func hasDecimals(_ node: Node) -> Bool {
    switch node {
    case .real: true
    case .whole, .slot: false
    case .negative(let inner), .absolute(let inner): hasDecimals(inner)
    case .operation(_, let one, let other): hasDecimals(one) || hasDecimals(other)
    case .choice(let condition, let one, let other):
      hasDecimals(condition) || hasDecimals(one) || hasDecimals(other)
    }
  }

  // MARK: - Whole numbers

  /// The value in whole numbers.
  ///
  /// - Parameter values: the numbers of the sheet, by their places.
  func value(_ values: [Int128]) throws(DivisionByZero) -> Int128 { try Self.value(node, values) }

  private static func value(_ node: Node, _ values: [Int128]) throws(DivisionByZero) -> Int128 {
    switch node {
    case .whole(let number): return number
    case .real(let number): return clamped(number)
    case .slot(let place): return values[place]
    case .negative(let inner): return subtracted(0, try value(inner, values))
    case .absolute(let inner):
      let number = try value(inner, values)
      return number < 0 ? subtracted(0, number) : number
    case .choice(let condition, let one, let other):
      return try value(value(condition, values) != 0 ? one : other, values)
    case .operation(let operation, let one, let other):
      return try apply(operation, value(one, values), value(other, values))
    }
  }

  private static func apply(
    _ operation: Operation, _ one: Int128, _ other: Int128
  ) throws(DivisionByZero) -> Int128 {
    switch operation {
    case .add:
      let (sum, overflow) = one.addingReportingOverflow(other)
      return overflow ? (other < 0 ? .min : .max) : sum
    case .subtract: return subtracted(one, other)
    case .multiply:
      let (product, overflow) = one.multipliedReportingOverflow(by: other)
      return overflow ? ((one < 0) == (other < 0) ? .max : .min) : product
    case .divide:
      if other == 0 { throw DivisionByZero() }
      let (quotient, overflow) = one.dividedReportingOverflow(by: other)
      if overflow { return .max }
      return quotient * other != one && (one < 0) != (other < 0) ? quotient - 1 : quotient
    case .modulo:
      if other == 0 { throw DivisionByZero() }
      if other == -1 { return 0 }
      let rest = one % other
      return rest != 0 && (rest < 0) != (other < 0) ? rest + other : rest
    case .minimum: return min(one, other)
    case .maximum: return max(one, other)
    case .equal: return one == other ? 1 : 0
    case .unequal: return one != other ? 1 : 0
    case .less: return one < other ? 1 : 0
    case .lessOrEqual: return one <= other ? 1 : 0
    case .greater: return one > other ? 1 : 0
    case .greaterOrEqual: return one >= other ? 1 : 0
    }
  }

  private static func subtracted(_ one: Int128, _ other: Int128) -> Int128 {
    let (difference, overflow) = one.subtractingReportingOverflow(other)
    return overflow ? (one < 0 ? .min : .max) : difference
  }

  private static func clamped(_ number: Double) -> Int128 {
    number.isNaN ? 0 : Int128(exactly: number.rounded(.down)) ?? (number < 0 ? .min : .max)
  }

  // MARK: - Real numbers

  /// The value in real numbers, for a scale. A division by zero gives infinity or NaN.
  ///
  /// - Parameter values: the numbers of the sheet, by their places.
  func real(_ values: (Int) -> Double) -> Double { Self.real(node, values) }

  private static func real(_ node: Node, _ values: (Int) -> Double) -> Double {
    switch node {
    case .whole(let number): return Double(number)
    case .real(let number): return number
    case .slot(let place): return values(place)
    case .negative(let inner): return -real(inner, values)
    case .absolute(let inner): return abs(real(inner, values))
    case .choice(let condition, let one, let other):
      return real(real(condition, values) != 0 ? one : other, values)
    case .operation(let operation, let first, let second):
      let (one, other) = (real(first, values), real(second, values))
      switch operation {
      case .add: return one + other
      case .subtract: return one - other
      case .multiply: return one * other
      case .divide: return one / other
      case .modulo: return one - other * (one / other).rounded(.down)
      case .minimum: return min(one, other)
      case .maximum: return max(one, other)
      case .equal: return one == other ? 1 : 0
      case .unequal: return one != other ? 1 : 0
      case .less: return one < other ? 1 : 0
      case .lessOrEqual: return one <= other ? 1 : 0
      case .greater: return one > other ? 1 : 0
      case .greaterOrEqual: return one >= other ? 1 : 0
      }
    }
  }
}
