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

/// Returns the name of `known` that `name` most likely means; nil if none is similar.
package func nearest(to name: String, among known: [String]) -> String? {
  let wanted = Array(name.lowercased().utf8.prefix(41))
  guard (2...40).contains(wanted.count) else { return nil }
  var best: (name: String, distance: Int)?
  for candidate in known.prefix(200) {
    let letters = Array(candidate.lowercased().utf8.prefix(41))
    let limit = min(3, max(wanted.count, letters.count) / 3)
    guard abs(letters.count - wanted.count) <= limit else { continue }
    let distance = editDistance(wanted, letters)
    if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.name
}

/// Returns the number of letters to insert, delete, replace or swap with their neighbour to turn `a` into `b`.
package func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
