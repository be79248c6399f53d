import Terminal

/// Advice for texts that are not valid in a transition.
struct TransitionHints {
  /// Keys of transitions in other languages, and their equivalents here.
  private static let otherKeys = [
    "show": "write it in the state that the transition leads to", "then": "write go:", "do": "write go: or set:",
    "else": "write a list: [ { go: STATE, if: CONDITION }, OTHER ]",
    "after": "write after: { 3s: STATE } in the state", "delay": "write after: { 3s: STATE } in the state",
    "wait": "write after: { 3s: STATE } in the state",
  ]

  private static let keys = Grammar.transition.keys.map(\.name)

  let names: Names

  /// The advice for an unknown key; nil if there is none.
  func advice(_ entry: YAMLNode.Entry) -> String? {
    if let advice = Self.otherKeys[entry.key] { return advice }
    guard case .scalar(let text) = entry.value.content else {
      // A comma has ended the comparison before it.
      let isComparison = Token.list(of: entry.key).contains { Relation(rawValue: $0.text) != nil }
      return entry.value.content == .nothing && isComparison
        ? "a comma has ended the condition, join comparisons with \"and\" or \"or\"" : nil
    }
    switch names.thing(entry.key) {
    case .value: return "write set: { \(entry.key): \(text) }"
    case .output, .outputs: return "write show: { \(entry.key): \(text) } in a state"
    default: return nil
    }
  }

  /// The problem of a text that sets a value at the place of a state: `n + 1`; nil for any other text.
  func faultOfTarget(_ text: String) -> String? {
    // Most names of states are one word.
    guard text.utf8.contains(where: { " +-=*/".utf8.contains($0) }) else { return nil }
    let tokens = Token.list(of: text)
    guard tokens.count > 1, case .value = names.thing(tokens[0].text) else { return nil }
    return "\(quoted(text)) is not a state; write { set: { \(tokens[0].text): \(change(in: text, tokens)) } }"
  }

  /// The text after the name in a `set` that a text such as `n = 4`, `n += 2` or `n * 2` means.
  private func change(in text: String, _ tokens: [Token]) -> String {
    let sign = tokens[1].text
    // `n += 2` means `n + 2`, and `n++` means `n + 1`.
    let rest = tokens.dropFirst(2).drop { $0.text == "=" }
    guard let first = rest.first, rest.count > 1 || first.kind != .sign else { return sign == "-" ? "-1" : "+1" }
    let amount = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(first.offset)))
    switch sign {
    case "+", "-": return sign + amount
    // Without `=`, a sign would change the value.
    case "=", "==": return first.kind == .sign ? "= \(amount)" : amount
    case "*", "/": return "\(tokens[0].text) \(sign) \(amount)"
    default: return "+1"
    }
  }

  /// The problem of a time of day at the place of a duration: `06:30`; nil for any other text.
  static func faultOfTime(_ entry: YAMLNode.Entry) -> String? {
    guard let time = ClockReader.timeMeant(by: entry.key) else { return nil }
    let target = if case .scalar(let text) = entry.value.content { text } else { "STATE" }
    return "\(entry.key) is a time of day; write at: { \"\(time)\": \(target) }"
  }

  /// The problem of a key of a transition beside the events, the times or the conditions of the key `outer`; nil for
  /// any other key.
  func fault(ofKey key: String, beside outer: String) -> String? {
    guard Self.keys.contains(key), names.thing(key) == nil else { return nil }
    let example = ["on": "bell.pressed", "when": "level >= 10"][outer] ?? "3s"
    return "\(quoted(key)) is inside \(quoted(outer)); it is a key of a transition, write \(example): { go: STATE }"
  }
}
