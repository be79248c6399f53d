import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("SimulatedChip")
struct SimulatedChipTests {
  private func error(_ chip: SimulatedChip, _ lines: [LineConfiguration]) -> String? {
    do throws(DriverError) {
      try chip.request(lines, consumer: "test").release()
      return nil
    } catch {
      return error.description
    }
  }

  private func edges(_ request: any LineRequest) throws -> [LineEdge] {
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 256)
    defer { buffer.deallocate() }
    return try Array(buffer.prefix(request.readEdges(into: buffer)))
  }

  @Test("what can't be requested says why, and holds nothing")
  func requestErrors() {
    let bench = Bench()
    let chip = SimulatedChip(bench, label: "pinctrl-test")
    let input = LineConfiguration("GPIO17", .input(.pullUp))
    let output = LineConfiguration("GPIO5", .output(.active, .pushPull))
    chip.line("GPIO17").hold(by: "gpiomon")
    #expect(
      error(chip, [output, input])
        == "cannot request line GPIO17 of pinctrl-test as input: busy. \"gpiomon\" uses it. Stop that program or choose "
        + "another line; `gpioinfo` lists the users of all lines.")
    #expect(chip.line("GPIO5").level == .low)
    chip.line("GPIO17").hold(by: nil)
    #expect(
      error(chip, [LineConfiguration("GPIO99", .output(.active, .pushPull))])
        == "cannot request line GPIO99 of pinctrl-test as output: the chip has no such line. "
        + "Choose one of GPIO0 to GPIO27.")
    #expect(
      error(chip, [input, input])
        == "cannot request line GPIO17 twice: a driver names it two times. Give each use a line of its own.")
    chip.isPermitted = false
    #expect(error(chip, [input]) == "cannot open pinctrl-test: permission denied. Add this user to the group \"gpio\".")
    chip.isPermitted = true
    chip.unplug()
    #expect(error(chip, [input]) == "cannot open pinctrl-test: no such chip. Plug it in, or name another chip.")
    chip.plug()
    #expect(error(chip, [input]) == nil)
    #expect(chip.heldLines == 0)
  }

  @Test("a line is found by its name, and by chip and offset")
  func names() {
    let chip = SimulatedChip(Bench(), names: ["DOOR", "LAMP"])
    #expect(chip.line("LAMP").offset == 1)
    #expect(chip.line("gpiochip0:0").name == "DOOR")
    #expect(error(chip, [LineConfiguration("gpiochip0:2", .input(.asIs))])?.contains("DOOR to LAMP") == true)
  }

  @Test("a line that was given a name like chip and offset is found by it, whatever the offset is")
  func offsetNames() {
    let chip = SimulatedChip(Bench(), names: ["GPIO4", "gpiochip0:17", "gpiochip1:17", "gpiochip0:0"])
    #expect(chip.line("gpiochip0:17").offset == 1)
    #expect(chip.line("gpiochip1:17").offset == 2)
    #expect(chip.line("gpiochip0:0").offset == 3)
  }

  @Test("offsets on two chips are two lines: the simulated chip has those of the chip that was named first")
  func twoChips() {
    let chip = SimulatedChip(Bench())
    #expect(chip.line("gpiochip4:3") === chip.line("GPIO3"))
    #expect(
      error(chip, [LineConfiguration("gpiochip1:3", .input(.asIs))])
        == "cannot request line gpiochip1:3 of simulated as input: the chip has no such line. Choose one of GPIO0 to GPIO27."
    )
  }

  @Test("more lines than one request can have are refused as the kernel's chip refuses them", arguments: [0, 65])
  func tooManyLines(count: Int) {
    let chip = SimulatedChip(Bench(), names: (0..<65).map { LineName("L\($0)") })
    #expect(
      error(chip, (0..<count).map { LineConfiguration(LineName("L\($0)"), .input(.asIs)) })
        == "cannot request \(count) lines together: one request has 1 to 64 lines. Spread the lines over several drivers."
    )
  }

  @Test("a line that is let go of by an open-drain output follows the world, else its pull")
  func openDrain() throws {
    let chip = SimulatedChip(Bench())
    let line = chip.line("GPIO4")
    let drain = try chip.request([LineConfiguration("GPIO4", .output(.inactive, .openDrain))], consumer: "test")
    line.drive(.high)
    #expect(line.level == .low)
    try drain.write(.first(1), mask: .first(1))
    #expect(line.level == .high)
    line.drive(nil)
    #expect(line.level == .low)
    drain.release()
    let source = try chip.request([LineConfiguration("GPIO4", .output(.active, .openSource))], consumer: "test")
    line.drive(.low)
    #expect(line.level == .high)
    try source.write([], mask: .first(1))
    #expect(line.level == .low)
    source.release()
    #expect(chip.heldLines == 0)
  }

  @Test("a released output is kept where the chip keeps it, else it falls", arguments: [false, true])
  func released(isKept: Bool) throws {
    let chip = SimulatedChip(Bench())
    chip.keepsReleasedOutputs = isKept
    let request = try chip.request([LineConfiguration("GPIO4", .output(.active, .pushPull))], consumer: "test")
    request.release()
    #expect(chip.line("GPIO4").level == (isKept ? .high : .low))
    #expect(chip.heldLines == 0)
  }

  @Test("the first generation keeps the oldest 16 edges of each line, without numbers")
  func firstQueue() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench, generation: .first)
    let request = try chip.request(
      ["GPIO4", "GPIO5"].map { LineConfiguration($0, .input(.pullDown), debounce: .seconds(1)) }, consumer: "test")
    #expect(request.abilities == EdgeCapabilities(debounces: false, numbersEdges: false, queueDepth: 16))
    Waveform("_" + String(repeating: "#_", count: 10), step: .milliseconds(1)).drive(chip.line("GPIO4"), on: bench)
    try bench.advance(by: .milliseconds(30))
    chip.line("GPIO5").drive(.high)
    let edges = try edges(request)
    let milliseconds = edges.filter { $0.line == 0 }.map { $0.moment.nanoseconds / 1_000_000 }
    #expect(milliseconds == Array(1...16))
    #expect(edges.filter { $0.line == 1 }.count == 1)
    #expect(edges.allSatisfy { $0.sequence == 0 })
    request.release()
    #expect(chip.heldLines == 0)
  }

  @Test("the second generation keeps the newest edges of all lines together, with numbers")
  func secondQueue() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    #expect(chip.edgeQueueDepth == 1024)
    chip.edgeQueueDepth = 32
    let request = try chip.request(
      ["GPIO4", "GPIO5"].map { LineConfiguration($0, .input(.pullDown)) }, consumer: "test")
    #expect(request.abilities == EdgeCapabilities(debounces: true, numbersEdges: true, queueDepth: 32))
    chip.line("GPIO5").drive(.high)
    Waveform("_" + String(repeating: "#_", count: 20), step: .milliseconds(1)).drive(chip.line("GPIO4"), on: bench)
    try bench.advance(by: .milliseconds(50))
    let edges = try edges(request)
    #expect(edges.map(\.sequence) == (9...40).map { UInt32($0) })
    #expect(edges.allSatisfy { $0.line == 0 })
    request.release()
    #expect(chip.heldLines == 0)
  }

  @Test("the second generation debounces: one edge at the end of the period, and the value until then is the old one")
  func debounce() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let request = try chip.request(
      [LineConfiguration("GPIO4", .input(.pullDown), debounce: .milliseconds(4))], consumer: "test")
    Waveform("_#_####_####", step: .milliseconds(1)).drive(chip.line("GPIO4"), on: bench)
    try bench.advance(by: .milliseconds(11))
    #expect(try edges(request) == [LineEdge(line: 0, value: .active, moment: .zero + .milliseconds(7), sequence: 1)])
    #expect(try request.readValues() == .first(1))
    request.release()
    #expect(chip.heldLines == 0)
  }

  @Test("a chip that was taken away makes its lines unusable and gives them up")
  func unplugged() throws {
    let chip = SimulatedChip(Bench())
    let request = try chip.request([LineConfiguration("GPIO4", .output(.active, .pushPull))], consumer: "test")
    chip.unplug()
    #expect(chip.heldLines == 0)
    #expect(chip.line("GPIO4").level == .low)
    let lost = DriverError(
      .lost, of: "simulated", cannot: "use the lines of simulated", reason: "the chip was removed",
      remedy: "Plug it in again; its lines are then requested.")
    #expect(throws: lost) { try request.write(.first(1), mask: .first(1)) }
    #expect(throws: lost) { try request.readValues() }
    request.release()
    request.release()
  }

  @Test("a failure that was asked for comes once")
  func faults() throws {
    let chip = SimulatedChip(Bench())
    let failure = DriverError(.failed, cannot: "write", reason: "input/output error", remedy: "None.")
    chip.nextRequestError = failure
    let lines = [LineConfiguration("GPIO4", .output(.inactive, .pushPull))]
    #expect(error(chip, lines) == "cannot write: input/output error. None.")
    let request = try chip.request(lines, consumer: "test")
    chip.nextWriteError = failure
    #expect(throws: failure) { try request.write(.first(1), mask: .first(1)) }
    #expect(chip.line("GPIO4").level == .low)
    try request.write(.first(1), mask: .first(1))
    #expect(chip.line("GPIO4").level == .high)
    #expect(chip.requestCount == 2)
    #expect(chip.writeCount == 2)
    request.release()
    #expect(chip.heldLines == 0)
  }

  @Test("a chip that ends takes its lines out of the contacts with others, and its own lines stay usable")
  func ends() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    var other: SimulatedChip? = SimulatedChip(bench, label: "other")
    let kept = try #require(other?.line("GPIO3"))
    do {
      let gone = try #require(other?.line("GPIO2"))
      try Contact(bench, from: chip.line("GPIO1"), to: gone).press()
      gone.drive(.high)
    }
    #expect(chip.line("GPIO1").level == .high)
    #expect(chip.line("GPIO1").isConnected)
    other = nil
    #expect(!chip.line("GPIO1").isConnected)
    chip.line("GPIO1").drive(.low)
    #expect(chip.line("GPIO1").level == .low)
    kept.drive(.high)
    #expect(kept.level == .high)
    #expect(bench.heldLines.isEmpty)
  }

  @Test("a line that is lost and requested again tells its edges to the new request")
  func requestedAgain() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let lines = [LineConfiguration("GPIO4", .input(.pullUp))]
    func edges(_ request: any LineRequest) throws -> Int {
      try withUnsafeTemporaryAllocation(of: LineEdge.self, capacity: 8) { try request.readEdges(into: $0) }
    }
    let first = try chip.request(lines, consumer: "test")
    chip.line("GPIO4").drive(.low)
    #expect(try edges(first) == 1)
    chip.dropRequests()
    chip.line("GPIO4").drive(.high)
    let second = try chip.request(lines, consumer: "test")
    chip.line("GPIO4").drive(.low)
    #expect(try edges(second) == 1)
    second.release()
    let third = try chip.request(lines, consumer: "test")
    chip.line("GPIO4").drive(.high)
    #expect(try edges(third) == 1)
    third.release()
    #expect(chip.heldLines == 0)
  }

  @Test(
    "a request has ten attributes, as in the kernel: one of values, one for each debounce period and each other setting"
  )
  func attributes() {
    let chip = SimulatedChip(Bench())
    var lines = (1...10).map { LineConfiguration(LineName("GPIO\($0)"), .input(.pullUp), debounce: .microseconds($0)) }
    lines.append(LineConfiguration("GPIO11", .input(.pullUp)))
    lines.append(LineConfiguration("GPIO12", .input(.pullUp), debounce: .microseconds(5)))
    #expect(error(chip, lines) == nil)
    lines.append(LineConfiguration("GPIO13", .input(.pullDown)))
    #expect(
      error(chip, lines)
        == "cannot request 13 lines together: their settings need 11 attributes, and the kernel allows 10 per request. "
        + "Give them equal debounce periods, pulls, drives and polarities, or spread them over several drivers.")
    lines.removeFirst()
    #expect(error(chip, lines) == nil)
    lines.append(LineConfiguration("GPIO14", .output(.active, .pushPull)))
    #expect(error(chip, lines)?.contains("need 12 attributes") == true)
  }
}
