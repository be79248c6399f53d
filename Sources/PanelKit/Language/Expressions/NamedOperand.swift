import Terminal

/// Reads the operands that begin with a name.
extension ExpressionReader {
  mutating func name(_ token: Token) -> Operand? {
    if token.text == "each" {
      if let each = names.usage.each { return number(.constant(each), .number, (each...each).bounds, token) }
      if names.thing("each") == nil { return fail(at: token, Names.faultOfEach()) }
    }
    if let operand = operatorWord(token) { return operand.read }
    if check.scope.asksOnlyInputs, let fault = faultOfInput(token) { return fail(at: token, fault) }
    check.noteShadowing(of: token)
    switch names.thing(token.text) {
    case .value(let value):
      if let list = names.lists[value]?.place { return listOperand(list, token) }
      guard let range = names.ranges[value] else { return nil }
      return number(.value(value), names.unit(of: value), range.bounds, token, decimals: names.decimals(of: value))
    case .input(let input): return self.input(input, token)
    case .inputs(let group):
      if current?.text == "(" {
        guard let (input, name) = member(of: names.inputGroups[group], token) else { return nil }
        return self.input(input, name)
      }
      return number(.member(group: group), .number, names.inputGroups[group].range.bounds, token)
    case .output(let output) where isContactAsked: return contact(output, token)
    case .output(let output) where asksOutputs: return .subject(.output(output), token)
    case .outputs(let group) where current?.text == "(":
      guard let (output, name) = member(of: names.outputGroups[group], token) else { return nil }
      if isContactAsked { return contact(output, name) }
      return asksOutputs ? .subject(.output(output), name) : fail(at: token, faultOfOutput(token))
    case .outputs(let group) where asksOutputs && !isContactAsked: return .subject(.outputs(group: group), token)
    case .outputs(let group) where isContactAsked:
      let member = names.outputGroups[group].memberNames.first ?? token.text
      return fail(at: token, "\(quoted(token.text)) has several contacts; write \(member) == \(tokens[next + 1].text)")
    case .output, .outputs: return fail(at: token, faultOfOutput(token))
    case .sound, .sounds: return unknown(token)
    case .texts: return fail(at: token, "\(quoted(token.text)) is a list of texts; only a text can show one of them")
    case .chip:
      if let hardware = names.hardware(token.text) { return .subject(.hardware(hardware), token) }
      return fail(at: token, names.faultOfWired(token.text))
    case nil: break
    }
    if let list = listCount(token) { return list }
    if let count = regionCount(token) { return count.read }
    if let hardware = names.hardware(token.text) { return .subject(.hardware(hardware), token) }
    return unknown(token)
  }

  /// Whether the expression may check what outputs show. A condition that chooses a look may.
  private var asksOutputs: Bool { check.scope.asksOutputs || check.scope.isShown && key == "when" }

  private func faultOfOutput(_ token: Token) -> String {
    "\(quoted(token.text)) is an output, which only never, looks, expect and wait can use; use the state that shows it"
  }

  /// Reads an operand that begins with a keyword; returns nil for any other name. The inner operand is nil if it has an
  /// error.
  private mutating func operatorWord(_ token: Token) -> (read: Operand?, Void)? {
    let at = position(of: token.offset)
    if token.text == "state" || token.text.hasPrefix("state.") {
      var region = token.text == "state" ? nil : String(token.text.dropFirst("state.".count))
      guard !check.scope.asksOnlyInputs else { return nil }
      var name = token
      if let base = region, current?.text == "(", !names.repetitions(of: base).isEmpty {
        guard let part = inParentheses(after: token) else { return (nil, ()) }
        guard case .constant(let number) = part.number else {
          return (fail(at: part.offset, "\(part.name) is not constant; write a number, as \(token.text)(1)"), ())
        }
        region = Names.member(number, of: base)
        name.text = Names.member(number, of: token.text)
      }
      return (names.region(region, at: at, problems).map { .subject(.state(region: $0), name) }, ())
    }
    guard names.thing(token.text) == nil else { return nil }
    switch token.text {
    case "min", "max": return (call(token, count: 2), ())
    case "abs": return (call(token, count: 1), ())
    case "elapsed": return (elapsed(token), ())
    case "random":
      return (
        fail(
          at: token, "\"random\" is not allowed here; set a value to the random number first: set: { n: random 1..4 }"),
        ()
      )
    default: return nil
    }
  }

