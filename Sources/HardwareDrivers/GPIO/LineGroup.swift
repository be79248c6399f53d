import CycleCore

/// The lines of some devices at work: one request, its edges in order, its outputs in one call.
///
/// For a driver of one's own that has lines and something else (a bus, a second chip): it makes a group for each chip, hands on its wakes to
/// all of them, and sets its alarm to the earliest of theirs. A driver of a single device needs none of this: see ``LineDevice``.
public final class LineGroup<Device: LineDevice, Event: Sendable> {
  private let context: DriverContext<Event>
  private let wrapEvent: (Int, Device.Event) -> Event

  // One thread touches what follows, many times at every edge, and never one of these while it changes the same: nothing is called
  // back. To check that each time would take as long as all the rest.
  private let devices: UnsafeMutableBufferPointer<Device>
  @exclusivity(unchecked) private var places = LinePlaces([])
  @exclusivity(unchecked) private var lines: [LineConfiguration] = []
  private let writer = LineWriter()
  /// By device, not by line: those whose models are not written yet, and what these were before.
  @exclusivity(unchecked) private var unwritten: LineValues = []
  private let devicesBefore: UnsafeMutableBufferPointer<Device>
  /// The steps of each device, and how many devices have some that are not done.
  private let pending: UnsafeMutableBufferPointer<PendingSteps>
  @exclusivity(unchecked) private var pendingCount = 0
  /// By device: those that have asked for steps since ``write()`` began.
  @exclusivity(unchecked) private var stepped: LineValues = []
  @exclusivity(unchecked) private var toldFaults: ToldFaults
  /// Whether a write takes no time by itself, so that it has to be given some.
  private let isVirtual: Bool
  /// Whether the devices show the models that were rendered last: false when they went back to those before.
  @exclusivity(unchecked) private var isLastModelShown = true
  /// The device of which a step has just failed.
  @exclusivity(unchecked) private var failedSteps: Int?
  @exclusivity(unchecked) private var request: (any LineRequest)?
  private let edges = EdgeReader()
  @exclusivity(unchecked) private var storm = EdgeStorm()

  /// How long the steps of one turn may hold the other drivers up, half of what a driver is allowed.
  private static var longestRun: Int64 { 500_000 }
  /// Longer pauses are wake-ups.
  private static var longestWait: Int64 { 100_000 }
  /// What a step without a pause counts for.
  private static var callTime: Int64 { 2_000 }

  /// - Parameters:
  ///   - devices: at least one, all on the chip of the first; at most 64 lines together.
  ///   - event: makes the driver's event out of a device's number and event.
  public init(
    _ devices: [Device], in context: DriverContext<Event>, event: @escaping (Int, Device.Event) -> Event
  ) {
    precondition(!devices.isEmpty, "a group has at least one device")
    self.devices = .allocate(copying: devices)
    devicesBefore = .allocate(copying: devices)
    pending = .allocate(copying: devices.map { _ in PendingSteps() })
    toldFaults = ToldFaults(deviceCount: devices.count)
    self.context = context
    isVirtual = context.isVirtual
    wrapEvent = event
  }

  deinit {
    request?.release()
    toldFaults.forget(&context.faultCount)
    devices.deinitialize().deallocate()
    devicesBefore.deinitialize().deallocate()
    pending.deinitialize().deallocate()
  }

  // MARK: - What a driver calls

  /// Requests the lines, outputs at the models' values from the first instant.
  ///
  /// - Throws: an error that names the line; nothing is held then.
  public func start(showing models: [Device.Model]) throws(DriverError) {
    let now = context.now
    for index in devices.indices { devices[index].render(models[index], at: now) }
    try requestLines()
    do throws(DriverError) {
      try write()
    } catch {
      stop()
      throw error
    }
  }

  /// Has one device show its model; ``write()`` brings it to the lines.
  public func render(_ model: Device.Model, at index: Int) {
    precondition(devices.indices.contains(index), "there is a model for a device that the group doesn't have")
    if !unwritten[index].isActive {
      // Assignment by the subscripts would copy the device twice.
      (devicesBefore.baseAddress! + index).update(from: devices.baseAddress! + index, count: 1)
    }
    unwritten[index] = .active
    isLastModelShown = true
    devices[index].render(model, at: context.now)
  }

  /// Writes what the devices want of their lines: all values in one call, then the steps of those that have any. Where that fails, every
  /// device that was rendered goes on with what it showed before.
  ///
  /// Where steps are being done already, the wakes go on with them: many models in a row would otherwise each hold the cycle up
  /// for as long as a turn of steps may last, to write what the last of them takes back.
  public func write() throws(DriverError) {
    defer { tellFaults() }
    try write(doingSteps: pendingCount == 0)
  }

