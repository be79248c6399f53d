import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// A chip whose lines stay held while one application takes the place of another.
@Suite("Lines that stay held")
struct LineHandoverTests {
  private let bench = Bench()
  private let chip: SimulatedChip
  private let handover: LineHandover

  init() {
    let bench = bench
    chip = SimulatedChip(bench)
    handover = LineHandover(chip) { bench.now }
  }

  private func outputs(_ names: LineName...) -> [LineConfiguration] {
    names.map { LineConfiguration($0, .output(.inactive, .pushPull)) }
  }

  private func inputs(_ names: LineName...) -> [LineConfiguration] { names.map { .input($0) } }

  private func request(_ lines: [LineConfiguration]) throws -> any LineRequest {
    try handover.request(lines, consumer: "test")
  }

  /// `line value #sequence` of each edge.
  private func edges(of request: any LineRequest) throws -> [String] {
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 64)
    defer { buffer.deallocate() }
    return buffer[..<(try request.readEdges(into: buffer))].map {
      "\($0.line) \($0.value.isActive ? "on" : "off") #\($0.sequence)"
    }
  }

  /// The application that has `old` makes room for one that requests these lines.
  private func handOver(from old: [any LineRequest], to next: [[LineConfiguration]]) throws -> [any LineRequest] {
    try handover.begin(to: next, consumer: "test")
    for request in old { request.release() }
    handover.end()
    let new = try next.map { try request($0) }
    handover.releaseUnused()
    return new
  }

  @Test("a device's lines are one request, and change in one call")
  func whole() throws {
    let bar = try request(outputs("GPIO5", "GPIO6", "GPIO13"))
    #expect(chip.requestCount == 1)
    try bar.write(.first(3), mask: .first(3))
    #expect(chip.writeCount == 1)
    #expect(["GPIO5", "GPIO6", "GPIO13"].map { chip.line($0).level } == [.high, .high, .high])
    #expect(handover.requests.map { $0.map(\.name) } == [["GPIO5", "GPIO6", "GPIO13"]])
    bar.release()
    #expect(chip.heldLines == 0)
  }

  @Test("the next application with the same lines has the same request, and no line has an edge")
  func same() throws {
    let lines = outputs("GPIO5", "GPIO6")
    let bar = try request(lines)
    try bar.write(.first(2), mask: .first(2))
    var next = lines
    next[0].direction = .output(.active, .pushPull)
    next[1].direction = .output(.active, .pushPull)
    let changes = chip.line("GPIO5").changes.count
    let new = try handOver(from: [bar], to: [next])[0]
    #expect(chip.requestCount == 1 && chip.writeCount == 1)
    #expect(chip.line("GPIO5").changes.count == changes)
    try new.write([], mask: .first(2))
    #expect(chip.writeCount == 2)
    new.release()
    #expect(chip.heldLines == 0)
  }

  @Test("edges that come during the handover are the next application's, with numbers from 1 on")
  func edgesWait() throws {
    let old = try request(inputs("GPIO5", "GPIO6"))
    chip.line("GPIO6").drive(.low)
    #expect(try edges(of: old) == ["1 off #1"])
    let lines = inputs("GPIO5", "GPIO6")
    try handover.begin(to: [lines], consumer: "test")
    chip.line("GPIO6").drive(.high)
    #expect(try edges(of: old) == [])
    old.release()
    handover.end()
    let new = try request(lines)
    chip.line("GPIO5").drive(.low)
    #expect(try edges(of: new) == ["1 on #1", "0 off #1"])
    new.release()
  }

  @Test("a line more is a request more: its edges come in the order of time with those of the others")
  func added() throws {
    let old = try request(inputs("GPIO5"))
    let new = try handOver(from: [old], to: [inputs("GPIO6", "GPIO5")])[0]
    #expect(chip.requestCount == 2)
    // Between the reading of one request and that of the other both lines change.
    chip.afterReadingEdges = { [chip, bench] in
      chip.afterReadingEdges = nil
      try? bench.advance(by: .microseconds(10))
      chip.line("GPIO5").drive(.low)
      try? bench.advance(by: .microseconds(10))
      chip.line("GPIO6").drive(.low)
    }
    #expect(try edges(of: new) == ["1 off #1", "0 off #1"])
    new.release()
    #expect(chip.heldLines == 0)
  }

  @Test("a line less: it stays held without edges, an output at its last value, until the others are given back")
  func removed() throws {
    let old = [try request(inputs("GPIO5", "GPIO6")), try request(outputs("GPIO13", "GPIO19"))]
    try old[1].write(.first(2), mask: .first(2))
    let new = try handOver(
      from: old, to: [inputs("GPIO6"), [LineConfiguration("GPIO13", .output(.active, .pushPull))]])
    chip.line("GPIO5").drive(.low)
    #expect(try edges(of: new[0]) == [])
    chip.line("GPIO6").drive(.low)
    #expect(try edges(of: new[0]) == ["0 off #1"])
    #expect(chip.heldLines == 4 && chip.line("GPIO19").level == .high)
    #expect(handover.requests.map { $0.map(\.name) } == [["GPIO6"], ["GPIO13"]])
    // It can be used again.
    let again = try request(inputs("GPIO5"))
    chip.line("GPIO5").drive(.high)
    #expect(try edges(of: again) == ["0 on #1"])
    for request in new + [again] { request.release() }
    #expect(chip.heldLines == 0)
  }

  @Test("a line of which the next application wants other edges reports those, and none while it is unused")
  func otherEdges() throws {
    func lines(_ edges: LineConfiguration.Edges) -> [LineConfiguration] {
      [LineConfiguration("GPIO4", .input(.pullUp), edges: edges), .input("GPIO5")]
    }
    let old = try request(lines(.rising))
    let new = try handOver(from: [old], to: [lines(.falling)])
    chip.line("GPIO4").drive(.low)
    chip.line("GPIO4").drive(.high)
    #expect(try edges(of: new[0]) == ["0 off #1"])
    let last = try handOver(from: new, to: [[.input("GPIO5")]])
    chip.line("GPIO4").drive(.low)
    #expect(try edges(of: last[0]) == [])
    last[0].release()
    #expect(chip.heldLines == 0)
  }

  @Test("lines of one request that two devices use later have their own edges, whoever reads first")
  func divided() throws {
    let old = try request(inputs("GPIO5", "GPIO6"))
    let new = try handOver(from: [old], to: [inputs("GPIO5"), inputs("GPIO6")])
    #expect(chip.requestCount == 1)
    chip.line("GPIO6").drive(.low)
    chip.line("GPIO5").drive(.low)
    chip.line("GPIO6").drive(.high)
    #expect(try edges(of: new[0]) == ["0 off #1"])
    #expect(try edges(of: new[1]) == ["0 off #1", "0 on #2"])
    #expect(try edges(of: new[0]) == [] && edges(of: new[1]) == [])
    new[0].release()
    chip.line("GPIO6").drive(.low)
    #expect(try edges(of: new[1]) == ["0 off #3"])
    new[1].release()
    #expect(chip.heldLines == 0)
  }

  @Test("a line that is used twice is refused, and nothing else is given back")
  func usedTwice() throws {
    let old = try request(inputs("GPIO5", "GPIO6"))
    #expect(driverError { _ = try request(inputs("GPIO6", "GPIO13")) }?.kind == .misconfigured)
    #expect(chip.heldLines == 2)
    old.release()
    #expect(chip.heldLines == 0)
  }

  @Test("a handover that fails changes nothing")
  func failed() throws {
    let old = try request(outputs("GPIO5"))
    chip.line("GPIO13").hold(by: "other")
    let next = [outputs("GPIO5", "GPIO6"), outputs("GPIO13")]
    #expect(driverError { try handover.begin(to: next, consumer: "test") }?.kind == .busy)
    #expect(chip.line("GPIO6").consumer == nil)
    try old.write(.first(1), mask: .first(1))
    #expect(chip.line("GPIO5").level == .high)
    old.release()
  }
}
