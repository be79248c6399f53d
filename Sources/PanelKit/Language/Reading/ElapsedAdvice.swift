import Terminal

/// Advice for a comparison of `elapsed` in a `when`, which is not checked while time passes: `n > 3 and elapsed > 5m`.
struct ElapsedAdvice {
  /// The text to write instead.
  let text: String

  /// Returns nil for a condition without `elapsed`.
  init?(_ entry: YAMLNode.Entry, _ names: Names) {
    let tokens = Token.list(of: entry.key)
    guard names.thing("elapsed") == nil, tokens.contains(where: { $0.text == "elapsed" }) else { return nil }
    let parts = Self.conjunction(tokens)
    let times = parts.map { Self.time(in: $0) }
    guard let place = times.firstIndex(where: { $0 != nil }), let time = times[place] else {
      let time = tokens.first { (try? Quantity.duration($0.text)) != nil }?.text ?? "3s"
      text = "\"when\" is not checked as time passes, write after: { \(time): STATE } and check the rest in that state"
      return
    }
    let target = Self.target(of: entry)
    let rest = parts.indices.filter { $0 != place }.map { part in
      let (first, last) = (parts[part].first, parts[part].last)
      let end = last.map { $0.offset + $0.text.unicodeScalars.count } ?? 0
      return String(
        String.UnicodeScalarView(entry.key.unicodeScalars.prefix(end).dropFirst(first?.offset ?? 0)))
    }
    text =
      rest.isEmpty
      ? "write after: { \(time): \(target) }"
      : "write a state inside this one, after: { \(time): STATE }, and in it when: { \(rest.joined(separator: " and ")): \(target) }"
  }

  /// The parts of a condition that are joined by `and`; one part if other words join some of them.
  private static func conjunction(_ tokens: [Token]) -> [[Token]] {
    var parts: [[Token]] = [[]]
    var depth = 0
    for token in tokens {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      if depth == 0, token.text == "or" { return [tokens] }
      if depth == 0, token.text == "and" { parts.append([]) } else { parts[parts.count - 1].append(token) }
    }
    return parts
  }

  /// The time after which a comparison holds, for example of `elapsed > 5m` and of `5m < elapsed`; nil for any other.
  private static func time(in comparison: [Token]) -> String? {
    guard comparison.count == 3 else { return nil }
    let (left, sign, right) = (comparison[0].text, comparison[1].text, comparison[2].text)
    let time = left == "elapsed" && [">", ">="].contains(sign) ? right : left
    guard left == "elapsed" ? [">", ">="].contains(sign) : right == "elapsed" && ["<", "<="].contains(sign),
      (try? Quantity.duration(time)) != nil
    else { return nil }
    return time
  }

  private static func target(of entry: YAMLNode.Entry) -> String {
    switch entry.value.content {
    case .scalar(let state): return state
    case .map(let entries):
      if case .scalar(let state)? = entries.first(where: { $0.key == "go" })?.value.content { return state }
      return "STATE"
    default: return "STATE"
    }
  }
}
