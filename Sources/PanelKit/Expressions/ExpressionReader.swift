import Terminal

/// Reads conditions and numbers of a panel file, and finds those that make no sense.
///
///     condition  = both { "or" both }
///     both       = test { "and" test }
///     test       = [ "not" ] comparison
///     comparison = sum [ relation sum | relation word ]
///     sum        = product { ( "+" | "-" ) product }
///     product    = factor { ( "*" | "/" | "mod" ) factor }
///     factor     = [ "-" | "+" ] ( number | name | "(" condition ")" | "min" "(" sum "," sum ")" | "abs" "(" sum ")" )
struct ExpressionReader {
  /// A text of more characters or operators is refused: nobody can read it.
  static let longest = 16_384
  static let mostOperators = 1024
  /// How many parentheses and signs may be inside each other: it bounds the recursion.
  static let deepest = 64

  let names: Names
  let problems: ProblemList
  /// The key that the text is written at, for messages: `if`.
  let key: String
  private let source: YAMLNode
  private let text: String
  private let check: ExpressionCheck
  private var tokens: [Token]
  private var place = 0
  private var depth = 0
  /// What is left of the ranges of values by the comparisons that a conjunction has had so far, and which they were.
  private var narrowed: [Int: (range: ResultBounds, by: String)] = [:]

  init?(_ text: String, of source: YAMLNode, key: String, names: Names, problems: ProblemList) {
    self.text = text
    self.source = source
    self.key = key
    self.names = names
    self.problems = problems
    check = ExpressionCheck(names: names, problems: problems, source: source)
    guard text.unicodeScalars.count <= Self.longest else {
      problems.add(
        source.position,
        "\(quoted(key)) is longer than \(Self.longest) characters; write several transitions, or a value")
      return nil
    }
    tokens = Token.list(of: text)
    guard
      tokens.lazy.filter({ $0.kind == .sign || ["and", "or", "not", "mod"].contains($0.text) }).count
        <= Self.mostOperators
    else {
      problems.add(
        source.position, "\(quoted(key)) has more than \(Self.mostOperators) operators; write several transitions")
      return nil
    }
  }

  // MARK: - Whole texts

  /// The condition that the text is; nil if it is none, which adds a problem.
  mutating func condition() -> Condition? {
    guard !tokens.isEmpty else {
      return fail(at: nil, "\(quoted(key)) is empty; compare a value with a number: level >= 10")
    }
    guard let operand = disjunction(), isAtEnd() else { return nil }
    return asCondition(operand)
  }

  /// The number that a value is set to, or that is added to it; nil if it is none, which adds a problem.
  mutating func number(for value: Int, isChange: Bool = false) -> Number? {
    guard !tokens.isEmpty else {
      return fail(
        at: nil, "\(quoted(names.values[value])) is set to nothing; write a number: 3, or +1 or -1 to change it")
    }
    guard let operand = disjunction(), isAtEnd(), let read = asNumber(operand) else { return nil }
    return check.fits(read, value, isChange: isChange) ? read.number : nil
  }

  // MARK: - What a part of the text is

  private enum Operand {
    case number(NumberPart)
    case condition(Condition)
    /// What can only be compared with a word.
    case subject(Subject, Token)
  }

  // MARK: - Conditions

  private mutating func disjunction() -> Operand? {
    guard let first = conjunction() else { return nil }
    var conditions: [Condition] = []
    var operand = first
    while isWord("or") {
      guard let condition = asCondition(operand) else { return nil }
      conditions.append(condition)
      advance()
      guard let next = conjunction() else { return nil }
      operand = next
    }
    guard !conditions.isEmpty else { return first }
    guard let last = asCondition(operand) else { return nil }
    return .condition(.any(conditions + [last]))
  }

  private mutating func conjunction() -> Operand? {
    let before = narrowed
    defer { narrowed = before }
    guard let first = test() else { return nil }
    var conditions: [Condition] = []
    var operand = first
    while isWord("and") {
      guard let condition = asCondition(operand) else { return nil }
      conditions.append(condition)
      advance()
      guard let next = test() else { return nil }
      operand = next
    }
    guard !conditions.isEmpty else { return first }
    guard let last = asCondition(operand) else { return nil }
    return .condition(.all(conditions + [last]))
  }

  private mutating func test() -> Operand? {
    guard isWord("not") else { return comparison() }
    advance()
    let before = narrowed
    defer { narrowed = before }
    guard let operand = comparison(), let condition = asCondition(operand) else { return nil }
    return .condition(.not(condition))
  }

