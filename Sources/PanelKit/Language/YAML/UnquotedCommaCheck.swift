import Terminal

/// Finds texts that YAML has ended at a comma, and joins their pieces: within braces and brackets, `min(n, 3)` gives
/// two keys or two items. Adds a problem for each text.
struct UnquotedCommaCheck {
  /// The keys whose lists contain expressions: `play: [ notes(min(n, 3)) ]`. Texts in other lists, such as a display's
  /// rows, may have any parentheses.
  static let listsOfExpressions: Set = ["play"]

  let problems: ProblemList

  /// Whether a text has a `(` without its `)`.
  private static func isOpen(_ text: String) -> Bool { depth(of: text) > 0 }

  /// Whether a text has a `)` without its `(`.
  static func closes(_ text: String) -> Bool { depth(of: text) < 0 }

  /// Returns the number of `(` minus the number of `)` in a text.
  private static func depth(of text: String) -> Int {
    text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : $1 == UInt8(ascii: ")") ? -1 : 0) }
  }

  /// Whether a comma may have cut the key or the value of an entry.
  static func isCut(_ entry: YAMLNode.Entry) -> Bool {
    entry.value.content == .nothing ? isOpen(entry.key) && isPlain(entry.keyNode) : isCut(entry.value)
  }

  private static func isCut(_ node: YAMLNode) -> Bool {
    if case .scalar(let text) = node.content { isOpen(text) && isPlain(node) } else { false }
  }

  /// Whether a text is on one line and without quotation marks. Only such texts end at a comma.
  private static func isPlain(_ node: YAMLNode) -> Bool { node.textColumn == node.position.column }

  func joined(_ entries: [YAMLNode.Entry]) -> [YAMLNode.Entry] {
    guard entries.count > 1, entries.contains(where: { Self.isCut($0) }) else { return entries }
    var joined: [YAMLNode.Entry] = []
    var rest = entries[...]
    while var entry = rest.popFirst() {
      let isKeyCut = entry.value.content == .nothing
      if Self.isCut(entry) {
        // The pieces of a cut value are keys without values. The last piece of a cut key has the value.
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

  /// Returns the text that begins with `first`, and the number of following pieces that belong to it. Returns nil,
  /// without a problem, if they never close its `(`.
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
