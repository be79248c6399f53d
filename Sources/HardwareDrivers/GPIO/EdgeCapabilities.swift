import CycleCore

/// The abilities of a backend and of its generation of the kernel's interface.
public struct EdgeCapabilities: Equatable, Sendable {
  /// Whether the kernel debounces: then it has received ``LineConfiguration/debounce``.
  public var debounces: Bool
  /// Whether edges carry sequence numbers.
  public var numbersEdges: Bool
  /// The number of edges that the kernel queues for a late reader: for each line, or for the whole request if it
  /// numbers edges.
  public var queueDepth: Int

  public init(debounces: Bool, numbersEdges: Bool, queueDepth: Int) {
    self.debounces = debounces
    self.numbersEdges = numbersEdges
    self.queueDepth = queueDepth
  }
}
