import CycleCore
import HardwareDrivers

/// A chip that holds each line by a request of its own, so that lines stay held, without an edge, while another application takes the
/// place of the one that uses them.
///
///     try keeper.beginHandover(to: lines)    // new lines are requested; nothing has changed if that fails
///     old.stop()                             // what stays is neither written nor released, and its edges wait in the kernel
///     keeper.endHandover()
///     try new.start(on: loop)                // its requests get the lines that are held
///     keeper.releaseUnused()
///
/// A request of several lines is one of the kernel for each of them: a write of four outputs is four calls. Lines are told apart by their
/// names: one that goes on under another name is another line.
package final class LineKeeper: GPIOChip {
  private let chip: any GPIOChip
  private var held: [LineName: HeldLine] = [:]
  /// The lines that are not given back now, between ``beginHandover(to:consumer:)`` and ``endHandover()``; nil otherwise.
  fileprivate private(set) var staying: Set<LineName>?

  /// - Parameter chip: the chip that requests go to.
  package init(_ chip: any GPIOChip) {
    self.chip = chip
  }

  /// The lines that are held, each as it was configured last, an output with the value that it has.
  package var lines: [LineConfiguration] { held.values.map(\.configuration) }

  /// A held line as it was configured last; nil for a line that isn't held.
  ///
  /// - Parameter name: the name by which it was requested.
  package func configuration(of name: LineName) -> LineConfiguration? { held[name]?.configuration }

  // MARK: - The application's side

  /// - Throws: as the chip's own request; then nothing is held that was not held before.
  package func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
    try LineFault.check(lines)
    var kept: [KeptLine] = []
    do throws(DriverError) {
      for configuration in lines { kept.append(try request(configuration, consumer)) }
    } catch {
      for line in kept { line.release() }
      throw error
    }
    guard kept.count > 1 else { return kept[0] }
    return CompositeRequest(kept.enumerated().map { CompositeRequest.Part(request: $1, lines: [$0]) })
  }

  private func request(_ configuration: LineConfiguration, _ consumer: String) throws(DriverError) -> KeptLine {
    if let line = held[configuration.name], !line.isUsed {
      // Given back where that fails, as lines are whose request fails.
      do throws(DriverError) { try line.configure(configuration) } catch {
        drop(line)
        throw error
      }
      line.isUsed = true
      return KeptLine(line, of: self)
    }
    // The chip's own error tells who holds a line that is used twice.
    let line = HeldLine(try chip.request([configuration], consumer: consumer), configuration)
    line.isUsed = true
    held[configuration.name] = line
    return KeptLine(line, of: self)
  }

  package func watchForReturn(_ watcher: Watcher) throws(DriverError) -> any ReturnWatch {
    try chip.watchForReturn(watcher)
  }

  fileprivate func release(_ line: HeldLine) {
    line.isUsed = false
    if staying?.contains(line.configuration.name) ?? false { return }
    drop(line)
  }

  private func drop(_ line: HeldLine) {
    held[line.configuration.name] = nil
    line.request.release()
  }

  // MARK: - Handing over

  /// Requests those of the lines that are not held yet. From now on until ``endHandover()`` the requests of the application leave all
  /// these lines as they are: they write nothing, read no edges, and release nothing.
  ///
  /// - Parameters:
  ///   - lines: what the next application will request, outputs with their first values.
  ///   - consumer: who holds them.
  /// - Throws: as ``request(_:consumer:)``; then nothing has changed.
  package func beginHandover(
    to lines: [LineConfiguration], consumer: String = LineConsumer.thisProgram
  ) throws(DriverError) {
    var requested: [HeldLine] = []
    do throws(DriverError) {
      for line in lines where held[line.name] == nil {
        let new = HeldLine(try chip.request([line], consumer: consumer), line)
        held[line.name] = new
        requested.append(new)
      }
    } catch {
      for line in requested { drop(line) }
      throw error
    }
    staying = Set(lines.map(\.name))
  }

  /// The application before has stopped.
  package func endHandover() { staying = nil }

  /// Releases the lines that no request has any more.
  package func releaseUnused() {
    for line in Array(held.values) where !line.isUsed { drop(line) }
  }
}

/// A line with its request.
private final class HeldLine {
  let request: any LineRequest
  /// As it was configured last, an output with the value that was written last.
  var configuration: LineConfiguration
  var isUsed = false
  /// The number of the last edge that was read.
  var sequence: UInt32 = 0

  init(_ request: any LineRequest, _ configuration: LineConfiguration) {
    (self.request, self.configuration) = (request, configuration)
  }

  /// Brings the line into a configuration: of an output that differs in its value alone, only that is written.
  func configure(_ wanted: LineConfiguration) throws(DriverError) {
    guard wanted != configuration else { return }
    var before = configuration
    if case .output(_, let drive, let bias) = before.direction, case .output(let value, _, _) = wanted.direction {
      before.direction = .output(value, drive, bias)
      if before == wanted { return try write(value) }
    }
    try request.reconfigure([wanted])
    configuration = wanted
  }

  func write(_ value: LineValue) throws(DriverError) {
    try request.write(value.isActive ? .first(1) : [], mask: .first(1))
    if case .output(_, let drive, let bias) = configuration.direction {
      configuration.direction = .output(value, drive, bias)
    }
  }
}

/// A held line as one application uses it.
private final class KeptLine: LineRequest {
  private let line: HeldLine
  private let keeper: LineKeeper
  /// The number of the last edge before this application's.
  private let before: UInt32
  private var isReleased = false

  init(_ line: HeldLine, of keeper: LineKeeper) {
    (self.line, self.keeper, before) = (line, keeper, line.sequence)
  }

  deinit { release() }

  /// Whether the line is to stay as it is for the next application.
  private var isFrozen: Bool {
    guard let staying = keeper.staying else { return false }
    return staying.contains(line.configuration.name)
  }

  var abilities: LineAbilities { line.request.abilities }

  func watch(_ watcher: Watcher) throws(DriverError) { try line.request.watch(watcher) }

  func readValues() throws(DriverError) -> LineValues { try line.request.readValues() }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
    guard !isFrozen, mask[0].isActive, line.configuration.isOutput else { return }
    try line.write(values[0])
  }

  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {
    precondition(
      lines.map(\.name) == [line.configuration.name],
      "the lines that are reconfigured are those that were requested, in the same order")
    if !isFrozen { try line.configure(lines[0]) }
  }

  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    guard !isFrozen else { return 0 }
    let count = try line.request.readEdges(into: edges)
    guard count > 0 else { return 0 }
    if edges[count - 1].sequence > 0 { line.sequence = edges[count - 1].sequence }
    // Each application has the numbers from 1 on.
    if before > 0 { for place in 0..<count { edges[place].sequence &-= before } }
    return count
  }

  func release() {
    guard !isReleased else { return }
    isReleased = true
    keeper.release(line)
  }
}
