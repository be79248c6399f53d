import Testing

/// The site of the documentation is not built if a declaration documents some of its parameters and not all.
@Suite("Documented parameters")
struct ParameterTests {
  /// The text of a declaration from `func` or `init` to the end of its parameters.
  private func parameters(of lines: ArraySlice<Substring>) -> [String]? {
    guard let first = lines.first, let start = first.firstRange(of: /\b(func [^(]*|init[?]?|subscript)(<[^(]*>)?\(/)
    else { return nil }
    let text = first[start.upperBound...] + "\n" + lines.dropFirst().prefix(40).joined(separator: "\n")
    var depth = 0
    var names: [String] = []
    var part = ""
    for character in text {
      if depth == 0, character == ")" || character == "," {
        if let name = name(of: part) { names.append(name) }
        if character == ")" { return names }
        part = ""
        continue
      }
      if "([{<".contains(character) { depth += 1 }
      if ")]}".contains(character) || character == ">" && part.last != "-" { depth -= 1 }
      part.append(character)
    }
    return nil
  }

  /// The name by which the body knows a parameter: the last word before the colon.
  private func name(of parameter: String) -> String? {
    guard let colon = parameter.firstIndex(of: ":") else { return nil }
    return parameter[..<colon].split { $0 == " " || $0 == "\n" }.last.map(String.init)
  }

  /// The parameters that a comment documents; nil if it documents none.
  private func documented(in comment: [String]) -> Set<String>? {
    var names: Set<String> = []
    for line in comment {
      if let match = line.firstMatch(of: /- Parameter ([^ :]+):/) { names.insert(String(match.1)) }
      if let match = line.firstMatch(of: /^\/\/\/ {3}- ([^ :]+):/) { names.insert(String(match.1)) }
    }
    return comment.contains { $0.contains("- Parameter") } ? names : nil
  }

  @Test("a declaration documents all of its parameters, or none")
  func all() {
    var count = 0
    for file in SourceFile.all(below: "Sources") {
      var comment: [String] = []
      for (place, line) in file.lines.enumerated() {
        let text = line.drop { $0 == " " }
        if text.hasPrefix("///") {
          comment.append(String(text))
          continue
        }
        if text.hasPrefix("@") { continue }
        defer { comment = [] }
        guard text.contains("public"), let names = documented(in: comment),
          let parameters = parameters(of: file.lines[place...])
        else { continue }
        count += 1
        #expect(names == Set(parameters), "\(file.path):\(place + 1)")
      }
    }
    #expect(count > 100)
  }
}
