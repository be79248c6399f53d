import Terminal

/// A part of an expression that is a number or a duration, with its known properties.
package struct NumericOperand {
  package var number: Number
  package var unit: Dimension
  // By reference: the reader is recursive, and each of its frames has copies of operands.
  private var bounds: Bounds
  /// The number of decimals: the number and the range are multiplied by 10 ^ `decimals`.
  package var decimals = 0
  /// The offset of its first character in the expression, from 0.
  var offset: Int
  /// The text as written.
  package var text: String

  package var range: ResultBounds {
    get { bounds.range }
    set { bounds = Bounds(newValue) }
  }

  private final class Bounds: Sendable {
    let range: ResultBounds

    init(_ range: ResultBounds) { self.range = range }
  }

  init(number: Number, unit: Dimension, range: ResultBounds, decimals: Int = 0, offset: Int, text: String) {
    (self.number, self.unit, self.decimals, self.offset, self.text) = (number, unit, decimals, offset, text)
    bounds = Bounds(range)
  }

  var isConstant: Bool { if case .constant = number { true } else { false } }
  /// The name of the part in a sentence: a constant as it is, other parts in quotation marks.
  var name: String { isConstant ? text : quoted(text) }
  /// Whether the part is exactly a sensor's reading.
  var isReading: Bool { if case .reading = number { true } else { false } }
  /// Whether the part is a single variable with a known range that comparisons can narrow.
  var isVariable: Bool {
    switch number {
    case .value, .reading, .member: true
    default: false
    }
  }

  /// Returns the part with more decimals.
  func scaled(to decimals: Int) -> NumericOperand {
    var part = self
    part.decimals = max(decimals, self.decimals)
    part.multiply(by: Quantity.powerOfTen(decimals - self.decimals))
    return part
  }

  /// Multiplies the number and its range.
  mutating func multiply(by factor: Int) {
    guard factor > 1 else { return }
    range = range.product(.constant(factor))
    number = range.constant.map { .constant($0) } ?? .product(number, .constant(factor))
  }

  /// Returns the number with this number of decimals. If the part has more of them, it is rounded, halves away from
  /// zero.
  func rounded(to decimals: Int) -> Number {
    guard self.decimals > decimals else { return scaled(to: decimals).number }
    let divisor = Quantity.powerOfTen(self.decimals - decimals)
    return range.rounded(by: divisor).constant.map { .constant($0) } ?? .rounded(number, by: divisor)
  }

  /// Formats a range of the part for a sentence: `0...10`, `0s...9s`, `-20...60.5`.
  func text(of range: ResultBounds) -> String {
    func text(_ wide: Int128) -> String {
      let number = wide.narrow
      return switch unit {
      case .duration: Quantity.text(.milliseconds(number))
      case .time: ClockReader.text(ofMinutes: number)
      case .number: Quantity.text(number, decimals: decimals)
      }
    }
    return "\(text(range.lowerBound))...\(text(range.upperBound))"
  }
}

package enum Dimension: Equatable {
  case number, duration
  /// A time of day, in minutes since midnight.
  case time

  var noun: String {
    switch self {
    case .number: "a number"
    case .duration: "a duration"
    case .time: "a time of day"
    }
  }
}
