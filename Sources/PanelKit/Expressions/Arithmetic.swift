import Terminal

/// The numbers of an expression: sums, products, and what they are made of.
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
      return fail(at: current, "nested deeper than \(Self.deepest) levels; write several transitions, or a value")
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
      return fail(at: token, "\(token.text) is compared with a list only; write a number without apostrophes")
    case .strange:
      return fail(
        at: token, "\(quoted(token.text)) means nothing here; write names, numbers and == != < <= > >= + - * / ( )")
    case .sign:
      switch token.text {
      case "(": return inParentheses(token)
      case "-", "+":
        guard let operand = factor(), let read = asNumber(operand) else { return nil }
        return .number(token.text == "-" ? check.negative(read, written: written(from: token.offset), at: token) : read)
      case "*", "/", ")", ",":
        return fail(at: token, "\(quoted(token.text)) follows nothing; a number must stand before it")
      case "!": return fail(at: token, "\"!\" is no operator; write not: not n == 3")
      default: return fail(at: token, "\(quoted(token.text)) follows nothing; write the value first: level >= 10")
      }
    }
  }

  mutating func inParentheses(_ open: Token) -> Operand? {
    guard let operand = disjunction() else { return nil }
    guard let close = current else { return fail(at: open, "\"(\" is never closed; write ) where it ends") }
    guard close.text == ")" else {
      if refusesUnit(close) { return nil }
      return fail(
        at: close, "\(quoted(close.text)) in parentheses; write ) where they end, or join comparisons with and or or")
    }
    advance()
    return operand
  }

  mutating func call(_ name: Token, count: Int) -> Operand? {
    guard let open = current, open.text == "(" else {
      return fail(at: name, "\(quoted(name.text)) without (; write \(name.text)(\(count == 2 ? "a, b" : "a"))")
    }
    advance()
    var arguments: [NumberPart] = []
    while true {
      guard let argument = disjunction().flatMap({ asNumber($0) }) else { return nil }
      arguments.append(argument)
      guard let next = current else { return fail(at: open, "\"(\" is never closed; write ) where it ends") }
      advance()
      if next.text == ")" { break }
      guard next.text == "," else { return fail(at: next, "\(quoted(next.text)) in \(name.text); write , or )") }
    }
    guard arguments.count == count else {
      return fail(at: name, "\(quoted(name.text)) of \(arguments.count); it takes \(count)")
    }
    let first = arguments[0]
    guard count == 2 else {
      return .number(
        NumberPart(
          number: .magnitude(first.number), unit: first.unit, range: first.range.magnitude,
          decimals: first.decimals, offset: name.offset,
          text: written(from: name.offset)))
    }
    guard let (a, b) = check.aligned(first, arguments[1], "compared") else { return nil }
    let isMinimum = name.text == "min"
    return .number(
      NumberPart(
        number: isMinimum ? .minimum(a.number, b.number) : .maximum(a.number, b.number), unit: a.unit,
        range: isMinimum ? a.range.minimum(b.range) : a.range.maximum(b.range), decimals: a.decimals,
        offset: name.offset, text: written(from: name.offset)))
  }
}
