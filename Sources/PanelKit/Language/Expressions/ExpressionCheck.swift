import Terminal

/// Checks whether the parts of an expression fit together and make sense. Adds a problem for parts that don't fit, and
/// a note for parts that make no sense.
struct ExpressionCheck {
  let names: Names
  let problems: ProblemList
  let source: YAMLNode
  var scope = ExpressionContext()

  /// Adds a note for a comparison that always or never holds.
  ///
  /// - Parameter earlier: the earlier comparison that has narrowed the range of the left side; nil if there is none.
  func note(_ left: NumericOperand, _ relation: Relation, _ right: NumericOperand, after earlier: String?) {
    guard let holds = left.range.alwaysHolds(relation, right.range), !(left.isConstant && right.isConstant) else {
      return
    }
    let subject = left.isConstant ? right : left
    let range = subject.text(of: subject.range)
    let how: String
    if let earlier {
      let rest = "\(left.text) \(relation.rawValue) \(right.text)"
      how = holds ? "\(earlier) limits it to \(range)" : "\(earlier) limits it to \(range), which excludes \(rest)"
    } else {
      how = "\(subject.text) is \(range)"
    }
    problems.note(
      source.position(at: left.offset), holds ? "always true: \(how); leave it out" : "never true: \(how)")
  }

  /// Whether both parts are numbers, or both are durations. Adds a problem if not.
  func isOneUnit(_ a: NumericOperand, _ b: NumericOperand, _ done: String) -> Bool {
    guard a.unit != b.unit else { return true }
    if a.unit == .duration, b.isConstant, case .value = a.number {
      problems.add(source.position(at: b.offset), withoutUnit(b.text, a.text))
    } else if b.unit == .duration, a.isConstant, case .value = b.number {
      problems.add(source.position(at: a.offset), withoutUnit(a.text, b.text))
    } else {
      problems.add(
        source.position(at: b.offset), "\(b.name) is \(b.unit.noun) and \(a.name) \(a.unit.noun); they can't be \(done)"
      )
    }
    return false
  }

  private func withoutUnit(_ number: String, _ name: String) -> String {
    "\(number) has no unit; \(quoted(name)) is a duration, write \(number)ms, \(number)s or \(number)m"
  }

  /// Returns both parts with the same number of decimals. Returns nil for different units, or for a constant with more
  /// decimals than the other part.
  func aligned(_ a: NumericOperand, _ b: NumericOperand, _ done: String) -> (NumericOperand, NumericOperand)? {
    guard isOneUnit(a, b, done), hasNoMoreDecimals(a, than: b), hasNoMoreDecimals(b, than: a) else { return nil }
    let decimals = max(a.decimals, b.decimals)
    return (a.scaled(to: decimals), b.scaled(to: decimals))
  }

  private func hasNoMoreDecimals(_ constant: NumericOperand, than other: NumericOperand) -> Bool {
    guard constant.isConstant, !other.isConstant, constant.decimals > other.decimals else { return true }
    let point = constant.text.firstIndex(of: ".") ?? constant.text.endIndex
    let shorter = constant.text.prefix(other.decimals == 0 ? 0 : other.decimals + 1 + constant.text[..<point].count)
    let right = other.decimals == 0 ? String(constant.text[..<point]) : String(shorter)
    problems.add(
      source.position(at: constant.offset),
      other.isReading
        ? "\(constant.text) has more decimals than \(other.name); write at most \(other.decimals), as \(right)"
        : "\(constant.text) has decimals and \(other.name) has none; write \(right), or count in \(inParts(constant))")
    return false
  }

  /// Describes a number with decimals as a whole number: `tenths: 205`.
  private func inParts(_ constant: NumericOperand) -> String {
    guard case .constant(let number) = constant.number else { return "tenths" }
    return Quantity.inParts(number, decimals: constant.decimals)
  }

