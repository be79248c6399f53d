import CycleCore
import HardwareDrivers

/// Lines of a simulated chip that a program holds, with the kernel's queue of their unread edges.
final class SimulatedRequest: LineRequest, SelfScheduling {
  private let chip: SimulatedChip
  private let lines: [SimulatedLine]
  @exclusivity(unchecked) private var configurations: [LineConfiguration]
  /// The lines that are being reconfigured: level changes caused by that are not queued as edges.
  @exclusivity(unchecked) private var silent: LineValues = []
  @exclusivity(unchecked) private var queue: [LineEdge] = []
  @exclusivity(unchecked) private var sequences: [UInt32]
  @exclusivity(unchecked) private var debouncers: [Debouncer?]
  @exclusivity(unchecked) private var waker: DriverWaker?
  /// Why the request can't be used any more; nil while it can.
  @exclusivity(unchecked) private var end: End?

  private enum End {
    case lost
    case released
  }

  init(chip: SimulatedChip, lines: [SimulatedLine], configurations: [LineConfiguration]) {
    self.chip = chip
    self.lines = lines
    self.configurations = configurations
    sequences = lines.map { _ in 0 }
    debouncers = lines.map { _ in nil }
    for place in lines.indices { debouncers[place] = makeDebouncer(place) }
  }

  private func makeDebouncer(_ place: Int) -> Debouncer? {
    let configuration = configurations[place]
    guard chip.generation == .second, configuration.hasEdges, configuration.debounce > .zero else { return nil }
    return Debouncer(
      periods: DebouncePeriods(configuration.debounce), value: value(place), at: chip.bench.now, isSettled: true)
  }

  var abilities: EdgeCapabilities {
    EdgeCapabilities(
      debounces: chip.generation == .second, numbersEdges: chip.generation == .second,
      queueDepth: chip.edgeQueueDepth)
  }

  func watch(_ watcher: Watcher) throws(DriverError) {
    waker = watcher.makeWaker()
    // A broken descriptor, or one with unread edges, is always ready: wake the driver immediately.
    if chip.lastingReadError != nil || end == .lost || !queue.isEmpty { wake() }
  }

  func wake() { waker?.wake() }

  private func value(_ place: Int) -> LineValue {
    LineValue((lines[place].level == .high) != configurations[place].isActiveLow)
  }

  private func checkPresence() throws(DriverError) {
    precondition(end != .released, "a request that has been released is not used any more")
    guard end == nil else {
      throw DriverError(
        .lost, of: chip.label, cannot: "use the lines of \(chip.label)", reason: "the chip was removed",
        remedy: "Plug it in again; its lines are then requested.")
    }
  }

