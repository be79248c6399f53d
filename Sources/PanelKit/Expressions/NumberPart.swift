import Terminal

/// A part of an expression that is a number or a duration, with what is known of it.
struct NumberPart {
  var number: Number
  var unit: NumberUnit
  var range: ResultBounds
  /// How many decimals the number has: it and the range are multiplied by 10 ^ `decimals`.
  var decimals = 0
  /// The place of its first character in the expression, from 0.
  var offset: Int
  /// As it is written.
  var text: String

  var isConstant: Bool { if case .constant = number { true } else { false } }
  /// The part in a sentence: in quotation marks, a constant as it is.
  var name: String { isConstant ? text : quoted(text) }
  /// Whether the part is what a sensor reads, alone.
  var isReading: Bool { if case .reading = number { true } else { false } }
  /// Whether the range of the part is known where it is alone, and comparisons narrow it.
  var isVariable: Bool {
    switch number {
    case .value, .reading, .member: true
    default: false
    }
  }

  /// The part with more decimals.
  func scaled(to decimals: Int) -> NumberPart {
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

  /// A range of the part in a sentence: `0...10`, `0s...9s`, `-20...60.5`.
  func text(of range: ResultBounds) -> String {
    func text(_ number: Int) -> String {
      unit == .duration ? Quantity.text(.milliseconds(number)) : Quantity.text(number, decimals: decimals)
    }
    return "\(text(range.lowerBound))...\(text(range.upperBound))"
  }
}

enum NumberUnit: Equatable {
  case number, duration

  var noun: String { self == .duration ? "a duration" : "a number" }
}
