import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// Counts edges, as a flow meter or an anemometer does.
private struct PulseCounter: LineDevice, EdgeReceiver {
  enum Event: Equatable, Sendable {
    case counted
    case lost(Int?)
  }

  let chip: any GPIOChip
  var edges = LineConfiguration.Edges.falling
  var isCounter = false

  var lines: [LineConfiguration] {
    [LineConfiguration("GPIO17", .input(.pullUp), edges: edges, isCounter: isCounter)]
  }
  mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {}
  mutating func receive(_ edge: LineEdge, emit: Emit) { emit(.counted, edge.moment) }
  mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) { emit(.lost(count), moment) }
  mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {}
  mutating func loseLines() {}
}

@Suite("A line whose pulses are counted")
struct CounterTests {
  private typealias Rigged = Rig<LineDriver<PulseCounter>>

  private static let counters: [(LineConfiguration.Edges, Bool, Int)] = [
    (.falling, false, 2_000), (.rising, false, 2_000), (.both, true, 4_000),
  ]

  /// Lets 2 000 pulses pass in a second.
  private func pulse(_ rig: Rigged) {
    let line = rig.chip.line("GPIO17")
    for edge in 0..<4_000 {
      rig.bench.plan(at: rig.bench.now + .microseconds(250 * (edge + 1))) {
        line.drive(edge.isMultiple(of: 2) ? .low : .high)
      }
    }
  }

  /// Counts 2 000 pulses in a second. The cycle is late by half a second once, and then the line rests.
  private func lateOnce(_ rig: Rigged) throws {
    try rig.run()
    pulse(rig)
    try rig.advance(100)
    try rig.bench.stall(for: .milliseconds(500))
    try rig.advance(5_000)
  }

  private func counted(_ rig: Rigged) -> Int { rig.trial.events.count { $0.event == .counted } }

  private func lost(_ rig: Rigged) -> [Int?] {
    var lost: [Int?] = []
    for entry in rig.trial.events {
      if case .lost(let count) = entry.event { lost.append(count) }
    }
    return lost
  }

  @Test("one edge is reported of each pulse, and the queue keeps those of half a second")
  func late() throws {
    let rig = Rigged { PulseCounter(chip: $0) }
    try lateOnce(rig)
    #expect(counted(rig) == 2_000)
    #expect(lost(rig).isEmpty)
    #expect(rig.trial.troubles.isEmpty)
    rig.stop()
  }

  @Test(
    "pulses that were lost while the cycle was late are reported by their number, and the line is not lost when it rests",
    arguments: counters)
  fileprivate func counts(edges: LineConfiguration.Edges, isCounter: Bool, sum: Int) throws {
    let rig = Rigged(
      prepare: { $1.edgeQueueDepth = 256 }, driver: { PulseCounter(chip: $0, edges: edges, isCounter: isCounter) })
    try lateOnce(rig)
    var missing = 0
    for count in lost(rig) { missing += count ?? 0 }
    let counted = counted(rig)
    #expect(missing > 100, "\(missing) of \(sum) were lost")
    #expect(counted + missing == sum)
    #expect(rig.trial.troubles.isEmpty)
    rig.stop()
  }

  @Test(
    "where the kernel numbers no edges, a full queue is reported as an unknown number of lost ones",
    arguments: [false, true])
  func unnumbered(isCounter: Bool) throws {
    let edges: LineConfiguration.Edges = isCounter ? .both : .falling
    let rig = Rigged(.first) { PulseCounter(chip: $0, edges: edges, isCounter: isCounter) }
    try lateOnce(rig)
    let unknown: [Int?] = [nil]
    #expect(lost(rig) == unknown)
    #expect(rig.trial.troubles.isEmpty)
    rig.stop()
  }

  @Test("15 unnumbered edges at once are all of them, 16 may be fewer than there were", arguments: [15, 16])
  func full(count: Int) throws {
    let rig = Rigged(.first) { PulseCounter(chip: $0, edges: .rising) }
    try rig.run()
    let line = rig.chip.line("GPIO17")
    for _ in 0..<2 {
      for edge in 0..<2 * count {
        rig.bench.plan(at: rig.bench.now + .microseconds(edge + 1)) {
          line.drive(edge.isMultiple(of: 2) ? .low : .high)
        }
      }
      try rig.bench.stall(for: .milliseconds(1))
      try rig.advance(1)
    }
    #expect(counted(rig) == 2 * count)
    let unknown: [Int?] = count < 16 ? [] : [nil, nil]
    #expect(lost(rig) == unknown)
    rig.stop()
  }

  @Test("2 000 pulses a second survive a cycle that is 6 ms late on the first generation: one edge halves the load")
  func halved() throws {
    let rig = Rigged(
      .first, prepare: { bench, _ in bench.latenesses = [.milliseconds(6)] }, driver: { PulseCounter(chip: $0) })
    try rig.run()
    pulse(rig)
    try rig.advance(5_000)
    #expect(counted(rig) == 2_000)
    #expect(lost(rig).isEmpty)
    rig.stop()
  }

  @Test("the same pulses on a line that is neither a counter nor reports one edge are a storm of a contact")
  func contact() throws {
    let rig = Rigged(
      prepare: { $1.edgeQueueDepth = 256 }, driver: { PulseCounter(chip: $0, edges: .both) })
    try lateOnce(rig)
    #expect(rig.trial.troubles.count == 2)
    guard case .lost = rig.trial.troubles.first else {
      Issue.record("\(rig.trial.troubles)")
      return
    }
    rig.stop()
  }
}