  /// Reads how many regions of a region with `each` are in a state: `point.count(rests)`. Nil for any other name; the
  /// inner operand is nil if it has an error.
  private mutating func regionCount(_ token: Token) -> (read: Operand?, Void)? {
    guard token.text.hasSuffix(".count"), current?.text == "(" else { return nil }
    let regions = names.repetitions(of: String(token.text.dropLast(".count".count)))
    guard !regions.isEmpty else { return nil }
    advance()
    guard let word = current, word.kind == .name else {
      return (fail(at: token, "\(quoted(token.text)) takes a state in parentheses"), ())
    }
    advance()
    guard let close = current, close.text == ")" else { return (fail(at: word, "\"(\" is not closed; write )"), ()) }
    advance()
    var sum: Number?
    for region in regions {
      guard let place = names.regions.firstIndex(where: { $0.name == region.name }),
        let target = names.state(word.text, in: place, at: position(of: word.offset), problems)
      else { return (nil, ()) }
      sum = sum.map { .sum($0, .isCurrent(target)) } ?? .isCurrent(target)
    }
    return (sum.map { number($0, .number, (0...regions.count).bounds, token) }, ())
  }

  private func elapsed(_ token: Token) -> Operand? {
    guard !check.scope.isShown || key != "when" else {
      return fail(at: token, "\"elapsed\" can't choose a look; write a state inside: after: { 3s: STATE }")
    }
    guard !check.scope.isShown else { return fail(at: token, Self.faultOfShownElapsed(key)) }
    guard let state = check.scope.state, state > 0 else {
      return fail(
        at: token, "\"elapsed\" is not inside a state; it is the time since the state was entered, write it in a state")
    }
    names.usage.readsElapsed = true
    return number(.elapsed(region: names.region(of: state)), .duration, 0...longestElapsed, token)
  }

  /// - Parameter place: the output or the key that shows it.
  static func faultOfShownElapsed(_ place: String) -> String {
    "\"elapsed\" in \(quoted(place)) is always 0; set a value to it in a transition, and write the value here"
  }

  /// The longest time in a panel file in milliseconds: 1 000 000 minutes.
  private var longestElapsed: Int128 { 60_000_000_000 }

  /// Returns the error for a name where only sensors, contacts and values are allowed; nil if it is one of them.
  private func faultOfInput(_ token: Token) -> String? {
    let name = quoted(token.text)
    switch names.thing(token.text) {
    case .input(let input):
      guard let device = names.inputDevices[input]?.derived else { return nil }
      return
        "\(name) is \(type(of: device).phrase); a computed switch can use only sensors, contacts and values; write its inputs in "
        + "place of \(name)"
    case .inputs, .value: return nil
    default:
      return names.hardware(token.text) != nil
        ? "\(name) is not an input; a computed switch can use only sensors, contacts and values, use \(name) in an if or a when"
        : "\(name) is not an input; a computed switch can use only sensors, contacts and values"
    }
  }

  private func number(
    _ number: Number, _ unit: Dimension, _ range: ResultBounds, _ token: Token, decimals: Int = 0
  ) -> Operand {
    .number(
      NumericOperand(
        number: number, unit: unit, range: narrowed[number]?.range ?? range, decimals: decimals, offset: token.offset,
        text: token.text))
  }

  // MARK: - Contacts of relays

  /// Whether `== closed`, `== open`, or the same with `!=` follows.
  private var isContactAsked: Bool { isFollowed(by: ["closed", "open"]) }

  private func contact(_ output: Int, _ token: Token) -> Operand? {
    if names.interlocked.contains(output) { return .subject(.contact(output: output), token) }
    let word = tokens[next + 1].text
    guard names.outputDevices[output].map({ type(of: $0).isInterlockable }) == true else {
      return fail(
        at: token,
        "only a relay with rest or in an interlock can be \(quoted(word)); \(quoted(token.text)) is not a relay")
    }
    let moves = word == "closed" ? "closes" : "is open"
    return fail(
      at: token,
      "only a relay with rest or in an interlock can be \(quoted(word)); \(quoted(token.text)) \(moves) as soon as "
        + (word == "closed" ? "a state shows it" : "no state shows it"))
  }

  // MARK: - Inputs

  private mutating func input(_ input: Int, _ token: Token) -> Operand? {
    guard let device = names.inputDevices[input] else { return nil }
    if let scale = device.scale, !isFollowed(by: device.positions + ["unknown"]) {
      let isClock = names.clock[.time] == input
      if isClock { names.usage.timeUses += 1 }
      return .number(
        NumericOperand(
          number: .reading(input), unit: isClock ? .time : .number,
          range: narrowed[.reading(input)]?.range ?? scale.range.bounds,
          decimals: scale.decimals, offset: token.offset, text: token.text))
    }
    if !device.positions.isEmpty || device.isKnownByEvents { return .subject(.input(input), token) }
    return fail(
      at: token,
      "\(type(of: device).word) \(quoted(token.text)) has no position; count its "
        + (type(of: device).control == .events ? "events" : "turns") + " in a value"
    )
  }

  /// Whether a comparison with one of these words follows, and the file doesn't use the word as a name.
  private func isFollowed(by words: [String]) -> Bool {
    guard let relation = current, relation.text == "==" || relation.text == "!=", next + 1 < tokens.count else {
      return false
    }
    return words.contains(tokens[next + 1].text) && names.thing(tokens[next + 1].text) == nil
  }

