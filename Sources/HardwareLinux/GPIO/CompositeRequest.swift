import CycleCore
import HardwareDrivers

/// Lines of several chips that are presented as one request.
///
/// A write is one call for each chip, in the order of the chips; the edges of all chips are merged by time stamp.
final class CompositeRequest: LineRequest {
  struct Part {
    var request: any LineRequest
    /// For each line of the part its index in the whole request.
    var lines: [Int]
    /// Edges read from the part; those before `next` have been returned already.
    var edges: [LineEdge] = []
    var next = 0
    /// Whether the part's queue is empty: its last read returned fewer edges than fit into the buffer.
    var isEmptied = false

    init(request: any LineRequest, lines: [Int]) {
      self.request = request
      self.lines = lines
    }
  }

  /// Edges read from a part at once.
  private static let batch = 64

  let abilities: LineAbilities

  private var parts: [Part]
  private let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: batch)

  init(_ parts: [Part]) {
    self.parts = parts
    abilities = LineAbilities(
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
    for index in parts.indices { parts[index].isEmptied = false }
    var failure: DriverError?
    var total = 0
    while total < edges.count {
      var oldest: Int?
      for index in parts.indices {
        do throws(DriverError) {
          try refill(index)
        } catch {
          parts[index].isEmptied = true
          if failure == nil { failure = error }
        }
        guard let edge = head(index) else { continue }
        if let other = oldest, head(other)!.moment <= edge.moment { continue }
        oldest = index
      }
      guard let oldest else { break }
      edges.initializeElement(at: total, to: head(oldest)!)
      parts[oldest].next += 1
      total += 1
    }
    if total == 0, let failure { throw failure }
    return total
  }

  func release() {
    for part in parts { part.request.release() }
  }

  private func head(_ index: Int) -> LineEdge? {
    parts[index].next < parts[index].edges.count ? parts[index].edges[parts[index].next] : nil
  }

  /// Reads more edges of a part if all read before have been returned and its queue may hold more.
  private func refill(_ index: Int) throws(DriverError) {
    guard head(index) == nil, !parts[index].isEmptied else { return }
    parts[index].edges.removeAll(keepingCapacity: true)
    parts[index].next = 0
    let count = try parts[index].request.readEdges(into: buffer)
    parts[index].isEmptied = count < buffer.count
    for position in 0..<count {
      var edge = buffer[position]
      edge.line = Int32(parts[index].lines[Int(edge.line)])
      parts[index].edges.append(edge)
    }
  }
}
