import CycleCore
import HardwareDrivers

/// A GPIO chip in memory. The program uses it like any ``HardwareDrivers/GPIOChip``; the world's side drives its lines,
/// loses edges and unplugs the chip.
public final class SimulatedChip: GPIOChip, SimulatedHardware {
  /// The generation of the kernel's interface that the chip simulates.
  public enum Generation: CaseIterable, Sendable {
    /// No debouncing, no edge numbers; a queue of 16 edges for each line that drops the newest: libgpiod 1.6.
    case first
    /// Debouncing, numbers, a queue of 1 024 edges for all lines of a request that drops the oldest: libgpiod 2.
    case second
  }

  public let bench: Bench
  public let label: String
  public let generation: Generation
  /// The maximum number of unread edges in the queue: of each line, or, in the second generation, of a request.
  @exclusivity(unchecked) public var edgeQueueDepth: Int
  /// Whether outputs stay driven when they are released, as on Raspberry Pi OS.
  public var keepsReleasedOutputs = false
  /// Whether this user may open the chip.
  public var isPermitted = true
  /// Whether the kernel's interrupt handler merges edges: of the queued edges of a line with the same time stamp only
  /// the last is kept.
  @exclusivity(unchecked) public var mergesEdges = false

  /// An offset that is added to the time stamp of each edge: a positive one makes stamps from the future.
  @exclusivity(unchecked) public var stampOffset = Duration.zero

  /// The next request fails with this error, once.
  public var nextRequestError: DriverError?
  /// Every request fails with this error until it is set to nil.
  public var lastingRequestError: DriverError?
  /// The next write to held lines, or change of their configuration, fails with this error, once; the lines don't
  /// change.
  @exclusivity(unchecked) public var nextWriteError: DriverError? {
    didSet { if nextWriteError == nil { writesBeforeError = 0 } }
  }
  /// The number of writes that succeed before the one that fails with ``nextWriteError``.
  @exclusivity(unchecked) public var writesBeforeError = 0
  /// Every write to held lines, and every change of their configuration, fails with this error until it is set to nil;
  /// the lines don't change.
  @exclusivity(unchecked) public var lastingWriteError: DriverError?
  /// Whether a write that fails takes effect nevertheless, as if only its acknowledgement got lost.
  @exclusivity(unchecked) public var failedWritesTakeEffect = false
  /// The next reading of edges fails with this error, once; the edges stay in the queue.
  @exclusivity(unchecked) public var nextReadError: DriverError?
  /// Every reading of edges fails with this error until it is set to nil, also after the lines have been requested
  /// again; the edges stay in the queue. While it is set, the lines' watcher is woken repeatedly, as by a broken
  /// descriptor.
  @exclusivity(unchecked) public var lastingReadError: DriverError? {
    didSet { if lastingReadError != nil { for request in requests { request.wake() } } }
  }
  /// Called after each reading of edges. An action here takes place between two readings of an application that reads
  /// several requests in turn.
  @exclusivity(unchecked) public var afterReadingEdges: (() -> Void)?
  /// The number of calls that requested lines, and of those that wrote to held lines or reconfigured them. Failed calls
  /// are included. Each call counts once for any number of lines.
  public internal(set) var requestCount = 0
  @exclusivity(unchecked) public internal(set) var writeCount = 0

  public private(set) var isPlugged: Bool
  public private(set) var lines: [SimulatedLine] = []
  /// Outputs that the world, or another output, drove to the opposite level, the oldest first; only the first 1 000.
  public private(set) var shortCircuits: [ShortCircuit] = []
  private var shortCircuitCount = 0
  @exclusivity(unchecked) private(set) var accessListeners = Listeners<(Access, [SimulatedLine]) -> Void>()
  @exclusivity(unchecked) private var requests: [SimulatedRequest] = []
  /// The request that holds each line.
  @exclusivity(unchecked) private var holders: [SimulatedRequest?] = []
  private let watches = ReturnWatchers()
  /// The chip of the first line name of the form `gpiochip0:17` that was looked up. This chip represents only that one:
  /// names with a different chip are not found.
  private var playedChip: String?

