/// Returns the text in quotation marks for a message: control characters are made visible, and a long text is cut.
package func quoted(_ text: String) -> String {
  var result = "\""
  var count = 0
  for scalar in text.unicodeScalars {
    if count == 40 {
      result += "…"
      break
    }
    if scalar == "\"" { result += "\\\"" } else { result += visible(scalar) }
    count += 1
  }
  return result + "\""
}

/// Returns the text with visible control characters, so that a name in it can neither move a terminal's cursor nor
/// begin a line.
package func visible(_ text: String) -> String {
  // Nearly all texts have no control characters.
  if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
  return text.unicodeScalars.reduce(into: "") { $0 += visible($1) }
}

private func visible(_ scalar: Unicode.Scalar) -> String {
  switch scalar.value {
  case 0x0A: "\\n"
  case 0x09: "\\t"
  case 0x0D: "\\r"
  // C0 and C1, separators of lines and paragraphs, and characters that change the direction of writing.
  case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
    "\\u{\(String(scalar.value, radix: 16))}"
  default: PathBytes.byte(escapedAs: scalar).map { "\\x\(String($0, radix: 16))" } ?? String(scalar)
  }
}

/// Returns the names, separated by commas; cuts a long list.
package func listed(_ names: [String]) -> String {
  let shown = names.prefix(16).map { $0.count > 40 ? $0.prefix(40) + "…" : $0 }.joined(separator: ", ")
  return names.count > 16 ? "\(shown), …" : shown
}

/// Returns the names as a choice: `led, bar or relay`.
package func alternatives(_ names: [String]) -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return "\(names.dropLast().joined(separator: ", ")) or \(last)"
}

/// Returns the number with its noun: `1 input`, `2 inputs`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
