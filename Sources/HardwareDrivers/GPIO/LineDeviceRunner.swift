import CycleCore

/// The lines of several devices on one request: reads their edges in order and writes their outputs in one call.
///
/// Use it in a driver of your own that has lines and something else (a bus, a second chip). Make a group for each chip,
/// pass every wake to all groups, and set the driver's alarm to the earliest of their alarms. A driver for a single
/// device needs no group: see ``LineDevice``.
public final class LineDeviceRunner<Device: LineDevice, Event: Sendable> {
  private let context: DriverContext<Event>
  private let wrapEvent: (Int, Device.Event) -> Event

  // Only the cycle's thread accesses the properties below, many times at every edge and never reentrantly. Dynamic
  // exclusivity checks would take as long as all the rest, so they are off.
  private let devices: UnsafeMutableBufferPointer<Device>
  @exclusivity(unchecked) private var places = RequestLineMap([])
  @exclusivity(unchecked) private var lines: [LineConfiguration] = []
  private let writer = LineWriter()
  /// Devices with a rendered model that is not written yet. Bit n is device n, not line n.
  @exclusivity(unchecked) private var devicesToWrite: LineValues = []
  /// The states of these devices before that render.
  private let devicesBefore: UnsafeMutableBufferPointer<Device>
  /// The steps of each device, and how many devices have pending steps.
  private let pending: UnsafeMutableBufferPointer<PendingSteps>
  @exclusivity(unchecked) private var pendingCount = 0
  /// Devices that have added steps since ``write()`` was called. Bit n is device n.
  @exclusivity(unchecked) private var devicesWithNewSteps: LineValues = []
  @exclusivity(unchecked) private var reportedFaults: ReportedFaults
  /// Whether time is virtual: a write takes no time then, so each step needs a pause to get its own moment.
  private let isVirtual: Bool
  /// Whether the devices have the models that were rendered last; false after a failed write has restored earlier ones.
  @exclusivity(unchecked) private var isLastModelShown = true
  /// Devices whose emissions report the state in which they were found. Bit n is device n.
  @exclusivity(unchecked) private var devicesBeingFound: LineValues = []
  /// Whether the first frame waits for these devices.
  @exclusivity(unchecked) private var isAwaited = false
  /// The device whose step has just failed.
  @exclusivity(unchecked) private var failedSteps: Int?
  @exclusivity(unchecked) private var request: (any LineRequest)?
  private let edges = EdgeReader()
  @exclusivity(unchecked) private var storm = DisabledInterruptDetector()

  /// - Parameters:
  ///   - devices: at least one, all on the chip of the first; at most 64 lines together.
  ///   - event: makes the driver's event out of a device's number and event.
  ///   - context: the context that the driver got at its start.
  public init(
    _ devices: [Device], in context: DriverContext<Event>, event: @escaping (Int, Device.Event) -> Event
  ) {
    precondition(!devices.isEmpty, "a group has at least one device")
    self.devices = .allocate(copying: devices)
    devicesBefore = .allocate(copying: devices)
    pending = .allocate(copying: devices.map { _ in PendingSteps() })
    reportedFaults = ReportedFaults(deviceCount: devices.count)
    self.context = context
    isVirtual = context.isVirtual
    wrapEvent = event
  }

  deinit {
    request?.release()
    reportedFaults.forget(&context.faultCount)
    devices.deinitialize().deallocate()
    devicesBefore.deinitialize().deallocate()
    pending.deinitialize().deallocate()
  }

  // MARK: - What a driver calls

  /// Requests the lines. Outputs have the models' values from the first instant.
  ///
  /// - Throws: an error that names the line; nothing is held then.
  public func start(showing models: [Device.Model]) throws(DriverError) {
    devicesToWrite = []  // A model that was rendered without lines must not be restored by the first write.
    for index in devices.indices { devices[index].render(models[index], at: context.now) }
    try requestLines()
    do throws(DriverError) {
      try write()
    } catch {
      stop()
      throw error
    }
  }

  /// Renders the model on one device without writing to the lines; ``write()`` writes them.
  @inline(__always)
  public func render(_ model: Device.Model, at index: Int) {
    precondition(devices.indices.contains(index), "there is a model for a device that the group doesn't have")
    if !devicesToWrite[index].isActive {
      (devicesBefore.baseAddress! + index).pointee = (devices.baseAddress! + index).pointee
    }
    devicesToWrite[index] = .active
    isLastModelShown = true
    devices[index].render(model, at: context.now)
  }