  /// Whether a factor or a divisor is a whole number. Adds a problem if not.
  ///
  /// - Parameter sign: `*`, `/` or `mod`.
  private func isWhole(_ part: NumericOperand, _ sign: Token) -> Bool {
    guard part.decimals > 0 else { return true }
    guard case .constant(let number) = part.number, sign.text != "mod" else {
      problems.add(
        source.position(at: part.offset),
        "\(part.name) has decimals; only whole numbers can be multiplied or divided")
      return false
    }
    let (factor, divisor) = (number, Quantity.powerOfTen(part.decimals))
    let right = sign.text == "*" ? "* \(factor) / \(divisor)" : "* \(divisor) / \(factor)"
    problems.add(
      source.position(at: part.offset),
      "\(part.text) has decimals; only whole numbers can be multiplied or divided, write \(right)")
    return false
  }

  /// Rounds a part to a whole number for a value. Halves are rounded up.
  func rounded(_ part: NumericOperand) -> Number {
    guard part.decimals > 0 else { return part.number }
    let factor = Quantity.powerOfTen(part.decimals)
    return .quotient(.sum(part.number, .constant(factor / 2)), .constant(factor))
  }

  /// Whether a value can be set to this number, or a list can have it as an element. Adds a problem if not.
  func fits(_ read: NumericOperand, _ value: Int, isChange: Bool) -> Bool {
    if read.isConstant, read.decimals > 0 {
      let digits = read.text.prefix { $0 != "." }
      let whole = digits == "-0" ? "0" : digits
      problems.add(
        source.position(at: read.offset),
        "\(read.text) has decimals and \(quoted(names.values[value])) has none; write \(whole), or count in \(inParts(read))"
      )
      return false
    }
    let unit: Dimension = names.durations.contains(value) ? .duration : .number
    guard read.unit == unit else {
      if unit == .duration, read.isConstant {
        problems.add(source.position(at: read.offset), withoutUnit(read.text, names.values[value]))
      } else {
        problems.add(
          source.position(at: read.offset),
          "\(read.name) is \(read.unit.noun) and \(quoted(names.values[value])) \(unit.noun); \(quoted(names.values[value])) can't be set to it"
        )
      }
      return false
    }
    return isChange || !read.isConstant || isInRange(read, of: value)
  }

  func isInRange(_ constant: NumericOperand, of value: Int) -> Bool {
    guard let range = names.lists[value]?.elements ?? names.ranges[value] else { return true }
    var part = constant
    part.unit = names.durations.contains(value) ? .duration : .number
    return isInRange(constant, range, of: names.values[value], text: part.text(of: range))
  }

  /// Whether a constant is in the range of the part that it is compared with. Adds a problem if not.
  func isInRange(_ constant: NumericOperand, of part: NumericOperand, _ range: ResultBounds) -> Bool {
    isInRange(constant, range, of: part.text, text: part.text(of: range))
  }

  private func isInRange(_ constant: NumericOperand, _ range: ResultBounds, of name: String, text: String) -> Bool {
    guard case .constant(let number) = constant.number, !range.contains(number) else { return true }
    problems.add(
      source.position(at: constant.offset), "\(constant.text) is outside the range of \(quoted(name)); write \(text)")
    return false
  }

  /// Adds a note if the file uses the name of an operator for something else.
  func noteShadowing(of token: Token) {
    guard ["min", "max", "abs", "mod", "not", "and", "or", "elapsed", "random"].contains(token.text),
      let thing = names.thing(token.text)
    else { return }
    problems.note(
      source.position(at: token.offset), "\(quoted(token.text)) is the \(thing.word) here, not the word of the language"
    )
  }

  // MARK: - Arithmetic

  /// Returns the sum or the difference of two parts, depending on the sign.
  ///
  /// - Parameter written: the text of both parts.
  func sum(_ a: NumericOperand, _ sign: Token, _ b: NumericOperand, written: String) -> NumericOperand? {
    let isSum = sign.text == "+"
    guard let (a, b) = aligned(a, b, isSum ? "added" : "subtracted") else { return nil }
    var result = joined(
      a, a.unit, isSum ? .sum(a.number, b.number) : .difference(a.number, b.number),
      isSum ? a.range.sum(b.range) : a.range.difference(b.range), written)
    result.decimals = a.decimals
    return result
  }

