/// Where a part of a panel is written and how, for messages. It is no part of what the panel is: any two are equal.
struct Written: Equatable, Sendable {
  /// nil for what was not read from a file.
  var source: Source?

  /// A class, so that a panel without messages pays for one pointer.
  final class Source: Sendable {
    let position: Position
    /// The event, the delay or the condition of a transition; a state's name.
    let text: String
    /// The comparisons in the conditions of a transition, in their order.
    let comparisons: [Comparison]

    init(position: Position, text: String, comparisons: [Comparison] = []) {
      self.position = position
      self.text = text
      self.comparisons = comparisons
    }
  }

  /// A part of a condition that is no combination of others.
  struct Comparison: Equatable, Sendable {
    var condition: Condition
    var position: Position
    var text: String
  }

  /// Adds comparisons before those that are there.
  mutating func add(_ comparisons: [Comparison]) {
    guard let own = source else { return }
    source = Source(position: own.position, text: own.text, comparisons: comparisons + own.comparisons)
  }

  static func == (one: Written, other: Written) -> Bool { true }
}
