import CycleCore

/// The PWM channels of a chip as lines that are only ever on or off, for relays and other outputs of a board such as
/// one with a PCA9685.
///
///     let lines = PWMLineChip(hertz: 50) { name in channels[name] }
public final class PWMLineChip: GPIOChip {
  private let channel: (LineName) -> (any PWMChannel)?
  private let hertz: Int
  /// A channel that was requested; its chip's return is announced for all of them.
  private var announcer: (any PWMChannel)?

  /// - Parameters:
  ///   - hertz: the frequency of the waves, which are high for the whole period or for none of it.
  ///   - channel: the channel of a line; nil if there is no such line.
  public init(hertz: Int, channel: @escaping (LineName) -> (any PWMChannel)?) {
    self.hertz = hertz
    self.channel = channel
  }

  public func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
    var connections: [any PWMConnection] = []
    var values: LineValues = []
    do throws(DriverError) {
      // All channels are taken before the first output is active.
      for (place, line) in lines.enumerated() {
        let (channel, value) = (try channel(of: line), try value(of: line))
        announcer = channel
        connections.append(try channel.open(showing: wave(.inactive, line)))
        values[place] = value
      }
      for (place, line) in lines.enumerated() where values[place].isActive {
        try connections[place].show(wave(.active, line))
      }
    } catch {
      for (connection, line) in zip(connections, lines) {
        try? connection.show(wave(.inactive, line))
        end(connection, at: .inactive, line)
      }
      throw error
    }
    return PWMLineRequest(self, lines, connections, values)
  }

  /// Gives a channel back; its line keeps its level, like a line of a GPIO chip.
  fileprivate func end(_ connection: any PWMConnection, at value: LineValue, _ line: LineConfiguration) {
    if wave(value, line).high > .zero { connection.leave() } else { connection.close() }
  }

  private func channel(of line: LineConfiguration) throws(DriverError) -> any PWMChannel {
    guard let channel = channel(line.name) else {
      throw fault(.misconfigured, line, "its chip has no such channel", "Choose a channel of the chip.")
    }
    return channel
  }

  fileprivate func value(of line: LineConfiguration) throws(DriverError) -> LineValue {
    guard case .output(let value, .pushPull, .asIs) = line.direction else {
      throw fault(.unsupported, line, "a PWM channel is only a push-pull output", "Use a line of a GPIO chip.")
    }
    return value
  }

  fileprivate func wave(_ value: LineValue, _ line: LineConfiguration) -> PWMWave {
    PWMWave(value.isActive != line.isActiveLow ? 1 : 0, hertz: Double(hertz))
  }

  private func fault(
    _ kind: DriverError.Kind, _ line: LineConfiguration, _ reason: String, _ remedy: String
  ) -> DriverError {
    DriverError(
      kind, of: line.name.description, cannot: "request line \(line.name)", reason: reason, remedy: remedy)
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try announcer?.watchForReturn(watcher)
  }
}

/// Channels that are held together.
private final class PWMLineRequest: SeparableLineRequest {
  private let chip: PWMLineChip
  private var lines: [LineConfiguration]
  /// The connection of each line; nil if it is released.
  private var connections: [(any PWMConnection)?]
  private var values: LineValues
  /// The lines whose channel shows an unknown wave, because a write has failed.
  private var unknown: LineValues = []

  init(_ chip: PWMLineChip, _ lines: [LineConfiguration], _ connections: [(any PWMConnection)?], _ values: LineValues) {
    (self.chip, self.lines, self.connections, self.values) = (chip, lines, connections, values)
  }

  deinit { release() }

  var abilities: EdgeCapabilities { EdgeCapabilities(debounces: false, numbersEdges: false, queueDepth: 1) }

  func watch(_ watcher: Watcher) throws(DriverError) {
    for connection in connections { try connection?.watch(watcher) }
  }

  /// There are no edges. A wake of the watcher is for a chip that may have gone.
  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    for connection in connections { try connection?.check() }
    return 0
  }

  func readValues() throws(DriverError) -> LineValues { values }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    for place in lines.indices where mask[place].isActive {
      if values[place] != self.values[place] || unknown[place].isActive { try show(values[place], at: place) }
    }
  }

  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {
    for (place, line) in lines.enumerated() {
      let value = try chip.value(of: line)
      self.lines[place] = line
      try show(value, at: place)
    }
  }

  private func show(_ value: LineValue, at place: Int) throws(DriverError) {
    guard let connection = connections[place] else { return }
    unknown[place] = .active
    try connection.show(chip.wave(value, lines[place]))
    unknown[place] = .inactive
    values[place] = value
  }

  /// The lines keep their levels, like those of a GPIO chip.
  func release() { release(at: Array(lines.indices)) }

  func release(at places: [Int]) {
    for place in places where place < connections.count {
      if let connection = connections[place] { chip.end(connection, at: values[place], lines[place]) }
      connections[place] = nil
    }
  }
}
