import CycleCore
import Terminal

/// Reads the conditions and numbers of a panel file, and finds expressions that make no sense.
///
///     condition  = both { "or" both }
///     both       = test { "and" test }
///     test       = [ "not" ] comparison
///     comparison = sum [ relation sum ] | subject relation ( word | text in quotation marks )
///                | list relation ( list | "'" digits "'" )
///     sum        = product { ( "+" | "-" ) product }
///     product    = factor { ( "*" | "/" | "mod" ) factor }
///     draw       = "random" number ".." number                                       (in a `set` only)
///     factor     = { "-" | "+" } ( number | name | name "(" sum ")" | "(" condition ")"
///                | ( "min" | "max" ) "(" sum "," sum ")" | "abs" "(" sum ")" )
package struct ExpressionReader {
  /// The limits of characters and operators. A longer text is rejected, because it is not readable.
  package static let longest = 1024
  static let mostOperators = 128
  /// The limit of nested parentheses and signs, which limits the recursion.
  static let deepest = 32

  let names: Names
  let problems: ProblemList
  /// The key of the text, for messages: `if`.
  let key: String
  private let source: YAMLNode
  private let text: String
  let check: ExpressionCheck
  /// The comparisons read so far, in order.
  package private(set) var comparisons: [FilePassage.Comparison] = []
  var tokens: [Token]
  var next = 0
  var depth = 0
  /// The ranges that the comparisons of the current conjunction leave for numbers, and the comparisons that narrowed
  /// them.
  var narrowed: [Number: (range: ResultBounds, by: String)] = [:]

  package init?(
    _ text: String, of source: YAMLNode, key: String, in scope: ExpressionContext = ExpressionContext(), names: Names,
    problems: ProblemList
  ) {
    self.text = text
    self.source = source
    self.key = key
    self.names = names
    self.problems = problems
    check = ExpressionCheck(names: names, problems: problems, source: source, scope: scope)
    guard text.unicodeScalars.count <= Self.longest else {
      problems.add(
        source.position,
        "\(quoted(key)) is longer than \(Self.longest) characters; split it into several transitions, or store a part of it in a value"
      )
      return nil
    }
    tokens = Token.list(of: text)
    guard
      tokens.lazy.filter({ $0.kind == .sign || ["and", "or", "not", "mod"].contains($0.text) }).count
        <= Self.mostOperators
    else {
      problems.add(
        source.position,
        "\(quoted(key)) has more than \(Self.mostOperators) operators; split it into several transitions")
      return nil
    }
  }

  // MARK: - Whole texts

  /// Reads the text as a condition. Adds a problem and returns nil if it is not one.
  package mutating func condition() -> Condition? {
    guard !tokens.isEmpty else {
      return fail(at: nil, "\(quoted(key)) is empty; compare a value with a number: level >= 10")
    }
    guard let operand = disjunction(), isAtEnd() else { return nil }
    return asCondition(operand)
  }

  /// Reads the new number of a value. Adds a problem and returns nil if the text is not a number.
  mutating func number(for value: Int) -> Number? {
    fitting(value, isChange: false).map { $0.rounded(to: names.decimals(of: value)) }
  }

  /// Reads the number that is added to a value. Adds a problem and returns nil if the text is not a number.
  ///
  /// - Parameter place: the place of the element that is changed; nil for a number.
  mutating func change(of value: Int, element place: Number? = nil) -> PanelDefinition.Change? {
    guard let read = fitting(value, isChange: true) else { return nil }
    // A time of day counts minutes.
    if names.times.contains(value) { return .by(.quotient(read.number, .constant(60_000))) }
    let decimals = names.decimals(of: value)
    guard read.decimals > decimals else { return .by(read.scaled(to: decimals).number) }
    // The sum is rounded, not the difference.
    let divisor = Quantity.powerOfTen(read.decimals - decimals)
    let present: Number =
      if let place, let list = names.lists[value]?.place { .element(list, at: place) } else { .value(value) }
    return .to(.number(.rounded(.sum(.product(present, .constant(divisor)), read.number), by: divisor)))
  }

  /// Reads a number that a value can have, or that can be added to it.
  private mutating func fitting(_ value: Int, isChange: Bool) -> NumericOperand? {
    guard !tokens.isEmpty else {
      return fail(
        at: nil, "\(quoted(names.values[value])) has no new value; write a number: 3, or +1 or -1 to change it")
    }
    guard let operand = disjunction(), isAtEnd(), let read = asNumber(operand) else { return nil }
    return check.fits(read, value, isChange: isChange) ? read : nil
  }

  /// Reads a number that selects a group's member or a list's element.
  mutating func place() -> NumericOperand? {
    guard let operand = disjunction(), isAtEnd() else { return nil }
    return asNumber(operand).flatMap { check.isPlace($0) ? $0 : nil }
  }

  /// A part of a text that is computed.
  package enum ShownOperand {
    case number(NumericOperand)
    /// The text with this number, from 1.
    case text([String], Number)
  }

  /// Reads a number, a duration or one of a list of texts that is shown.
  package mutating func shown() -> ShownOperand? {
    guard let list = tokens.first, list.kind == .name, case .texts(let place) = names.thing(list.text) else {
      return shownNumber().map { .number($0) }
    }
    advance()
    guard current?.text == "(" else {
      return fail(at: list, "\(quoted(list.text)) is a list of texts; write {\(list.text)(n)}")
    }
    guard let number = inParentheses(after: list), isAtEnd() else { return nil }
    let texts = names.texts[place]
    if case .constant(let constant) = number.number, !(1...max(1, texts.count)).contains(constant) {
      return fail(
        at: number.offset, "\(quoted(list.text)) has no text \(constant); write a number 1...\(texts.count)")
    }
    return .text(texts, number.number)
  }

  private mutating func shownNumber() -> NumericOperand? {
    guard let operand = disjunction(), isAtEnd() else { return nil }
    if case .subject(let subject, let token) = operand {
      return fail(
        at: token,
        "\(quoted(token.text)) is not a number; braces in a text contain a number, show another text with when: { \(token.text) == \(check.example(of: subject)): TEXT }"
      )
    }
    return asNumber(operand)
  }

  /// Reads the range of a random number: `random 1..4`. Returns nil without a problem for another expression, and with
  /// a problem for an error.
  mutating func draw(for value: Int) -> ClosedRange<Int>? {
    guard startsDraw else { return nil }
    let word = tokens[0]
    advance()
    guard let low = constant(), current?.text == "..", let dots = current else {
      return fail(at: word, "\"random\" takes the smallest and the largest number; write random 1..4")
    }
    advance()
    guard let high = constant() else {
      return fail(at: dots, "\"random\" takes the smallest and the largest number; write random 1..4")
    }
    if let rest = current {
      return fail(
        at: rest, "\(quoted(rest.text)) is not allowed after \"random\"; set a value to the random number first")
    }
    if let part = [low, high].first(where: { $0.decimals > 0 }) {
      return fail(at: part.offset, "\(part.text) has decimals; \"random\" takes whole numbers, write random 1..4")
    }
    guard check.fits(low, value, isChange: false), check.fits(high, value, isChange: false),
      case .constant(let first) = low.number, case .constant(let last) = high.number
    else { return nil }
    guard first <= last else {
      return fail(at: low.offset, "\(low.text)..\(high.text) is in the wrong order; write \(high.text)..\(low.text)")
    }
    names.usage.drawsNumbers = true
    return first...last
  }

  /// Whether the text is a random number.
  var startsDraw: Bool {
    tokens.first.map { $0.kind == .name && $0.text == "random" && names.thing("random") == nil } ?? false
  }

  private mutating func constant() -> NumericOperand? {
    var sign: Token?
    if let token = current, token.text == "-" {
      sign = token
      advance()
    }
    guard let token = current, token.kind == .number, let read = check.constant(token) else { return nil }
    advance()
    return sign.map { check.negative(read, written: written(from: $0.offset), at: $0) } ?? read
  }

  // MARK: - Operands

  enum Operand {
    case number(NumericOperand)
    case condition(Condition)
    /// Something that can only be compared with a word.
    case subject(WordOperand, Token)
    case list(ListSlots, Token)
  }

  // MARK: - Conditions

  mutating func disjunction() -> Operand? {
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
    guard isNegation else { return comparison() }
    advance()
    let before = narrowed
    defer { narrowed = before }
    guard let operand = comparison(), let condition = asCondition(operand) else { return nil }
    return .condition(.not(condition))
  }

  private mutating func comparison() -> Operand? {
    guard let left = sum() else { return nil }
    guard let token = current, token.kind == .sign else { return left }
    guard let relation = Relation(rawValue: token.text) else {
      if "()+-*/,..".contains(text: token.text) { return left }
      return fail(at: token, "\(quoted(token.text)) is not a comparison; use == != < <= > or >=")
    }
    advance()
    switch left {
    case .list(let list, let name): return elements(of: list, name, relation).map { noted($0, name.offset) }
    case .subject(let subject, let name): return word(after: subject, name, relation).map { noted($0, name.offset) }
    case .condition: return fail(at: token, "a comparison can't be compared; join comparisons with \"and\" or \"or\"")
    case .number(let left):
      guard current != nil else {
        return fail(
          at: tokens.last, "\(quoted(key)) ends after \(quoted(token.text)); a constant must follow: level >= 10")
      }
      if let token = current, refusesWord(token, besideNumber: left) { return nil }
      guard let right = sum().flatMap({ asNumber($0) }) else { return nil }
      return compare(left, relation, right).map { noted($0, left.offset) }
    }
  }

  /// Returns a comparison as an operand, and records its position for reports.
  private mutating func noted(_ condition: Condition, _ offset: Int) -> Operand {
    comparisons.append(.init(condition: condition, position: position(of: offset), text: written(from: offset)))
    return .condition(condition)
  }

  private mutating func compare(_ left: NumericOperand, _ relation: Relation, _ right: NumericOperand) -> Condition? {
    guard check.isOneUnit(left, right, "compared"), check.hasNoMoreDecimals(left, than: right),
      check.hasNoMoreDecimals(right, than: left),
      let (left, right) = check.aligned(left, right, "compared"), isInRange(left, of: right), isInRange(right, of: left)
    else { return nil }
    noteTimes(left, right)
    check.note(left, relation, right, after: narrowed[left.number]?.by)
    if left.isVariable, case .constant(let constant) = right.number,
      let range = left.range.narrowed(relation, Int128(constant))
    {
      narrowed[left.number] = (range, "\(left.text) \(relation.rawValue) \(right.text)")
    }
    return .comparison(left.number, relation, right.number)
  }

  /// Notes the times at which a comparison of the clock changes.
  private func noteTimes(_ left: NumericOperand, _ right: NumericOperand) {
    guard left.unit == .time, let clock = names.clock[.time] else { return }
    for (part, other) in [(left, right), (right, left)] where part.number == .reading(clock) {
      switch other.number {
      case .constant(let minutes):
        names.usage.watched.formUnion([.fixed(minutes), .fixed((minutes + 1) % 1440)])
      case .value(let value): names.usage.watched.formUnion([.value(value), .value(value, later: 1)])
      default: continue
      }
      names.usage.watchedUses += 1
      // Midnight ends the last minute of the day.
      names.usage.watched.insert(.fixed(0))
    }
  }

  /// Whether a constant is a possible number of the part on the other side. Adds a problem if not.
  private func isInRange(_ constant: NumericOperand, of part: NumericOperand) -> Bool {
    switch part.number {
    case .value(let value):
      names.lists[value].map { check.isInRange(constant, of: part, (0...$0.place.capacity).bounds) }
        ?? check.isInRange(constant, of: value)
    case .reading(let input):
      names.inputDevices[input]?.scale.map { check.isInRange(constant, of: part, $0.range.bounds) } ?? true
    case .member(let group): check.isInRange(constant, of: part, names.inputGroups[group].range.bounds)
    default: true
    }
  }

  /// Reads the elements with which a list is compared.
  private mutating func elements(of list: ListSlots, _ name: Token, _ relation: Relation) -> Condition? {
    guard relation == .equal || relation == .notEqual else {
      return fail(at: name, "lists can't be ordered; compare \(quoted(name.text)) with == or !=, or \(name.text).count")
    }
    let meant = digitsMeant(for: list)
    let next = current
    advance()
    let condition: Condition
    switch next?.kind {
    case .digits?:
      guard let token = next, let elements = check.elements(token, of: list) else { return nil }
      condition = .elements(of: list, elements)
    case .name?:
      guard let token = next, case .value(let value) = names.thing(token.text), let other = names.lists[value],
        let one = names.lists[list.value]
      else { fallthrough }
      guard one.hasElements(like: other) else { return fail(at: token, other.faultOfElements(unlike: one)) }
      condition = .sameElements(list, other.place)
    default:
      return fail(
        at: next ?? tokens.last,
        "a list can only be compared with a list; write \(name.text) == '\(meant)', or \(name.text).count == 2")
    }
    return relation == .equal ? condition : .not(condition)
  }

  /// Reads the word with which a subject is compared.
  private mutating func word(after subject: WordOperand, _ name: Token, _ relation: Relation) -> Condition? {
    guard relation == .equal || relation == .notEqual else {
      let what = if case .state = subject { "states" } else { "\(quoted(name.text))" }
      return fail(at: name, "\(what) can't be ordered; compare \(subject.isState ? "them" : "it") with == or !=")
    }
    guard let word = current else {
      return fail(
        at: tokens.last, "\(quoted(key)) ends after \(quoted(relation.rawValue)); a constant must follow: level >= 10")
    }
    if case .output = subject, let text = textInQuotes() {
      guard let condition = check.condition(subject, name, is: text.token) else { return nil }
      next += text.count
      return relation == .equal ? condition : .not(condition)
    }
    if let bare = wordInQuotes() {
      return fail(at: word, "unexpected quotation marks around a word; write \(name.text) \(relation.rawValue) \(bare)")
    }
    guard let condition = check.condition(subject, name, is: word) else { return nil }
    advance()
    return relation == .equal ? condition : .not(condition)
  }

  private func asCondition(_ operand: Operand) -> Condition? {
    switch operand {
    case .condition(let condition): return condition
    case .list(_, let token):
      return fail(at: token, "\(quoted(token.text)) alone is not a condition; write \(token.text).count == 0")
    case .subject(let subject, let token):
      return fail(
        at: token,
        "\(quoted(token.text)) alone is not a condition; write \(token.text) == \(check.example(of: subject))")
    case .number(let read):
      if let token = current, token.kind == .name || token.kind == .number {
        return fail(at: token, "\(quoted(token.text)) is not a comparison; use == != < <= > or >=")
      }
      return fail(
        at: read.offset, "\(quoted(key)) ends after \(quoted(read.text)); compare it with a constant: level >= 10")
    }
  }

  // MARK: - Conversions

  func asNumber(_ operand: Operand) -> NumericOperand? {
    switch operand {
    case .number(let read): return read
    case .list(_, let token):
      let name = token.text
      return fail(
        at: token, "\(quoted(name)) is a list; write \(name).count for its length, or \(name)(1) for an element")
    case .condition:
      return fail(at: tokens.last, "a comparison is not a number; write \"and\" or \"or\" between comparisons")
    case .subject(_, let token):
      return fail(at: token, "\(quoted(token.text)) is not a number; write it alone before == or !=")
    }
  }

  // MARK: - Tokens

  var current: Token? { next < tokens.count ? tokens[next] : nil }
  mutating func advance() { next += 1 }

  /// Whether the next token is this word. After an operand it is an operator, even if the file has the name.
  func isWord(_ word: String) -> Bool { current.map { $0.kind == .name && $0.text == word } ?? false }

  /// Whether the next token is the operator `not`. If the file has this name, it has precedence unless an operand
  /// follows.
  private var isNegation: Bool {
    guard isWord("not") else { return false }
    guard let thing = names.thing("not") else { return true }
    guard next + 1 < tokens.count else { return false }
    let following = tokens[next + 1]
    switch following.kind {
    case .name:
      let isOperator = ["and", "or", "mod"].contains(following.text)
      let behind = next + 2 < tokens.count ? tokens[next + 2] : nil
      return !isOperator || behind.map { Relation(rawValue: $0.text) != nil } ?? false
    case .number, .digits, .strange: return true
    case .sign: return following.text == "(" && !names.hasParts(thing)
    }
  }

  func isAtEnd() -> Bool {
    guard let token = current else { return true }
    if refusesUnit(token) { return false }
    if next == 1, token.kind == .name || token.kind == .number {
      problems.add(position(of: token.offset), "\(quoted(token.text)) is not a comparison; use == != < <= > or >=")
    } else if token.text == ")" {
      problems.add(position(of: token.offset), "\")\" has no \"(\" before it; write ( where it starts")
    } else {
      problems.add(
        position(of: token.offset),
        "\(quoted(token.text)) is not allowed after a comparison; join comparisons with \"and\" or \"or\"")
    }
    return false
  }

  /// Returns the text from an offset to the last token that was read.
  func written(from offset: Int) -> String {
    guard next > 0 else { return "" }
    let last = tokens[next - 1]
    return text(from: offset, to: last.offset + last.text.unicodeScalars.count)
  }

  /// Returns the text between two offsets, which count characters from 0.
  func text(from start: Int, to end: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(start).prefix(end - start)))
  }

  func position(of offset: Int) -> Position { source.position(at: offset) }

  func fail<Result>(at token: Token?, _ text: String) -> Result? { check.fail(at: token, text) }
  func fail<Result>(at offset: Int, _ text: String) -> Result? { check.fail(at: offset, text) }
}
