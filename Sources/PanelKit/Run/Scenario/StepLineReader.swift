import PanelLanguage
import Terminal

/// Reads a step that is typed on one line: `press bell`, `hold bell=1500ms`, `expect state=idle playing=chime,hum`,
/// `wait until="lamp == on" at-most=4s`. A point selects a key inside a map: `expect lamp.blink=250ms`.
package enum StepLineReader {
  static let longest = 4096

  /// Reads the step in a line; returns nil if the line has only blanks and a comment. Throws all problems in the line.
  package static func read(
    _ text: String, line: Int, file: String, for panel: PanelDefinition
  ) throws(Problems) -> Scenario.PlacedStep? {
    try read(text, line: line, file: file, names: Names(panel))
  }

  /// Reads a line as above, with names that the caller makes once for many lines.
  package static func read(
    _ text: String, line: Int, file: String, names: Names
  ) throws(Problems) -> Scenario.PlacedStep? {
    let problems = ProblemList()
    guard text.utf8.count <= longest else {
      problems.add(Position(line: line, column: 1), "longer than \(longest) bytes; write one step per line")
      throw problems.problems(of: file)
    }
    let words = LineWord.list(of: text)
    guard let first = words.first else { return nil }
    let step = StepLineNode(words: words, line: line, problems: problems).node().flatMap { node in
      StepReader(names: names, problems: problems).step(node)
    }
    guard let step, problems.count == 0 else {
      if problems.count == 0 {
        problems.add(Position(line: line, column: first.column), "this is not a step; write one, as press bell")
      }
      throw problems.problems(of: file)
    }
    return step
  }
}

/// A word of a line: `bell`, `bell=2s`, or `while="fan == on"` with blanks between quotation marks.
private struct LineWord {
  var text: Substring
  /// The column, from 1.
  var column: Int

  /// Whether the word opens a quotation and does not close it.
  var isOpen: Bool { text.utf8.count { $0 == UInt8(ascii: "\"") } == 1 }
  var isQuoted: Bool { text.first == "\"" }

  /// The name before the `=` and the value after it; nil without an `=`, or if a quotation begins before it.
  var parts: (name: String, value: LineWord)? {
    let bytes = text.utf8
    guard let equals = bytes.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\"") }),
      bytes[equals] == UInt8(ascii: "=")
    else { return nil }
    let name = String(text[..<equals])
    let value = LineWord(
      text: text[text.index(after: equals)...], column: column + name.unicodeScalars.count + 1)
    return (name, value)
  }

  /// Returns the word as a scalar, without its quotation marks.
  func scalar(_ line: Int) -> YAMLNode {
    let position = Position(line: line, column: column)
    let isWhole = text.count >= 2 && isQuoted && text.last == "\""
    let inside = isWhole ? text.dropFirst().dropLast() : text
    return YAMLNode(
      content: .scalar(String(inside)), position: position, textColumn: isWhole ? column + 1 : column)
  }

  /// Returns a list if the word is in brackets, otherwise a scalar.
  func node(_ line: Int) -> YAMLNode {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return scalar(line) }
    return LineWord(text: text.dropFirst().dropLast(), column: column + 1).list(line)
  }

  /// Returns the list of the names between commas.
  func list(_ line: Int) -> YAMLNode {
    var column = column
    let items = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
    return YAMLNode(
      content: .list(
        items.map { name in
          defer { column += name.unicodeScalars.count + 1 }
          return LineWord(text: name, column: column).scalar(line)
        }), position: Position(line: line, column: self.column))
  }

  /// Splits the line into words, up to a word that begins with `#`: a comment.
  static func list(of text: String) -> [LineWord] {
    var words: [LineWord] = []
    var start: String.Index?
    var startColumn = 1
    var column = 1
    var isInQuotation = false
    let scalars = text.unicodeScalars
    for index in scalars.indices {
      if scalars[index] == "\"" { isInQuotation.toggle() }
      if !isInQuotation, isBlank(scalars[index]) {
        if let begun = start { words.append(LineWord(text: text[begun..<index], column: startColumn)) }
        start = nil
      } else if start == nil {
        if scalars[index] == "#" { return words }
        start = index
        startColumn = column
      }
      column += 1
    }
    if let begun = start { words.append(LineWord(text: text[begun...], column: startColumn)) }
    return words
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    // Nearly every character is ASCII; a lookup of its properties takes fifty times as long.
    scalar.isASCII ? scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
  }
}

/// Converts the words of a line to the same node that the step has in a file.
private struct StepLineNode {
  let words: [LineWord]
  let line: Int
  let problems: ProblemList

  private var verb: LineWord { words[0] }
  private var arguments: ArraySlice<LineWord> { words.dropFirst() }