  /// Reads the number of a group's member in parentheses; returns its index and its name.
  private mutating func member(of group: PanelDefinition.Group, _ token: Token) -> (Int, Token)? {
    if let words = group.words { return member(of: group, words, token) }
    guard let part = inParentheses(after: token) else { return nil }
    guard case .constant(let number) = part.number else {
      return fail(at: part.offset, "\(part.name) is not constant; write a number, as \(token.text)(1)")
    }
    guard let member = group.member(number) else {
      return fail(at: part.offset, "\(token.text) has no member \(part.text); write \(group.choices)")
    }
    var name = token
    name.text = Names.member(number, of: token.text)
    return (member, name)
  }

  /// Reads the name of a group's member in parentheses; returns its index and its whole name.
  private mutating func member(
    of group: PanelDefinition.Group, _ words: [String], _ token: Token
  ) -> (Int, Token)? {
    advance()
    guard let word = current else { return fail(at: token, "\"(\" is not closed; write )") }
    guard let place = words.firstIndex(of: word.text) else {
      return fail(at: word, "\(token.text) has no member \(word.text); write \(group.choices)")
    }
    advance()
    guard let close = current, close.text == ")" else { return fail(at: word, "\"(\" is not closed; write )") }
    advance()
    var name = token
    name.text = group.memberNames[place]
    return (group.first + place, name)
  }

  /// Reads the number in the parentheses after a name.
  mutating func inParentheses(after name: Token) -> NumericOperand? {
    guard let open = current else { return nil }
    advance()
    guard let operand = disjunction(), let part = asNumber(operand) else { return nil }
    guard let close = current else { return fail(at: open, "\"(\" is not closed; write )") }
    guard close.text == ")" else {
      return fail(at: close, "\(quoted(close.text)) is not allowed in \(name.text); write )")
    }
    advance()
    return check.isPlace(part) ? part : nil
  }

  // MARK: - Lists

  /// Reads an element of a list as the key of an assignment, and returns its place.
  mutating func elementPlace(of name: Token) -> Number? {
    advance()
    guard case .value(let value) = names.thing(name.text), let list = names.lists[value]?.place,
      let operand = listOperand(list, name), isAtEnd(), case .number(let read) = operand,
      case .element(_, let place) = read.number
    else { return nil }
    return place
  }

  /// Reads a list, or one of its elements.
  private mutating func listOperand(_ list: ListSlots, _ token: Token) -> Operand? {
    guard current?.text == "(" else { return .list(list, token) }
    guard let place = inParentheses(after: token), let declared = names.lists[list.value] else { return nil }
    if place.range.upperBound < 1 || place.range.lowerBound > Int128(list.capacity) {
      return fail(
        at: place.offset,
        "\(place.name) is not the number of an element of \(quoted(token.text)); write 1...\(list.capacity)")
    }
    // The result is 0 for a place outside the list.
    let canMiss =
      !declared.isFilled || place.range.lowerBound < 1 || place.range.upperBound > Int128(list.capacity)
    let elements = declared.elements
    let range = canMiss ? min(0, elements.lowerBound)...max(0, elements.upperBound) : elements
    return .number(
      NumericOperand(
        number: .element(list, at: place.number), unit: names.unit(of: list.value), range: range.bounds,
        decimals: names.decimals(of: list.value), offset: token.offset, text: written(from: token.offset)))
  }

  /// Reads the length of a list: `code.count`; nil for any other name.
  private func listCount(_ token: Token) -> Operand? {
    guard token.text.hasSuffix(".count"), case .value(let value) = names.thing(String(token.text.dropLast(6))),
      let list = names.lists[value]?.place
    else { return nil }
    return number(.value(list.value), .number, (0...list.capacity).bounds, token)
  }
}

extension ExpressionCheck {
  /// Reads the elements in a text between apostrophes, each one a digit.
  func elements(_ token: Token, of list: ListSlots) -> [Int]? {
    guard let declared = names.lists[list.value] else { return nil }
    var elements: [Int] = []
    for digit in token.text.dropFirst().dropLast() {
      guard digit.isASCII, let element = declared.element(String(digit)) else {
        return fail(
          at: token,
          "\(digit) in \(token.text) is not an element of \(quoted(declared.value.name)); write \(declared.rangeText)")
      }
      elements.append(element)
    }
    guard elements.count <= list.capacity else {
      return fail(
        at: token,
        "\(token.text) has \(elements.count) elements; \(quoted(names.values[list.value])) has at most \(list.capacity)"
      )
    }
    return elements
  }

  /// Whether a part can select a member or an element: a whole number. Adds a problem if not.
  func isPlace(_ part: NumericOperand) -> Bool {
    guard part.unit == .number, part.decimals == 0 else {
      problems.add(
        source.position(at: part.offset), "\(part.name) is not a whole number; write the number of an element, from 1")
      return false
    }
    return true
  }
}
