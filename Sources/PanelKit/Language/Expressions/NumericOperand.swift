import Terminal

/// A part of an expression that is a number or a duration, with its known properties.
package struct NumericOperand {
  package var number: Number
  package var unit: Dimension
  package var range: ResultBounds
  /// The number of decimals: the number and the range are multiplied by 10 ^ `decimals`.
  package var decimals = 0
  /// The offset of its first character in the expression, from 0.
  var offset: Int
  /// The text as written.
  package var text: String

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
    let factor = Quantity.powerOfTen(decimals - self.decimals)
    guard factor > 1 else { return self }
    var part = self
    part.decimals = decimals
    part.range = range.product(.constant(factor))
    part.number =
      if case .constant(let constant) = number {
        .constant(Saturating.product(constant, factor))
      } else {
        .product(number, .constant(factor))
      }
    return part
  }

  /// Formats a range of the part for a sentence: `0...10`, `0s...9s`, `-20...60.5`.
  func text(of range: ResultBounds) -> String {
    func text(_ number: Int) -> String {
      unit == .duration ? Quantity.text(.milliseconds(number)) : Quantity.text(number, decimals: decimals)
    }
    return "\(text(range.lowerBound))...\(text(range.upperBound))"
  }
}

package enum Dimension: Equatable {
  case number, duration

  var noun: String { self == .duration ? "a duration" : "a number" }
}
