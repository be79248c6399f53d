import Terminal

/// Finds texts that YAML has ended at a comma, and puts them together: within braces and brackets, `min(n, 3)` is two keys or two
/// items. Each adds a problem.
struct CutText {
  /// The keys whose lists have expressions in them: `play: [ notes(min(n, 3)) ]`. A text of another list, as a row of a display, may have
  /// any parentheses.
  static let listsOfExpressions: Set = ["play"]

  let problems: ProblemList

  /// Whether a text has a `(` that it doesn't close.
  private static func isOpen(_ text: String) -> Bool { depth(of: text) > 0 }

  /// Whether a text closes a `(` that it doesn't have.
  static func closes(_ text: String) -> Bool { depth(of: text) < 0 }

  /// How many more `(` than `)` a text has.
  private static func depth(of text: String) -> Int {
    text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : $1 == UInt8(ascii: ")") ? -1 : 0) }
  }

  /// Whether a comma may have ended the key or the value of an entry.
  static func isCut(_ entry: YAMLNode.Entry) -> Bool {
    entry.value.content == .nothing ? isOpen(entry.key) && isPlain(entry.keyNode) : isCut(entry.value)
  }

  private static func isCut(_ node: YAMLNode) -> Bool {
    if case .scalar(let text) = node.content { isOpen(text) && isPlain(node) } else { false }
  }

  /// Whether a text is in one line and without quotation marks: nothing ends at a comma inside those.
  private static func isPlain(_ node: YAMLNode) -> Bool { node.textColumn == node.position.column }

  func joined(_ entries: [YAMLNode.Entry]) -> [YAMLNode.Entry] {
    guard entries.count > 1, entries.contains(where: { Self.isCut($0) }) else { return entries }
    var joined: [YAMLNode.Entry] = []
    var rest = entries[...]
    while var entry = rest.popFirst() {
      let isKeyCut = entry.value.content == .nothing
      if Self.isCut(entry) {
        // The pieces of a value are keys without values; of a key, the last piece has the value.
        let pieces = rest.prefix { $0.value.content == .nothing }
        let last = isKeyCut ? rest.dropFirst(pieces.count).prefix(1) : []
        let first = isKeyCut ? entry.keyNode : entry.value
        if let (whole, count) = whole(of: first, (pieces + last).map(\.keyNode)), case .scalar(let text) = whole.content
        {
          if isKeyCut {
            let end = rest[rest.startIndex + count - 1]
            entry = .init(key: text, position: entry.position, value: end.value, keyColumn: whole.textColumn)
          } else {
            entry.value = whole
          }
          rest = rest.dropFirst(count)
        }
      }
      joined.append(entry)
    }
    return joined
  }

  func joined(_ items: [YAMLNode]) -> [YAMLNode] {
    guard items.count > 1, items.contains(where: { Self.isCut($0) }) else { return items }
    var joined: [YAMLNode] = []
    var rest = items[...]
    while let item = rest.popFirst() {
      if Self.isCut(item), let (whole, count) = whole(of: item, Array(rest)) {
        joined.append(whole)
        rest = rest.dropFirst(count)
      } else {
        joined.append(item)
      }
    }
    return joined
  }

  /// The text that begins with `first`, and how many of the pieces behind it belong to it; nil if they never close its `(`, which adds
  /// no problem.
  private func whole(of first: YAMLNode, _ pieces: [YAMLNode]) -> (YAMLNode, count: Int)? {
    guard case .scalar(let start) = first.content else { return nil }
    var text = start
    var isInPlace = true
    for (index, piece) in pieces.enumerated() {
      guard case .scalar(let part) = piece.content, Self.isPlain(piece) else { return nil }
      text += ", "
      isInPlace = isInPlace && piece.position == first.position(at: text.unicodeScalars.count)
      text += part
      if Self.isOpen(text) { continue }
      problems.add(
        first.position, "the comma ends \(quoted(start)) here; put the whole value in quotes: \(quoted(text))")
      let column = isInPlace ? first.textColumn : nil
      return (YAMLNode(content: .scalar(text), position: first.position, textColumn: column), index + 1)
    }
    return nil
  }
}
