import CycleCore

/// How many edges a device has lost.
enum EdgeCount {
  /// Why an event from outside is refused that tells of so many lost edges; nil for a count that is right, and for an unknown one.
  static func refusal(of count: Int?) -> String? {
    guard let count, !OutsideNumber.counts.contains(count) else { return nil }
    return "\(count) is not a number of lost edges"
  }
}
