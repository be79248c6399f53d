import Terminal

/// The numbers of one panel for Prometheus, as `panel status --prometheus` prints them.
///
/// Each line of the panel's reply is checked. With one malformed line, Prometheus would reject the numbers of all
/// panels. A line with the name of another panel would count for that panel.
struct PrometheusNumbers {
  let lines: [String]
  /// A problem that the numbers don't show; nil if there is none, or if the panel does not run.
  let fault: String?

  init(_ row: Status.Row) {
    guard let why = row.fault else {
      lines = row.lines.filter { Self.isNumber($0, of: row.name) }
      let count = row.lines.count - lines.count
      fault = count > 0 ? "\(row.name): \(counted(count, "line")) left out that no panel of this name writes" : nil
      return
    }
    lines = ["panel_up{panel=\"\(row.name)\"} 0"]
    fault = row.status == Status.notRunning ? nil : "\(row.name): \(why)"
  }

  /// Whether a line has the form `panel_value{panel="doorbell",name="level"} 7`, with this name.
  static func isNumber(_ line: String, of name: String) -> Bool {
    var rest = line[...]
    func skip(_ text: String) -> Bool {
      guard rest.hasPrefix(text) else { return false }
      rest = rest.dropFirst(text.count)
      return true
    }
    func skip(_ isPart: (Character) -> Bool) -> Bool {
      let part = rest.prefix(while: isPart)
      rest = rest.dropFirst(part.count)
      return !part.isEmpty
    }
    let isOfName = { (character: Character) in character.isASCII && (character.isLetter || character == "_") }
    guard visible(line) == line, rest.hasPrefix("panel_"), skip(isOfName), skip("{panel=\"\(name)\"") else {
      return false
    }
    while skip(",") {
      guard skip(isOfName), skip("=\"") else { return false }
      while let character = rest.first, character != "\"" {
        rest = rest.dropFirst()
        guard character == "\\" else { continue }
        guard let escaped = rest.first, ["\\", "\"", "n"].contains(escaped) else { return false }
        rest = rest.dropFirst()
      }
      guard skip("\"") else { return false }
    }
    guard skip("} ") else { return false }
    _ = skip("-")
    return skip { $0.isASCII && $0.isNumber } && rest.isEmpty
  }
}
