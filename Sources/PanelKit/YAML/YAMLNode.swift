import Terminal

/// A position in a file. Line and column count from 1, the column in characters.
struct Position: Hashable, Sendable {
  var line: Int
  var column: Int

  static let start = Position(line: 1, column: 1)
}

/// A node of a YAML file. A scalar is always text, so `on` is not a Boolean, and `+1` keeps its sign.
struct YAMLNode: Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case scalar(String)
    case list([YAMLNode])
    case map([Entry])
    /// No value after the key.
    case nothing
    /// A rejected value that has a problem already. Its reader adds no other.
    case refused
  }

  /// A key and its value. Keys are unique in a map.
  struct Entry: Equatable, Sendable {
    var key: String
    var position: Position
    var value: YAMLNode
    /// The ``YAMLNode/textColumn`` of the key.
    var keyColumn: Int?

    /// The key as a scalar.
    var keyNode: YAMLNode { YAMLNode(content: .scalar(key), position: position, textColumn: keyColumn) }

    /// Returns the position of a character in the key, counted from 0.
    func position(at offset: Int) -> Position {
      keyColumn.map { Position(line: position.line, column: $0 + offset) } ?? position
    }
  }

  var content: Content
  var position: Position
  /// The column of a scalar's first character, after its quotation mark. nil for a text with several lines or with
  /// escapes, where the columns of the other characters don't follow from it.
  var textColumn: Int?

  /// Returns the position of a character in a scalar, counted from 0.
  func position(at offset: Int) -> Position {
    textColumn.map { Position(line: position.line, column: $0 + offset) } ?? position
  }

  /// Returns the position of a key in a map; nil if the node is not a map or does not have the key.
  func position(ofKey key: String) -> Position? {
    if case .map(let entries) = content { entries.first { $0.key == key }?.position } else { nil }
  }

  /// The description of the node for messages: `a list`, or a scalar's text in quotation marks.
  var kind: String {
    switch content {
    case .scalar(let text): quoted(text)
    case .list(let items): items.isEmpty ? "an empty list" : "a list"
    case .map(let entries): entries.isEmpty ? "an empty map" : "a map"
    case .nothing, .refused: "nothing"
    }
  }
}
