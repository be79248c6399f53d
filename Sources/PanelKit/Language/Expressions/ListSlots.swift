/// A list among a panel's values, and the position of its elements in a frame.
package struct ListSlots: Hashable, Sendable {
  /// The index of the value.
  package var value: Int
  /// The index of its first element among the elements of all lists.
  package var first: Int
  /// The maximum length, 1...64.
  package var capacity: Int
}
