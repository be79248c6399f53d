import Testing

@testable import PanelRecording

/// Property lists that refer to one thing many times.
@Suite("Moment memory")
struct PropertyListTests {
  /// A list of an array and strings: `references` are the numbers of the strings, of which each lies at a place behind
  /// the array.
  private func list(_ references: [Int], text: [UInt8], places: [Int]) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let array =
      [UInt8](arrayLiteral: 0xAF, 0x12) + number(references.count, 4) + references.flatMap { number($0 + 1, 4) }
    let start = 8 + array.count
    let table = start + text.count
    let offsets = number(8, 4) + places.flatMap { number(start + $0, 4) }
    let trailer =
      [0, 0, 0, 0, 0, 0, 4, 4] + number(places.count + 1, 8) + number(0, 8) + number(table, 8)
    return Array("bplist00".utf8) + array + text + offsets + trailer
  }

  /// A string of ASCII, with its head.
  private func string(_ count: Int) -> [UInt8] {
    [0x5F, 0x12] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
      + [UInt8](repeating: UInt8(ascii: "x"), count: count)
  }

  @Test("a string that is referred to 1000 times is read once: all are one text in memory")
  func shared() throws {
    let bytes = list(Array(repeating: 0, count: 1000), text: string(500_000), places: [0])
    guard case .array(let values) = try BinaryPlistReader(bytes) else {
      Issue.record("no array")
      return
    }
    let starts = values.map { value -> UnsafePointer<UInt8>? in
      guard case .string(var text) = value else { return nil }
      return text.withUTF8 { $0.baseAddress }
    }
    #expect(starts.count == 1000 && Set(starts).count == 1 && starts[0] != nil)
  }

  @Test("strings that overlap are refused: together they would have more bytes than the file")
  func overlapping() {
    // Each begins with a head of its own, in the text of the one before.
    let count = 2_000
    let heads = (0..<count).flatMap { _ in string(0) }
    var text: [UInt8] = []
    for place in 0..<count { text += string(heads.count - 6 * (place + 1)).prefix(6) }
    let bytes = list(Array(0..<count), text: text, places: (0..<count).map { $0 * 6 })
    #expect(throws: BinaryPlistReader.Fault(text: "the property list is damaged; save it again")) {
      try BinaryPlistReader(bytes)
    }
  }
}
