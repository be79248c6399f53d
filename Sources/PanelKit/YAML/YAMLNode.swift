import Terminal

/// A place in a file; both count from 1, the column in characters.
struct Position: Hashable, Sendable {
  var line: Int
  var column: Int

  static let start = Position(line: 1, column: 1)
}

/// A node of a YAML file, as written: a scalar is always text, so that `on` becomes no Boolean and `+1` keeps its sign.
struct YAMLNode: Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case scalar(String)
    case list([YAMLNode])
    case map([Entry])
    /// Nothing is written after the key.
    case nothing
    /// Something refused, for which there is a problem already; its reader adds no other.
    case refused
  }

  /// A key and what it stands for. No key occurs twice in a map.
  struct Entry: Equatable, Sendable {
    var key: String
    var position: Position
    var value: YAMLNode
    /// As ``YAMLNode/textColumn``, of the key.
    var keyColumn: Int?

    /// The key as a scalar.
    var keyNode: YAMLNode { YAMLNode(content: .scalar(key), position: position, textColumn: keyColumn) }

    /// Where a character of the key is, counted from 0.
    func position(at offset: Int) -> Position {
      keyColumn.map { Position(line: position.line, column: $0 + offset) } ?? position
    }
  }

  var content: Content
  var position: Position
  /// The column of a scalar's first character, behind its quotation mark; nil where a character's column doesn't follow from that
  /// of the first one, as in a text of several lines or with escapes.
  var textColumn: Int?

  /// Where a character of a scalar is, counted from 0.
  func position(at offset: Int) -> Position {
    textColumn.map { Position(line: position.line, column: $0 + offset) } ?? position
  }

  /// Where a key of a map is; nil if the node is no map or hasn't it.
  func position(ofKey key: String) -> Position? {
    if case .map(let entries) = content { entries.first { $0.key == key }?.position } else { nil }
  }

  /// What the node is, for messages: `a list`, or a scalar's text in quotation marks.
  var kind: String {
    switch content {
    case .scalar(let text): quoted(text)
    case .list(let items): items.isEmpty ? "an empty list" : "a list"
    case .map(let entries): entries.isEmpty ? "an empty map" : "a map"
    case .nothing, .refused: "nothing"
    }
  }
}
