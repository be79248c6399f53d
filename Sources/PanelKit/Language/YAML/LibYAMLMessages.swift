import CycleCore
import Terminal

/// Translates libyaml's messages about invalid YAML into the messages of this project.
enum LibYAMLMessages {
  private static let texts: [(libyaml: String, ours: String)] = [
    ("did not find expected key", "a key should be here; check the indentation and the brackets above"),
    ("did not find expected '-' indicator", "the list ends here; start all its items with - in the same column"),
    (
      "mapping values are not allowed in this context",
      "unexpected \":\"; check the indentation, or put the text in quotes"
    ),
    (
      "block sequence entries are not allowed in this context",
      "unexpected \"-\"; start the list on a new line"
    ),
    ("could not find expected ':'", "a key has no \":\"; write key: value"),
    ("found unexpected end of stream", "the quotes are not closed; add the closing quote"),
    ("did not find expected <document start>", "text after the document's end; remove it or check the brackets"),
    ("did not find expected node content", "a value is missing; write it, or remove the brackets"),
    ("found incompatible YAML document", "unsupported %YAML directive; remove it"),
    ("found undefined tag handle", "unknown tag (!); remove it"),
  ]

  /// Whether the error is at the start of the faulty part, and not at the place where libyaml stopped reading.
  static func beginsAtContext(_ words: String) -> Bool {
    words == "found unexpected end of stream" || words == "could not find expected ':'"
  }

  /// - Parameter start: the start of the list or map that contains the error, if libyaml reports it.
  static func text(
    for words: String, at position: Position, inside start: Position?, in bytes: [UInt8]
  ) -> String {
    if words == "found character that cannot start any token" || words.contains(text: "tab") {
      switch character(at: position, in: bytes) {
      case "\t": return "unexpected tab; indent with spaces"
      case let other?: return "a text can't begin with \(quoted(String(other))); put it in quotes"
      case nil: break
      }
    }
    if words == "could not find expected ':'", let (key, value) = parts(withoutBlank: text(at: position, in: bytes)) {
      return text(ofMissingBlank: key, value)
    }
    if words.hasPrefix("did not find expected ','"), position.column > 1, character(at: position, in: bytes) == "[",
      let before = character(at: Position(line: position.line, column: position.column - 1), in: bytes),
      before.properties.isAlphabetic
    {
      return "unexpected \"[\" after a name; write ( ) for one member: pad(1)"
    }
    if words.hasPrefix("did not find expected ','"), character(at: position, in: bytes) == "[",
      text(at: Position(line: position.line, column: 1), in: bytes).unicodeScalars.prefix(position.column - 1)
        .last(where: { $0 != " " }) == "="
    {
      return "unexpected \"[\" in a comparison; write the elements of a list between apostrophes: code == '12'"
    }
    if words == "did not find expected ',' or '}'", character(at: position, in: bytes) == "{" {
      return "unexpected \"{\" in a text; put the text in quotes: \"Level {level}\""
    }
    for (end, kind) in [("]", "list"), ("}", "map")] where words == "did not find expected ',' or '\(end)'" {
      let line = start.flatMap { $0.line < position.line ? " that begins in line \($0.line)" : nil }
      return "the \(kind)\(line ?? "") is not closed; write , or \(end) before this"
    }
    for text in texts where words == text.libyaml { return text.ours }
    return "invalid YAML: \(words); check the indentation, brackets and quotes"
  }

  /// Splits a text into a word before a colon and a word directly after it; nil for any other text.
  static func parts(withoutBlank text: String) -> (key: String, value: String)? {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
    let value = text[text.index(after: colon)...]
    guard let first = value.first, first != " ", first != ":" else { return nil }
    return (String(text[..<colon]), String(value))
  }

  static func text(ofMissingBlank key: String, _ value: String) -> String {
    "no space after the colon of \(quoted("\(key):\(value)")); write \(visible(key)): \(visible(value))"
  }

  /// Returns the problem that the previous line has a key and a value without a blank between them. YAML reads that
  /// line and the next as one text. nil for other errors.
  static func missingBlank(
    for words: String, before position: Position, in bytes: [UInt8]
  ) -> (Position, text: String)? {
    guard words == "mapping values are not allowed in this context", position.line > 1 else { return nil }
    let line = text(at: Position(line: position.line - 1, column: 1), in: bytes)
    let blanks = line.prefix { $0 == " " }.count
    // Inside quotation marks or brackets, a colon does not separate a key from its value.
    guard let first = line.dropFirst(blanks).first, !"\"'[{".contains(first) else { return nil }
    guard let (key, value) = parts(withoutBlank: String(line.dropFirst(blanks))) else { return nil }
    return (Position(line: position.line - 1, column: blanks + 1), text(ofMissingBlank: key, value))
  }

  /// Returns the rest of the line from a position on.
  private static func text(at position: Position, in bytes: [UInt8]) -> String {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: position.line, omittingEmptySubsequences: false)
    guard position.line <= lines.count else { return "" }
    let line = String(decoding: lines[position.line - 1], as: UTF8.self).unicodeScalars.dropFirst(position.column - 1)
    let text = String(String.UnicodeScalarView(line.prefix { $0 != "\r" && $0 != "#" }))
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  private static func character(at position: Position, in bytes: [UInt8]) -> Unicode.Scalar? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: position.line, omittingEmptySubsequences: false)
    guard position.line <= lines.count else { return nil }
    return String(decoding: lines[position.line - 1], as: UTF8.self).unicodeScalars.dropFirst(position.column - 1).first
  }
}