  /// Returns the product, the quotient or the remainder of two parts, depending on the sign.
  func product(_ a: NumericOperand, _ sign: Token, _ b: NumericOperand, written: String) -> NumericOperand? {
    guard isWhole(a, sign), isWhole(b, sign) else { return nil }
    guard sign.text == "*" else { return divided(a, sign, b, written) }
    guard a.unit == .number || b.unit == .number else {
      return fail(at: b.offset, "\(a.name) and \(b.name) are durations; they can't be multiplied")
    }
    let unit: Dimension = a.unit == .number && b.unit == .number ? .number : .duration
    return joined(a, unit, .product(a.number, b.number), a.range.product(b.range), written)
  }

  private func divided(_ a: NumericOperand, _ sign: Token, _ b: NumericOperand, _ written: String) -> NumericOperand? {
    let isRemainder = sign.text == "mod"
    guard !(a.unit == .number && b.unit == .duration), !(isRemainder && a.unit != b.unit) else {
      return fail(at: b.offset, "\(b.name) is \(b.unit.noun) and \(a.name) \(a.unit.noun); they can't be divided")
    }
    guard !b.range.contains(0) else {
      return fail(at: sign, "\(b.name) can be 0 here; divide by a number that can't be 0")
    }
    if isRemainder { return joined(a, a.unit, .remainder(a.number, b.number), a.range.remainder(b.range), written) }
    let unit: Dimension = a.unit == b.unit ? .number : a.unit
    return joined(a, unit, .quotient(a.number, b.number), a.range.quotient(b.range), written)
  }

  func negative(_ part: NumericOperand, written: String, at sign: Token) -> NumericOperand {
    var negative = joined(part, part.unit, .negative(part.number), part.range.negated, written)
    negative.offset = sign.offset
    negative.decimals = part.decimals
    return negative
  }

  /// Returns the result of an operation that begins with `first`; a constant if only one number is possible.
  private func joined(
    _ first: NumericOperand, _ unit: Dimension, _ number: Number, _ range: ResultBounds, _ written: String
  ) -> NumericOperand {
    NumericOperand(
      number: range.lowerBound == range.upperBound ? .constant(range.lowerBound) : number, unit: unit, range: range,
      offset: first.offset, text: written)
  }

  /// Reads a number with or without a unit.
  func constant(_ token: Token) -> NumericOperand? {
    if let number = Quantity.whole(token.text) {
      return NumericOperand(
        number: .constant(number), unit: .number, range: .constant(number), offset: token.offset, text: token.text)
    }
    if token.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return fail(at: token, "\(token.text) has more than nine digits; write a smaller number")
    }
    if let (number, decimals) = Quantity.decimal(token.text) {
      return NumericOperand(
        number: .constant(number), unit: .number, range: .constant(number), decimals: decimals, offset: token.offset,
        text: token.text)
    }
    do throws(Quantity.Fault) {
      let duration = try Quantity.duration(token.text)
      guard let milliseconds = duration.wholeMilliseconds else {
        return fail(
          at: token, "\(token.text) is not a whole number of milliseconds; write \(duration.components.seconds)s or 1ms"
        )
      }
      return NumericOperand(
        number: .constant(milliseconds), unit: .duration, range: .constant(milliseconds), offset: token.offset,
        text: token.text)
    } catch {
      let digits = token.text.prefix { $0.isNumber || $0 == "." }
      let isUnitOfTime = ["ms", "s", "m", "h"].contains(token.text.dropFirst(digits.count))
      let hasSeveralUnits = token.text.dropFirst(digits.count).contains(where: \.isNumber)
      guard Quantity.number(String(digits)) != nil, !isUnitOfTime, !hasSeveralUnits else {
        return fail(at: token, error.text)
      }
      return fail(at: token, "\(error.text), or \(digits) for a number")
    }
  }

  func fail<Result>(at token: Token?, _ text: String) -> Result? {
    problems.add(token.map { source.position(at: $0.offset) } ?? source.position, text)
    return nil
  }

  func fail<Result>(at offset: Int, _ text: String) -> Result? {
    problems.add(source.position(at: offset), text)
    return nil
  }
}
