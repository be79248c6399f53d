import CycleCore
import HardwareDrivers

/// A chip whose lines have other names.
final class RenamedLines: GPIOChip {
  private let chip: any GPIOChip
  private let ownName: (String) -> String

  /// - Parameter ownName: the name of a line on `chip`, given its name here.
  init(of chip: any GPIOChip, _ ownName: @escaping (String) -> String) {
    self.chip = chip
    self.ownName = ownName
  }

  func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
    RenamedRequest(try chip.request(lines.map(renamed), consumer: consumer), renamed)
  }

  private func renamed(_ line: LineConfiguration) -> LineConfiguration {
    var line = line
    line.name = LineName(ownName(line.name.description))
    return line
  }

  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { try chip.watchForReturn(watcher) }
}

private final class RenamedRequest: LineRequest {
  private let request: any LineRequest
  private let renamed: (LineConfiguration) -> LineConfiguration

  init(_ request: any LineRequest, _ renamed: @escaping (LineConfiguration) -> LineConfiguration) {
    self.request = request
    self.renamed = renamed
  }

  var abilities: EdgeCapabilities { request.abilities }
  func watch(_ watcher: Watcher) throws(DriverError) { try request.watch(watcher) }
  func readValues() throws(DriverError) -> LineValues { try request.readValues() }
  func write(_ values: LineValues, mask: LineValues) throws(DriverError) { try request.write(values, mask: mask) }
  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) { try request.reconfigure(lines.map(renamed)) }
  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
    try request.readEdges(into: edges)
  }
  func release() { request.release() }
}
