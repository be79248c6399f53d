import CycleCore

/// Reads the edges of one request in order, and finds where some are missing.
final class EdgeReader {
  // One thread touches these, at every edge, as in `LineGroup`.
  @exclusivity(unchecked) private var monitors = UnsafeMutableBufferPointer<EdgeMonitor>(start: nil, count: 0)
  @exclusivity(unchecked) private var abilities = LineAbilities(debounces: false, numbersEdges: false, queueDepth: 1)
  /// Edges that were read since the queue was last empty, and whether others are missing between them.
  @exclusivity(unchecked) private var received = 0
  @exclusivity(unchecked) private var isSuspect = false
  /// As many as can be queued for all lines, twice over: a line that never rests can't hold the cycle up.
  @exclusivity(unchecked) private var mostAtOnce = 0
  private let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 64)

  deinit {
    buffer.deallocate()
    monitors.deallocate()
  }

  /// A request has begun.
  func begin(lineCount: Int, abilities: LineAbilities) {
    self.abilities = abilities
    monitors.deallocate()
    monitors = .allocate(capacity: lineCount)
    monitors.initialize(repeating: EdgeMonitor(numbersEdges: abilities.numbersEdges))
    mostAtOnce = 2 * max(abilities.queueDepth * lineCount, buffer.count)
    received = 0
    isSuspect = false
  }

  /// The line has been turned: what it did before says nothing of its next edge.
  func forget(_ line: Int) {
    monitors[line].value = nil
  }

  typealias Receive = (LineEdge, EdgeMonitor.Gap?) -> Void

  /// Reads the edges that wait, and the values of all lines where some are missing.
  ///
  /// - Parameters:
  ///   - room: for how many edges there is room now; at least one is read.
  ///   - edge: gets each edge, and what is missing before it.
  ///   - correct: gets the values that the lines have after edges went missing, and those lines that have changed without an edge.
  /// - Returns: false if there may be more edges than there was room for.
  func read(
    from request: any LineRequest, room: () -> Int, edge: Receive,
    correct: (_ values: LineValues, _ changed: LineValues) -> Void
  ) throws(DriverError) -> Bool {
    guard try receive(from: request, room, edge) else { return false }
    // Without numbers a full queue is all there is to see of a loss.
    if !abilities.numbersEdges, received >= abilities.queueDepth { isSuspect = true }
    received = 0
    guard isSuspect else { return true }
    var values = try request.readValues()
    // An edge that came in between would look like a missing one. A line that never rests can't hold the cycle up.
    for _ in 0..<3 {
      guard try receive(from: request, room, edge) else { return false }
      if received == 0 { break }
      received = 0
      values = try request.readValues()
    }
    isSuspect = false
    var changed: LineValues = []
    for line in monitors.indices where monitors[line].value != nil && monitors[line].value != values[line] {
      changed[line] = .active
      monitors[line].value = values[line]
    }
    correct(values, changed)
    return true
  }

  /// Reads edges that wait. False if there may be more than there is room for.
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
        handle(edge, gap)
      }
      received += count
      if count < batch.count { break }
    }
    return true
  }
}