  /// Writes the outputs of all devices in one call, then does the steps of the devices that have any. If that fails,
  /// every device that was rendered since the last write gets back the state that it had before.
  ///
  /// If steps are pending already, the wakes continue them and this call does none. Otherwise each of many consecutive
  /// models would block the cycle for a full turn of steps, although only the last model counts.
  public func write() throws(DriverError) {
    defer { tellFaults() }
    try write(doingSteps: pendingCount == 0)
  }

  private func write(doingSteps: Bool) throws(DriverError) {
    guard request != nil, Device._takesSteps || !writer.outputLines.isEmpty else { return }
    devicesWithNewSteps = []
    failedSteps = nil
    defer { devicesToWrite = [] }
    do throws(DriverError) {
      if Device._takesSteps {
        for index in devices.indices where !pending[index].isActive { askForSteps(of: index) }
      }
      try writeOutputs()
      if doingSteps, pendingCount > 0 {
        let count = pendingCount
        try runSteps()
        // Devices whose steps have just finished are part of the write again.
        if pendingCount < count { try writeOutputs() }
      }
    } catch {
      for index in devices.indices {
        let isRestored = devicesToWrite[index].isActive
        if isRestored { devices[index] = devicesBefore[index] }
        isLastModelShown = isLastModelShown && !isRestored
        // Called after the restore: the restored state does not include the steps that the hardware has received.
        let hasSteps = pending[index].isActive || devicesWithNewSteps[index].isActive
        if index == failedSteps || isRestored && hasSteps { abandonSteps(of: index) }
      }
      failedSteps = nil
      throw error
    }
  }

  /// Rings the devices that are due, or reads edges. Then continues pending steps and writes the outputs.
  public func wake(_ wake: Wake) throws(DriverError) {
    if !devicesBeingFound.isEmpty { endFinding() }
    defer { if isAwaited { endAwaiting() } }
    do throws(DriverError) {
      if wake == .alarm { try ring() } else { try readEdges() }
    } catch {
      // Lines of a chip that is gone can't be written: throw only the loss.
      if error.kind != .lost { try writeAll() }
      throw error
    }
    try writeAll()
  }

  private func writeAll() throws(DriverError) {
    defer { tellFaults() }
    try write(doingSteps: true)
  }

  /// Reports faults that have appeared or cleared since the last call, also by finished or failed steps.
  @inline(__always)
  private func tellFaults() {
    if reportedFaults.count > 0 || ReportedFaults.exist(in: devices) { tellChangedFaults() }
  }

  private func tellChangedFaults() {
    for index in devices.indices where request != nil {
      if let trouble = reportedFaults.note(devices[index].fault, of: index, &context.faultCount) {
        context.report(trouble)
      }
    }
  }

  /// The moment at which the group must be woken next; nil for never.
  @inline(__always)
  public var alarm: Moment? {
    var earliest = Moment.distantFuture
    for index in devices.indices {
      if let alarm = devices[index]._alarm, alarm < earliest { earliest = alarm }
    }
    if pendingCount > 0 {
      for index in pending.indices where pending[index].isActive { earliest = min(earliest, pending[index].due) }
    }
    if let deadline = storm.deadline { earliest = min(earliest, deadline) }
    return earliest == .distantFuture ? nil : earliest
  }

  @inline(__always)
  func setAlarm() {
    context.setAlarm(request == nil ? nil : alarm)
  }

  /// Whether no steps are pending and every device is at rest.
  public var isAtRest: Bool { pendingCount == 0 && devices.allSatisfy(\.isAtRest) }

  /// Releases the lines. The devices stay and can be started again.
  public func stop() {
    guard let request else { return }
    // A failed write may have left lines in an unknown state, although the safe model was rendered: write them again.
    // An error of this write is ignored, because the lines are released in any case. If the last model itself could not
    // be written, `outputs` belongs to the model before it: then nothing is written.
    if !writer.uncertain.isEmpty, isLastModelShown { try? request.write(outputs, mask: writer.uncertain) }
    writer.end()
    storm.end()
    if isAwaited {
      isAwaited = false
      context.endReading()
    }
    request.release()
    self.request = nil
    for index in devices.indices {
      if pending[index].isActive { abandonSteps(of: index) }
      devices[index]._loseLines()
    }
    reportedFaults.forget(&context.faultCount)
  }

