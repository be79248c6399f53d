import Terminal

/// Finds the probable meaning of invalid operands: an event, a word next to a number, a unit. Adds the problem for
/// each.
extension ExpressionReader {
  /// Adds the problem for an unknown name, or for a name without a number or a position.
  func unknown(_ token: Token) -> Operand? {
    let before = token.text.prefix { $0 != "-" }
    if before.count < token.text.count, case .value = names.thing(String(before)) {
      let after = token.text.dropFirst(before.count + 1)
      return fail(
        at: token,
        "unknown value \(quoted(token.text)); to subtract, write spaces around -: \(before) - \(after)")
    }
    if let advice = adviceForEvent(token.text) {
      return fail(at: token, "\(quoted(token.text)) is an event, not a condition; \(advice)")
    }
    if token.text == "playing" {
      return fail(
        at: token,
        "\"playing\" can't be used in a condition; use the state that plays the sound, or write expect: { playing: [ chime ] }"
      )
    }
    if ["true", "false", "yes", "no"].contains(token.text), names.thing(token.text) == nil {
      return fail(at: token, "\(quoted(token.text)) can't be used in a condition; compare a value: level >= 10")
    }
    switch names.thing(token.text) {
    case .sound, .sounds:
      return fail(
        at: token,
        "\(quoted(token.text)) is a sound, not a condition; use the state that plays it, or react to "
          + "\(token.text).finished")
    default: _ = names.value(token.text, at: position(of: token.offset), problems)
    }
    return nil
  }

  /// Returns what to write instead of an event in a condition; nil for any other name.
  private func adviceForEvent(_ text: String) -> String? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return nil }
    let reaction = "write on: { \(text): STATE }"
    if names.hardware(parts[0]) != nil {
      return ["lost": "write \(parts[0]) == lost", "restored": "write \(parts[0]) == there"][parts[1]]
    }
    switch names.thing(parts[0]) {
    case .input(let input):
      guard let device = names.inputDevices[input] else { return nil }
      if device.positions.contains(parts[1]) { return "write \(parts[0]) == \(parts[1])" }
      return device.events.contains(parts[1]) ? reaction : nil
    case .inputs(let group):
      let group = names.inputGroups[group]
      guard let device = names.inputDevices[group.first], device.events.contains(parts[1]) else { return nil }
      guard device.positions.contains(parts[1]) else { return reaction }
      return "use one of them: \(Names.member(group.range.upperBound, of: parts[0])) == \(parts[1])"
    case .sound, .sounds: return parts[1] == "finished" ? reaction : nil
    default: return nil
    }
  }

  /// Adds a problem for a word that describes a state, where a number is required: `level == off`. Returns false for
  /// any other word.
  func refusesWord(_ token: Token, besideNumber number: NumericOperand) -> Bool {
    let device: (any InputKind)? =
      if case .reading(let input) = number.number { names.inputDevices[input] } else { nil }
    if let device {
      let words = device.positions.reversed() + ["unknown"]
      if isMisspelt(token, of: words) {
        let choices = words.count == 1 ? words[0] : words.dropLast().joined(separator: ", ") + " or unknown"
        problems.add(
          position(of: token.offset),
          "\(type(of: device).phrase) can't be \(quoted(token.text)); write \(choices)")
        return true
      }
    }
    guard token.kind == .name, names.thing(token.text) == nil, saysHowSomethingIs(token.text) else { return false }
    var right = "\(number.unit.noun), \(number.text(of: number.range))"
    if let device { right += device.isSensor ? ", or lost" : ", or unknown" }
    if case .member(let group) = number.number {
      right +=
        "; for one of them write \(Names.member(names.inputGroups[group].range.upperBound, of: number.text)) == pressed"
    }
    problems.add(
      position(of: token.offset), "\(number.name) can't be \(quoted(token.text)); it is \(right)")
    return true
  }

  /// Whether an unknown name is similar to one of these words.
  private func isMisspelt(_ token: Token, of words: [String]) -> Bool {
    guard token.kind == .name, names.thing(token.text) == nil, !words.contains(token.text) else { return false }
    return problems.suggestion(for: token.text, among: words, called: "words").hasPrefix("did you mean")
      && !problems.suggestion(for: token.text, among: names.values, called: "values").hasPrefix("did you mean")
  }

  private func saysHowSomethingIs(_ word: String) -> Bool {
    ["on", "off", "true", "false", "yes", "no", "there", "lost", "blinking", "pulsing"].contains(word)
      || names.inputDevices.contains { $0?.positions.contains(word) ?? false }
  }

  /// Returns the digits that were probably meant where a list is compared with a number, or with digits in quotation
  /// marks or brackets.
  func digitsMeant(for list: ListSlots) -> String {
    let digits = tokens[next...].flatMap { token in token.kind == .number ? token.text.filter(\.isNumber) : "" }
    let areElements = digits.allSatisfy { digit in
      names.lists[list.value]?.element(String(digit)) != nil
    }
    return digits.isEmpty || !areElements ? "12" : String(digits)
  }

  /// Returns the quoted word at this place; nil for any other token. Display texts have quotation marks or apostrophes.
  func wordInQuotes() -> String? {
    guard let token = current else { return nil }
    if token.kind == .digits { return String(token.text.dropFirst().dropLast()) }
    guard token.kind == .strange, ["\"", "'"].contains(token.text), next + 1 < tokens.count else { return nil }
    return tokens[next + 1].text
  }

  /// Returns the quoted text of several words at this place, as a display shows it, and its number of tokens; nil for a
  /// single word.
  func textInQuotes() -> (token: Token, count: Int)? {
    guard let token = current else { return nil }
    if token.kind == .digits {
      let text = String(token.text.dropFirst().dropLast())
      return Token.list(of: text).count == 1 ? nil : (Token(kind: .name, text: text, offset: token.offset), 1)
    }
    guard token.text == "\"", let end = tokens[(next + 1)...].firstIndex(where: { $0.text == "\"" }), end > next + 2
    else {
      return nil
    }
    let text = text(from: token.offset + 1, to: tokens[end].offset)
    return (Token(kind: .name, text: text, offset: token.offset), end - next + 1)
  }

  /// Adds a problem for a unit after a number that has none here: `20°C`, `80%`. Returns false for any other token.
  func refusesUnit(_ token: Token) -> Bool {
    let following = token.text == "%" && next + 1 < tokens.count ? tokens[next + 1] : nil
    // After a number, the `%` in `80% - n` is a unit.
    let isSigned = following.map { ["+", "-"].contains($0.text) } ?? false && tokens[max(0, next - 1)].kind != .number
    if let following, [.name, .number].contains(following.kind) || following.text == "(" || isSigned {
      problems.add(position(of: token.offset), "\"%\" is not an operator; write mod")
      return true
    }
    guard next > 0, tokens[next - 1].kind == .number, token.kind == .strange, ["°", "%", "µ", "Ω"].contains(token.text)
    else { return false }
    problems.add(
      position(of: token.offset),
      "unexpected unit after \(tokens[next - 1].text); this number has no unit, write \(tokens[next - 1].text)")
    return true
  }
}
