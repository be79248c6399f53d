import Terminal

/// Reads numeric expressions: sums, products and their parts.
extension ExpressionReader {
  mutating func sum() -> Operand? {
    guard var left = product() else { return nil }
    while let sign = current, sign.kind == .sign, sign.text == "+" || sign.text == "-" {
      advance()
      guard let a = asNumber(left), let b = product().flatMap({ asNumber($0) }) else { return nil }
      guard let result = check.sum(a, sign, b, written: written(from: a.offset)) else { return nil }
      left = .number(result)
    }
    return left
  }

  mutating func product() -> Operand? {
    guard var left = factor() else { return nil }
    while let sign = current, sign.text == "*" || sign.text == "/" || isWord("mod") {
      advance()
      guard let a = asNumber(left), let b = factor().flatMap({ asNumber($0) }) else { return nil }
      guard let result = check.product(a, sign, b, written: written(from: a.offset)) else { return nil }
      left = .number(result)
    }
    return left
  }

  mutating func factor() -> Operand? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      return fail(
        at: current, "nested more than \(Self.deepest) levels; split the condition, or store a part of it in a value")
    }
    guard let token = current else {
      let last = tokens.last?.text ?? ""
      let what =
        ["and", "or", "not"].contains(last) ? "a comparison must follow: n >= 10" : "a number must follow: n + 1"
      return fail(at: tokens.last, "\(quoted(key)) ends after \(quoted(last)); \(what)")
    }
    advance()
    switch token.kind {
    case .number: return check.constant(token).map { .number($0) }
    case .name: return name(token)
    case .digits:
      return fail(at: token, "\(token.text) can only be compared with a list; write a number without apostrophes")
    case .strange:
      return fail(
        at: token, "\(quoted(token.text)) is not allowed here; use names, numbers and == != < <= > >= + - * / ( )")
    case .sign:
      switch token.text {
      case "(": return inParentheses(token)
      case "-", "+":
        guard let operand = factor(), let read = asNumber(operand) else { return nil }
        if read.unit == .time { return fail(at: read.offset, check.faultOfTime(read)) }
        return .number(token.text == "-" ? check.negative(read, written: written(from: token.offset), at: token) : read)
      case "*", "/", ")", ",":
        return fail(at: token, "\(quoted(token.text)) has no number before it; write one")
      case "!": return fail(at: token, "\"!\" is not an operator; write not: not n == 3")
      default: return fail(at: token, "\(quoted(token.text)) has no value before it; write one: level >= 10")
      }
    }
  }

  mutating func inParentheses(_ open: Token) -> Operand? {
    guard let operand = disjunction() else { return nil }
    guard let close = current else { return fail(at: open, "\"(\" is not closed; write )") }
    guard close.text == ")" else {
      if refusesUnit(close) { return nil }
      return fail(
        at: close,
        "\(quoted(close.text)) is not allowed in parentheses; close them with ), or join comparisons with \"and\" or \"or\""
      )
    }
    advance()
    return operand
  }

  mutating func call(_ name: Token, count: Int) -> Operand? {
    guard let open = current, open.text == "(" else {
      return fail(at: name, "\(quoted(name.text)) has no ( after it; write \(name.text)(\(count == 2 ? "a, b" : "a"))")
    }
    advance()
    var arguments: [NumericOperand] = []
    while true {
      guard let argument = disjunction().flatMap({ asNumber($0) }) else { return nil }
      arguments.append(argument)
      guard let next = current else { return fail(at: open, "\"(\" is not closed; write )") }
      advance()
      if next.text == ")" { break }
      guard next.text == "," else {
        return fail(at: next, "\(quoted(next.text)) is not allowed in \(name.text); write , or )")
      }
    }
    guard arguments.count == count else {
      return fail(at: name, "\(quoted(name.text)) has \(counted(arguments.count, "argument")); it takes \(count)")
    }
    let first = arguments[0]
    guard count == 2 else {
      return .number(
        NumericOperand(
          number: .magnitude(first.number), unit: first.unit, range: first.range.magnitude,
          decimals: first.decimals, offset: name.offset,
          text: written(from: name.offset)))
    }
    guard let (a, b) = check.aligned(first, arguments[1], "compared") else { return nil }
    let isMinimum = name.text == "min"
    return .number(
      NumericOperand(
        number: isMinimum ? .minimum(a.number, b.number) : .maximum(a.number, b.number), unit: a.unit,
        range: isMinimum ? a.range.minimum(b.range) : a.range.maximum(b.range), decimals: a.decimals,
        offset: name.offset, text: written(from: name.offset)))
  }
}
