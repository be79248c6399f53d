import CycleCore

/// A chip whose lines are the outputs of a ``ShiftRegister``: LEDs, bars and relays are used on it as on any chip.
///
///     let register = ShiftRegisterChip(ShiftRegister(chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13"))
///     Lens(LED(register, line: "Q0"), show: { $0.isRinging ? .on : .off })
///     Lens(Relay(register, line: "Q7"), show: { $0.isOpen ? .on : .off })
///
/// All lines are push-pull outputs without bias. The register's own lines are requested with the first output and
/// released with the last. A released output keeps its level, as on a Raspberry Pi.
///
/// **Timing.** Each write, of any number of lines, writes one row to the register. Lamps that change together cost one
/// row if they belong to one driver (``LineDriverArray``), and one row each if they have a driver each.
///
/// **Loss.** When the chip that the register is wired to goes away, all drivers on the register lose their lines. Each
/// of them watches for that chip, and the first one that finds it requests the register's lines again, with the last
/// levels of all outputs.
public final class ShiftRegisterChip: GPIOChip {
  private let names: [LineName]
  private var register: ShiftRegister
  /// The levels of all outputs, including those that are not requested.
  private var levels: LineValues
  /// The request of the register's own lines, while any output is held.
  private var lines: (any LineRequest)?
  /// The requests of outputs. They are weak: a request that is deallocated releases its lines, as on any chip.
  private var requests: [(id: ObjectIdentifier, outputs: [Int], request: WeakRequest)] = []
  /// The request whose watcher watches the register's lines.
  private var listener: ObjectIdentifier?
  private var steps = LineSteps()

  /// - Parameters:
  ///   - names: the names of all outputs, from Q0 of the first register on; `Q0` to `Q63` unless given.
  ///   - levels: the levels of outputs that were not requested yet. Set high for a relay that switches at low: the
  ///     outputs are enabled with the first request of any driver, perhaps before the relay's.
  ///   - register: the shift register.
  public init(_ register: ShiftRegister, names: [LineName]? = nil, levels: LineValues = []) {
    let names = names ?? (0..<register.outputCount).map { LineName("Q\($0)") }
    precondition(
      names.count == register.outputCount && Set(names).count == names.count,
      "a shift register with \(register.outputCount) outputs has as many names, no two of them the same")
    self.register = register
    self.names = names
    self.levels = levels.intersection(.first(names.count))
  }

  public func request(
    _ configurations: [LineConfiguration], consumer: String
  ) throws(DriverError) -> any LineRequest {
    try LineRequestErrorFactory.check(configurations)
    var outputs: [Int] = []
    for configuration in configurations {
      let output = try check(configuration)
      if let twin = outputs.firstIndex(of: output) {
        throw LineRequestErrorFactory.namedTwice(configurations[twin].name, configuration.name)
      }
      if requests.contains(where: { $0.outputs.contains(output) }) {
        throw LineRequestErrorFactory.usedTwice(configuration, of: Self.label, cause: nil)
      }
      outputs.append(output)
    }
    let request = ShiftRegisterRequest(self, outputs: outputs, configurations: configurations)
    do throws(DriverError) {
      // Held lines may have been lost without notice. The chip may be back already, so they are requested again.
      if try !showOnHeldLines(request) {
        lines = try register.chip.request(register.lines, consumer: consumer)
        try show(request.levels(replacing: levels))
      }
    } catch {
      releaseUnused()
      throw error
    }
    requests.append((ObjectIdentifier(request), outputs, WeakRequest(request)))
    return request
  }

  /// Writes the request's levels to the register. Returns false if the register's lines are not held or turn out to be
  /// gone; in that case they have been released.
  private func showOnHeldLines(_ request: ShiftRegisterRequest) throws(DriverError) -> Bool {
    guard lines != nil else { return false }
    do throws(DriverError) {
      try show(request.levels(replacing: levels))
      return true
    } catch {
      if error.kind == .lost { return false }
      throw error
    }
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try register.chip.watchForReturn(watcher)
  }

  private static let label = "the shift register"

  /// The index of the output that a configuration names.
  fileprivate func check(_ configuration: LineConfiguration) throws(DriverError) -> Int {
    func fault(_ kind: DriverError.Kind, _ reason: String, _ remedy: String) -> DriverError {
      DriverError(
        kind, of: configuration.name.description,
        cannot:
          "request line \(configuration.name) of \(Self.label) as \(LineRequestErrorFactory.direction(configuration))",
        reason: reason, remedy: remedy)
    }
    guard let output = names.firstIndex(of: configuration.name) else {
      throw fault(.misconfigured, "it has no such line", "Choose one of \(names[0]) to \(names[names.count - 1]).")
    }
    guard case .output(_, let drive, let bias) = configuration.direction else {
      throw fault(
        .misconfigured, "it has outputs only", "Wire the input to a line of the chip that the register is wired to.")
    }
    guard drive == .pushPull, bias == .asIs || bias == .disabled else {
      throw fault(.unsupported, "its outputs are push-pull and have no bias", "Choose push-pull, and no bias.")
    }
    return output
  }

  // MARK: - Calls of its requests

