import CycleCore

/// The lines of one driver at work: one request, its edges in order, its outputs in one call, and what to do when the chip
/// goes away.
public final class LineGroup<Device: LineDevice, Event: Sendable> {
  private let chip: any GPIOChip
  private let context: DriverContext<Event>
  private let wrapEvent: (Int, Device.Event) -> Event
  private let wrapTrouble: (Trouble) -> Event?

  // One thread touches what follows, many times at every edge, and never one of these while it changes the same: nothing is called
  // back. To check that each time would take as long as all the rest.
  @exclusivity(unchecked) private var devices: [Device]
  /// The first line of each device, and their number as the last element.
  @exclusivity(unchecked) private var bases: [Int] = []
  /// The device of each line.
  @exclusivity(unchecked) private var owners: [Int] = []
  @exclusivity(unchecked) private var monitors: [EdgeMonitor] = []
  @exclusivity(unchecked) private var outputLines: LineValues = []
  @exclusivity(unchecked) private var written: LineValues = []
  /// Lines of which a failed write has left nobody knows what.
  @exclusivity(unchecked) private var uncertain: LineValues = []
  /// By device, not by line: those whose models are not written yet, and what these were before.
  @exclusivity(unchecked) private var unwritten: LineValues = []
  @exclusivity(unchecked) private var devicesBefore: [Device]
  @exclusivity(unchecked) private var request: (any LineRequest)?
  @exclusivity(unchecked) private var abilities = LineAbilities(debounces: false, numbersEdges: false, queueDepth: 1)
  /// Set while the chip is away.
  @exclusivity(unchecked) private var returnWatch: (any ReturnWatch)?
  @exclusivity(unchecked) private var retry = Retry()
  /// The last failure outside of rendering, so that one that lasts is told once.
  @exclusivity(unchecked) private var failure: DriverError?
  /// Edges that were read since the queue was last empty, and whether others are missing between them.
  @exclusivity(unchecked) private var received = 0
  @exclusivity(unchecked) private var isSuspect = false
  /// How often in a row edges could not be read.
  @exclusivity(unchecked) private var failedReads = 0
  private let edges = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 64)

  /// - Parameters:
  ///   - devices: at least one; at most 64 lines together.
  ///   - event: makes the driver's event out of a device's number and event.
  ///   - trouble: makes the driver's event out of trouble that all devices have.
  public init(
    _ devices: [Device], on chip: any GPIOChip, context: DriverContext<Event>,
    event: @escaping (Int, Device.Event) -> Event, trouble: @escaping (Trouble) -> Event?
  ) {
    self.devices = devices
    devicesBefore = devices
    self.chip = chip
    self.context = context
    wrapTrouble = trouble
    wrapEvent = event
  }

  deinit {
    request?.release()
    returnWatch?.release()
    edges.deallocate()
  }

  // MARK: - What a driver calls

  /// Takes the lines, outputs at the models' values from the first instant.
  public func start(showing models: [Device.Model]) throws(DriverError) {
    let now = context.now
    for index in devices.indices { devices[index].render(models[index], at: now) }
    try take()
    setAlarm()
  }

  /// Has one device show its model; ``writeRendered()`` brings it to the lines.
  public func render(_ model: Device.Model, at index: Int) {
    if unwritten[index] == .inactive { devicesBefore[index] = devices[index] }
    unwritten[index] = .active
    devices[index].render(model, at: context.now)
  }

  /// Writes what has been rendered, in one call. Where that fails every device goes on with what it showed before: the frame
  /// may go back to that, and then nothing is rendered.
  public func writeRendered() throws(DriverError) {
    guard !unwritten.isEmpty else { return }
    defer { unwritten = [] }
    do throws(DriverError) {
      try write()
    } catch {
      for index in devices.indices where unwritten[index].isActive { devices[index] = devicesBefore[index] }
      setAlarm()
      throw error
    }
  }

  /// Writes the outputs that differ from what the lines have, in one call.
  private func write() throws(DriverError) {
    setAlarm()
    guard !outputLines.isEmpty else { return }
    let wanted = outputs
    let changed = wanted.symmetricDifference(written).union(uncertain)
    guard !changed.isEmpty, let request else { return }
    do throws(DriverError) {
      try request.write(wanted, mask: changed)
    } catch {
      guard error.kind == .lost else {
        uncertain.formUnion(changed)
        throw error
      }
      lose(error)
      return
    }
    written = wanted
    uncertain = []
    failure = nil
  }

  public func wake(_ wake: Wake) {
    switch wake {
    case .alarm: ring()
    case .ready, .posted:
      if returnWatch != nil { lookForReturn() } else { readEdges() }
    }
    do throws(DriverError) {
      try write()
    } catch {
      tellFailure(error)
    }
  }

  public func stop() {
    // The safe model may be what was shown last, and a write that failed since may have left the lines otherwise. There is
    // nobody left to tell if this fails too.
    if let request, !uncertain.isEmpty { try? request.write(outputs, mask: uncertain) }
    request?.release()
    request = nil
    returnWatch?.release()
    returnWatch = nil
  }

  // MARK: - Lines

  private func take() throws(DriverError) {
    var lines: [LineConfiguration] = []
    bases = []
    owners = []
    outputLines = []
    for index in devices.indices {
      bases.append(lines.count)
      for line in devices[index].lines {
        if case .output = line.direction { outputLines[lines.count] = .active }
        owners.append(index)
        lines.append(line)
      }
    }
    bases.append(lines.count)
    let request = try chip.request(lines, consumer: "panel")
    do throws(DriverError) {
      try request.watch(context.watcher)
      let values = try request.readValues()
      self.request = request
      abilities = request.abilities
      monitors = lines.map { _ in EdgeMonitor(numbersEdges: abilities.numbersEdges) }
      written = outputs
      uncertain = []
      failedReads = 0
      received = 0
      isSuspect = false
      let now = context.now
      for index in devices.indices {
        devices[index].begin(
          share(of: index, in: values), isDebounced: abilities.debounces, at: now, emit: { emit($0, of: index, at: $1) }
        )
      }
    } catch {
      request.release()
      throw error
    }
  }

  private var outputs: LineValues {
    var values: LineValues = []
    for index in devices.indices { values.formUnion(devices[index].outputs.shifted(by: bases[index])) }
    return values.intersection(outputLines)
  }

  private func share(of index: Int, in values: LineValues) -> LineValues {
    LineValues(rawValue: values.rawValue >> UInt64(bases[index]))
      .intersection(.first(bases[index + 1] - bases[index]))
  }

  private func emit(_ event: Device.Event, of index: Int, at moment: Moment) {
    context.emit(wrapEvent(index, event), at: moment)
  }

  // MARK: - Edges

  private func readEdges() {
    guard let request else { return }
    do throws(DriverError) {
      try readToTheEnd(of: request)
      if failedReads > 0 { failure = nil }
      failedReads = 0
    } catch {
      failedReads += 1
      // What stays unreadable stays ready: the cycle would go round for nothing but this.
      if error.kind == .lost || failedReads == Self.failedReadLimit { lose(error) } else { tellFailure(error) }
    }
  }

  private static var failedReadLimit: Int { 8 }

  /// Takes the edges that wait, and mends what is missing between them.
  private func readToTheEnd(of request: any LineRequest) throws(DriverError) {
    guard try receiveEdges(of: request) else { return goOnLater() }
    // Without numbers a full queue is all there is to see of a loss.
    if !abilities.numbersEdges, received >= abilities.queueDepth { isSuspect = true }
    received = 0
    guard isSuspect else { return }
    var values = try request.readValues()
    // An edge that came in between would look like a missing one. A line that never rests can't hold the cycle up.
    for _ in 0..<3 {
      guard try receiveEdges(of: request) else { return goOnLater() }
      if received == 0 { break }
      received = 0
      values = try request.readValues()
    }
    isSuspect = false
    correct(values)
  }

  /// The lane is full: what waits is best left with the kernel until the application has seen this.
  private func goOnLater() {
    context.watcher.makeWaker().wake()
  }

  /// Takes edges that wait. False if there may be more than the lane has room for.
  private func receiveEdges(of request: any LineRequest) throws(DriverError) -> Bool {
    // As many as could be queued for all lines, twice over.
    let bound = received + 2 * max(abilities.queueDepth * owners.count, edges.count)
    while received < bound {
      let room = context.room / Self.eventsOfAnEdge
      guard room > 0 || context.room == context.capacity else { return false }
      let batch = UnsafeMutableBufferPointer(rebasing: edges[..<min(edges.count, max(1, room))])
      let count = try request.readEdges(into: batch)
      for place in 0..<count where receive(batch[place]) { isSuspect = true }
      received += count
      if count < batch.count { break }
    }
    return true
  }

  /// A device tells at most so many events at one edge.
  private static var eventsOfAnEdge: Int { 4 }

  /// True if the edge shows that others are missing.
  private func receive(_ edge: LineEdge) -> Bool {
    let line = Int(edge.line)
    guard owners.indices.contains(line) else { return false }
    let index = owners[line]
    let gap = monitors[line].receive(edge)
    if let gap { devices[index].loseEdges(gap.count, at: edge.moment, emit: { emit($0, of: index, at: $1) }) }
    var own = edge
    own.line = Int32(line - bases[index])
    devices[index].receive(own, emit: { emit($0, of: index, at: $1) })
    return gap != nil
  }

  /// Brings every device to the values that its lines have.
  private func correct(_ values: LineValues) {
    let now = context.now
    for line in monitors.indices where monitors[line].value != nil && monitors[line].value != values[line] {
      let index = owners[line]
      devices[index].loseEdges(nil, at: now, emit: { emit($0, of: index, at: $1) })
      monitors[line].value = values[line]
    }
    for index in devices.indices {
      devices[index].correct(share(of: index, in: values), at: now, emit: { emit($0, of: index, at: $1) })
    }
  }

  private func ring() {
    let now = context.now
    for index in devices.indices {
      if let alarm = devices[index].alarm, alarm <= now {
        devices[index].ring(at: now, emit: { emit($0, of: index, at: $1) })
      }
    }
    if let moment = retry.moment, moment <= now { lookForReturn() }
  }

  private func setAlarm() {
    var earliest = retry.moment ?? .distantFuture
    for index in devices.indices {
      if let alarm = devices[index].alarm, alarm < earliest { earliest = alarm }
    }
    context.setAlarm(earliest)
  }

  // MARK: - A chip that goes away

  private func lose(_ error: DriverError) {
    request?.release()
    request = nil
    for index in devices.indices { devices[index].loseLines() }
    tell(.lost(error))
    lookForReturn()
  }

  private func lookForReturn() {
    returnWatch?.acknowledge()
    do throws(DriverError) {
      // First the watch, then the try: the chip may come back at any time.
      if returnWatch == nil { returnWatch = try chip.watchForReturn(context.watcher) }
      try take()
      returnWatch?.release()
      returnWatch = nil
      retry.end()
      failure = nil
      tell(.restored)
    } catch {
      if returnWatch != nil, [.absent, .lost, .notPermitted].contains(error.kind) {
        // Not there yet, or not yet open to this user: the watch tells when that changes.
        retry.end()
      } else {
        // Nothing tells when another program gives a line back.
        tellFailure(error)
        retry.fail(at: context.now)
      }
    }
    setAlarm()
  }

  private func tellFailure(_ error: DriverError) {
    guard failure != error else { return }
    failure = error
    tell(.failed(error))
  }

  private func tell(_ trouble: Trouble) {
    if let event = wrapTrouble(trouble) { context.emit(event) }
  }
}
