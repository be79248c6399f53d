import CycleCore

/// Reads the edges of one request in order, and detects missing ones.
final class EdgeReader {
  // Only the cycle's thread accesses these, at every edge: exclusivity checks are off, as in `LineDeviceRunner`.
  @exclusivity(unchecked) private var monitors = UnsafeMutableBufferPointer<LostEdgeDetector>(start: nil, count: 0)
  @exclusivity(unchecked) private var abilities = EdgeCapabilities(debounces: false, numbersEdges: false, queueDepth: 1)
  /// The number of edges that were read since the queue was last empty, and whether edges are missing among them.
  @exclusivity(unchecked) private var received = 0
  @exclusivity(unchecked) private var isSuspect = false
  /// Whether reading has stopped at `mostAtOnce`.
  @exclusivity(unchecked) private var mayHaveMore = false
  /// The maximum number of edges that are read in a row, twice the number that can be queued for all lines: a line that
  /// never rests can't block the cycle.
  @exclusivity(unchecked) private var mostAtOnce = 0
  /// The lines on which every edge counts, and of which the kernel numbers none. A full queue is the only sign that
  /// some are missing.
  @exclusivity(unchecked) private var counters: LineValues = []
  /// The number of edges of each line among `received`, for the lines in `counters`. Reads that end for lack of room
  /// count together: a queue counts as full too early then, never too late.
  @exclusivity(unchecked) private var counts: [Int] = []
  /// The counters whose queue was full since edges were last corrected.
  @exclusivity(unchecked) private var fullQueues: LineValues = []
  private let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 64)

  deinit {
    buffer.deallocate()
    monitors.deallocate()
  }

  /// Starts to read the edges of a new request.
  func begin(_ lines: [LineConfiguration], abilities: EdgeCapabilities) {
    self.abilities = abilities
    monitors.deallocate()
    monitors = .allocate(capacity: lines.count)
    for line in lines.indices {
      monitors.initializeElement(
        at: line, to: LostEdgeDetector(numbersEdges: abilities.numbersEdges, edges: lines[line].edges))
    }
    mostAtOnce = 2 * max(abilities.queueDepth * lines.count, buffer.count)
    received = 0
    isSuspect = false
    fullQueues = []
    counts = lines.map { _ in 0 }
    counters = []
    for line in lines.indices { noteCounter(line, lines[line]) }
  }

  /// Adapts to the new configuration of a line.
  func reconfigure(_ line: Int, as configuration: LineConfiguration) {
    monitors[line].reconfigure(configuration.edges)
    noteCounter(line, configuration)
  }

  private func noteCounter(_ line: Int, _ configuration: LineConfiguration) {
    counters[line] = LineValue(configuration.countsEdges && !abilities.numbersEdges)
  }

  typealias Receive = (LineEdge, LostEdgeDetector.Gap?) -> Void

  /// Reads the waiting edges and, if some are missing, the values of all lines.
  ///
  /// - Parameters:
  ///   - room: returns the number of edges that may be read now; reading stops at 0.
  ///   - edge: is called with each edge and the gap before it, if there is one.
  ///   - correct: is called after edges went missing, with the values of all lines and the lines that changed without
  ///     an edge or whose queue was full.
  /// - Returns: false if there may be more edges: more than there was room for, or than are read in a row.
  func read(
    from request: any LineRequest, room: () -> Int, edge: Receive,
    correct: (_ values: LineValues, _ missed: LineValues) -> Void
  ) throws(DriverError) -> Bool {
    guard try receive(from: request, room, edge) else { return false }
    // Without sequence numbers, a full queue is the only sign of a loss.
    if !abilities.numbersEdges, received >= abilities.queueDepth { isSuspect = true }
    noteFullQueues()
    guard isSuspect else { return !mayHaveMore }
    var values = try request.readValues()
    // An edge between reading edges and reading values would look like a missing one: read both again. A line that
    // never rests can't block the cycle: three times at most.
    for _ in 0..<3 {
      guard try receive(from: request, room, edge) else { return false }
      if received == 0 { break }
      noteFullQueues()
      values = try request.readValues()
    }
    isSuspect = false
    var missed: LineValues = []
    for line in monitors.indices {
      if monitors[line].reportsBoth, monitors[line].value != nil, monitors[line].value != values[line] {
        missed[line] = .active
        monitors[line].value = values[line]
      }
    }
    missed.formUnion(fullQueues)
    fullQueues = []
    correct(values, missed)
    return !mayHaveMore
  }

  /// Notes the counters whose queue was full, and counts from 0 again: the queues have been read.
  private func noteFullQueues() {
    received = 0
    guard !counters.isEmpty else { return }
    for line in counts.indices {
      if counters[line].isActive, counts[line] >= abilities.queueDepth { fullQueues[line] = .active }
      counts[line] = 0
    }
  }

  /// Reads waiting edges. Returns false if there may be more than the room allows.
  private func receive(
    from request: any LineRequest, _ room: () -> Int, _ handle: Receive
  ) throws(DriverError) -> Bool {
    let bound = received + mostAtOnce
    while received < bound {
      let room = room()
      guard room > 0 else { return false }
      let batch = UnsafeMutableBufferPointer(start: buffer.baseAddress, count: min(buffer.count, room))
      let count = try request.readEdges(into: batch)
      for place in 0..<count {
        let edge = batch[place]
        guard monitors.indices.contains(Int(edge.line)) else { continue }
        let gap = monitors[Int(edge.line)].receive(edge)
        if gap != nil { isSuspect = true }
        if !counters.isEmpty { counts[Int(edge.line)] += 1 }
        handle(edge, gap)
      }
      received += count
      if count < batch.count {
        mayHaveMore = false
        return true
      }
    }
    mayHaveMore = true
    return true
  }
}
