import CycleCore
import HardwareDrivers

/// A chip whose input edges are recorded in a recording as drivers read them, in addition to the drivers' events.
///
/// A recording of real hardware that contains edges can be resimulated: through the drivers, on simulated lines. If the
/// kernel debounces, its time stamp is the end of the debounce period. The recording has the moment at which the level
/// changed, one period earlier, so that it does not depend on the kernel's abilities.
public final class EdgeRecordingChip: GPIOChip {
  private let chip: any GPIOChip
  private let recorder: () -> Recorder?
  private let clock: () -> Moment

  /// - Parameters:
  ///   - chip: the chip that requests go to.
  ///   - recorder: gets the edges.
  ///   - clock: the clock of the recorded cycle's loop.
  public convenience init(_ chip: any GPIOChip, recorder: Recorder, clock: @escaping () -> Moment) {
    self.init(chip, clock: clock) { recorder }
  }

  /// - Parameters:
  ///   - chip: the chip that requests go to.
  ///   - clock: the clock of the recorded cycle's loop.
  ///   - recorder: returns the recorder for the edges of lines that are requested now; nil for none.
  init(_ chip: any GPIOChip, clock: @escaping () -> Moment, recorder: @escaping () -> Recorder?) {
    self.chip = chip
    self.recorder = recorder
    self.clock = clock
  }

  public func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
    let request = try chip.request(lines, consumer: consumer)
    guard let recorder = recorder(), lines.contains(where: \.hasEdges) else { return request }
    return EdgeRecordingRequest(request, lines, recorder, at: clock())
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try chip.watchForReturn(watcher)
  }
}

/// Lines whose edges are recorded.
private final class EdgeRecordingRequest: LineRequest {
  private struct Line {
    var name: String
    var isActiveLow: Bool
    var hasEdges: Bool
    /// The delay of the kernel's time stamp after the change of the level.
    var delay: Duration
    /// The number of edges so far, for kernels that don't number edges.
    var count: Int64 = 0
  }

  private let request: any LineRequest
  private let recorder: Recorder
  private var lines: [Line]

  init(_ request: any LineRequest, _ lines: [LineConfiguration], _ recorder: Recorder, at moment: Moment) {
    self.request = request
    self.recorder = recorder
    self.lines = []
    configure(lines)
    // If the level can't be read, the resimulation begins without it.
    guard let values = try? request.readValues() else { return }
    for (place, line) in self.lines.enumerated() where line.hasEdges {
      recorder.note(
        edgeOf: line.name, isHigh: values[place].isActive != line.isActiveLow, sequence: 0, at: moment)
    }
  }

  private func configure(_ configurations: [LineConfiguration]) {
    let counts = lines.map(\.count)
    lines = configurations.enumerated().map { place, line in
      Line(
        name: line.name.description, isActiveLow: line.isActiveLow, hasEdges: line.hasEdges,
        delay: request.abilities.debounces ? line.debounce : .zero,
        count: counts.indices.contains(place) ? counts[place] : 0)
    }
  }

  var abilities: EdgeCapabilities { request.abilities }

  func watch(_ watcher: Watcher) throws(DriverError) { try request.watch(watcher) }

  func readValues() throws(DriverError) -> LineValues { try request.readValues() }

  func write(_ values: LineValues, mask: LineValues) throws(DriverError) { try request.write(values, mask: mask) }

  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {
    try request.reconfigure(lines)
    configure(lines)
  }

  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    let count = try request.readEdges(into: edges)
    for edge in edges[..<count] where lines.indices.contains(Int(edge.line)) { note(edge) }
    return count
  }

  private func note(_ edge: LineEdge) {
    let place = Int(edge.line)
    lines[place].count = edge.sequence > 0 ? Int64(edge.sequence) : lines[place].count + 1
    let line = lines[place]
    recorder.note(
      edgeOf: line.name, isHigh: edge.value.isActive != line.isActiveLow, sequence: line.count,
      at: edge.moment + (.zero - line.delay))
  }

  func release() { request.release() }
}
