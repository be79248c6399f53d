import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Reconfiguring lines of the simulated chip")
struct SimulatedReconfigurationTests {
  private let bench = Bench()

  private func edges(_ request: any LineRequest) throws -> [LineEdge] {
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 64)
    defer { buffer.deallocate() }
    return try Array(buffer.prefix(request.readEdges(into: buffer)))
  }

  @Test("a line turns from output to input and back, and keeps its holder")
  func turning() throws {
    let chip = SimulatedChip(bench)
    let line = chip.line("GPIO4")
    let request = try chip.request([LineConfiguration("GPIO4", .output(.inactive, .pushPull))], consumer: "test")
    line.drive(.high)
    #expect(line.level == .low)
    try request.reconfigure([LineConfiguration("GPIO4", .input(.pullUp))])
    #expect(try request.readValues() == .first(1))
    line.drive(.low)
    #expect(try request.readValues() == [])
    line.drive(nil)
    #expect(line.level == .high)
    try request.reconfigure([LineConfiguration("GPIO4", .output(.active, .pushPull), isActiveLow: true)])
    #expect(line.level == .low)
    #expect(try request.readValues() == .first(1))
    try request.write([], mask: .first(1))
    #expect(line.level == .high)
    #expect(line.consumer == "test")
    request.release()
    #expect(chip.heldLines == 0)
  }

  @Test(
    "edges that waited stay, those that the change makes are none, and numbers go on",
    arguments: SimulatedChip.Generation.allCases)
  func edgesOfChange(generation: SimulatedChip.Generation) throws {
    let chip = SimulatedChip(bench, generation: generation)
    let (line, other) = (chip.line("GPIO4"), chip.line("GPIO5"))
    let inputs = ["GPIO4", "GPIO5"].map { LineConfiguration($0, .input(.pullDown)) }
    let request = try chip.request(inputs, consumer: "test")
    line.drive(.high)
    other.drive(.high)
    try request.reconfigure([LineConfiguration("GPIO4", .output(.inactive, .openDrain, .pullUp)), inputs[1]])
    #expect(line.level == .low)
    other.drive(.low)
    try request.reconfigure([LineConfiguration("GPIO4", .input(.pullUp)), inputs[1]])
    #expect(line.level == .high)
    line.drive(.low)
    let edges = try edges(request)
    #expect(edges.map(\.line) == [0, 1, 1, 0])
    #expect(edges.map(\.value) == [.active, .active, .inactive, .inactive])
    #expect(edges.map(\.sequence) == (generation == .first ? [0, 0, 0, 0] : [1, 1, 2, 2]))
    request.release()
  }

  @Test("an output's bias holds a line that open drain has let go of, and is taken away again")
  func bias() throws {
    let chip = SimulatedChip(bench)
    let request = try chip.request(
      [LineConfiguration("GPIO4", .output(.active, .openDrain, .pullUp))], consumer: "test")
    #expect(chip.line("GPIO4").level == .high)
    try request.write([], mask: .first(1))
    #expect(chip.line("GPIO4").level == .low)
    try request.reconfigure([LineConfiguration("GPIO4", .output(.active, .openDrain, .disabled))])
    #expect(chip.line("GPIO4").level == .low)
    request.release()
  }

  @Test("an input without edges is read and reports none; a debounce period begins with the change")
  func quiet() throws {
    let chip = SimulatedChip(bench)
    let line = chip.line("GPIO4")
    let request = try chip.request(
      [LineConfiguration("GPIO4", .input(.pullDown), edges: .none)], consumer: "test")
    line.drive(.high)
    #expect(try request.readValues() == .first(1))
    #expect(try edges(request) == [])
    try request.reconfigure([LineConfiguration("GPIO4", .input(.pullDown), debounce: .milliseconds(5))])
    line.drive(.low)
    try bench.advance(by: .milliseconds(5))
    #expect(try edges(request) == [LineEdge(line: 0, value: .inactive, moment: .zero + .milliseconds(5), sequence: 1)])
    request.release()
  }

  @Test(
    "an input reports the edges of its logical value that were asked for, and numbers only those",
    arguments: SimulatedChip.Generation.allCases)
  func directions(generation: SimulatedChip.Generation) throws {
    let chip = SimulatedChip(bench, generation: generation)
    let line = chip.line("GPIO4")
    func configuration(_ edges: LineConfiguration.Edges, debounce: Duration = .zero) -> [LineConfiguration] {
      [LineConfiguration("GPIO4", .input(.pullUp), isActiveLow: true, debounce: debounce, edges: edges)]
    }
    let request = try chip.request(configuration(.falling), consumer: "test")
    var expected: UInt32 = 0
    for (wanted, values) in [
      (LineConfiguration.Edges.falling, [LineValue.inactive, .inactive]), (.rising, [.active, .active]),
      (.both, [.active, .inactive, .active, .inactive]), (.none, []),
    ] {
      for debounce in [Duration.zero, .milliseconds(1)] {
        try request.reconfigure(configuration(wanted, debounce: debounce))
        for level in [Level.low, .high, .low, .high] {
          line.drive(level)
          try bench.advance(by: .milliseconds(2))
        }
        let found = try edges(request)
        #expect(found.map(\.value) == values)
        for edge in found {
          expected += 1
          #expect(edge.sequence == (generation == .first ? 0 : expected))
        }
      }
    }
    request.release()
  }

  @Test("a change that fails changes nothing, and is counted as a write")
  func failure() throws {
    let chip = SimulatedChip(bench)
    let request = try chip.request([LineConfiguration("GPIO4", .output(.active, .pushPull))], consumer: "test")
    let failure = DriverError(.failed, cannot: "reconfigure line GPIO4", reason: "no", remedy: "None.")
    chip.nextWriteError = failure
    #expect(throws: failure) { try request.reconfigure([LineConfiguration("GPIO4", .input(.pullDown))]) }
    #expect(chip.line("GPIO4").level == .high)
    try request.reconfigure([LineConfiguration("GPIO4", .input(.pullDown))])
    #expect(chip.line("GPIO4").level == .low)
    #expect(chip.writeCount == 2)
    chip.unplug()
    #expect(throws: DriverError.self) { try request.reconfigure([LineConfiguration("GPIO4", .input(.pullDown))]) }
    request.release()
  }
}
