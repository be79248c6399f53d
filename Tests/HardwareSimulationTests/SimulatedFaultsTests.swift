import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Faults of the simulated chip")
struct SimulatedFaultsTests {
  private let bench = Bench()
  private let failure = DriverError(.failed, cannot: "write", reason: "input/output error", remedy: "None.")
  private let input = LineConfiguration("GPIO4", .input(.pullDown))
  private let output = LineConfiguration("GPIO5", .output(.inactive, .pushPull))

  private func error(_ body: () throws(DriverError) -> Void) -> DriverError? {
    do throws(DriverError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private func edges(_ request: any LineRequest) throws(DriverError) -> [LineEdge] {
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 16)
    defer { buffer.deallocate() }
    return try Array(buffer.prefix(request.readEdges(into: buffer)))
  }

  @Test("a failure that lasts is there until it is taken back, also for lines that are requested anew")
  func lasting() throws {
    let chip = SimulatedChip(bench)
    chip.lastingRequestError = failure
    for _ in 1...2 {
      #expect(error { () throws(DriverError) in _ = try chip.request([output], consumer: "test") } == failure)
    }
    chip.lastingRequestError = nil
    chip.lastingWriteError = failure
    chip.lastingReadError = failure
    for _ in 1...2 {
      let request = try chip.request([input, output], consumer: "test")
      chip.line("GPIO4").drive(.high)
      for _ in 1...2 {
        #expect(error { () throws(DriverError) in try request.write(.first(2), mask: .first(2)) } == failure)
        #expect(error { () throws(DriverError) in try request.reconfigure([output, input].reversed()) } == failure)
        #expect(error { () throws(DriverError) in _ = try edges(request) } == failure)
      }
      #expect(chip.line("GPIO5").level == .low)
      chip.line("GPIO4").drive(nil)
      request.release()
    }
    let request = try chip.request([input, output], consumer: "test")
    chip.lastingWriteError = nil
    chip.lastingReadError = nil
    chip.line("GPIO4").drive(.high)
    try request.write(.first(2), mask: .first(2))
    #expect(chip.line("GPIO5").level == .high)
    #expect(try edges(request).count == 1)
    request.release()
    #expect(chip.heldLines == 0)
  }

  @Test("too many lines, and none, are what a real chip says about them")
  func counts() {
    let chip = SimulatedChip(bench, names: (0..<65).map { LineName("L\($0)") })
    let all = (0..<65).map { LineConfiguration(LineName("L\($0)"), .input(.asIs)) }
    for (lines, count) in [([], 0), (all, 65)] {
      let error = error { () throws(DriverError) in _ = try chip.request(lines, consumer: "test") }
      #expect(error?.kind == .misconfigured)
      #expect(
        error?.description == "cannot request \(count) lines together: one request has 1 to 64 lines. "
          + "Spread the lines over several drivers.")
    }
    #expect(chip.heldLines == 0)
  }

  @Test("stamps from the future")
  func future() throws {
    let chip = SimulatedChip(bench)
    let request = try chip.request([input], consumer: "test")
    chip.stampOffset = .seconds(1_700_000_000)
    chip.line("GPIO4").drive(.high)
    #expect(try edges(request).map(\.moment) == [.zero + .seconds(1_700_000_000)])
    request.release()
  }

  @Test("a chip that is not there at the start comes later")
  func absent() throws {
    let chip = SimulatedChip(bench, isPlugged: false)
    let absent = error { () throws(DriverError) in _ = try chip.request([output], consumer: "test") }
    #expect(absent?.kind == .absent)
    chip.plug()
    try chip.request([output], consumer: "test").release()
    #expect(chip.heldLines == 0)
  }

