import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("The writer of one request's lines")
struct LineWriterTests {
  /// Two output lines, whose writes fail while `error` is set.
  private final class Request: LineRequest {
    let abilities = EdgeCapabilities(debounces: false, numbersEdges: true, queueDepth: 16)
    var error: DriverError?
    private(set) var writes: [String] = []

    func watch(_ watcher: Watcher) throws(DriverError) {}
    func readValues() throws(DriverError) -> LineValues { [] }
    func write(_ values: LineValues, mask: LineValues) throws(DriverError) {
      if let error { throw error }
      writes.append("\(values.rawValue)/\(mask.rawValue)")
    }
    func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {}
    func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int { 0 }
    func release() {}
  }

  private let broken = DriverError(.failed, cannot: "write", reason: "it is broken", remedy: "Wait.")

  @Test("only lines whose values change are written; one whose write failed is written again, whatever its value")
  func failed() throws {
    let (writer, request) = (LineWriter(), Request())
    writer.outputLines = .first(2)
    writer.begin(request, values: [])
    try writer.write(LineValues(rawValue: 1), mask: .first(2))
    request.error = broken
    #expect(throws: broken) { try writer.write(LineValues(rawValue: 3), mask: .first(2)) }
    request.error = nil
    try writer.write(LineValues(rawValue: 1), mask: .first(2))
    #expect(request.writes == ["1/1", "1/2"])
  }

  @Test("lines that are requested again have the values of the request: what failed before is not written")
  func requestedAgain() throws {
    let (writer, first, second) = (LineWriter(), Request(), Request())
    writer.outputLines = .first(2)
    writer.begin(first, values: [])
    first.error = broken
    #expect(throws: broken) { try writer.write(LineValues(rawValue: 3), mask: .first(2)) }
    writer.end()
    writer.begin(second, values: LineValues(rawValue: 2))
    #expect(writer.uncertain.isEmpty)
    try writer.write(LineValues(rawValue: 2), mask: .first(2))
    #expect(second.writes == [])
  }
}
