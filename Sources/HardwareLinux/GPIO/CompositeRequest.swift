import CycleCore
import HardwareDrivers

/// Lines of several kernel requests that are presented as one request.
///
/// A write is one call for each kernel request with lines in the mask, in their order. So the lines do not change at
/// the same moment.
///
/// The edges of all requests are merged by time stamp. A line of a request that was already read may change before the
/// next request is read. So the clock is read before the first request, and only edges up to that moment are returned.
/// Each request is read again before later edges are returned.
final class CompositeRequest: LineRequest {
  struct Part {
    var request: any LineRequest
    /// For each line of the part its index in the whole request.
    var lines: [Int]
    /// Edges read from the part; those before `next` have been returned already.
    var edges: [LineEdge] = []
    var next = 0
    /// The number of edges that were read before the clock was last read.
    var settled = 0
    /// Whether the part's queue is empty: its last read returned fewer edges than fit into the buffer.
    var isEmptied = false

    init(request: any LineRequest, lines: [Int]) {
      self.request = request
      self.lines = lines
    }
  }

  /// The number of edges that are read from a part in one call.
  private static let batch = 64
  /// The maximum number of clock readings in one call. If edges arrive faster than they are read, the last turn returns
  /// all edges that were read, in the known order.
  private static let mostTurns = 4

  let abilities: EdgeCapabilities

  private var parts: [Part]
  private let clock: () -> Moment
  private let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: batch)

  /// - Parameters:
  ///   - parts: the requests, at least one, with their lines.
  ///   - clock: the clock of the edges' time stamps.
  init(_ parts: [Part], clock: @escaping () -> Moment) {
    self.parts = parts
    self.clock = clock
    abilities = EdgeCapabilities(
      debounces: parts.allSatisfy { $0.request.abilities.debounces },
      numbersEdges: parts.allSatisfy { $0.request.abilities.numbersEdges },
      queueDepth: parts.map { $0.request.abilities.queueDepth }.min() ?? 0)
    for index in parts.indices { self.parts[index].edges.reserveCapacity(Self.batch) }
  }

  deinit {
    release()
    buffer.deallocate()
  }

  func watch(_ watcher: Watcher) throws(DriverError) {
    for part in parts { try part.request.watch(watcher) }
  }

  func readValues() throws(DriverError) -> LineValues {
    var whole = LineValues()
    for part in parts {
      let values = try part.request.readValues()
      for (index, line) in part.lines.enumerated() { whole[line] = values[index] }
    }
    return whole
  }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    for part in parts {
      var partValues = LineValues()
      var partMask = LineValues()
      for (index, line) in part.lines.enumerated() {
        partValues[index] = values[line]
        partMask[index] = mask[line]
      }
      if !partMask.isEmpty { try part.request.write(partValues, mask: partMask) }
    }
  }

  /// Reconfigures one chip after the other; edges already read stay and are returned later.
  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {
    precondition(
      lines.count == parts.reduce(0) { $0 + $1.lines.count },
      "the lines that are reconfigured are those that were requested, in the same order")
    for part in parts { try part.request.reconfigure(part.lines.map { lines[$0] }) }
  }

  /// Throws the error of a part only when no part has edges left, so that no edge from before the error is lost.
  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    var failure: DriverError?
    var total = 0
    for turn in 1...Self.mostTurns {
      // The clock is read first: all edges up to this moment are in the queues that are read after it.
      let bound = turn < Self.mostTurns ? clock() : .distantFuture
      for index in parts.indices {
        parts[index].settled = parts[index].edges.count
        parts[index].isEmptied = false
      }
      total = merge(into: edges, from: total, until: bound, &failure)
      guard total < edges.count, parts.indices.contains(where: { head($0) != nil }) else { break }
    }
    if total == 0, let failure { throw failure }
    return total
  }

  /// Appends edges in the order of their time stamps, up to a moment or until none fits.
  ///
  /// - Returns: the number of edges after that.
  private func merge(
    into edges: UnsafeMutableBufferPointer<LineEdge>, from count: Int, until bound: Moment,
    _ failure: inout DriverError?
  ) -> Int {
    var total = count
    while total < edges.count {
      var oldest: (part: Int, edge: LineEdge)?
      for index in parts.indices {
        do throws(DriverError) {
          try refill(index)
        } catch {
          parts[index].isEmptied = true
          if failure == nil { failure = error }
        }
        guard let edge = head(index) else { continue }
        if let oldest, oldest.edge.moment <= edge.moment { continue }
        oldest = (index, edge)
      }
      guard let (part, edge) = oldest, parts[part].next < parts[part].settled || edge.moment <= bound else { break }
      edges.initializeElement(at: total, to: edge)
      parts[part].next += 1
      total += 1
    }
    return total
  }

  func release() {
    for part in parts { part.request.release() }
  }

  private func head(_ index: Int) -> LineEdge? {
    parts[index].next < parts[index].edges.count ? parts[index].edges[parts[index].next] : nil
  }

  /// Reads more edges of a part if all earlier ones have been returned and its queue may contain more.
  private func refill(_ index: Int) throws(DriverError) {
    guard head(index) == nil, !parts[index].isEmptied else { return }
    parts[index].edges.removeAll(keepingCapacity: true)
    (parts[index].next, parts[index].settled) = (0, 0)
    let count = try parts[index].request.readEdges(into: buffer)
    parts[index].isEmptied = count < buffer.count
    for position in 0..<count {
      var edge = buffer[position]
      edge.line = Int32(parts[index].lines[Int(edge.line)])
      parts[index].edges.append(edge)
    }
  }
}