  // MARK: - Lines

  private func requestLines() throws(DriverError) {
    lines = devices.flatMap(\.lines)
    places = RequestLineMap(devices.map(\.lines.count))
    sortLines()
    let request = try devices[0].chip.request(lines)
    do throws(DriverError) {
      try request.watch(context.watcher)
      let values = try request.readValues()
      self.request = request
      edges.begin(lines, abilities: request.abilities)
      writer.begin(request, values: outputs)
      let now = context.now
      for index in devices.indices where !devices[index]._isKnown { devicesBeingFound[index] = .active }
      for index in devices.indices {
        devices[index]._begin(
          places.share(of: index, in: values), isDebounced: request.abilities.debounces, at: now,
          emit: { emit($0, of: index, at: $1) })
      }
    } catch {
      request.release()
      self.request = nil
      throw error
    }
    guard context.isStarting, !devices.allSatisfy(\._isKnown) else { return }
    isAwaited = true
    context.awaitReading()
  }

  /// Devices that have become known emit events from here on, unless the first frame is still to be made.
  private func endFinding() {
    guard !context.isStarting else { return }
    for index in devices.indices where devicesBeingFound[index].isActive && devices[index]._isKnown {
      devicesBeingFound[index] = .inactive
      devices[index]._endStart()
    }
  }

  private func endAwaiting() {
    guard request == nil || devices.allSatisfy(\._isKnown) else { return }
    isAwaited = false
    context.endReading()
  }

  /// Finds the outputs, and the inputs with contacts.
  private func sortLines() {
    precondition(
      Device._receivesEdges || !lines.contains(where: \.hasEdges),
      "\(Device.self) has inputs that report edges and is no EdgeReceiver: conform to it, or request edges: .none")
    writer.outputLines = []
    storm.lines = []
    for line in lines.indices {
      writer.outputLines[line] = LineValue(lines[line].isOutput)
      storm.lines[line] = LineValue(lines[line].hasEdges && !lines[line].countsEdges)
    }
  }

  private var outputs: LineValues {
    var values: LineValues = []
    for index in devices.indices { values.formUnion(devices[index].outputs.shifted(by: places.bases[index])) }
    return values.intersection(writer.outputLines)
  }

  private func emit(_ event: Device.Event, of index: Int, at moment: Moment) {
    guard devicesBeingFound.isEmpty || !devicesBeingFound[index].isActive else {
      return context.find(wrapEvent(index, event), at: moment)
    }
    context.emit(wrapEvent(index, event), at: moment)
  }

  // MARK: - Inputs

  private func readEdges() throws(DriverError) {
    guard let request else { return }
    let isAllRead = try edges.read(
      from: request, room: { edgeRoom },
      edge: { edge, gap in
        let index = places.owners[Int(edge.line)]
        storm.receive(Int(edge.line), at: edge.moment)
        if let gap {
          storm.lose(gap.count, of: Int(edge.line), at: edge.moment)
          devices[index]._loseEdges(gap.count, at: edge.moment, emit: { emit($0, of: index, at: $1) })
        }
        var own = edge
        own.line = Int32(Int(edge.line) - places.bases[index])
        devices[index]._receive(own, emit: { emit($0, of: index, at: $1) })
      },
      correct: { values, missed in
        let now = context.now
        for line in places.owners.indices where missed[line].isActive {
          storm.lose(nil, of: line, at: now)
          devices[places.owners[line]]._loseEdges(nil, at: now, emit: { emit($0, of: places.owners[line], at: $1) })
        }
        for index in devices.indices {
          devices[index]._correct(places.share(of: index, in: values), at: now, emit: { emit($0, of: index, at: $1) })
        }
      })
    // The lane is full, or a line never rests: the other edges stay in the kernel's queue until these are reduced.
    if !isAllRead { context.watcher.makeWaker().wake() }
  }