  /// Writes one row, if the outputs don't have these levels.
  fileprivate func show(_ wanted: LineValues) throws(DriverError) {
    guard let lines else { return }
    register.render(wanted, at: .zero)
    register.addSteps(to: &steps)
    defer { steps.removeAll() }
    guard !steps.isEmpty else { return }
    do throws(DriverError) {
      for step in steps.steps { try lines.write(step.values, mask: step.mask) }
    } catch {
      register.abandonSteps()
      if error.kind == .lost { lose(error) }
      throw error
    }
    register.finishSteps(at: .zero, emit: { _, _ in })
    levels = wanted
  }

  fileprivate func change(_ request: ShiftRegisterRequest) throws(DriverError) {
    try show(request.levels(replacing: levels))
  }

  /// Watches the register's lines with this request's watcher, unless another request's watcher does already;
  /// ``lose(_:)`` notifies the others.
  fileprivate func listen(for request: ShiftRegisterRequest) throws(DriverError) {
    guard listener == nil || listener == ObjectIdentifier(request), let watcher = request.watcher else { return }
    try lines?.watch(watcher)
    listener = ObjectIdentifier(request)
  }

  /// Throws if the register's lines are gone.
  fileprivate func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) {
    do throws(DriverError) {
      _ = try lines?.readEdges(into: edges)
    } catch {
      if error.kind == .lost { lose(error) }
      throw error
    }
  }

  /// The chip that the register is wired to is gone: every request on the register is lost.
  private func lose(_ error: DriverError) {
    let lost = requests
    requests = []
    for (_, _, request) in lost { request.object?.lose(error) }
    releaseUnused()
  }

  fileprivate func release(_ request: ShiftRegisterRequest) {
    requests.removeAll { $0.id == ObjectIdentifier(request) }
    guard listener == ObjectIdentifier(request) else { return releaseUnused() }
    listener = nil
    // Another request's watcher watches the register's lines from now on. A request without a watcher detects a loss
    // when it writes.
    for (_, _, other) in requests where listener == nil {
      if let other = other.object { try? listen(for: other) }
    }
    releaseUnused()
  }

  /// Releases the register's lines if none of its outputs is requested.
  private func releaseUnused() {
    guard requests.isEmpty else { return }
    lines?.release()
    lines = nil
    listener = nil
    register.loseLines()
  }
}

private struct WeakRequest {
  weak var object: ShiftRegisterRequest?

  init(_ object: ShiftRegisterRequest) {
    self.object = object
  }
}

/// Some outputs of a shift register, held together.
private final class ShiftRegisterRequest: LineRequest {
  /// Nil when the lines are released or lost.
  private var chip: ShiftRegisterChip?
  /// The output index of each line.
  let outputs: [Int]
  private var configurations: [LineConfiguration]
  private var values: LineValues = []
  private(set) var watcher: Watcher?
  private var loss: DriverError?

  init(_ chip: ShiftRegisterChip, outputs: [Int], configurations: [LineConfiguration]) {
    self.chip = chip
    self.outputs = outputs
    self.configurations = configurations
    values = Self.values(of: configurations)
  }

  deinit {
    release()
  }

  private static func values(of configurations: [LineConfiguration]) -> LineValues {
    var values: LineValues = []
    for line in configurations.indices {
      if case .output(let value, _, _) = configurations[line].direction { values[line] = value }
    }
    return values
  }

  /// A copy of `levels` with the levels of this request's outputs.
  func levels(replacing levels: LineValues) -> LineValues {
    var levels = levels
    for line in outputs.indices {
      levels[outputs[line]] = LineValue(values[line].isActive != configurations[line].isActiveLow)
    }
    return levels
  }

  var abilities: EdgeCapabilities { EdgeCapabilities(debounces: false, numbersEdges: false, queueDepth: 1) }

  func watch(_ watcher: Watcher) throws(DriverError) {
    self.watcher = watcher
    try held().listen(for: self)
  }

  private func held() throws(DriverError) -> ShiftRegisterChip {
    if let loss { throw loss }
    guard let chip else { preconditionFailure("a request that has been released is not used any more") }
    return chip
  }

  func readValues() throws(DriverError) -> LineValues {
    _ = try held()
    return values
  }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    let chip = try held()
    let mask = mask.intersection(.first(outputs.count))
    let before = self.values
    self.values = before.subtracting(mask).union(values.intersection(mask))
    do throws(DriverError) {
      try chip.change(self)
    } catch {
      self.values = before
      throw error
    }
  }

  func reconfigure(_ configurations: [LineConfiguration]) throws(DriverError) {
    let chip = try held()
    precondition(
      configurations.count == outputs.count
        && zip(configurations, self.configurations).allSatisfy { $0.name == $1.name },
      "the lines that are reconfigured are those that were requested, in the same order")
    for configuration in configurations { _ = try chip.check(configuration) }
    let before = (self.configurations, values)
    self.configurations = configurations
    values = Self.values(of: configurations)
    do throws(DriverError) {
      try chip.change(self)
    } catch {
      (self.configurations, values) = before
      throw error
    }
  }

  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    try held().readEdges(into: edges)
    return 0
  }

  func lose(_ error: DriverError) {
    loss = error
    chip = nil
    watcher?.makeWaker().wake()
    watcher = nil
  }

  func release() {
    chip?.release(self)
    chip = nil
    watcher = nil
  }
}
