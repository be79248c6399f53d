import CycleCore

/// Watches the edges of one line for those that are missing.
///
/// Two signs: a jump in the kernel's numbers (the kernel's queue was full), and two edges of the same kind in a row (the
/// kernel's interrupt handler merged what lay between them, which leaves no jump).
public struct EdgeMonitor: Equatable, Sendable {
  /// How many edges are missing; nil where that can't be known.
  public struct Gap: Equatable, Sendable {
    public var count: Int?
  }

  /// The value after the last edge; nil before the first. The value that was read when the line was taken is no measure for
  /// that one: the edge may have come just before the reading.
  public internal(set) var value: LineValue?
  private var sequence: UInt32 = 0
  private let numbersEdges: Bool

  /// - Parameter numbersEdges: whether the kernel numbers the edges of a line without gaps (``LineAbilities/numbersEdges``).
  public init(numbersEdges: Bool) {
    self.numbersEdges = numbersEdges
  }

  /// Takes the next edge; what is missing before it, nil if nothing is.
  public mutating func receive(_ edge: LineEdge) -> Gap? {
    let repeats = edge.value == value
    value = edge.value
    guard numbersEdges else { return repeats ? Gap(count: nil) : nil }
    let skipped = Int(edge.sequence &- sequence &- 1)
    sequence = edge.sequence
    if skipped > 0 { return Gap(count: skipped) }
    return repeats ? Gap(count: nil) : nil
  }
}
