import CycleCore

/// The number of edges that a device has lost.
enum LostEdgeCountCheck {
  /// Returns why an event from outside with this number of lost edges is refused; nil for a valid or an unknown number.
  static func refusal(of count: Int?) -> String? {
    guard let count, !UntrustedNumber.counts.contains(count) else { return nil }
    return "\(count) is not a number of lost edges"
  }
}