  /// Returns the node. Adds a problem and returns nil if the words don't fit.
  func node() -> YAMLNode? {
    if isInFileForm {
      problems.add(
        Position(line: line, column: verb.column),
        "this is the form for scenario files; here write it as \(meantExample)")
      return nil
    }
    guard let known = StepWord.named(String(verb.text)), let example = known.inLine else { return step(nothing) }
    if let open = words.first(where: { $0.isOpen }) {
      return refuse(open, "the quotation marks are not closed", example)
    }
    switch known.form {
    case .nothing, .block, .file:
      if let extra = arguments.first { return refuse(extra, "\(quoted(String(extra.text))) is not expected", example) }
      return step(nothing)
    case .list:
      guard let argument = arguments.first else { return step(node(.list([]), verb.column)) }
      return one(argument, example) { $0.list(line) }
    case .word, .names:
      guard let argument = arguments.first else {
        return refuse(verb, "\(quoted(known.word)) needs a name or a value", example)
      }
      return one(argument, example) { known.form == .names && $0.text.contains(",") ? $0.list(line) : $0.scalar(line) }
    case .wait, .textOrPairs, .pair, .restart:
      guard let argument = arguments.first else {
        return refuse(verb, "\(quoted(known.word)) needs a name or a value", example)
      }
      let isAlone =
        known.form == .wait && argument.parts == nil || known.form == .textOrPairs && argument.isQuoted
      if isAlone { return one(argument, example) { $0.scalar(line) } }
      if known.form == .pair, let extra = arguments.dropFirst().first {
        return refuse(extra, "\(quoted(String(extra.text))) is not expected", example)
      }
      return pairs(example)
    }
  }

  /// Whether the step is written as in a scenario file: `press: bell`, `- press: bell`, `{ press: bell }`.
  private var isInFileForm: Bool { ["-", "{"].contains(verb.text.first) || verb.text.hasSuffix(":") }

  /// The line example of the first step that the line names.
  private var meantExample: String {
    let names = words.lazy.map { String($0.text.prefix { $0 != ":" }.drop { $0 == "-" || $0 == "{" }) }
    return names.compactMap { StepWord.named($0)?.inLine }.first ?? "press bell"
  }

  /// Returns a step with exactly one argument.
  private func one(_ argument: LineWord, _ example: String, _ value: (LineWord) -> YAMLNode) -> YAMLNode? {
    if let extra = arguments.dropFirst().first {
      return refuse(extra, "\(quoted(String(extra.text))) is not expected", example)
    }
    return step(value(argument))
  }

  private func pairs(_ example: String) -> YAMLNode? {
    var entries: [YAMLNode.Entry] = []
    for argument in arguments {
      guard let (name, value) = argument.parts else {
        return refuse(argument, "\(quoted(String(argument.text))) has no =", example)
      }
      let node = ["playing", "sent"].contains(name) ? value.list(line) : value.node(line)
      guard add(node, at: path(name, argument.column)[...], to: &entries) else {
        return refuse(argument, "\(quoted(name)) is written twice", example)
      }
    }
    return step(node(.map(entries), arguments.first?.column ?? verb.column))
  }

  /// Splits a name at its points, with positions. `audio.volume` is one name, as in a file.
  private func path(_ name: String, _ column: Int) -> [(name: String, position: Position)] {
    guard name != "audio.volume" else { return [(name, Position(line: line, column: column))] }
    var column = column
    return name.split(separator: ".", omittingEmptySubsequences: false).map { part in
      defer { column += part.unicodeScalars.count + 1 }
      return (String(part), Position(line: line, column: column))
    }
  }

  /// Adds a value to a map or to a nested map, one level for each name of the path. Returns false if the value exists.
  private func add(
    _ node: YAMLNode, at path: ArraySlice<(name: String, position: Position)>, to entries: inout [YAMLNode.Entry]
  ) -> Bool {
    guard let (name, position) = path.first else { return false }
    let place = entries.firstIndex { $0.key == name }
    guard path.count > 1 else {
      if place == nil { entries.append(.init(key: name, position: position, value: node)) }
      return place == nil
    }
    var inside: [YAMLNode.Entry] = []
    if let place {
      guard case .map(let known) = entries[place].value.content else { return false }
      inside = known
    }
    guard add(node, at: path.dropFirst(), to: &inside) else { return false }
    if let place {
      entries[place].value.content = .map(inside)
    } else {
      entries.append(.init(key: name, position: position, value: YAMLNode(content: .map(inside), position: position)))
    }
    return true
  }

  private var nothing: YAMLNode { node(.nothing, verb.column) }

  private func node(_ content: YAMLNode.Content, _ column: Int) -> YAMLNode {
    YAMLNode(content: content, position: Position(line: line, column: column))
  }

  private func step(_ value: YAMLNode) -> YAMLNode {
    let position = Position(line: line, column: verb.column)
    return node(.map([.init(key: String(verb.text), position: position, value: value)]), verb.column)
  }

  private func refuse(_ word: LineWord, _ what: String, _ example: String) -> YAMLNode? {
    problems.add(Position(line: line, column: word.column), "\(what); write it as \(example)")
    return nil
  }
}