  private func write(doingSteps: Bool) throws(DriverError) {
    guard request != nil else { return }
    stepped = []
    failedSteps = nil
    defer { unwritten = [] }
    do throws(DriverError) {
      for index in devices.indices where !pending[index].isActive { askForSteps(of: index) }
      try writeOutputs()
      if doingSteps, pendingCount > 0 {
        let count = pendingCount
        try runSteps()
        // Devices whose steps are done have their outputs from here on.
        if pendingCount < count { try writeOutputs() }
      }
    } catch {
      for index in devices.indices {
        let isRestored = unwritten[index].isActive
        if isRestored { devices[index] = devicesBefore[index] }
        isLastModelShown = isLastModelShown && !isRestored
        // Told to the device that goes on: its hardware has had steps which that one knows nothing of.
        if index == failedSteps || (isRestored && (pending[index].isActive || stepped[index].isActive)) {
          abandonSteps(of: index)
        }
      }
      failedSteps = nil
      throw error
    }
  }

  /// Reads edges, rings the devices whose alarms are due, goes on with steps, and writes what comes of it.
  public func wake(_ wake: Wake) throws(DriverError) {
    do throws(DriverError) {
      if wake == .alarm { try ring() } else { try readEdges() }
    } catch {
      // Where the chip is gone, that is what counts.
      if error.kind != .lost { try writeAll() }
      throw error
    }
    try writeAll()
  }

  private func writeAll() throws(DriverError) {
    defer { tellFaults() }
    try write(doingSteps: true)
  }

  /// Tells of faults that have come or gone. A row of steps may have been done since the device was last called.
  private func tellFaults() {
    guard request != nil else { return }
    for index in devices.indices where toldFaults.count > 0 || Self.hasFault(devices[index]) {
      if let trouble = toldFaults.note(devices[index].fault, of: index, &context.faultCount) { context.report(trouble) }
    }
  }

  // For a type of device without faults the compiler leaves nothing of this; a comparison with nil would still copy the fault.
  private static func hasFault(_ device: borrowing Device) -> Bool {
    if case .some = device.fault { true } else { false }
  }

  /// When the group wants to be woken next; nil for never.
  public var alarm: Moment? {
    var earliest = Moment.distantFuture
    for index in devices.indices {
      if let alarm = devices[index].alarm, alarm < earliest { earliest = alarm }
    }
    if pendingCount > 0 {
      for index in pending.indices where pending[index].isActive { earliest = min(earliest, pending[index].due) }
    }
    if let deadline = storm.deadline { earliest = min(earliest, deadline) }
    return earliest == .distantFuture ? nil : earliest
  }

  func setAlarm() {
    context.setAlarm(request == nil ? nil : alarm)
  }

  /// Whether all steps are done, and every device says so of itself.
  public var isAtRest: Bool { pendingCount == 0 && devices.allSatisfy(\.isAtRest) }

  /// Releases the lines. What the devices know, they keep.
  public func stop() {
    guard let request else { return }
    // The safe model may be what was shown last, and a write that failed since may have left the lines otherwise. There is
    // nobody left to tell if this fails too. Where the safe model itself failed, the outputs are those of the model before.
    if !writer.uncertain.isEmpty, isLastModelShown { try? request.write(outputs, mask: writer.uncertain) }
    writer.end()
    storm.end()
    request.release()
    self.request = nil
    for index in devices.indices {
      if pending[index].isActive { abandonSteps(of: index) }
      devices[index].loseLines()
    }
    toldFaults.forget(&context.faultCount)
  }

  // MARK: - Lines

  private func requestLines() throws(DriverError) {
    lines = devices.flatMap(\.lines)
    places = LinePlaces(devices.map(\.lines.count))
    findOutputs()
    let request = try devices[0].chip.request(lines)
    do throws(DriverError) {
      try request.watch(context.watcher)
      let values = try request.readValues()
      self.request = request
      edges.begin(lineCount: lines.count, abilities: request.abilities)
      writer.begin(request, values: outputs)
      let now = context.now
      for index in devices.indices {
        devices[index].begin(
          places.share(of: index, in: values), isDebounced: request.abilities.debounces, at: now,
          emit: { emit($0, of: index, at: $1) })
      }
    } catch {
      request.release()
      self.request = nil
      throw error
    }
  }

  private func findOutputs() {
    writer.outputLines = []
    for line in lines.indices { if case .output = lines[line].direction { writer.outputLines[line] = .active } }
  }

  private var outputs: LineValues {
    var values: LineValues = []
    for index in devices.indices { values.formUnion(devices[index].outputs.shifted(by: places.bases[index])) }
    return values.intersection(writer.outputLines)
  }

  private func emit(_ event: Device.Event, of index: Int, at moment: Moment) {
    context.emit(wrapEvent(index, event), at: moment)
  }

  // MARK: - Inputs

