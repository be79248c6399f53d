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
    if done == "compared", a.unit == .time || b.unit == .time {
      let (time, other) = a.unit == .time ? (a, b) : (b, a)
      problems.add(
        source.position(at: other.offset),
        "\(other.name) is \(other.unit.noun); compare \(time.name) with a time of day: \(time.text) > 06:30")
      return false
    }
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

  /// Returns both parts with the same number of decimals; nil for different units.
  func aligned(_ a: NumericOperand, _ b: NumericOperand, _ done: String) -> (NumericOperand, NumericOperand)? {
    guard isOneUnit(a, b, done) else { return nil }
    let decimals = max(a.decimals, b.decimals)
    return (a.scaled(to: decimals), b.scaled(to: decimals))
  }

  /// Whether a constant has no more decimals than the value or the input that it is compared with. Adds a problem if it
  /// has: they are never equal. A computed number can have any number of decimals.
  func hasNoMoreDecimals(_ constant: NumericOperand, than other: NumericOperand) -> Bool {
    guard constant.isConstant, constant.decimals > other.decimals else { return true }
    switch other.number {
    case .value(let value) where names.lists[value] == nil:
      addDecimals(of: constant, besides: other.name, other.decimals, canHaveThem: true)
    case .reading(let input):
      let isSensor = names.inputDevices[input]?.isSensor == true
      addDecimals(of: constant, besides: other.name, other.decimals, canHaveThem: isSensor)
    case .element(let list, _):
      addDecimals(of: constant, besides: quoted(names.values[list.value]), other.decimals, canHaveThem: true)
    case .value, .member:
      addDecimals(of: constant, besides: other.name, other.decimals, canHaveThem: false)
    default: return true
    }
    return false
  }

  /// Adds the problem of a constant with too many decimals.
  private func addDecimals(of constant: NumericOperand, besides name: String, _ decimals: Int, canHaveThem: Bool) {
    let text = constant.text
    problems.add(
      source.position(at: constant.offset),
      decimals == 0
        ? Quantity.faultOfDecimals(text, besides: name, canHaveThem: canHaveThem)
        : "\(text) has more decimals than \(name); write at most \(decimals), as \(Quantity.cut(text, to: decimals))")
  }

  /// Whether a value can be set to this number, or a list can have it as an element. Adds a problem if not.
  func fits(_ read: NumericOperand, _ value: Int, isChange: Bool) -> Bool {
    let decimals = names.decimals(of: value)
    if read.isConstant, read.decimals > decimals {
      addDecimals(of: read, besides: quoted(names.values[value]), decimals, canHaveThem: true)
      return false
    }
    let unit = names.unit(of: value)
    if isChange, unit == .time, read.unit == .duration { return true }
    if isChange, unit == .time, read.unit != .duration {
      return fail(at: read.offset, "\(quoted(names.values[value])) is a time of day; change it by a duration: +5m")
        ?? false
    }
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
    return isChange || !read.isConstant || isInRange(read.scaled(to: decimals), of: value)
  }

  func isInRange(_ constant: NumericOperand, of value: Int) -> Bool {
    guard let range = (names.lists[value]?.elements ?? names.ranges[value])?.bounds else { return true }
    var part = constant
    part.unit = names.unit(of: value)
    return isInRange(constant, range, of: names.values[value], text: part.text(of: range))
  }

  /// Whether a constant is in the range of the part that it is compared with. Adds a problem if not.
  func isInRange(_ constant: NumericOperand, of part: NumericOperand, _ range: ResultBounds) -> Bool {
    isInRange(constant, range, of: part.text, text: part.text(of: range))
  }

  private func isInRange(_ constant: NumericOperand, _ range: ResultBounds, of name: String, text: String) -> Bool {
    guard case .constant(let number) = constant.number, !range.contains(Int128(number)) else { return true }
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
    if a.unit == .time, b.unit == .duration { return shifted(a, isSum, b, written) }
    if a.unit == .time, b.unit == .time {
      return fail(
        at: b.offset, "\(a.name) and \(b.name) are times of day; they can't be \(isSum ? "added" : "subtracted")")
    }
    guard let (a, b) = aligned(a, b, isSum ? "added" : "subtracted") else { return nil }
    var result = joined(
      a, a.unit, isSum ? .sum(a.number, b.number) : .difference(a.number, b.number),
      isSum ? a.range.sum(b.range) : a.range.difference(b.range), written)
    result.decimals = a.decimals
    return result
  }

  func faultOfTime(_ time: NumericOperand) -> String {
    "\(time.name) is a time of day; only a duration can be added to it or subtracted: \(time.text) + 30m"
  }

  /// A time of day plus or minus a duration, round midnight.
  private func shifted(_ a: NumericOperand, _ isSum: Bool, _ b: NumericOperand, _ written: String) -> NumericOperand {
    let minutes = Number.quotient(b.number, .constant(60_000))
    let sum: Number = isSum ? .sum(a.number, minutes) : .difference(a.number, minutes)
    return joined(a, .time, .remainder(sum, .constant(1440)), 0...1439, written)
  }

  /// Returns the product, the quotient or the remainder of two parts, depending on the sign.
  ///
  /// A product has the decimals of both parts together. A quotient and a remainder have those of the part that has more;
  /// they are rounded down. A duration has whole milliseconds, rounded down.
  func product(_ a: NumericOperand, _ sign: Token, _ b: NumericOperand, written: String) -> NumericOperand? {
    if let time = [a, b].first(where: { $0.unit == .time }) { return fail(at: time.offset, faultOfTime(time)) }
    guard sign.text == "*" else { return divided(a, sign, b, written) }
    guard a.unit == .number || b.unit == .number else {
      return fail(at: b.offset, "\(a.name) and \(b.name) are durations; they can't be multiplied")
    }
    let decimals = a.decimals + b.decimals
    guard decimals <= Self.mostDecimals else {
      return fail(
        at: sign,
        "the product of \(a.name) and \(b.name) has \(decimals) decimals, and at most \(Self.mostDecimals) are possible; "
          + "store one of them in a value with fewer decimals")
    }
    let unit: Dimension = a.unit == .number && b.unit == .number ? .number : .duration
    var result = joined(a, unit, .product(a.number, b.number), a.range.product(b.range), written)
    if unit == .number {
      result.decimals = decimals
    } else if decimals > 0 {
      let divisor = Quantity.powerOfTen(decimals)
      result = joined(
        result, unit, .quotient(result.number, .constant(divisor)), result.range.quotient(.constant(divisor)), written)
    }
    return result
  }

  /// The greatest number of decimals of a number that is computed.
  static let mostDecimals = 6

  private func divided(_ a: NumericOperand, _ sign: Token, _ b: NumericOperand, _ written: String) -> NumericOperand? {
    let isRemainder = sign.text == "mod"
    guard !(a.unit == .number && b.unit == .duration), !(isRemainder && a.unit != b.unit) else {
      return fail(at: b.offset, "\(b.name) is \(b.unit.noun) and \(a.name) \(a.unit.noun); they can't be divided")
    }
    guard !b.range.contains(0) else {
      return fail(at: sign, "\(b.name) can be 0 here; divide by a number that can't be 0")
    }
    let unit: Dimension = isRemainder ? a.unit : a.unit == b.unit ? .number : a.unit
    let decimals = unit == .number ? max(a.decimals, b.decimals) : 0
    if isRemainder {
      let (a, b) = (a.scaled(to: decimals), b.scaled(to: decimals))
      var result = joined(a, unit, .remainder(a.number, b.number), a.range.remainder(b.range), written)
      result.decimals = decimals
      return result
    }
    var dividend = a
    dividend.multiply(by: Quantity.powerOfTen(decimals + b.decimals - a.decimals))
    var result = joined(
      a, unit, .quotient(dividend.number, b.number), dividend.range.quotient(b.range), written)
    result.decimals = decimals
    return result
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
      number: range.constant.map { .constant($0) } ?? number, unit: unit, range: range, offset: first.offset,
      text: written)
  }

  /// Reads a number with or without a unit, or a time of day.
  func constant(_ token: Token) -> NumericOperand? {
    if let minutes = ClockReader.minutes(token.text) {
      return NumericOperand(
        number: .constant(minutes), unit: .time, range: .constant(minutes), offset: token.offset, text: token.text)
    }
    if let right = ClockReader.timeMeant(by: token.text) {
      return fail(at: token, "\(token.text) is not a time of day; write \(right)")
    }
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
