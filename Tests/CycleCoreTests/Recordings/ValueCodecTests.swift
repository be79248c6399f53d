import CycleCore
import Foundation
import TestSupport
import Testing

@Suite("Values as the JSON of a recording")
struct RecordingCodecTests {
  struct Inner: Equatable, Codable {
    var name = "a"
    var ratio = 0.1
    var flags: [Bool] = [true, false]
  }

  enum Choice: Equatable, Codable {
    case plain
    case one(Int)
    case two(Int, name: String?)
    case nested(Inner)
  }

  enum Word: String, Equatable, Codable {
    case left
    case right
  }

  struct Outer: Equatable, Codable {
    var choice = Choice.plain
    var choices: [Choice] = [.one(1), .plain, .two(2, name: nil), .nested(Inner())]
    var word: Word? = .right
    var none: Int?
    var table: [String: Int] = ["b": 2, "a": 1, "c": 3]
    var byNumber: [Int: String] = [10: "x", 9: "y"]
    var set: Set<Int> = [3, 20, 1]
    var text = "\"\\\u{8}\t\n\u{c}\r\u{1}/ä€😀"
    var small: Int8 = -128
    var large: UInt64 = .max
    var least: Int64 = .min
    var double = 1e-7
    var odd: [Double] = [.infinity, -.infinity, 5, -0.0]
    var float: Float = 0.1
    var nothing: [Inner] = []
  }

  /// A cycle without lenses is the shortest way to one frame in a recording.
  private func recording<Frame: Codable & Equatable>(of frame: Frame) throws -> String {
    let memory = RecordingBuffer()
    let bench = VirtualLoop()
    let cycle = Cycle(seed: frame) { Lens(Nothing(), name: "nothing", on: { _, _ in }) }
    try cycle.record(with: Recorder(app: "test", to: memory))
    try cycle.start(on: bench)
    cycle.stop()
    return memory.text
  }

  private struct Nothing: Driver {
    typealias Model = NoModel
    typealias Event = Never

    mutating func start(showing model: NoModel, in context: DriverContext<Never>) throws(DriverError) {}
    mutating func stop() {}
  }

  @Test("are canonical")
  func canonical() throws {
    let lines = try recording(of: Outer()).split(separator: "\n")
    let expected =
      #"{"choice":"plain","choices":[{"one":{"_0":1}},"plain",{"two":{"_0":2}},"#
      + #"{"nested":{"_0":{"name":"a","ratio":0.1,"flags":[true,false]}}}],"word":"right","#
      + #""table":{"a":1,"b":2,"c":3},"byNumber":{"10":"x","9":"y"},"set":[1,20,3],"#
      + #""text":"\"\\\b\t\n\f\r\u0001/ä€😀","small":-128,"large":18446744073709551615,"#
      + #""least":-9223372036854775808,"double":1e-07,"odd":["inf","-inf",5.0,-0.0],"float":0.1,"nothing":[]}"#
    var digest = FNV1aHash()
    digest.add(expected)
    #expect(lines[1] == "[\"f\",0,0,\(expected),\"\(digest)\"]")
  }

  @Test("come back as they were")
  func comesBack() throws {
    let text = try recording(of: Outer())
    let memory = RecordingBuffer()
    // A replay reads the whole frame behind a hole, and writes it again.
    let lines = text.split(separator: "\n").map(String.init)
    let other = Cycle(seed: Outer(choice: .one(7), text: "")) { Lens(Nothing(), name: "nothing", on: { _, _ in }) }
    let hole = [lines[0], #"["l",0,3]"#, lines[1]].map { $0 + "\n" }.joined()
    _ = try other.replay(RecordingReader(RecordingBytes(Array(hole.utf8)), name: "a.recording"), ReplayOptions())
    #expect(other.frame == Outer())
    _ = memory
  }

  @Test(
    "the digest is FNV-1a",
    arguments: [
      ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
      ("[0,1,7,0,0,0]", "fdef2f679f63f60f"),
    ])
  func digest(text: String, digits: String) {
    var digest = FNV1aHash()
    digest.add(text)
    #expect(digest.description == digits)
    #expect(FNV1aHash(digits) == digest)
  }

  @Test(
    "what is no JSON is refused with its place",
    arguments: [
      ("[1,2", "the text ends before ], at byte 5"), ("[1 2]", "a comma is missing, at byte 4"),
      ("{\"a\" 1}", "a colon is missing, at byte 6"), ("\"a", "a string has no end, at byte 1"),
      ("01", "a number is missing, at byte 1"), ("1.", "a number is missing, at byte 1"),
      ("", "a value is missing, at byte 1"),
      ("nul", "a value is missing, at byte 1"), ("[1,]", "a value is missing, at byte 4"),
      ("1 2", "something follows the value, at byte 3"),
      (String(repeating: "[", count: 40), "more than 32 arrays and objects in each other, at byte 33"),
    ])
  func wrong(text: String, message: String) {
    #expect(throws: (any Error).self) {
      try JSONReader.read(text) { (recording) throws(RecordingTextFault) in try recording.skipValue() }
    }
    do throws(RecordingTextFault) {
      _ = try JSONReader.read(text) { (recording) throws(RecordingTextFault) in try recording.skipValue() }
    } catch {
      #expect(error.description == message)
    }
  }

  /// The text with other characters in place of escapes, which are read with the value that they are in, and of blanks.
  private static func withoutEscapes(_ text: String) -> String {
    var isEscaped = false
    return String(
      text.unicodeScalars.map { scalar -> Character in
        if isEscaped || scalar == "\\" {
          isEscaped.toggle()
          return "x"
        }
        return scalar.value < 0x20 ? ("\t\n\r".unicodeScalars.contains(scalar) ? " " : "x") : Character(scalar)
      })
  }

  /// The text with one digit in each exponent: Foundation refuses `1e320`, which is JSON and no number of 64 bits.
  private static func withShortExponents(_ text: String) -> String {
    var (isExponent, digits) = (false, 0)
    return String(
      text.unicodeScalars.filter { scalar in
        switch scalar {
        case "e", "E": (isExponent, digits) = (true, 0)
        case "0"..."9" where isExponent: digits += 1
        case "+", "-": break
        default: isExponent = false
        }
        return !isExponent || digits <= 1
      }.map(Character.init))
  }

  @Test(
    "damaged lines that are no JSON are refused, and nothing traps",
    arguments: [1, 18_268_053_929_881_197_249, .random(in: .min ... .max)] as [UInt64])
  func damaged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var accepted: [String] = []
    let line = Array(
      #"["e",17,105000000,0,{"device":[2,"pressed"],"x":[1.5e3,null,true,"\u00e4"]},4,"c30a099d7a20a712",[[0,1]]]"#.utf8
    )
    for _ in 0..<7_000 {
      var bytes = line
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: Int.random(in: bytes.indices, using: &random))
        default: bytes.insert(bytes.randomElement(using: &random)!, at: Int.random(in: bytes.indices, using: &random))
        }
      }
      let isRead = bytes.withUnsafeBytes { bytes in (try? ParsedRecordingLine(bytes)) != nil }
      guard isRead, let text = String(validating: bytes, as: UTF8.self) else { continue }
      let compared = Self.withShortExponents(Self.withoutEscapes(text))
      if (try? JSONSerialization.jsonObject(with: Data(compared.utf8))) == nil {
        accepted.append(text)
      }
    }
    #expect(accepted == [], "seed \(seed)")
  }
}