  func readValues() throws(DriverError) -> LineValues {
    try checkPresence()
    chip.tell(.read, lines)
    var values: LineValues = []
    for place in 0..<lines.count { values[place] = debouncers[place]?.value ?? value(place) }
    return values
  }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    let failure = try failureOfWrite()
    chip.tell(.write, (0..<lines.count).filter { mask[$0].isActive }.map { lines[$0] })
    var changed: LineValues = []
    for place in 0..<lines.count where mask[place].isActive {
      changed[place] = LineValue(lines[place].set(lines[place].level(of: values[place], configurations[place])))
    }
    for place in 0..<lines.count where changed[place].isActive { lines[place].resolve() }
    if let failure { throw afterEffect(failure) }
  }

  /// Counts a write, and returns the error to throw when it has taken effect; nil if it succeeds.
  ///
  /// - Throws: the error of a write that changes nothing.
  private func failureOfWrite() throws(DriverError) -> DriverError? {
    chip.writeCount += 1
    try checkPresence()
    if chip.nextWriteError != nil, chip.writesBeforeError > 0 {
      chip.writesBeforeError -= 1
      return nil
    }
    guard let error = chip.nextWriteError ?? chip.lastingWriteError else { return nil }
    chip.nextWriteError = nil
    guard chip.failedWritesTakeEffect else { throw error }
    return error
  }

  /// The error of a write that has taken effect. As every call it takes some time, so that the next write has a moment
  /// of its own.
  private func afterEffect(_ failure: DriverError) -> DriverError {
    chip.bench.holdUp(for: VirtualLoop.shortestPause)
    return failure
  }

  func reconfigure(_ wanted: [LineConfiguration]) throws(DriverError) {
    precondition(
      wanted.count == configurations.count && zip(wanted, configurations).allSatisfy { $0.name == $1.name },
      "the lines that are reconfigured are those that were requested, in the same order")
    try LineRequestErrorFactory.check(wanted)
    let failure = try failureOfWrite()
    var changed: [Int] = []
    for place in lines.indices where wanted[place] != configurations[place] || wanted[place].isOutput {
      changed.append(place)
      if wanted[place] != configurations[place] { silent[place] = .active }
      lines[place].configure(wanted[place])
    }
    for place in changed { lines[place].resolve() }
    for place in changed where silent[place].isActive {
      configurations[place] = wanted[place]
      debouncers[place] = makeDebouncer(place)
    }
    silent = []
    if let failure { throw afterEffect(failure) }
  }

  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    try checkPresence()
    if let error = chip.nextReadError ?? chip.lastingReadError {
      chip.nextReadError = nil
      waker?.wake()
      throw error
    }
    let count = min(edges.count, queue.count)
    for place in 0..<count { edges[place] = queue[place] }
    queue.removeFirst(count)
    chip.afterReadingEdges?()
    // Edges that stay in the queue don't wake the driver: see ``HardwareDrivers/LineRequest/watch(_:)``.
    return count
  }

  func release() {
    guard end != .released else { return }
    if end == nil {
      for line in lines { line.release(keepingOutput: chip.keepsReleasedOutputs) }
      chip.forget(self)
    }
    end = .released
    waker = nil
  }

  func lose() {
    end = .lost
    queue = []
    waker?.wake()
  }

  // MARK: - Edges

  func lineChanged(_ line: SimulatedLine, to level: Level, at moment: Moment) {
    guard let place = lines.firstIndex(where: { $0 === line }) else { return }
    guard configurations[place].hasEdges, silent[place] == .inactive, line.hasInterrupt else { return }
    if debouncers[place] == nil { return enqueue(place, value(place), at: moment) }
    // The kernel restarts a debounce timer at each edge and reports the level at which the timer expires. A timer that
    // expires at the moment of an edge is handled before the edge.
    settle(place, at: moment)
    debouncers[place]?.receive(value(place), at: moment)
    if let deadline = debouncers[place]?.deadline {
      chip.bench.plan(at: deadline, self, place)
    }
  }

  /// Called when the kernel's debounce timer expires.
  func perform(_ place: Int, at moment: Moment) { settle(place, at: moment) }

  private func settle(_ place: Int, at moment: Moment) {
    guard end == nil, let change = debouncers[place]?.settle(by: moment) else { return }
    enqueue(place, change.value, at: change.moment, isDebounced: true)
  }

  private func enqueue(_ place: Int, _ value: LineValue, at changed: Moment, isDebounced: Bool = false) {
    // The kernel debounces both edges, and numbers only those that are reported.
    guard configurations[place].edges.contains(value) else { return }
    let moment = changed + chip.stampOffset
    wake()
    if chip.mergesEdges, let last = queue.lastIndex(where: { $0.line == Int32(place) }), queue[last].moment == moment {
      queue[last].value = value
      return
    }
    sequences[place] &+= 1
    let edge = LineEdge(line: place, value: value, moment: moment, sequence: sequences[place])
    switch chip.generation {
    case .first:
      var first = edge
      first.sequence = 0
      if queue.count(where: { $0.line == edge.line }) < chip.edgeQueueDepth { add(first, isDebounced) }
    case .second:
      add(edge, isDebounced)
      if queue.count > chip.edgeQueueDepth { queue.removeFirst() }
    }
  }

  /// Adds an edge to the queue. Debounced edges of several lines at the same moment are in the order of the lines, as
  /// if the program debounced them.
  private func add(_ edge: LineEdge, _ isDebounced: Bool) {
    var place = queue.count
    while isDebounced, place > 0, queue[place - 1].moment == edge.moment, queue[place - 1].line > edge.line {
      place -= 1
    }
    queue.insert(edge, at: place)
  }
}
