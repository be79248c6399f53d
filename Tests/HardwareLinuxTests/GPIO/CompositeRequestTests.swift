import CycleCore
import Glibc
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

@Suite struct CompositeRequestTests {
  private let near = FakeGPIOSystem.Chip("gpiochip0", "pinctrl-rp1", (0..<28).map { "GPIO\($0)" })
  private let far = FakeGPIOSystem.Chip("gpiochip1", "expander", ["LAMP", "KEY"])

  private func request(_ system: FakeGPIOSystem) throws -> any LineRequest {
    let lines = [
      LineConfiguration("KEY", .input(.asIs)), LineConfiguration("GPIO4", .input(.asIs)),
      LineConfiguration("LAMP", .output(.active, .pushPull)),
      LineConfiguration("GPIO5", .output(.inactive, .openDrain)),
    ]
    return try LinuxGPIO(.auto, deviceFolder: "/dev", system: system).request(lines, consumer: "test")
  }

  private func edge(_ line: Int, _ nanoseconds: Int64) -> LineEdge {
    LineEdge(line: line, value: .active, moment: Moment(nanoseconds: nanoseconds))
  }

  @Test("lines of two chips are one request of each, and the values keep their places")
  func values() throws {
    let system = FakeGPIOSystem(near, far)
    let whole = try request(system)
    #expect(far.requests.map { $0.lines.map(\.offset) } == [[1, 0]])
    #expect(near.requests.map { $0.lines.map(\.offset) } == [[4, 5]])
    far.requests[0].current = LineValues(rawValue: 0b01)
    near.requests[0].current = LineValues(rawValue: 0b10)
    #expect(try whole.readValues() == LineValues(rawValue: 0b1001))
    try whole.write(LineValues(rawValue: 0b1000), mask: LineValues(rawValue: 0b1100))
    try whole.write(LineValues(rawValue: 0b0100), mask: LineValues(rawValue: 0b0100))
    #expect(far.requests[0].written == [[0b00, 0b10], [0b10, 0b10]])
    #expect(near.requests[0].written == [[0b10, 0b10]])
    whole.release()
    #expect(system.heldRequests == 0)
    #expect(system.openChips == 0)
  }

  @Test("edges of two chips come in the order of their time stamps, whatever the room for them", arguments: 1...7)
  func merging(room: Int) throws {
    let whole = try request(FakeGPIOSystem(near, far))
    defer { whole.release() }
    far.requests[0].edges = [edge(0, 10), edge(0, 30), edge(0, 30), edge(0, 70)]
    near.requests[0].edges = [edge(0, 20), edge(0, 30), edge(0, 60)]
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: room)
    defer { buffer.deallocate() }
    var read: [[Int64]] = []
    while true {
      let count = try whole.readEdges(into: buffer)
      read += buffer.prefix(count).map { [Int64($0.line), $0.moment.nanoseconds] }
      if count < room { break }
    }
    #expect(read == [[0, 10], [1, 20], [0, 30], [0, 30], [1, 30], [1, 60], [0, 70]])
  }

  @Test("edges that were read before one chip went are handed out first, then its loss is told")
  func lossAfterEdges() throws {
    let whole = try request(FakeGPIOSystem(near, far))
    defer { whole.release() }
    near.requests[0].edges = [edge(0, 20)]
    far.requests[0].failure = SystemFailure(function: "read", number: ENODEV)
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 4)
    defer { buffer.deallocate() }
    #expect(try whole.readEdges(into: buffer) == 1)
    #expect(throws: DriverError.self) { try whole.readEdges(into: buffer) }
  }

  @Test("nothing is held when the second chip refuses")
  func secondRefuses() {
    let system = FakeGPIOSystem(near, far)
    near.lines[5].holder = "spi0 CS0"
    #expect(throws: DriverError.self) { try request(system) }
    #expect(far.requests.count == 1)
    #expect(system.heldRequests == 0)
    #expect(system.openChips == 0)
  }
}
