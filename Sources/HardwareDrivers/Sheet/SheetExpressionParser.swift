/// Reads the text of a ``SheetExpression``.
struct SheetExpressionParser {
  private typealias Node = SheetExpression.Node
  private typealias Operation = SheetExpression.Operation

  private let names: [String: Int]
  private let tokens: [Substring]
  private var next = 0
  private var depth = 0

  init(_ text: String, names: [String: Int]) throws(SheetExpression.Mistake) {
    self.names = names
    tokens = try Self.tokens(of: text)
  }

  /// Signs of programming languages, with what to write.
  private static let foreign: [(sign: String, advice: String)] = [
    (">>", "T / 4 for T >> 2"), ("<<", "T * 4 for T << 2"), ("&", "T mod 16 for T & 0x0F"), ("%", "mod"),
    ("|", "+"), ("^", "T * T for the square of T"),
  ]

  private static func tokens(of text: String) throws(SheetExpression.Mistake) -> [Substring] {
    var tokens: [Substring] = []
    var rest = text[...]
    func isWord(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == ".")
    }
    while let first = rest.first {
      if first == " " {
        rest.removeFirst()
      } else if isWord(first) {
        let word = rest.prefix(while: isWord)
        tokens.append(word)
        rest = rest[word.endIndex...]
      } else if let (sign, advice) = Self.foreign.first(where: { rest.hasPrefix($0.sign) }) {
        throw SheetExpression.Mistake(text: "\"\(sign)\" has no meaning in a formula; write \(advice)")
      } else if let sign = ["==", "!=", "<=", ">="].first(where: { rest.hasPrefix($0) }) {
        tokens.append(rest.prefix(sign.count))
        rest = rest.dropFirst(sign.count)
      } else if "+-*/()<>,".contains(first) {
        tokens.append(rest.prefix(1))
        rest = rest.dropFirst()
      } else {
        throw SheetExpression.Mistake(text: "\"\(first)\" has no meaning in a formula")
      }
    }
    return tokens
  }

  private var current: Substring? { next < tokens.count ? tokens[next] : nil }

  private mutating func take(_ sign: String) throws(SheetExpression.Mistake) {
    guard current == sign[...] else {
      throw SheetExpression.Mistake(
        text: "\"\(sign)\" is missing \(current.map { "before \"\($0)\"" } ?? "at the end")")
    }
    next += 1
  }

  /// The operation of the current token, if it is one of these.
  private mutating func operation(_ operations: [SheetExpression.Operation]) -> SheetExpression.Operation? {
    guard let current, let found = operations.first(where: { $0.rawValue == current }) else { return nil }
    next += 1
    return found
  }

  mutating func whole() throws(SheetExpression.Mistake) -> SheetExpression.Node {
    guard !tokens.isEmpty else { throw SheetExpression.Mistake(text: "a formula is empty") }
    let node = try comparison()
    if let current { throw SheetExpression.Mistake(text: "\"\(current)\" is left over") }
    return node
  }

  private mutating func comparison() throws(SheetExpression.Mistake) -> SheetExpression.Node {
    let first = try sum()
    guard let found = operation([.equal, .unequal, .lessOrEqual, .less, .greaterOrEqual, .greater]) else {
      return first
    }
    return .operation(found, first, try sum())
  }

  private mutating func sum() throws(SheetExpression.Mistake) -> SheetExpression.Node {
    var node = try product()
    while let found = operation([.add, .subtract]) { node = .operation(found, node, try product()) }
    return node
  }

  private mutating func product() throws(SheetExpression.Mistake) -> SheetExpression.Node {
    var node = try factor()
    while let found = operation([.multiply, .divide, .modulo]) { node = .operation(found, node, try factor()) }
    return node
  }

  private mutating func factor() throws(SheetExpression.Mistake) -> SheetExpression.Node {
    depth += 1
    defer { depth -= 1 }
    guard depth <= SheetExpression.deepest else {
      throw SheetExpression.Mistake(text: "more than \(SheetExpression.deepest) parentheses are inside each other")
    }
    guard let token = current else { throw SheetExpression.Mistake(text: "a number is missing at the end") }
    next += 1
    switch token {
    case "-": return .negative(try factor())
    case "(":
      let node = try comparison()
      try take(")")
      return node
    case "min", "max":
      try take("(")
      let one = try comparison()
      try take(",")
      let other = try comparison()
      try take(")")
      return .operation(token == "min" ? .minimum : .maximum, one, other)
    case "abs":
      try take("(")
      let node = try comparison()
      try take(")")
      return .absolute(node)
    case "if":
      try take("(")
      let condition = try comparison()
      try take(",")
      let one = try comparison()
      try take(",")
      let other = try comparison()
      try take(")")
      return .choice(condition: condition, one, other)
    default: return try operand(token)
    }
  }

  private func operand(_ token: Substring) throws(SheetExpression.Mistake) -> SheetExpression.Node {
    if token.first?.isNumber == true {
      if token.hasPrefix("0x"), let number = Int128(token.dropFirst(2), radix: 16) { return .whole(number) }
      if let number = Int128(token) { return .whole(number) }
      if let number = Double(token), number.isFinite { return .real(number) }
      throw SheetExpression.Mistake(text: "\"\(token)\" is not a number")
    }
    if let place = names[String(token)] { return .slot(place) }
    guard token.first?.isLetter == true || token.first == "_" else {
      throw SheetExpression.Mistake(text: "a number is missing before \"\(token)\"")
    }
    throw SheetExpression.Mistake(text: "\"\(token)\" is not a number of this sheet that comes before")
  }
}
