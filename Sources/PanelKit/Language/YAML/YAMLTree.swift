// Reads the events of libyaml instead of the nodes of Yams. Events come in sequence, so deep brackets can't overflow
// the stack. An alias is rejected before it can multiply anything, and every duplicate key adds a problem.
internal import CYAML
import Glibc
import Terminal

/// Builds the tree of one YAML document.
package struct YAMLTree {
  /// The limit of nested levels. A panel file needs eight.
  static let deepest = 64

  /// A list or a map that has not ended yet.
  private struct Open {
    var position: Position
    var isMap: Bool
    /// Whether commas can cut texts in it: a list in brackets with expressions, or a map in braces.
    var cutsTexts: Bool
    var items: [YAMLNode] = []
    private(set) var entries: [YAMLNode.Entry] = []
    /// The line of each key, in a map with many keys. A map with few keys is searched.
    private var lines: [String: Int] = [:]
    private static let fewKeys = 16
    /// The current key, between the key and its value.
    var key: (text: String, position: Position, column: Int?, isKept: Bool)?

    init(position: Position, isMap: Bool, cutsTexts: Bool) {
      self.position = position
      self.isMap = isMap
      self.cutsTexts = cutsTexts
    }

    /// Returns the line of a key; nil if the map doesn't have it.
    func line(of key: String) -> Int? {
      entries.count > Self.fewKeys ? lines[key] : entries.first { $0.key == key }?.position.line
    }

    mutating func append(_ entry: YAMLNode.Entry) {
      entries.append(entry)
      guard entries.count > Self.fewKeys else { return }
      for entry in lines.isEmpty ? entries[...] : entries.suffix(1) { lines[entry.key] = entry.position.line }
    }

    func node(_ cut: UnquotedCommaCheck) -> YAMLNode {
      guard cutsTexts else { return YAMLNode(content: isMap ? .map(entries) : .list(items), position: position) }
      return YAMLNode(content: isMap ? .map(cut.joined(entries)) : .list(cut.joined(items)), position: position)
    }
  }

  private let problems: ProblemList
  private let what: String
  private var open: [Open] = []
  private var root: YAMLNode?

  /// Reads the root of the document in `bytes`, which must be text. Returns nil if there is none, or if the text is not
  /// YAML.
  package static func read(_ bytes: [UInt8], what: String, problems: ProblemList) -> YAMLNode? {
    if let line = lineOfTagDirective(bytes) {
      problems.add(Position(line: line, column: 1), "unexpected %TAG directive; \(what) has no tags, remove it")
      return nil
    }
    var tree = YAMLTree(problems: problems, what: what)
    return tree.parse(bytes) ? tree.root : nil
  }

  /// Returns the first line with a `%TAG` directive. Directives stand before a document. libyaml compares each
  /// directive with all others before it. This takes a minute for as many as a file can hold.
  private static func lineOfTagDirective(_ bytes: [UInt8]) -> Int? {
    var mayBeDirective = true
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if mayBeDirective, line.starts(with: "%TAG".utf8) { return index + 1 }
      let isBeforeDocument = line.first.map { "%# \t\r".utf8.contains($0) } ?? true
      mayBeDirective = line.starts(with: "...".utf8) || mayBeDirective && isBeforeDocument
    }
    return nil
  }

  private init(problems: ProblemList, what: String) {
    self.problems = problems
    self.what = what
  }

  /// Reads events until the document ends. Returns false if an error occurs before. Calls `yaml_parser_parse`.
  private mutating func parse(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      var opened: OpaquePointer?
      guard cyaml_open(buffer.baseAddress, buffer.count, &opened) != -ENOSYS else {
        problems.add(.start, "this program was built without libyaml; install libyaml-dev and build it again")
        return false
      }
      guard let parser = opened else {
        problems.add(.start, "not enough memory to read the file; close other programs")
        return false
      }
      defer { cyaml_close(parser) }
      var documents = 0
      var event = cyaml_event()
      var fault = cyaml_fault()
      while true {
        guard cyaml_read(parser, &event, &fault) else {
          addProblem(fault, in: bytes)
          return false
        }
        if event.kind == CYAML_STREAM_END { return true }
        if event.kind == CYAML_DOCUMENT_START {
          documents += 1
          if documents == 2 {
            problems.add(
              Position(event.start), "a second YAML document starts; \(what) is one document, remove the ---")
            return true
          }
        }
        guard take(event) else { return false }
      }
    }
  }

  private func addProblem(_ fault: cyaml_fault, in bytes: [UInt8]) {
    let words = fault.problem.map { String(cString: $0) } ?? "it can't be read"
    // A quotation without an end, or a key without its colon, is reported where it begins.
    let isWrongAtStart = fault.has_context && LibYAMLMessages.beginsAtContext(words)
    let position = Position(isWrongAtStart ? fault.context : fault.at)
    // libyaml reads ahead to find keys, and may reach its own limit of 1000 levels before `deepest` is checked here.
    let isTooDeep = words.hasPrefix("Maximum nesting level")
    if let (place, text) = LibYAMLMessages.missingBlank(for: words, before: position, in: bytes) {
      return problems.add(place, text)
    }
    problems.add(
      position,
      isTooDeep
        ? tooDeep
        : LibYAMLMessages.text(
          for: words, at: position, inside: fault.has_context ? Position(fault.context) : nil, in: bytes))
  }

  /// Adds one event to the tree. Returns false if reading must end.
  private mutating func take(_ event: cyaml_event) -> Bool {
    let position = Position(event.start)
    if event.has_anchor { problems.add(position, "unexpected anchor (&); \(what) has no anchors, remove it") }
    let isNegation = event.has_tag && event.length > 0 && "=!<>".utf8.contains(event.text[0])
    if isNegation {
      problems.add(position, "\"!\" is not an operator; write not: not n == 3")
    } else if event.has_tag {
      problems.add(position, "unexpected tag (!); \(what) has no tags, remove it")
    }
    switch event.kind {
    case CYAML_SCALAR:
      let text = String(decoding: UnsafeBufferPointer(start: event.text, count: event.length), as: UTF8.self)
      let isNothing = text.isEmpty && event.is_plain
      // A tag alone, such as `!a`, has its problem already.
      let nothing: YAMLNode.Content = event.has_tag ? .refused : .nothing
      let content = isNegation ? .refused : isNothing && !awaitsKey ? nothing : .scalar(text)
      add(YAMLNode(content: content, position: position, textColumn: Self.textColumn(of: text, event)))
    case CYAML_ALIAS:
      problems.add(position, "unexpected alias (*); \(what) has no aliases, write the text itself")
      add(YAMLNode(content: .refused, position: position))
    case CYAML_LIST_START:
      let hasExpressions = open.last?.key.map { UnquotedCommaCheck.listsOfExpressions.contains($0.text) } ?? false
      open.append(Open(position: position, isMap: false, cutsTexts: event.is_flow && hasExpressions))
    case CYAML_MAP_START: open.append(Open(position: position, isMap: true, cutsTexts: event.is_flow))
    case CYAML_END: add(open.removeLast().node(UnquotedCommaCheck(problems: problems)))
    default: break
    }
    if open.count > Self.deepest {
      problems.add(position, tooDeep)
      return false
    }
    return true
  }

  /// Returns the column of a scalar's first character; nil if the file has more characters there than the text.
  private static func textColumn(of text: String, _ event: cyaml_event) -> Int? {
    let marks = event.is_plain ? 0 : 2
    let length = Int(event.end.column) - Int(event.start.column) - marks
    // With as many characters as bytes, the text is ASCII, and its characters need not be counted.
    guard event.start.line == event.end.line, length == text.utf8.count || length == text.unicodeScalars.count else {
      return nil
    }
    return Int(event.start.column) + 1 + marks / 2
  }

  private var tooDeep: String {
    "nested more than \(Self.deepest) levels; \(what) needs at most 8"
  }

  private var awaitsKey: Bool {
    open.last.map { $0.isMap && $0.key == nil } ?? false
  }

  private mutating func add(_ node: YAMLNode) {
    let last = open.count - 1
    guard last >= 0 else {
      root = node
      return
    }
    if !open[last].isMap {
      open[last].items.append(node)
    } else if let key = open[last].key {
      if key.isKept {
        let entry = YAMLNode.Entry(key: key.text, position: key.position, value: node, keyColumn: key.column)
        let repaired = entryWithBlank(entry)
        // A duplicate key here has a problem already: the missing blank.
        if repaired == nil || open[last].line(of: repaired?.key ?? "") == nil { open[last].append(repaired ?? entry) }
      }
      open[last].key = nil
    } else {
      addKey(node, to: last)
    }
  }

  /// Corrects an entry such as `{button:GPIO17}`: YAML requires a blank after the colon between a key and its value.
  /// Adds a problem; returns nil for any other entry.
  private func entryWithBlank(_ entry: YAMLNode.Entry) -> YAMLNode.Entry? {
    guard entry.value.content == .nothing, entry.keyColumn == entry.position.column,
      let (key, value) = LibYAMLMessages.parts(withoutBlank: entry.key)
    else { return nil }
    problems.add(entry.position, LibYAMLMessages.text(ofMissingBlank: key, value))
    let place = entry.position(at: key.unicodeScalars.count + 1)
    return .init(
      key: key, position: entry.position,
      value: YAMLNode(content: .scalar(value), position: place, textColumn: place.column), keyColumn: entry.keyColumn)
  }

  private mutating func addKey(_ node: YAMLNode, to last: Int) {
    var text = ""
    var isKept = false
    switch node.content {
    case .scalar("<<"):
      problems.add(node.position, "unexpected merge key (<<); \(what) has no merge keys, write the keys themselves")
    case .scalar(let written):
      text = written
      // In `{ n: min(n, 3), m: min(m, 3) }`, both commas are reported, and not the duplicate key `3)`.
      let isPiece =
        open[last].cutsTexts && UnquotedCommaCheck.closes(text)
        && open[last].entries.last.map { UnquotedCommaCheck.isCut($0) } ?? false
      if let line = open[last].line(of: text), !isPiece {
        problems.add(node.position, "duplicate key \(quoted(text)); it is already on line \(line), remove one")
      } else {
        isKept = true
      }
    case .refused: break
    case .list, .map, .nothing:
      problems.add(node.position, "\(node.kind) can't be a key; write a word")
    }
    open[last].key = (text, node.position, node.textColumn, isKept)
  }
}

extension Position {
  fileprivate init(_ mark: cyaml_mark) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}
