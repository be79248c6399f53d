import CycleCore

/// A port expander on an I²C bus: its lines are used like those of any chip.
///
///     let expander = I2CExpander(MCP23017(), platform.i2c, address: 0x20, interrupt: "GPIO4", on: platform.gpio)
///     Lens(expander)
///     Lens(Button(expander, line: "GPA0"), on: { frame, event in … })
///     Lens(Relay(expander, line: "GPB7"), show: { $0.isOpen ? .on : .off })
///
/// The expander is a chip and a driver. Wire its lens before those of the devices on its lines: the first frame needs
/// their levels.
///
/// **Timing.** A thread makes the transfers, so nothing on the bus can hold up the cycle. A write takes 0.4 ms at 100
/// kHz, after the writes before it; writes are never merged, and a pause of up to 20 ms between two writes is at most a
/// tenth shorter on the bus. With an interrupt line, a change of an input is read as soon as the chip reports it, and
/// has the moment of the interrupt. Without one, the inputs are read each 10 ms. A device that reads its lines right
/// after it has written them, such as a keypad, needs the lines of a GPIO chip.
///
/// **Loss.** An expander that doesn't acknowledge or has lost its settings is lost, and so are the lines of all devices
/// on it. It is retried after 1 s, 2 s, … 60 s; then the devices request their lines again.
///
/// **Restart.** Lines that are still requested when the application ends stay as they are. If another application
/// starts the driver again and the expander still has its settings, the requests continue; if not, they are lost.
public final class I2CExpander: Driver, GPIOChip {
  public typealias Model = NoModel
  public typealias Event = Never

  public struct Settings: Equatable, Sendable {
    /// The time between two readings of the inputs, if the expander has no interrupt line.
    public var poll: Duration
    /// At each multiple of this time on the loop's clock, the driver checks whether the expander still has its settings,
    /// and whether its inputs are those that it has reported. Nil for no checks.
    public var check: Duration?

    public init(poll: Duration = .milliseconds(10), check: Duration? = .seconds(1)) {
      precondition(poll > .zero, "the time between two readings is above 0")
      self.poll = poll
      self.check = check
    }
  }

  private let registers: any ExpanderRegisters
  private let bus: any I2CBus
  private let address: I2CAddress
  private let settings: Settings
  private let interruptLine: (name: LineName, chip: any GPIOChip)?
  private let names: [LineName]

  private var context: DriverContext<Never>?
  private var worker: Worker<ExpanderWork>?
  private var reporter = TroubleReporter()
  private let returns = ReturnWatchers()
  private var interrupt: (any LineRequest)?
  /// The moment of an interrupt for which the chip was not asked yet.
  private var unread: Moment?
  /// The number of readings without a change, although the interrupt line was low.
  private var quietReadings = 0
  /// The number of times that the chip was opened.
  private var openings = 0
  /// The command for which a request has waited in vain; nil if the chip answers in time.
  private var unanswered: Int?
  /// Whether devices were refused their lines, or have lost them, because the expander can't be reached.
  private var isAway = false
  private var pins = ExpanderPins()
  private var lastCommand = 0
  /// The state in which the driver was stopped.
  private var resting = ExpanderState()
  /// Why the last start has failed; nil if it has not.
  private var absence: DriverError?
  /// The requests of lines. They are weak: a request that is deallocated releases its lines, as on any chip.
  private var requests: [WeakRequest] = []

  private struct WeakRequest {
    weak var object: ExpanderRequest?
  }

  /// The writes that can wait for the bus.
  private static let mostWrites = 32
  /// The reads of the interrupt line's edges in one wake.
  private static let mostReads = 8
  /// After this number of readings without a change, an interrupt line that stays low is ignored until its next edge:
  /// it is broken.
  private static let mostQuietReadings = 3
  /// The time for which the application's start waits for the chip.
  private static let longestStart = Duration.seconds(1)
  /// The time for which a request in a running application waits for the chip.
  private static let longestRequest = Duration.milliseconds(20)