  private mutating func comparison() -> Operand? {
    guard let left = sum() else { return nil }
    guard let token = current, token.kind == .sign, !"()+-*/,".contains(token.text) else { return left }
    guard let relation = Relation(rawValue: token.text) else {
      return fail(at: token, "\(quoted(token.text)) compares nothing; use == != < <= > or >=")
    }
    advance()
    switch left {
    case .subject(let subject, let name): return word(after: subject, name, relation).map { .condition($0) }
    case .condition: return fail(at: token, "a comparison can't be compared; join comparisons with and or or")
    case .number(let left):
      guard current != nil else {
        return fail(
          at: tokens.last, "\(quoted(key)) ends after \(quoted(token.text)); a constant must follow: level >= 10")
      }
      guard let right = sum().flatMap({ asNumber($0) }) else { return nil }
      return compare(left, relation, right).map { .condition($0) }
    }
  }

  private mutating func compare(_ left: NumberPart, _ relation: Relation, _ right: NumberPart) -> Condition? {
    guard check.isOneUnit(left, right, "compared") else { return nil }
    if case .value(let value) = left.number, right.isConstant, !check.isInRange(right, of: value) { return nil }
    if case .value(let value) = right.number, left.isConstant, !check.isInRange(left, of: value) { return nil }
    if case .value(let value) = left.number {
      check.note(left, relation, right, after: narrowed[value]?.by)
    } else {
      check.note(left, relation, right, after: nil)
    }
    if case .value(let value) = left.number, case .constant(let constant) = right.number,
      let range = (narrowed[value]?.range ?? names.ranges[value])?.narrowed(relation, constant)
    {
      narrowed[value] = (range, "\(left.text) \(relation.rawValue) \(right.text)")
    }
    return .comparison(left.number, relation, right.number)
  }

  /// The word that a subject is compared with.
  private mutating func word(after subject: Subject, _ name: Token, _ relation: Relation) -> Condition? {
    guard relation == .equal || relation == .notEqual else {
      let what = if case .state = subject { "states have" } else { "\(quoted(name.text)) has" }
      return fail(at: name, "\(what) no order; compare \(subject.isState ? "them" : "it") by == or !=")
    }
    guard let word = current else {
      return fail(
        at: tokens.last, "\(quoted(key)) ends after \(quoted(relation.rawValue)); a constant must follow: level >= 10")
    }
    guard let condition = check.condition(subject, name, is: word) else { return nil }
    advance()
    return relation == .equal ? condition : .not(condition)
  }

  private func asCondition(_ operand: Operand) -> Condition? {
    switch operand {
    case .condition(let condition): return condition
    case .subject(let subject, let token):
      return fail(
        at: token, "\(quoted(token.text)) alone is no condition; write \(token.text) == \(check.example(of: subject))")
    case .number(let read):
      if let token = current, token.kind == .name || token.kind == .number {
        return fail(at: token, "\(quoted(token.text)) compares nothing; use == != < <= > or >=")
      }
      return fail(
        at: read.offset, "\(quoted(key)) ends after \(quoted(read.text)); compare it with a constant: level >= 10")
    }
  }

  // MARK: - Numbers

  private mutating func sum() -> Operand? {
    guard var left = product() else { return nil }
    while let sign = current, sign.kind == .sign, sign.text == "+" || sign.text == "-" {
      advance()
      guard let a = asNumber(left), let b = product().flatMap({ asNumber($0) }) else { return nil }
      guard let result = check.sum(a, sign, b, written: written(from: a.offset)) else { return nil }
      left = .number(result)
    }
    return left
  }

  private mutating func product() -> Operand? {
    guard var left = factor() else { return nil }
    while let sign = current, sign.text == "*" || sign.text == "/" || isWord("mod") {
      advance()
      guard let a = asNumber(left), let b = factor().flatMap({ asNumber($0) }) else { return nil }
      guard let result = check.product(a, sign, b, written: written(from: a.offset)) else { return nil }
      left = .number(result)
    }
    return left
  }

