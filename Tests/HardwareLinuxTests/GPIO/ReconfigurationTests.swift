import Glibc
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

private typealias Chip = FakeGPIOSystem.Chip

@Suite("Reconfiguring lines of the kernel")
struct ReconfigurationTests {
  private let chip = Chip("gpiochip0", "pinctrl-rp1", FakeGPIOSystem.header)
  private let far = Chip("gpiochip1", "expander", ["LAMP", "KEY"])

  private func error(_ body: () throws(DriverError) -> Void) -> DriverError? {
    do throws(DriverError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("the settings of all lines reach the kernel in the order of the request; a bias of an output too")
  func settings() throws {
    let request = try FakeGPIOSystem(chip).gpio().request([.input("GPIO4"), .output("GPIO5")], consumer: "test")
    defer { request.release() }
    try request.reconfigure([
      LineConfiguration("GPIO4", .output(.active, .openDrain, .pullUp)),
      LineConfiguration("GPIO5", .input(.pullDown), isActiveLow: true, edges: .none),
    ])
    #expect(
      chip.requests[0].lines == [
        SystemLine(
          offset: 4, direction: .output(.active, .openDrain, .pullUp), isActiveLow: false, debounceMicroseconds: 0),
        SystemLine(
          offset: 5, direction: .input(.pullDown), isActiveLow: true, debounceMicroseconds: 0, edges: .none),
      ])
    try request.write(.first(2), mask: .first(2))
    #expect(chip.requests[0].written == [[0b11, 0b01]], "only what is an output now is written")
    for edges in [LineConfiguration.Edges.rising, .falling, .both] {
      try request.reconfigure([.output("GPIO4"), LineConfiguration("GPIO5", .input(.asIs), edges: edges)])
      #expect(chip.requests[0].lines[1].edges == edges)
    }
  }

  @Test("lines of two chips are reconfigured chip by chip")
  func composite() throws {
    let lines: [LineConfiguration] = [.input("KEY"), .output("GPIO5"), .output("LAMP")]
    let system = FakeGPIOSystem(chip, far)
    let request = try system.gpio().request(lines, consumer: "test")
    defer { request.release() }
    try request.reconfigure([.output("KEY"), .input("GPIO5"), .output("LAMP")])
    #expect(far.requests[0].lines.map(\.isOutput) == [true, true])
    #expect(chip.requests[0].lines.map(\.isOutput) == [false])
    try request.write(.first(3), mask: .first(3))
    #expect(far.requests[0].written == [[0b11, 0b11]])
    #expect(chip.requests[0].written == [])
  }

  @Test("an error names the lines that were to change")
  func errors() throws {
    let request = try FakeGPIOSystem(chip).gpio().request([.input("GPIO4"), .output("GPIO5")], consumer: "test")
    defer { request.release() }
    for (number, text) in [
      (
        EINVAL,
        "not accepted by the device (EINVAL). Ask for less: no bias or drive; libgpiod 1.6 changes lines that "
          + "are held with Linux 5.5 or newer only."
      ),
      (
        ENODEV,
        "the chip was removed (ENODEV). Check its cable and power; when it is back, its lines are requested again."
      ),
    ] {
      chip.requests[0].failure = SystemFailure(function: "gpiod_line_request_reconfigure_lines", number: number)
      let error = error { () throws(DriverError) in try request.reconfigure([.input("GPIO4"), .input("GPIO5")]) }
      #expect(error?.description == "cannot reconfigure line GPIO5 of pinctrl-rp1: " + text)
    }
    let tooLong = LineConfiguration("GPIO4", .input(.pullUp), debounce: .seconds(7200))
    #expect(
      error { () throws(DriverError) in try request.reconfigure([tooLong, .output("GPIO5")]) }?.kind == .misconfigured)
  }

  @Test("with libgpiod 1.6 another set of inputs is watched by another descriptor, and edges that waited are read")
  func descriptors() throws {
    let pipes = (0..<2).map { _ in
      var ends: [Int32] = [-1, -1]
      precondition(pipe(&ends) == 0, "a pipe can be made")
      return ends
    }
    defer { for end in pipes.joined() { close(end) } }
    let (first, second) = (pipes[0][0], pipes[1][0])
    let system = FakeGPIOSystem(chip)
    system.generation = 1
    let loop = try LinuxLoop()
    let cycleContext = CycleContext(lensCount: 4)
    cycleContext.begin(on: loop)
    func woken() throws -> [Int32] {
      var ready = ReadyList()
      try loop.wait(until: .zero, ready: &ready)
      return ready.map(\.descriptor)
    }
    let request = try system.gpio().request([.input("GPIO4"), .input("GPIO5")], consumer: "test")
    defer { request.release() }
    chip.requests[0].descriptor = first
    chip.requests[0].nextDescriptor = second
    try request.watch(Watcher(cycleContext: cycleContext, lens: 3))
    write(pipes[0][1], "x", 1)
    #expect(try woken() == [first])
    try request.reconfigure([.input("GPIO4"), .output("GPIO5")])
    write(pipes[1][1], "x", 1)
    #expect(try woken() == [second])
    request.release()
    #expect(try woken() == [])
  }
}

@Suite("Time stamps of edges")
struct EdgeStampsTests {
  private func stamps(
    _ generation: Int, _ stamps: [[Int64]], clocks: [SystemClocks]
  ) throws -> [[Int64]] {
    let chip = Chip("gpiochip0", "pinctrl-rp1", FakeGPIOSystem.header)
    let system = FakeGPIOSystem(chip)
    system.generation = generation
    let request = try system.gpio().request([.input("GPIO4")], consumer: "test")
    defer { request.release() }
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 8)
    defer { buffer.deallocate() }
    return try zip(stamps, clocks).map { stamps, clocks in
      chip.requests[0].edges = stamps.map { LineEdge(line: 0, value: .active, moment: Moment(nanoseconds: $0)) }
      system.clocks = clocks
      return try buffer.prefix(request.readEdges(into: buffer)).map(\.moment.nanoseconds)
    }
  }

  private let second: Int64 = 1_000_000_000
  private var now: SystemClocks { SystemClocks(monotonic: 50 * second, realtime: 1_700_000_050 * second) }

  @Test("stamps of the real-time clock are converted by how far the clocks are apart")
  func converted() throws {
    let stamp = 1_700_000_049 * second
    #expect(try stamps(1, [[stamp, stamp + 5]], clocks: [now]) == [[49 * second, 49 * second + 5]])
  }

  @Test("stamps of the monotonic clock stay, up to a second ahead")
  func monotonic() throws {
    #expect(try stamps(1, [[49 * second, 51 * second]], clocks: [now]) == [[49 * second, 51 * second]])
  }

  @Test("once a stamp is one of real time, all are, also when that clock has been set back; none is later than now")
  func setBack() throws {
    let later = SystemClocks(monotonic: 60 * second, realtime: 20 * second)
    #expect(
      try stamps(1, [[1_700_000_049 * second], [19 * second, 30 * second]], clocks: [now, later])
        == [[49 * second], [59 * second, 60 * second]])
  }

  @Test("libgpiod 2 stamps with the monotonic clock: nothing is converted")
  func secondGeneration() throws {
    #expect(try stamps(2, [[1_700_000_049 * second]], clocks: [now]) == [[1_700_000_049 * second]])
  }
}
