import Terminal

/// Steps of one line, as they are typed: `press bell`, `hold bell=1500ms`, `expect state=idle playing=chime,hum`.
enum StepLine {
  static let longest = 4096

  private struct Word {
    var text: Substring
    var column: Int
  }

  /// The step in a line; nil where there is nothing in it but blanks and a comment. Throws all that is wrong with it.
  static func read(
    _ text: String, line: Int, file: String, for panel: PanelDefinition
  ) throws(Problems) -> Scenario.PlacedStep? {
    try read(text, line: line, file: file, names: Names(panel))
  }

  /// As above, with names that the caller makes once for many lines.
  static func read(
    _ text: String, line: Int, file: String, names: Names
  ) throws(Problems) -> Scenario.PlacedStep? {
    let problems = ProblemList()
    guard text.utf8.count <= longest else {
      problems.add(Position(line: line, column: 1), "longer than \(longest) bytes; write one step a line")
      throw problems.problems(of: file)
    }
    let words = words(of: text)
    guard let first = words.first else { return nil }
    let step = node(of: words, line: line, problems).flatMap { node in
      StepReader(names: names, problems: problems).step(node)
    }
    guard let step, problems.count == 0 else {
      if problems.count == 0 {
        problems.add(Position(line: line, column: first.column), "no step; write one as press bell")
      }
      throw problems.problems(of: file)
    }
    return step
  }

  /// The words of the line, up to a word that begins with `#`: a comment.
  private static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var start: String.Index?
    var startColumn = 1
    var column = 1
    let scalars = text.unicodeScalars
    for index in scalars.indices {
      if scalars[index].properties.isWhitespace {
        if let begun = start { words.append(Word(text: text[begun..<index], column: startColumn)) }
        start = nil
      } else if start == nil {
        if scalars[index] == "#" { return words }
        start = index
        startColumn = column
      }
      column += 1
    }
    if let begun = start { words.append(Word(text: text[begun...], column: startColumn)) }
    return words
  }

  /// Converts the words to the node that the same step in a file has.
  private static func node(of words: [Word], line: Int, _ problems: ProblemList) -> YAMLNode? {
    let verb = words[0]
    let position = Position(line: line, column: verb.column)
    let arguments = words.dropFirst()
    func node(_ content: YAMLNode.Content, _ column: Int) -> YAMLNode {
      YAMLNode(content: content, position: Position(line: line, column: column))
    }
    func step(_ value: YAMLNode) -> YAMLNode {
      node(.map([.init(key: String(verb.text), position: position, value: value)]), verb.column)
    }
    guard let known = Grammar.steps.first(where: { $0.word == verb.text }) else {
      return step(node(.nothing, verb.column))
    }
    func refuse(_ column: Int, _ what: String) -> YAMLNode? {
      problems.add(Position(line: line, column: column), "\(what); write it as \(known.inLine)")
      return nil
    }
    switch known.form {
    case .nothing, .input, .word:
      let count = known.form == .nothing ? 0 : 1
      if arguments.count < count { return refuse(verb.column, "\(quoted(known.word)) of what") }
      if let extra = arguments.dropFirst(count).first {
        return refuse(extra.column, "\(quoted(String(extra.text))) is too much")
      }
      guard let argument = arguments.first else { return step(node(.nothing, verb.column)) }
      return step(node(.scalar(String(argument.text)), argument.column))
    case .inputWithValue, .expectations:
      guard !arguments.isEmpty else { return refuse(verb.column, "\(quoted(known.word)) of what") }
      if known.form == .inputWithValue, let extra = arguments.dropFirst().first {
        return refuse(extra.column, "\(quoted(String(extra.text))) is too much")
      }
      var pairs = Pairs()
      for argument in arguments {
        guard let equals = argument.text.firstIndex(of: "=") else {
          return refuse(argument.column, "\(quoted(String(argument.text))) has no =")
        }
        let name = String(argument.text[..<equals])
        let value = argument.text[argument.text.index(after: equals)...]
        let valueColumn = argument.column + name.unicodeScalars.count + 1
        let content: YAMLNode.Content = name == "playing" ? list(value, line, valueColumn) : .scalar(String(value))
        let entry = YAMLNode.Entry(
          key: name, position: Position(line: line, column: argument.column), value: node(content, valueColumn))
        if let twice = pairs.add(entry) { return refuse(argument.column, "\(quoted(twice)) twice") }
      }
      return step(node(.map(pairs.entries), arguments.first?.column ?? verb.column))
    }
  }

  private static func list(_ text: Substring, _ line: Int, _ column: Int) -> YAMLNode.Content {
    if text.isEmpty { return .list([]) }
    var column = column
    return .list(
      text.split(separator: ",", omittingEmptySubsequences: false).map { name in
        defer { column += name.unicodeScalars.count + 1 }
        return YAMLNode(content: .scalar(String(name)), position: Position(line: line, column: column))
      })
  }

  /// The entries of a map; all `state.REGION` entries are merged into one `state` entry, as in a file.
  private struct Pairs {
    var entries: [YAMLNode.Entry] = []

    /// Adds the entry; returns its name instead if there is one of that name already.
    mutating func add(_ entry: YAMLNode.Entry) -> String? {
      guard entry.key.hasPrefix("state.") else {
        if entries.contains(where: { $0.key == entry.key }) { return entry.key }
        entries.append(entry)
        return nil
      }
      let region = YAMLNode.Entry(
        key: String(entry.key.dropFirst("state.".count)), position: entry.position, value: entry.value)
      guard let index = entries.firstIndex(where: { $0.key == "state" }) else {
        let regions = YAMLNode(content: .map([region]), position: entry.position)
        entries.append(.init(key: "state", position: entry.position, value: regions))
        return nil
      }
      guard case .map(let regions) = entries[index].value.content, !regions.contains(where: { $0.key == region.key })
      else { return entry.key }
      entries[index].value.content = .map(regions + [region])
      return nil
    }
  }
}
