import CycleCore

/// Some lines of a port expander, held together.
final class ExpanderRequest: LineRequest {
  /// Nil when the lines are released or lost.
  private var expander: I2CExpander?
  private(set) var configurations: [LineConfiguration]
  /// The expander's number of each line.
  let lines: [Int]
  /// The number of the last command of this request.
  var lastCommand = 0
  /// The levels of the lines that were read last, and the number of the reading; bit n is this request's line n.
  private var levels: LineValues = []
  private var reading = 0
  private var values: LineValues
  private var sequences: [UInt32]
  /// The moment of the last edge.
  private var lastMoment = Moment.zero
  private var edges: [LineEdge] = []
  private var watcher: Watcher?
  private var loss: DriverError?

  private static let queueDepth = 64

  init(_ expander: I2CExpander, _ configurations: [LineConfiguration], lines: [Int]) {
    self.expander = expander
    self.configurations = configurations
    self.lines = lines
    values = Self.values(of: configurations)
    sequences = lines.map { _ in 0 }
  }

  deinit { release() }

  private static func values(of configurations: [LineConfiguration]) -> LineValues {
    var values: LineValues = []
    for line in configurations.indices {
      if case .output(let value, _, _) = configurations[line].direction { values[line] = value }
    }
    return values
  }

  /// A copy of `pins` with the settings of this request's lines.
  func pins(replacing pins: ExpanderPins) -> ExpanderPins {
    var pins = pins
    for (index, line) in lines.enumerated() {
      let configuration = configurations[index]
      pins.outputs[line] = LineValue(configuration.isOutput)
      pins.watched[line] = LineValue(configuration.hasEdges)
      switch configuration.direction {
      case .input(let bias):
        guard bias != .asIs else { break }
        pins.pullUps[line] = LineValue(bias == .pullUp)
        pins.pullDowns[line] = LineValue(bias == .pullDown)
      case .output:
        pins.levels[line] = LineValue(values[index].isActive != configuration.isActiveLow)
      }
    }
    return pins
  }

  var abilities: EdgeCapabilities {
    EdgeCapabilities(debounces: false, numbersEdges: true, queueDepth: Self.queueDepth)
  }

  private func held() throws(DriverError) -> I2CExpander {
    if let loss { throw loss }
    guard let expander else { preconditionFailure("a request that has been released is not used any more") }
    return expander
  }

  func watch(_ watcher: Watcher) throws(DriverError) {
    _ = try held()
    self.watcher = watcher
    if !edges.isEmpty { watcher.makeWaker().wake() }
  }

  // MARK: - Inputs

  /// Takes the levels at the request.
  func begin(_ levels: LineValues, reading: Int) {
    self.reading = reading
    for (index, line) in lines.enumerated() { self.levels[index] = levels[line] }
  }

  /// Takes a reading: each line whose level has changed has an edge, or two if it has changed and changed back.
  func receive(_ report: ExpanderReport, at moment: Moment) {
    guard report.number > reading else { return }
    reading = report.number
    let before = sequences
    for (index, line) in lines.enumerated() where report.reading.changed[line].isActive {
      set(index, to: report.reading.stored[line], at: min(report.interrupt ?? moment, moment))
    }
    for (index, line) in lines.enumerated() { set(index, to: report.reading.levels[line], at: moment) }
    if sequences != before { watcher?.makeWaker().wake() }
  }

  private func set(_ index: Int, to level: LineValue, at moment: Moment) {
    guard levels[index] != level else { return }
    levels[index] = level
    let configuration = configurations[index]
    let value = LineValue(level.isActive != configuration.isActiveLow)
    guard configuration.hasEdges, configuration.edges.contains(value) else { return }
    sequences[index] &+= 1
    lastMoment = max(lastMoment, moment)
    // The reader finds the number of lost edges by the missing numbers.
    guard edges.count < Self.queueDepth else { return }
    edges.append(LineEdge(line: index, value: value, moment: lastMoment, sequence: sequences[index]))
  }

  func readEdges(into buffer: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    if edges.isEmpty { _ = try held() }
    let count = min(buffer.count, edges.count)
    for place in 0..<count { buffer[place] = edges[place] }
    edges.removeFirst(count)
    return count
  }

  func readValues() throws(DriverError) -> LineValues {
    let isDone = try held().hasDone(lastCommand)
    guard isDone || configurations.allSatisfy(\.isOutput) else {
      throw DriverError(
        .unsupported, of: configurations.map { "\($0.name)" }.joined(separator: ", "),
        cannot: "read lines right after they were written", reason: "there is a bus between them and the panel",
        remedy: "A device that does this needs the lines of a GPIO chip.")
    }
    var values = self.values
    for (index, configuration) in configurations.enumerated() where !configuration.isOutput {
      values[index] = LineValue(levels[index].isActive != configuration.isActiveLow)
    }
    return values
  }

  // MARK: - Outputs

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    let expander = try held()
    let mask = mask.intersection(.first(lines.count))
    let before = self.values
    self.values = before.subtracting(mask).union(values.intersection(mask))
    do throws(DriverError) {
      try expander.change(self)
    } catch {
      self.values = before
      throw error
    }
  }

  func reconfigure(_ configurations: [LineConfiguration]) throws(DriverError) {
    let expander = try held()
    precondition(
      configurations.count == lines.count
        && zip(configurations, self.configurations).allSatisfy { $0.name == $1.name },
      "the lines that are reconfigured are those that were requested, in the same order")
    for configuration in configurations { _ = try expander.check(configuration) }
    let before = (self.configurations, values)
    self.configurations = configurations
    values = Self.values(of: configurations)
    do throws(DriverError) {
      try expander.change(self)
      if !configurations.allSatisfy(\.isOutput) { try expander.waitForLevels(of: self) }
    } catch {
      (self.configurations, values) = before
      // If it doesn't fit, the chip hangs, and its lines are lost.
      try? expander.change(self)
      throw error
    }
  }

  // MARK: - The end

  func lose(_ error: DriverError) {
    loss = error
    expander = nil
    watcher?.makeWaker().wake()
    watcher = nil
  }

  func release() {
    expander?.release(self)
    expander = nil
    watcher = nil
  }
}
