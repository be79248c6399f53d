import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("LineSplitter")
struct LineSplitterTests {
  /// The lines in some bytes, a group after the other; `?` marks a line that may be the rest of a longer one.
  private static func lines(_ groups: [[UInt8]], _ splitter: inout LineSplitter) -> [String] {
    var lines: [String] = []
    for group in groups {
      group.withUnsafeBytes { bytes in
        splitter.take(bytes) { lines.append(($1 ? "?" : "") + String(decoding: $0, as: UTF8.self)) }
      }
    }
    return lines
  }

  @Test("CR, LF and CRLF end a line, also between two reads; empty lines are skipped")
  func ends() {
    var splitter = LineSplitter()
    let groups = ["a\nb", "c\r", "\nd\r\n", "\r\n\n", "e\n"].map { Array($0.utf8) }
    #expect(Self.lines(groups, &splitter) == ["?a", "bc", "d", "e"])
    #expect(splitter.lineCount == 4)
    #expect(splitter.damagedCount == 0)
  }

  @Test("a line with a control character is dropped and counted; a tab is text")
  func controls() {
    var splitter = LineSplitter()
    let bytes: [[UInt8]] = [[0x0A], Array("a\tb\n".utf8), [0x41, 0x00, 0x42, 0x0A], [0x7F, 0x0A], Array("c\n".utf8)]
    #expect(Self.lines(bytes, &splitter) == ["a\tb", "c"])
    #expect(splitter.damagedCount == 2)
  }

  @Test("noise before the first end of a line is not counted, because its line had begun before")
  func firstNoise() {
    var splitter = LineSplitter()
    #expect(Self.lines([[0x00, 0x41, 0x0A], Array("b\n".utf8)], &splitter) == ["b"])
    #expect(splitter.damagedCount == 0)
  }

  @Test("a line of 4 096 bytes is passed on, a longer one is dropped and counted")
  func longest() {
    var splitter = LineSplitter()
    let text = [UInt8](repeating: 0x61, count: LineSplitter.longest)
    #expect(Self.lines([[0x0A], text, [0x0A]], &splitter).map(\.utf8.count) == [4096])
    #expect(Self.lines([text, [0x61, 0x0A], Array("b\n".utf8)], &splitter) == ["b"])
    #expect(splitter.damagedCount == 1)
  }

  @Test("random bytes give the lines of a simple split, in whatever groups they arrive")
  func random() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let alphabet: [UInt8] = [0x0A, 0x0D, 0x09, 0x00, 0x7F, 0x41, 0x42, 0x24, 0xB0]
    for round in 0..<500 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
      var groups: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let size = Int.random(in: 1...8, using: &random)
        groups.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      var splitter = LineSplitter()
      var found: [[UInt8]] = []
      for group in groups { group.withUnsafeBytes { splitter.take($0) { line, _ in found.append(line) } } }
      // The last piece has no end.
      let pieces = bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }.dropLast()
      let wanted = pieces.filter { !$0.isEmpty && !$0.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F } }
      #expect(found == wanted.map(Array.init), "seed \(seed), round \(round)")
      let damaged = pieces.dropFirst().filter { $0.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F } }
      #expect(splitter.damagedCount == damaged.count, "seed \(seed), round \(round)")
    }
  }
}

@Suite("FrameReader")
struct FrameReaderTests {
  private static let frame = SerialFrame(
    start: [0x42, 0x4D], length: 6, sum: SerialFrame.Sum(of: 0..<4, at: 4, width: 2))

  private static func complete(_ one: UInt8, _ other: UInt8) -> [UInt8] {
    let sum = 0x42 + 0x4D + Int(one) + Int(other)
    return [0x42, 0x4D, one, other, UInt8(sum >> 8), UInt8(sum & 0xFF)]
  }

  private static func frames(_ bytes: [UInt8], _ reader: inout FrameReader) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    bytes.withUnsafeBytes { reader.take($0) { frames.append($0) } }
    return frames
  }

  @Test("frames are found between other bytes, which are counted")
  func found() {
    var reader = FrameReader(Self.frame)
    let bytes = [0x00, 0x42] + Self.complete(1, 2) + [0x99] + Self.complete(3, 0xFF)
    #expect(Self.frames(bytes, &reader) == [Self.complete(1, 2), Self.complete(3, 0xFF)])
    #expect(reader.skippedCount == 3)
    #expect(reader.wrongCount == 0)
  }

  @Test("after a wrong sum the search continues in the frame, so the next one is found")
  func wrongSum() {
    var reader = FrameReader(Self.frame)
    // The start of a frame whose rest was lost, and a whole one.
    let bytes = [0x42, 0x4D, 0x07] + Self.complete(1, 2) + Self.complete(5, 6)
    #expect(Self.frames(bytes, &reader) == [Self.complete(1, 2), Self.complete(5, 6)])
    #expect(reader.wrongCount == 1)
    #expect(reader.skippedCount == 3)
  }

  @Test("a sum of one byte can be negated: that of the MH-Z19 makes 0 together with its bytes")
  func negated() {
    let frame = SerialFrame(
      start: [0xFF, 0x86], length: 9, sum: SerialFrame.Sum(of: 1..<8, at: 8, isNegated: true))
    var reader = FrameReader(frame)
    // Winsen, MH-Z19 user's manual, section "Communication protocol": 608 ppm.
    let bytes: [UInt8] = [0xFF, 0x86, 0x02, 0x60, 0x47, 0x00, 0x00, 0x00, 0xD1]
    #expect(Self.frames(bytes, &reader) == [bytes])
  }

  @Test("random bytes around frames never hide a frame that follows another one")
  func random() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<500 {
      var reader = FrameReader(Self.frame)
      let noise = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        [UInt8.random(in: 0...255, using: &random), 0x42, 0x4D].randomElement(using: &random)!
      }
      let last = Self.complete(9, 10)
      let found = Self.frames(noise + last + last, &reader)
      #expect(found.last == last, "seed \(seed), round \(round)")
    }
  }
}