  private func readEdges() throws(DriverError) {
    guard let request else { return }
    let isAllRead = try edges.read(
      from: request, room: { edgeRoom },
      edge: { edge, gap in
        let index = places.owners[Int(edge.line)]
        storm.receive(at: edge.moment)
        if let gap {
          storm.lose(gap.count, at: edge.moment)
          devices[index].loseEdges(gap.count, at: edge.moment, emit: { emit($0, of: index, at: $1) })
        }
        var own = edge
        own.line = Int32(Int(edge.line) - places.bases[index])
        devices[index].receive(own, emit: { emit($0, of: index, at: $1) })
      },
      correct: { values, changed in
        let now = context.now
        for line in places.owners.indices where changed[line].isActive {
          storm.lose(nil, at: now)
          devices[places.owners[line]].loseEdges(nil, at: now, emit: { emit($0, of: places.owners[line], at: $1) })
        }
        for index in devices.indices {
          devices[index].correct(places.share(of: index, in: values), at: now, emit: { emit($0, of: index, at: $1) })
        }
      })
    // The lane is full: what waits is best left with the kernel until the application has seen this.
    if !isAllRead { context.watcher.makeWaker().wake() }
  }

  /// For how many edges there is room in the lane. A lane that is empty has room for one.
  private var edgeRoom: Int {
    let mostEventsOfAnEdge = 4
    let count = context.room / mostEventsOfAnEdge
    return count == 0 && context.room == context.capacity ? 1 : count
  }

  private func ring() throws(DriverError) {
    let now = context.now
    if let deadline = storm.deadline, deadline <= now {
      // Edges that have come since are still to be read.
      try readEdges()
      if let deadline = storm.deadline, deadline <= now { throw LineFault.silent(lines.filter(\.hasEdges).map(\.name)) }
    }
    for index in devices.indices {
      if let alarm = devices[index].alarm, alarm <= now {
        devices[index].ring(at: now, emit: { emit($0, of: index, at: $1) })
      }
    }
  }

  // MARK: - Outputs

  /// Writes the outputs that differ from what the lines have, in one call; not those of devices that have steps to do.
  private func writeOutputs() throws(DriverError) {
    guard !writer.outputLines.isEmpty else { return }
    var mask = writer.outputLines
    if pendingCount > 0 {
      for index in devices.indices where pending[index].isActive { mask.subtract(places.lines(of: index)) }
    }
    try writer.write(outputs, mask: mask)
  }

  // MARK: - Steps

  private func askForSteps(of index: Int) {
    devices[index].addSteps(to: &pending[index].steps)
    guard !pending[index].steps.isEmpty else { return }
    pending[index].begin(at: context.clock)
    pendingCount += 1
    stepped[index] = .active
  }

  /// Does the steps that are due, until this turn has lasted long enough.
  private func runSteps() throws(DriverError) {
    let clock = context.clock
    var spent: Int64 = 0
    for index in pending.indices where pending[index].isActive && pending[index].due <= clock {
      while pending[index].isActive, pending[index].due <= clock {
        // The others have their turn first.
        guard spent < Self.longestRun else {
          pending[index].due = context.clock
          break
        }
        do throws(DriverError) {
          // To read a real clock after each write would take half as long as the write.
          if !isVirtual {
            let limit = Int((Self.longestRun - spent) / Self.callTime)
            spent +=
              try Int64(
                writer.write(&pending[index], base: places.bases[index], lines: places.lines(of: index), limit: limit))
              * Self.callTime
          }
          spent += try runStep(of: index)
        } catch {
          failedSteps = index
          throw error
        }
      }
    }
  }

  /// Does the next step of a device: how many nanoseconds that took.
  private func runStep(of index: Int) throws(DriverError) -> Int64 {
    guard let step = pending[index].next() else {
      endSteps(of: index)
      devices[index].finishSteps(at: context.clock, emit: { emit($0, of: index, at: $1) })
      askForSteps(of: index)
      return Self.callTime
    }
    switch step.action {
    case .write:
      let mask = step.mask.shifted(by: places.bases[index]).intersection(places.lines(of: index))
      try writer.write(step.values.shifted(by: places.bases[index]), mask: mask)
    case .read:
      guard let values = try request?.readValues() else { return 0 }
      devices[index].receive(
        places.share(of: index, in: values), at: context.clock, emit: { emit($0, of: index, at: $1) })
    case .turn: try turn(pending[index].steps.turns[step.turn], of: index)
    }
    if step.hold > Self.longestWait {
      pending[index].due = context.clock + .nanoseconds(step.hold)
    } else if step.hold > 0 || (isVirtual && !pending[index].isDone) {
      context.pause(for: .nanoseconds(step.hold))
    }
    return max(step.hold, Self.callTime)
  }

  private func turn(_ turned: [LineConfiguration], of index: Int) throws(DriverError) {
    var lines = self.lines
    // A configuration sets the value of every output: those of the other devices are to keep theirs.
    for line in lines.indices {
      if case .output(_, let drive, let bias) = lines[line].direction {
        lines[line].direction = .output(writer.written[line], drive, bias)
      }
    }
    lines.replaceSubrange(places.range(of: index), with: turned)
    try request?.reconfigure(lines)
    self.lines = lines
    findOutputs()
    for line in places.range(of: index) {
      if case .output(let value, _, _) = lines[line].direction { writer.written[line] = value }
      edges.forget(line)
    }
  }

  private func endSteps(of index: Int) {
    pending[index].end()
    pendingCount -= 1
  }

  private func abandonSteps(of index: Int) {
    if pending[index].isActive { endSteps(of: index) }
    devices[index].abandonSteps()
  }
}