  private mutating func factor() -> Operand? {
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
      default: return fail(at: token, "\(quoted(token.text)) follows nothing; write the value first: level >= 10")
      }
    }
  }

  private mutating func inParentheses(_ open: Token) -> Operand? {
    guard let operand = disjunction() else { return nil }
    guard let close = current else { return fail(at: open, "\"(\" is never closed; write ) where it ends") }
    guard close.text == ")" else {
      return fail(
        at: close, "\(quoted(close.text)) in parentheses; write ) where they end, or join comparisons with and or or")
    }
    advance()
    return operand
  }

  private mutating func name(_ token: Token) -> Operand? {
    if case .value(let value) = names.thing(token.text) {
      check.noteShadowing(of: token)
      guard let whole = names.ranges[value] else { return nil }
      return .number(
        NumberPart(
          number: .value(value), unit: names.durations.contains(value) ? .duration : .number,
          range: narrowed[value]?.range ?? whole, offset: token.offset, text: token.text))
    }
    switch token.text {
    case "min", "max": return call(token, count: 2)
    case "abs": return call(token, count: 1)
    case "state":
      return names.region(nil, at: position(of: token.offset), problems).map { .subject(.state(region: $0), token) }
    default: break
    }
    if token.text.hasPrefix("state.") {
      let region = String(token.text.dropFirst("state.".count))
      return names.region(region, at: position(of: token.offset), problems).map { .subject(.state(region: $0), token) }
    }
    if let hardware = PluggableHardware(rawValue: token.text) { return .subject(.hardware(hardware), token) }
    if case .input(let input) = names.thing(token.text) {
      guard let device = names.inputDevices[input] else { return nil }
      if !device.positions.isEmpty { return .subject(.input(input), token) }
      return fail(
        at: token,
        "\(type(of: device).word) \(quoted(token.text)) has no position to ask for; count its turns in a value")
    }
    return unknown(token)
  }

  private func unknown(_ token: Token) -> Operand? {
    let before = token.text.prefix { $0 != "-" }
    if before.count < token.text.count, case .value = names.thing(String(before)) {
      let after = token.text.dropFirst(before.count + 1)
      return fail(
        at: token,
        "unknown value \(quoted(token.text)); for a difference write blanks around -: \(before) - \(after)")
    }
    _ = names.value(token.text, at: position(of: token.offset), problems)
    return nil
  }

  private mutating func call(_ name: Token, count: Int) -> Operand? {
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
          number: .magnitude(first.number), unit: first.unit, range: first.range.magnitude, offset: name.offset,
          text: written(from: name.offset)))
    }
    guard check.isOneUnit(first, arguments[1], "compared") else { return nil }
    let isMinimum = name.text == "min"
    return .number(
      NumberPart(
        number: isMinimum
          ? .minimum(first.number, arguments[1].number) : .maximum(first.number, arguments[1].number),
        unit: first.unit,
        range: isMinimum ? first.range.minimum(arguments[1].range) : first.range.maximum(arguments[1].range),
        offset: name.offset, text: written(from: name.offset)))
  }

  // MARK: - What fits together

  private func asNumber(_ operand: Operand) -> NumberPart? {
    switch operand {
    case .number(let read): return read
    case .condition: return fail(at: tokens.last, "a comparison is no number; write and or or between comparisons")
    case .subject(_, let token):
      return fail(at: token, "\(quoted(token.text)) is no number; write it alone before == or !=")
    }
  }

  // MARK: - Tokens

  private var current: Token? { place < tokens.count ? tokens[place] : nil }
  private mutating func advance() { place += 1 }

  /// Whether the next token is this word, and no value of that name that is compared here.
  private func isWord(_ word: String) -> Bool {
    guard let token = current, token.kind == .name, token.text == word else { return false }
    guard case .value = names.thing(word) else { return true }
    let next = place + 1 < tokens.count ? tokens[place + 1] : nil
    return next.map { Relation(rawValue: $0.text) == nil } ?? true
  }

  private func isAtEnd() -> Bool {
    guard let token = current else { return true }
    if place == 1, token.kind == .name || token.kind == .number {
      problems.add(position(of: token.offset), "\(quoted(token.text)) compares nothing; use == != < <= > or >=")
    } else if token.text == ")" {
      problems.add(position(of: token.offset), "\")\" closes nothing; write ( where it begins")
    } else {
      problems.add(
        position(of: token.offset), "\(quoted(token.text)) after a comparison; join comparisons with and or or")
    }
    return false
  }

  /// The text from a place to the last token that was read.
  private func written(from offset: Int) -> String {
    guard place > 0 else { return "" }
    let last = tokens[place - 1]
    let scalars = text.unicodeScalars
    let start = scalars.index(scalars.startIndex, offsetBy: offset)
    let end = scalars.index(scalars.startIndex, offsetBy: last.offset + last.text.unicodeScalars.count)
    return String(scalars[start..<end])
  }

  private func position(of offset: Int) -> Position { source.position(at: offset) }

  private func fail<Result>(at token: Token?, _ text: String) -> Result? { check.fail(at: token, text) }
  private func fail<Result>(at offset: Int, _ text: String) -> Result? { check.fail(at: offset, text) }
}
