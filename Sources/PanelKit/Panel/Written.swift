/// The position and text of a part of a panel file, for messages. It isn't part of the panel's meaning, so any two are
/// equal.
struct Written: Equatable, Sendable {
  /// nil if the part was not read from a file.
  var source: Source?

  /// The source is a class, so that a panel without messages needs only one pointer.
  final class Source: Sendable {
    let position: Position
    /// The event, the delay or the condition of a transition; or a state's name.
    let text: String
    /// The comparisons in the conditions of a transition, in order.
    let comparisons: [Comparison]

    init(position: Position, text: String, comparisons: [Comparison] = []) {
      self.position = position
      self.text = text
      self.comparisons = comparisons
    }
  }

  /// A single comparison in a condition, which doesn't combine others.
  struct Comparison: Equatable, Sendable {
    var condition: Condition
    var position: Position
    var text: String
  }

  /// Adds comparisons before the existing ones.
  mutating func add(_ comparisons: [Comparison]) {
    guard let own = source else { return }
    source = Source(position: own.position, text: own.text, comparisons: comparisons + own.comparisons)
  }

  static func == (one: Written, other: Written) -> Bool { true }
}
