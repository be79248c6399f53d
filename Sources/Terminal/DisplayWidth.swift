/// Measures and cuts lines with the escape sequences of ``Style``, which have no width.
package enum DisplayWidth {
  /// Returns the number of columns of the line.
  package static func width(of line: String) -> Int {
    var width = 0
    var isControl = false
    for character in line {
      if character == "\u{1B}" { isControl = true }
      if !isControl { width += 1 }
      if character == "m" { isControl = false }
    }
    return width
  }

  /// Returns the line cut to at most `columns` columns. If text is missing, its last character is `…`.
  package static func cut(_ line: String, to columns: Int) -> String {
    // Most lines have fewer bytes than there are columns.
    if line.utf8.count <= columns || width(of: line) <= columns { return line }
    var result = ""
    var width = 0
    var isControl = false
    for character in line {
      if character == "\u{1B}" { isControl = true }
      if isControl {
        result.append(character)
      } else {
        width += 1
        if width < columns { result.append(character) } else if width == columns { result.append("…") }
      }
      if character == "m" { isControl = false }
    }
    return result
  }

  /// Returns the line, padded with spaces on the right up to `columns` columns.
  package static func pad(_ line: String, to columns: Int) -> String {
    line + String(repeating: " ", count: max(0, columns - width(of: line)))
  }

  /// Wraps the words of a plain text in lines of at most `columns` columns. A longer word gets its own line.
  package static func wrap(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
