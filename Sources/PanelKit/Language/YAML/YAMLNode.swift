import Terminal

/// A position in a file. Line and column count from 1, the column in characters.
package struct Position: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    (self.line, self.column) = (line, column)
  }

  package static let start = Position(line: 1, column: 1)
}

/// A node of a YAML file. A scalar is always text, so `on` is not a Boolean, and `+1` keeps its sign.
package struct YAMLNode: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case scalar(String)
    case list([YAMLNode])
    case map([Entry])
    /// No value after the key.
    case nothing
    /// A rejected value that has a problem already. Its reader adds no other.
    case refused
  }

  /// A key and its value. Keys are unique in a map.
  package struct Entry: Equatable, Sendable {
    package var key: String
    package var position: Position
    package var value: YAMLNode
    /// The ``YAMLNode/textColumn`` of the key.
    var keyColumn: Int?

    package init(key: String, position: Position, value: YAMLNode, keyColumn: Int? = nil) {
      (self.key, self.position, self.value, self.keyColumn) = (key, position, value, keyColumn)
    }

    /// The key as a scalar.
    var keyNode: YAMLNode { YAMLNode(content: .scalar(key), position: position, textColumn: keyColumn) }

    /// Returns the position of a character in the key, counted from 0.
    func position(at offset: Int) -> Position {
      keyColumn.map { Position(line: position.line, column: $0 + offset) } ?? position
    }
  }

  package var content: Content
  package var position: Position
  /// The column of a scalar's first character, after its quotation mark. nil for a text with several lines or with
  /// escapes, where the columns of the other characters don't follow from it.
  package var textColumn: Int?

  package init(content: Content, position: Position, textColumn: Int? = nil) {
    (self.content, self.position, self.textColumn) = (content, position, textColumn)
  }

  /// Returns the position of a character in a scalar, counted from 0.
  package func position(at offset: Int) -> Position {
    textColumn.map { Position(line: position.line, column: $0 + offset) } ?? position
  }

  /// Returns the position of a key in a map; nil if the node is not a map or does not have the key.
  package func position(ofKey key: String) -> Position? {
    if case .map(let entries) = content { entries.first { $0.key == key }?.position } else { nil }
  }

  /// The description of the node for messages: `a list`, or a scalar's text in quotation marks.
  package var kind: String {
    switch content {
    case .scalar(let text): quoted(text)
    case .list(let items): items.isEmpty ? "an empty list" : "a list"
    case .map(let entries): entries.isEmpty ? "an empty map" : "a map"
    case .nothing, .refused: "nothing"
    }
  }
}