  /// - Parameters:
  ///   - names: the lines in the order of their offsets; `GPIO0` to `GPIO27`, as on a Pi's header, unless given.
  ///   - isPlugged: whether the chip is there initially; if not, ``plug()`` connects it.
  ///   - generation: the generation of the kernel's interface that the chip simulates.
  ///   - label: the label of the chip.
  ///   - bench: the bench.
  public init(
    _ bench: Bench, label: String = "simulated", names: [LineName]? = nil, generation: Generation = .second,
    isPlugged: Bool = true
  ) {
    self.isPlugged = isPlugged
    self.bench = bench
    self.label = label
    self.generation = generation
    edgeQueueDepth = generation == .first ? 16 : 1024
    let names = names ?? (0..<28).map { LineName("GPIO\($0)") }
    for (offset, name) in names.enumerated() {
      lines.append(SimulatedLine(name: name, offset: offset, chip: self, at: bench.now))
    }
    holders = lines.map { _ in nil }
    bench.add(self)
  }

  deinit {
    for line in lines { line.forgetChip() }
    bench.remove(ObjectIdentifier(self))
  }

  /// Adds lines after the existing ones, as if the chip had always had them. Names that it has already are skipped.
  package func add(_ names: [LineName]) {
    for name in names where find(name) == nil {
      lines.append(SimulatedLine(name: name, offset: lines.count, chip: self, at: bench.now))
      holders.append(nil)
    }
  }

  /// The line with this name. A name that the chip doesn't have is a mistake in the test: it traps.
  public func line(_ name: LineName) -> SimulatedLine {
    guard let line = find(name) else { preconditionFailure("\(label) has no line \(name)") }
    return line
  }

  /// The line with this name, or else, for a name like `gpiochip0:17`, the line with that offset. The same offset on
  /// two chips means two different lines, so only names with the chip that was named first are found by offset.
  private func find(_ name: LineName) -> SimulatedLine? {
    if let line = lines.first(where: { $0.name == name }) { return line }
    guard let (chip, offset) = name.chipAndOffset, lines.indices.contains(offset), chip == playedChip ?? chip else {
      return nil
    }
    playedChip = chip
    return lines[offset]
  }

  /// A push-button or a switch at the line: to ground, unless its closed level is high.
  ///
  /// - Parameter open: as in ``Contact/init(_:line:closed:open:)``.
  /// - Parameter name: the name of the line.
  /// - Parameter closed: the level of the line while the contact is closed.
  public func contact(at name: LineName, closed: Level = .low, open: Level? = nil) -> Contact {
    Contact(bench, line: line(name), closed: closed, open: open)
  }

  /// A contact between two lines, optionally with a diode from `anode` to `cathode`.
  public func contact(from anode: LineName, to cathode: LineName, hasDiode: Bool = false) -> Contact {
    Contact(bench, from: line(anode), to: line(cathode), hasDiode: hasDiode)
  }

  /// The same chip for another program: lines that are requested from the result are held by that program.
  public func otherProgram() -> any GPIOChip { OtherProgram(self) }

  /// The number of lines that the application holds; those of other programs don't count.
  public var heldLines: Int { lines.count { $0.isOurs } }

  // MARK: - The program's side

  public func request(
    _ configurations: [LineConfiguration], consumer: String
  ) throws(DriverError) -> any LineRequest {
    requestCount += 1
    if let error = nextRequestError ?? lastingRequestError {
      nextRequestError = nil
      throw error
    }
    try LineRequestErrorFactory.check(configurations)
    try checkPlugged()
    guard isPermitted else {
      throw DriverError(
        .notPermitted, of: label, cannot: "open \(label)", reason: "permission denied",
        remedy: "Add this user to the group \"gpio\".")
    }
    return try hold(configurations, consumer: consumer, isOurs: true)
  }

  fileprivate func checkPlugged() throws(DriverError) {
    if isPlugged { return }
    throw DriverError(
      .absent, of: label, cannot: "open \(label)", reason: "no such chip", remedy: "Plug it in, or name another chip.")
  }

  fileprivate func hold(
    _ configurations: [LineConfiguration], consumer: String, isOurs: Bool
  ) throws(DriverError) -> SimulatedRequest {
    var lines: [SimulatedLine] = []
    for configuration in configurations {
      let line = try free(configuration, isOurs: isOurs)
      if let twin = lines.firstIndex(where: { $0 === line }) {
        throw LineRequestErrorFactory.namedTwice(configurations[twin].name, configuration.name)
      }
      lines.append(line)
    }
    for (line, configuration) in zip(lines, configurations) {
      line.take(configuration, consumer: consumer, isOurs: isOurs)
    }
    for line in lines { line.resolve() }
    let request = SimulatedRequest(chip: self, lines: lines, configurations: configurations)
    requests.append(request)
    for line in lines { holders[line.offset] = request }
    return request
  }

