/// The position and text of a part of a panel file, for messages. It isn't part of the panel's meaning, so any two are
/// equal.
package struct FilePassage: Equatable, Sendable {
  /// nil if the part was not read from a file.
  package var source: Source?

  package init(source: Source? = nil) {
    self.source = source
  }

  /// The source is a class, so that a panel without messages needs only one pointer.
  package final class Source: Sendable {
    package let position: Position
    /// The event, the delay or the condition of a transition; or a state's name.
    package let text: String
    /// The comparisons in the conditions of a transition, in order.
    package let comparisons: [Comparison]

    package init(position: Position, text: String, comparisons: [Comparison] = []) {
      self.position = position
      self.text = text
      self.comparisons = comparisons
    }
  }

  /// A single comparison in a condition, which doesn't combine others.
  package struct Comparison: Equatable, Sendable {
    package var condition: Condition
    package var position: Position
    package var text: String
  }

  /// Adds comparisons before the existing ones.
  mutating func add(_ comparisons: [Comparison]) {
    guard let own = source else { return }
    source = Source(position: own.position, text: own.text, comparisons: comparisons + own.comparisons)
  }

  package static func == (one: FilePassage, other: FilePassage) -> Bool { true }
}