  /// The number of edges for which the lane has room now; at least one if the lane is empty.
  private var edgeRoom: Int {
    let mostEventsOfAnEdge = 4
    let count = context.room / mostEventsOfAnEdge
    return count == 0 && context.room == context.capacity ? 1 : count
  }

  private func ring() throws(DriverError) {
    let now = context.now
    if let deadline = storm.deadline, deadline <= now {
      // Edges that arrived in time may not have been read yet.
      try readEdges()
      if let deadline = storm.deadline, deadline <= now {
        throw LineRequestErrorFactory.silent(lines.indices.filter { storm.lines[$0].isActive }.map { lines[$0].name })
      }
    }
    for index in devices.indices {
      if let alarm = devices[index]._alarm, alarm <= now {
        devices[index]._ring(at: now, emit: { emit($0, of: index, at: $1) })
      }
    }
  }

  // MARK: - Outputs

  /// Writes the outputs that differ from what was written last, in one call; leaves out devices with pending steps.
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
    devices[index]._addSteps(to: &pending[index].steps)
    guard !pending[index].steps.isEmpty else { return }
    pending[index].begin(at: context.clock)
    pendingCount += 1
    devicesWithNewSteps[index] = .active
  }

  /// Does the steps that are due, until `longestRun` is used up.
  private func runSteps() throws(DriverError) {
    let clock = context.clock
    var spent: Int64 = 0
    for index in pending.indices where pending[index].isActive && pending[index].due <= clock {
      while pending[index].isActive, pending[index].due <= clock {
        // Time is used up: let the other drivers run, and continue with the next wake.
        guard spent < StepTiming.longestRun else {
          pending[index].due = context.clock
          break
        }
        do throws(DriverError) {
          // Reading a real clock after each write would take half as long as the write: count the writes instead.
          if !isVirtual {
            let limit = Int((StepTiming.longestRun - spent) / StepTiming.callTime)
            spent +=
              try Int64(
                writer.write(&pending[index], base: places.bases[index], lines: places.lines(of: index), limit: limit))
              * StepTiming.callTime
          }
          spent += try runStep(of: index)
        } catch {
          failedSteps = index
          throw error
        }
      }
    }
  }

  /// Does the next step of a device and returns its cost in nanoseconds.
  private func runStep(of index: Int) throws(DriverError) -> Int64 {
    guard let step = pending[index].next() else {
      endSteps(of: index)
      devices[index]._finishSteps(at: context.clock, emit: { emit($0, of: index, at: $1) })
      askForSteps(of: index)
      return StepTiming.callTime
    }
    switch step.action {
    case .write:
      let mask = step.mask.shifted(by: places.bases[index]).intersection(places.lines(of: index))
      try writer.write(step.values.shifted(by: places.bases[index]), mask: mask)
    case .read:
      guard let values = try request?.readValues() else { return 0 }
      devices[index]._read(
        places.share(of: index, in: values), at: context.clock, emit: { emit($0, of: index, at: $1) })
    case .turn: try turn(pending[index].steps.turns[step.turn], of: index)
    }
    if step.hold > StepTiming.longestWait {
      pending[index].due = context.clock + .nanoseconds(step.hold)
    } else if step.hold > 0 || (isVirtual && !pending[index].isDone) {
      context.pause(for: .nanoseconds(step.hold))
    }
    return max(step.hold, StepTiming.callTime)
  }

  private func turn(_ turned: [LineConfiguration], of index: Int) throws(DriverError) {
    var lines = self.lines
    // A configuration sets the value of every output, so the outputs of other devices get their current values.
    for line in lines.indices {
      if case .output(_, let drive, let bias) = lines[line].direction {
        lines[line].direction = .output(writer.written[line], drive, bias)
      }
    }
    lines.replaceSubrange(places.range(of: index), with: turned)
    try request?.reconfigure(lines)
    self.lines = lines
    sortLines()
    for line in places.range(of: index) {
      if case .output(let value, _, _) = lines[line].direction { writer.written[line] = value }
      edges.reconfigure(line, as: lines[line])
    }
  }

  private func endSteps(of index: Int) {
    pending[index].end()
    pendingCount -= 1
  }

  private func abandonSteps(of index: Int) {
    if pending[index].isActive { endSteps(of: index) }
    devices[index]._abandonSteps()
  }
}
