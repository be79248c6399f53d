import CycleCore

/// The last lines of a log. Repeated lines are stored once, with their number: equal lines in sequence, and repeated
/// groups of two to four lines.
///
///     1.000s  key pressed ×12
///     1.055s  key released ×12
package struct FoldedLog: Sendable {
  private struct Item {
    /// The moments of the line's first and last occurrence.
    var first: Moment
    var moment: Moment
    var text: String
    /// The number of equal lines in sequence.
    var run = 1
    /// The number of repetitions of its group, and the number of items in the group.
    var rounds = 1
    var groupSize = 1
  }

  private static let longestGroup = 4

  private var items: [Item] = []
  private let capacity: Int

  /// - Parameter capacity: the number of lines that are stored; the oldest is dropped first.
  package init(capacity: Int = 512) {
    self.capacity = capacity
  }

  package mutating func add(_ text: String, at moment: Moment) {
    // A line at the end of a folded group could be the beginning of a different group.
    if let last = items.last, last.text == text, last.rounds == 1 {
      items[items.count - 1].run += 1
      items[items.count - 1].moment = moment
    } else {
      if items.count >= capacity { items.removeFirst() }
      items.append(Item(first: moment, moment: moment, text: text))
    }
    for size in 2...Self.longestGroup where isRepeated(size) { return fold(size) }
  }

  /// Whether the last items repeat the group before them.
  private func isRepeated(_ size: Int) -> Bool {
    guard items.count >= 2 * size else { return false }
    let (first, second) = (items.suffix(2 * size).prefix(size), items.suffix(size))
    let rounds = first.first?.rounds ?? 1
    return zip(first, second).allSatisfy { $0.text == $1.text && $0.run == $1.run && $1.rounds == 1 }
      && first.allSatisfy { $0.rounds == rounds && (rounds == 1 || $0.groupSize == size) }
  }

  private mutating func fold(_ size: Int) {
    let second = items.suffix(size)
    items.removeLast(size)
    for (place, item) in zip(items.indices.suffix(size), second) {
      items[place].moment = item.moment
      items[place].rounds += 1
      items[place].groupSize = size
    }
  }

  /// A stored line.
  package struct Entry: Sendable {
    /// The moments of the line's first and last occurrence.
    package var first: Moment
    package var last: Moment
    package var text: String
    package var times: Int
  }

  /// Returns the last lines, at most `count`, the oldest first.
  package func entries(_ count: Int) -> [Entry] {
    items.suffix(count).map { Entry(first: $0.first, last: $0.moment, text: $0.text, times: $0.run * $0.rounds) }
  }

  /// Returns the last lines as text, at most `count`, the oldest first. A repeated line has the moment of its last
  /// occurrence.
  package func last(_ count: Int) -> [(moment: Moment, text: String)] {
    entries(count).map { ($0.last, $0.times == 1 ? $0.text : "\($0.text) ×\($0.times)") }
  }
}
