import CycleCore
import HardwareDrivers
import HardwareSimulation

/// A chip whose outputs somebody follows: what is wired to them, in the simulation and on the kernel.
final class WatchedChip: GPIOChip {
  /// The values of all lines of a request, in its order.
  typealias Follow = (_ values: LineValues, _ moment: Moment, _ isDriven: Bool) -> Void

  private let base: any GPIOChip
  private let bench: Bench
  private let follow: Follow

  init(_ base: any GPIOChip, on bench: Bench, _ follow: @escaping Follow) {
    self.base = base
    self.bench = bench
    self.follow = follow
  }

  func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest {
    let request = try base.request(lines, consumer: consumer)
    var values: LineValues = []
    for (line, configuration) in lines.enumerated() {
      if case .output(.active, _, _) = configuration.direction { values[line] = .active }
    }
    follow(values, bench.now, false)
    return Request(request, values, bench, follow)
  }

  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { try base.watchForReturn(watcher) }

  private final class Request: LineRequest {
    private let base: any LineRequest
    private let bench: Bench
    private let follow: Follow
    private var values: LineValues

    init(_ base: any LineRequest, _ values: LineValues, _ bench: Bench, _ follow: @escaping Follow) {
      self.base = base
      self.values = values
      self.bench = bench
      self.follow = follow
    }

    /// A line rises when the call begins, at the earliest, and falls when it ends, at the latest.
    func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
      let new = self.values.subtracting(mask).union(values.intersection(mask))
      let risen = self.values.union(new)
      let start = bench.now
      try base.write(values, mask: mask)
      if risen != self.values { follow(risen, start, true) }
      if new != risen { follow(new, bench.now, true) }
      self.values = new
    }

    var abilities: EdgeCapabilities { base.abilities }
    func watch(_ watcher: Watcher) throws(DriverError) { try base.watch(watcher) }
    func readValues() throws(DriverError) -> LineValues { try base.readValues() }
    func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) { try base.reconfigure(lines) }
    func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int {
      try base.readEdges(into: edges)
    }
    func release() { base.release() }
  }
}