  /// Opens nothing.
  ///
  /// - Parameters:
  ///   - registers: the kind of the expander, such as ``MCP23017``.
  ///   - bus: the bus.
  ///   - address: the address on the bus.
  ///   - line: the line that the expander's interrupt is wired to; nil if it isn't.
  ///   - chip: the chip of that line.
  ///   - prefix: the text before the name of each line: with `more.`, a line is `more.GPA0`.
  ///   - settings: how often it is read and checked.
  public init(
    _ registers: any ExpanderRegisters, _ bus: any I2CBus, address: I2CAddress, interrupt line: LineName? = nil,
    on chip: (any GPIOChip)? = nil, linePrefix prefix: String = "", settings: Settings = Settings()
  ) {
    precondition((line == nil) == (chip == nil), "an interrupt line has a name and a chip")
    names = registers.lineNames.map { LineName(prefix + $0.description) }
    precondition(
      (1...64).contains(names.count) && Set(names).count == names.count,
      "an expander has 1 to 64 lines, each with a name")
    self.registers = registers
    self.bus = bus
    self.address = address
    self.settings = settings
    interruptLine = line.flatMap { line in chip.map { (line, $0) } }
  }

  // MARK: - The driver

  public func start(showing model: NoModel, in context: DriverContext<Never>) throws(DriverError) {
    self.context = context
    reporter = TroubleReporter()
    (unread, quietReadings, openings, unanswered) = (nil, 0, 0, nil)
    requests.removeAll { $0.object == nil }
    if requests.isEmpty { resting = ExpanderState() }
    (pins, lastCommand) = (resting.pins, resting.done)
    do throws(DriverError) {
      try begin(in: context)
    } catch {
      absence = error
      lose(error)
      stop()
      throw error
    }
    absence = nil
  }

  private func begin(in context: DriverContext<Never>) throws(DriverError) {
    if let interruptLine {
      let request = try interruptLine.chip.request([
        LineConfiguration(interruptLine.name, .input(.pullUp), edges: .falling)
      ])
      interrupt = request
      try request.watch(context.watcher)
    }
    let worker = try Worker(
      ExpanderWork(
        registers, I2CDevice(bus, at: address), settings, hasInterrupt: interrupt != nil, continuing: resting),
      for: label, onThread: bus.needsThread, in: context)
    self.worker = worker
    try worker.waitForRequiredStart(\.error)
    let isReady = worker.wait(atMost: Self.longestStart) { $0.isReady || $0.error != nil }
    // Requests from before a stop continue only if the expander is as they have left it.
    if isReady, worker.state.isReady {
      noteOpening(worker.state)
    } else {
      lose(worker.state.error ?? unavailable("it has not answered in time"))
    }
  }

  public func wake(_ wake: Wake) throws(DriverError) {
    guard let worker, let context else { return }
    if case .ready = wake {
      try readInterrupt()
      if reporter.acknowledge() { try? worker.send(.retry) }
    }
    worker.wake(wake) { report, moment in
      quietReadings = report.reading.changed.isEmpty ? quietReadings + 1 : 0
      deliver(report, at: moment)
    }
    let state = worker.state
    if let error = state.error { lose(error) }
    reporter.note(state.error.map(Trouble.lost), in: context) { [bus] watcher throws(DriverError) in
      try bus.watchForReturn(watcher)
    }
    noteOpening(state)
    if state.isReady, isAway, unanswered == nil {
      isAway = false
      returns.wake()
    }
    try askForChanges(of: worker)
  }

  private func deliver(_ report: ExpanderReport, at moment: Moment) {
    for request in requests { request.object?.receive(report, at: moment) }
  }

