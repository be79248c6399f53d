import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("KeyMatrix")
struct KeyMatrixTests {
  private static let rows: [LineName] = ["GPIO5", "GPIO6", "GPIO7"]
  private static let columns: [LineName] = ["GPIO12", "GPIO13", "GPIO14"]
  private let bench = Bench()
  private let chip: SimulatedChip

  init() {
    chip = SimulatedChip(bench)
  }

  /// The keys that a scan sees, as `row,column`: one row after the other is low, the columns have pull-ups.
  private func scan(_ drive: Drive) throws -> [String] {
    let lines =
      Self.rows.map { LineConfiguration($0, .output(.active, drive)) }
      + Self.columns.map { LineConfiguration($0, .input(.pullUp)) }
    let request = try chip.request(lines, consumer: "test")
    defer { request.release() }
    var seen: [String] = []
    for row in 0..<3 {
      var values = LineValues.first(3)
      values[row] = .inactive
      try request.write(values, mask: .first(3))
      let read = try request.readValues()
      for column in 0..<3 where read[3 + column] == .inactive { seen.append("\(row),\(column)") }
    }
    return seen
  }

  @Test("no key, one key, two keys of a row", arguments: [Drive.pushPull, .openDrain])
  func plain(_ drive: Drive) throws {
    let pad = KeyMatrix(chip, rows: Self.rows, columns: Self.columns)
    #expect(try scan(drive) == [])
    try pad[1, 2].press()
    #expect(try scan(drive) == ["1,2"])
    try pad[1, 0].press()
    #expect(try scan(drive) == ["1,0", "1,2"])
    try pad[1, 2].release()
    #expect(try scan(drive) == ["1,0"])
    try pad[1, 0].release()
    #expect(try scan(drive) == [])
    #expect(chip.shortCircuits == [])
  }

  @Test("three keys at the corners of a rectangle show a fourth, unless each has a diode")
  func ghosts() throws {
    let plain = KeyMatrix(chip, rows: Self.rows, columns: Self.columns)
    for (row, column) in [(0, 0), (0, 1), (1, 0)] { try plain[row, column].press() }
    #expect(try scan(.openDrain) == ["0,0", "0,1", "1,0", "1,1"])
    for (row, column) in [(0, 0), (0, 1), (1, 0)] { try plain[row, column].release() }
    let diodes = KeyMatrix(chip, rows: Self.rows, columns: Self.columns, diodes: .towardsRows)
    for (row, column) in [(0, 0), (0, 1), (1, 0)] { try diodes[row, column].press() }
    #expect(try scan(.openDrain) == ["0,0", "0,1", "1,0"])
    #expect(try scan(.pushPull) == ["0,0", "0,1", "1,0"])
    #expect(chip.shortCircuits == [])
  }

  @Test("diodes the wrong way round let no key be seen")
  func reversed() throws {
    let pad = KeyMatrix(chip, rows: Self.rows, columns: Self.columns, diodes: .towardsColumns)
    try pad[1, 1].press()
    #expect(try scan(.openDrain) == [])
  }

  @Test(
    "two keys of one column connect their rows: push-pull outputs are a short circuit there, open-drain ones aren't")
  func rowsTogether() throws {
    let pad = KeyMatrix(chip, rows: Self.rows, columns: Self.columns)
    try pad[0, 0].press()
    try pad[2, 0].press()
    #expect(try scan(.openDrain) == ["0,0", "2,0"])
    #expect(chip.shortCircuits == [])
    _ = try scan(.pushPull)
    #expect(Set(chip.shortCircuits.map(\.line)) == ["GPIO5", "GPIO7"])
    #expect(chip.shortCircuits.allSatisfy { $0.end != nil })
  }

  @Test("low wins over a pull, a driven high over a pull-down, a pull-down over a pull-up; the weak follow the strong")
  func levels() throws {
    let request = try chip.request(
      [LineConfiguration("GPIO1", .input(.pullUp)), LineConfiguration("GPIO2", .input(.pullDown))], consumer: "test")
    let (up, down) = (chip.line("GPIO1"), chip.line("GPIO2"))
    let contact = chip.contact(from: "GPIO1", to: "GPIO2")
    #expect([up.level, down.level] == [.high, .low])
    try contact.press()
    #expect([up.level, down.level] == [.low, .low])
    down.drive(.high)
    #expect([up.level, down.level] == [.high, .high])
    up.drive(.low)
    #expect([up.level, down.level] == [.low, .low])
    up.drive(nil)
    down.drive(nil)
    try contact.release()
    #expect([up.level, down.level] == [.high, .low])
    request.release()
  }

  @Test("an input behind a contact reports the edges of the line that it is connected with")
  func edges() throws {
    let lines = [
      LineConfiguration("GPIO1", .output(.inactive, .pushPull)), LineConfiguration("GPIO2", .input(.pullUp)),
    ]
    let request = try chip.request(lines, consumer: "test")
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 8)
    defer { buffer.deallocate() }
    try chip.contact(from: "GPIO1", to: "GPIO2").press()
    try request.write(.first(1), mask: .first(1))
    try request.write([], mask: .first(1))
    let count = try request.readEdges(into: buffer)
    #expect(buffer.prefix(count).map(\.value) == [.inactive, .active, .inactive])
    #expect(buffer.prefix(count).allSatisfy { $0.line == 1 })
    request.release()
  }

  @Test("keys bounce, and come to rest where they were moved to", arguments: 0..<20 as Range<UInt64>)
  func bounce(seed: UInt64) throws {
    let bench = Bench(seed: seed)
    let chip = SimulatedChip(bench)
    let pad = KeyMatrix(chip, rows: ["GPIO1"], columns: ["GPIO2"])
    pad.bounce = .milliseconds(5)
    let request = try chip.request(
      [LineConfiguration("GPIO1", .output(.inactive, .openDrain)), LineConfiguration("GPIO2", .input(.pullUp))],
      consumer: "test")
    let before = chip.line("GPIO2").changes.count
    try pad[0, 0].press()
    try bench.advance(by: .milliseconds(6))
    #expect(chip.line("GPIO2").level == .low)
    #expect(chip.line("GPIO2").changes.count > before + 1)
    try pad[0, 0].release()
    try bench.advance(by: .milliseconds(6))
    #expect(chip.line("GPIO2").level == .high)
    request.release()
  }
}