  private func free(_ configuration: LineConfiguration, isOurs: Bool) throws(DriverError) -> SimulatedLine {
    let direction = LineRequestErrorFactory.direction(configuration)
    guard let line = find(configuration.name) else {
      throw DriverError(
        .misconfigured, of: configuration.name.description,
        cannot: "request line \(configuration.name) of \(label) as \(direction)",
        reason: "the chip has no such line",
        remedy: "Choose one of \(lines.first?.name.description ?? "none") to \(lines.last?.name.description ?? "none")."
      )
    }
    guard let holder = line.consumer else { return line }
    if isOurs, line.isOurs { throw LineRequestErrorFactory.usedTwice(configuration, of: label, cause: nil) }
    throw DriverError(
      .busy, of: configuration.name.description,
      cannot: "request line \(configuration.name) of \(label) as \(direction)", reason: "busy",
      remedy:
        "\"\(holder)\" uses it. Stop that program or choose another line; `gpioinfo` lists the users of all lines.")
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    watches.add(watcher)
  }

  // MARK: - The world's side

  /// Unplugs the chip: requests are lost, and programs that use them get errors of the kind `lost`.
  public func unplug() {
    guard isPlugged else { return }
    isPlugged = false
    loseRequests()
    for line in lines { line.release(keepingOutput: false) }
  }

  /// Connects the chip again, with no line requested.
  public func plug() {
    guard !isPlugged else { return }
    isPlugged = true
    watches.wake()
  }

  /// Releases all held lines, as the kernel does when the programs that hold them are killed; their requests are lost.
  public func dropRequests() {
    loseRequests()
    for line in lines where line.consumer != nil { line.release(keepingOutput: keepsReleasedOutputs) }
  }

  private func loseRequests() {
    let held = requests
    requests = []
    holders = lines.map { _ in nil }
    for request in held { request.lose() }
  }

  /// An access of a program to lines that it holds.
  public enum Access: Sendable {
    /// It reads their current values.
    case read
    /// It sets outputs: the lines still have their previous levels.
    case write
  }

  /// Calls `listener` before each read and write of values, for simulated hardware that must not be read or written too
  /// early.
  ///
  /// - Parameters:
  ///   - owner: the object that the listener is called for, and that it must not retain. The listener ends with it. Nil
  ///     for one that lives as long as the chip.
  ///   - listener: receives the access and its lines.
  public func onAccess(for owner: AnyObject? = nil, _ listener: @escaping (Access, [SimulatedLine]) -> Void) {
    accessListeners.add(listener, for: owner)
  }

  func tell(_ access: Access, _ lines: @autoclosure () -> [SimulatedLine]) {
    if accessListeners.all.isEmpty { return }
    let lines = lines()
    for listener in accessListeners.all { listener(access, lines) }
  }

  func lineChanged(_ line: SimulatedLine, to level: Level, at moment: Moment) {
    holders[line.offset]?.lineChanged(line, to: level, at: moment)
  }

  /// Records the start of a short circuit. Returns its index in ``shortCircuits``, or an unused index after the first 1
  /// 000, which are listed.
  func beginShortCircuit(_ shortCircuit: ShortCircuit) -> Int {
    shortCircuitCount += 1
    if shortCircuits.count < 1000 { shortCircuits.append(shortCircuit) }
    return shortCircuitCount - 1
  }

  func endShortCircuit(_ place: Int) {
    if place < shortCircuits.count { shortCircuits[place].end = bench.now }
  }

  func forget(_ request: SimulatedRequest) {
    requests.removeAll { $0 === request }
    for place in holders.indices where holders[place] === request { holders[place] = nil }
  }
}

/// Another program on the same chip. Its requests ignore ``SimulatedChip/nextRequestError``,
/// ``SimulatedChip/lastingRequestError`` and ``SimulatedChip/isPermitted``, which are for the application.
private final class OtherProgram: GPIOChip {
  private let chip: SimulatedChip

  init(_ chip: SimulatedChip) {
    self.chip = chip
  }

  func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
    try LineRequestErrorFactory.check(lines)
    try chip.checkPlugged()
    return try chip.hold(lines, consumer: consumer, isOurs: false)
  }

  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try chip.watchForReturn(watcher)
  }
}