  /// Takes the settings that the chip had when it was opened. Lines that were requested before are lost then, however
  /// short the loss was, unless the driver was restarted and the chip still has their settings.
  private func noteOpening(_ state: ExpanderState) {
    if let number = unanswered, state.done >= number { unanswered = nil }
    guard state.openings != openings else { return }
    let isAsLeft = openings == 0 && state.pins == resting.pins
    openings = state.openings
    pins = state.pins
    if !requests.isEmpty, !isAsLeft { lose(unavailable("it was away")) }
  }

  /// Reads the edges of the interrupt line.
  private func readInterrupt() throws(DriverError) {
    guard let interrupt, let context else { return }
    let edges = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 16)
    defer { edges.deallocate() }
    for _ in 0..<Self.mostReads {
      let count = try interrupt.readEdges(into: edges)
      if count > 0 { (unread, quietReadings) = (unread ?? edges[0].moment, 0) }
      if count < edges.count { return }
    }
    // A line that never rests must not block the cycle: the other edges are read in the next turn.
    context.watcher.makeWaker().wake()
  }

  /// Asks the chip for its changes if it has raised its interrupt, or still holds the line low although it was read:
  /// then another input has changed during the reading, without an edge.
  private func askForChanges(of worker: Worker<ExpanderWork>) throws(DriverError) {
    guard let interrupt, let context, worker.state.isReady else { return }
    if unread == nil, quietReadings < Self.mostQuietReadings, try !interrupt.readValues()[0].isActive {
      unread = context.now
    }
    guard let moment = unread, worker.commandRoom > 0 else { return }
    try worker.send(.read(moment))
    unread = nil
  }

  public var isAtRest: Bool {
    guard let state = worker?.state else { return true }
    return state.error != nil || state.done == lastCommand
  }

  public func stop() {
    if let worker {
      worker.stop()
      resting = worker.state
      // The reading has ended the interrupt: the chip does not report these changes again.
      worker.takeRemaining { report, moment in
        deliver(report, at: moment)
        (resting.reading, resting.levels) = (report.number, report.reading.levels)
      }
      (resting.pins, resting.done) = (pins, lastCommand)
    }
    worker = nil
    interrupt?.release()
    interrupt = nil
    reporter.end()
    // Devices of the same application must know that they see no edges. If it ends, the next application may continue
    // with their lines.
    if let context, !context.isEnding { lose(unavailable("its driver has stopped")) }
  }

  // MARK: - The chip

  /// Wakes the watcher when the expander is back.
  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    // Without its own driver, it waits for the chip of its interrupt line.
    if worker == nil, let interruptLine { return try interruptLine.chip.watchForReturn(watcher) }
    return returns.add(watcher)
  }

  public func request(
    _ configurations: [LineConfiguration], consumer: String
  ) throws(DriverError) -> any LineRequest {
    try LineRequestErrorFactory.check(configurations)
    let lines = try configurations.map(check)
    for (place, line) in lines.enumerated() {
      if let twin = lines[..<place].firstIndex(of: line) {
        throw LineRequestErrorFactory.namedTwice(configurations[twin].name, configurations[place].name)
      }
      if requests.contains(where: { $0.object?.lines.contains(line) ?? false }) {
        throw LineRequestErrorFactory.usedTwice(configurations[place], of: label, cause: nil)
      }
    }
    guard let worker else {
      if context != nil { throw lost(absence ?? unavailable("its driver has stopped"), configurations) }
      throw DriverError(
        .misconfigured, of: label, cannot: "request line \(configurations[0].name) of \(label)",
        reason: "its own driver has not been started",
        remedy: "Wire a lens for the expander, before those of the devices on its lines.")
    }
    noteOpening(worker.state)
    guard worker.state.isReady, unanswered == nil else {
      isAway = true
      throw lost(worker.state.error ?? unavailable("it has not answered in time"), configurations)
    }
    let request = ExpanderRequest(self, configurations, lines: lines)
    let before = pins
    try set(request.pins(replacing: pins))
    request.begin(worker.state.levels, reading: worker.state.reading)
    if configurations.contains(where: { !$0.isOutput }) {
      do throws(DriverError) {
        try waitForLevels(of: request)
      } catch {
        // If it doesn't fit, the chip hangs, and the settings are changed by the next request.
        try? set(before)
        throw error
      }
    }
    requests.removeAll { $0.object == nil }
    requests.append(WeakRequest(object: request))
    return request
  }

  /// Waits until the lines of a request are set up and read, for some milliseconds.
  func waitForLevels(of request: ExpanderRequest) throws(DriverError) {
    guard let worker else { return }
    let number = lastCommand
    let bound = context.map { $0.isStarting } ?? false ? Self.longestStart : Self.longestRequest
    let isRead = worker.wait(atMost: bound) { $0.error != nil || $0.isReady && $0.done >= number }
    let state = worker.state
    guard isRead, state.error == nil else {
      isAway = true
      if state.error == nil { unanswered = number }
      throw lost(state.error ?? unavailable("it has not answered in time"), request.configurations)
    }
    request.begin(state.levels, reading: state.reading)
  }

  private var label: String { "the \(registers.kind) \(address)" }

  private func unavailable(_ reason: String) -> DriverError {
    DriverError(
      .lost, of: label, cannot: "use \(label)", reason: reason, remedy: "Its lines are requested again when it is back."
    )
  }

  /// The error of lines on an expander that can't be reached.
  private func lost(_ error: DriverError, _ configurations: [LineConfiguration]) -> DriverError {
    let names = configurations.map { "\($0.name)" }.joined(separator: ", ")
    return DriverError(
      .lost, of: names, cannot: "use line \(names) of \(label)", reason: error.reason, cause: error.cause,
      remedy: error.remedy)
  }

  /// The line that a configuration names.
  func check(_ configuration: LineConfiguration) throws(DriverError) -> Int {
    func fault(_ kind: DriverError.Kind, _ reason: String, _ remedy: String) -> DriverError {
      DriverError(
        kind, of: configuration.name.description, cannot: "request line \(configuration.name) of \(label)",
        reason: reason, remedy: remedy)
    }
    guard let line = names.firstIndex(of: configuration.name) else {
      throw fault(.misconfigured, "it has no such line", "Choose one of \(names[0]) to \(names[names.count - 1]).")
    }
    if let reason = registers.refusal(of: configuration) {
      throw fault(.unsupported, reason, "Choose other settings, or a line of a GPIO chip.")
    }
    return line
  }

  // MARK: - Calls of its requests

  private func startedWorker() throws(DriverError) -> Worker<ExpanderWork> {
    guard let worker else { throw unavailable("its driver has stopped") }
    return worker
  }

  func set(_ wanted: ExpanderPins) throws(DriverError) {
    guard wanted != pins else { return }
    let worker = try startedWorker()
    guard lastCommand - worker.state.done < Self.mostWrites else {
      throw DriverError(
        .busy, of: label, cannot: "write to \(label)", reason: "the last \(Self.mostWrites) writes are not done",
        remedy: "Its bus hangs or is too slow; the write is repeated.")
    }
    try worker.send(.set(wanted, number: lastCommand + 1, moment: context?.clock ?? .zero))
    pins = wanted
    lastCommand += 1
  }

  func change(_ request: ExpanderRequest) throws(DriverError) {
    try set(request.pins(replacing: pins))
    request.lastCommand = lastCommand
  }

  /// Whether everything that the request has written is in effect.
  func hasDone(_ command: Int) throws(DriverError) -> Bool { try startedWorker().state.done >= command }

  func release(_ request: ExpanderRequest) {
    requests.removeAll { $0.object == nil || $0.object === request }
    var unwatched = pins
    for line in request.lines { unwatched.watched[line] = .inactive }
    // If it doesn't fit, the line stays watched, and its changes are ignored.
    try? set(unwatched)
  }

  private func lose(_ error: DriverError) {
    isAway = true
    let lost = requests
    requests = []
    for request in lost {
      guard let request = request.object else { continue }
      request.lose(self.lost(error, request.configurations))
    }
  }
}
