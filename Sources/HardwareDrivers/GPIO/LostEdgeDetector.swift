import CycleCore

/// Detects missing edges of one line.
///
/// There are two signs. A jump in the kernel's sequence numbers means that the kernel's queue was full. Two consecutive
/// edges of the same kind mean that the kernel's interrupt handler merged the edges between them, without a jump. A
/// line that reports only one of its edges has the first sign alone.
public struct LostEdgeDetector: Equatable, Sendable {
  /// The number of missing edges; nil if it can't be known.
  public struct Gap: Equatable, Sendable {
    public var count: Int?
  }

  /// The value after the last edge; nil before the first one. The value that was read when the line was requested is
  /// not used instead: the first edge may have occurred just before that reading.
  public internal(set) var value: LineValue?
  private var sequence: UInt32 = 0
  private let numbersEdges: Bool
  private(set) var reportsBoth: Bool

  /// - Parameters:
  ///   - numbersEdges: whether the kernel numbers the edges of a line without gaps (``EdgeCapabilities/numbersEdges``).
  ///   - edges: the edges that the line reports.
  public init(numbersEdges: Bool, edges: LineConfiguration.Edges = .both) {
    self.numbersEdges = numbersEdges
    reportsBoth = edges == .both
  }

  /// Drops the last value, because the line was reconfigured: its next edge can't be compared with it.
  mutating func reconfigure(_ edges: LineConfiguration.Edges) {
    value = nil
    reportsBoth = edges == .both
  }

  /// Applies the next edge. Returns the gap before it; nil if no edge is missing.
  public mutating func receive(_ edge: LineEdge) -> Gap? {
    let repeats = reportsBoth && edge.value == value
    value = edge.value
    guard numbersEdges else { return repeats ? Gap(count: nil) : nil }
    let skipped = Int(edge.sequence &- sequence &- 1)
    sequence = edge.sequence
    if skipped > 0 { return Gap(count: skipped) }
    return repeats ? Gap(count: nil) : nil
  }
}