  @Test("a line of another program is busy until it gives it back; a line of this one is used twice")
  func holders() throws {
    let chip = SimulatedChip(bench)
    func error() -> DriverError? {
      self.error { () throws(DriverError) in try chip.request([input], consumer: "doorbell").release() }
    }
    let other = try chip.otherProgram().request([input], consumer: "gpiomon")
    #expect(error()?.kind == .busy)
    #expect(error()?.remedy.hasPrefix("\"gpiomon\" uses it.") == true)
    #expect(chip.heldLines == 0 && bench.heldLines.isEmpty, "lines of another program are not the application's")
    other.release()
    #expect(error() == nil)
    #expect(chip.line("GPIO4").hold(by: "gpioset"))
    #expect(error()?.kind == .busy)
    chip.line("GPIO4").hold(by: nil)
    let own = try chip.request([input], consumer: "doorbell")
    #expect(error()?.kind == .misconfigured)
    #expect(
      error()?.description == "cannot request line GPIO4 of simulated as input: this application uses it twice. "
        + "Another of its drivers holds the line: give each a line of its own.")
    #expect(!chip.line("GPIO4").hold(by: "gpioset"), "the kernel refuses it to others")
    own.release()
    #expect(chip.heldLines == 0)
  }

  @Test("a chip that is away is away for other programs too")
  func awayForOthers() throws {
    let chip = SimulatedChip(bench)
    let other = chip.otherProgram()
    func error() -> DriverError? {
      self.error { () throws(DriverError) in try other.request([input], consumer: "gpiomon").release() }
    }
    chip.unplug()
    #expect(error()?.kind == .absent)
    chip.plug()
    #expect(error() == nil)
    #expect(chip.heldLines == 0)
  }

  @Test("an output that the world drives the other way is a short circuit, and keeps its level")
  func shortCircuit() throws {
    let chip = SimulatedChip(bench)
    let line = chip.line("GPIO5")
    let request = try chip.request([output], consumer: "test")
    line.drive(.low)
    #expect(chip.shortCircuits == [])
    try bench.advance(by: .milliseconds(5))
    try request.write(.first(1), mask: .first(1))
    #expect(line.level == .high)
    #expect(chip.shortCircuits == [ShortCircuit(line: "GPIO5", level: .high, start: .zero + .milliseconds(5))])
    try bench.advance(by: .milliseconds(2))
    line.drive(nil)
    #expect(
      chip.shortCircuits
        == [
          ShortCircuit(
            line: "GPIO5", level: .high, start: .zero + .milliseconds(5), end: .zero + .milliseconds(7))
        ])
    try request.write([], mask: .first(1))
    line.drive(.high)
    request.release()
    #expect(chip.shortCircuits.map(\.level) == [.high, .low])
    #expect(chip.shortCircuits.allSatisfy { $0.end == .zero + .milliseconds(7) })
    #expect(line.level == .high)
  }

  @Test("an open-drain output that has let go is no short circuit")
  func openDrain() throws {
    let chip = SimulatedChip(bench)
    let request = try chip.request(
      [LineConfiguration("GPIO5", .output(.active, .openDrain, .pullUp))], consumer: "test")
    for level in [Level.low, .high, nil] { chip.line("GPIO5").drive(level) }
    #expect(chip.line("GPIO5").level == .high)
    #expect(chip.shortCircuits == [])
    request.release()
  }

  @Test("a glitch inverts an input for its width; noise brings them again and again until it ends")
  func glitches() throws {
    let chip = SimulatedChip(bench)
    let line = chip.line("GPIO4")
    let request = try chip.request([input], consumer: "test")
    line.glitch(width: .microseconds(3))
    try bench.advance(by: .milliseconds(1))
    #expect(line.changes.map(\.moment.nanoseconds) == [0, 0, 3000])
    #expect(line.changes.map(\.level) == [.low, .high, .low])
    let noise = line.glitch(width: .microseconds(3), every: .milliseconds(10))
    try bench.advance(by: .seconds(1))
    noise.end()
    let glitches = (line.changes.count - 3) / 2
    #expect((80...120).contains(glitches), "\(glitches) glitches of 100 in a second")
    try bench.advance(by: .seconds(1))
    #expect((line.changes.count - 3) / 2 == glitches)
    #expect(line.level == .low)
    request.release()
    let driven = try chip.request([LineConfiguration("GPIO4", .output(.active, .pushPull))], consumer: "test")
    line.glitch(width: .microseconds(3))
    #expect(line.level == .high, "an output is stronger than noise")
    driven.release()
  }
}
