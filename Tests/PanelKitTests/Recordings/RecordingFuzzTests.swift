import CycleCore
import Glibc
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRecording

/// Damaged lines and recordings: reading them ends, and says what is wrong and where.
///
/// `make fuzz` builds this with optimisation; FUZZ_COUNT says how many lines, FUZZ_SEED which.
@Suite("A million wrong lines of recordings", .serialized)
struct RecordingFuzzTests {
  private static let count = setting("FUZZ_COUNT") ?? 4_000
  private static let seed = UInt64(setting("FUZZ_SEED") ?? 1)

  private static func setting(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

  /// What lines are made of.
  private static let pieces = """
    [ ] { } , : " \\ "e" "f" "t" "i" "s" "w" "g" "m" "l" "n" "a" "c" "z" "x-y" "pressed" null true false 0 -1 00 1e9 1.5
    9223372036854775807 9223372036854775808 -9223372036854775808 1e999 "9b524d38f788ec47" "stopped" {"film":1 "lenses":[]
    [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ \\u0000 \\ud800 \\uDC00\\uD800 \\q é \u{0} \u{7F} \u{2028} [0,1] [[99,1]] [[-1,0]]
    """.split { $0 == " " || $0 == "\n" }.map { Array($0.utf8) }

  private static func recordings() -> [[UInt8]] {
    let folder = "\(checkoutRoot)/Tests/Recordings"
    let tap = """
      {"film":1,"app":"tap","by":"test","clock":"virtual","start":0,"lenses":[{"name":"key","driver":"Button"}]}
      ["f",0,0,{"count":0,"isBeeping":false},"9b524d38f788ec47"]
      ["e",1,5000000,0,"pressed",1,"69bf961f3e39b827"]
      ["e",2,105000000,0,"released",2,"c30a099d7a20a712"]
      ["l",110000000,3]
      ["s",6,120000000,{"count":7,"isBeeping":false},3,"69bf961f3e39b827"]
      ["w",130000000,"press key"]
      ["g",130000000,"GPIO17",1,5]
      ["m",3,0,{"level":0.5}]
      ["n",130000000,6,"a \\u00e4 \\"note\\""]
      ["a",6,true]
      ["x-other",{"what":[1,2,3]}]

      """
    return names(in: folder).compactMap { bytes(of: "\(folder)/\($0)") } + [Array(tap.utf8)]
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
      let end = min(bytes.count, place + Int.random(in: 0..<12, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.insert(contentsOf: piece, at: place)
      case 1: bytes.replaceSubrange(place..<end, with: piece)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...bytes.count, using: &random))
      default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      }
    }
  }

  private static func isGood(_ fault: RecordingTextFault, _ size: Int) -> Bool {
    !fault.reason.isEmpty && (fault.offset.map { (0...size).contains($0) } ?? true)
  }

  @Test("a damaged line is a record, or is refused with its reason and a place in it")
  func lines() {
    let lines = Self.recordings().flatMap { $0.split(separator: UInt8(ascii: "\n")).map(Array.init) }
    var random = SeededGenerator(seed: Self.seed)
    var refused = 0
    for number in 0..<Self.count {
      var line = lines[Int.random(in: 0..<lines.count, using: &random)]
      Self.damage(&line, &random)
      let fault = line.withUnsafeBytes { bytes -> RecordingTextFault? in
        do throws(RecordingTextFault) {
          guard bytes.first != UInt8(ascii: "{") else {
            return (try? RecordingReader(RecordingBytes(Array(bytes) + [UInt8(ascii: "\n")]), name: "f")) == nil
              ? RecordingTextFault("no header") : nil
          }
          _ = try ParsedRecordingLine(bytes)
          return nil
        } catch {
          return error
        }
      }
      guard let fault else { continue }
      refused += 1
      let isGood = Self.isGood(fault, line.count)
      #expect(isGood, "seed \(Self.seed), line \(number): \(fault)")
    }
    #expect(refused > Self.count / 4)
  }

  @Test("a damaged recording is read, cut, listed and edited to its end, or is refused with a line")
  func recordings() throws {
    let recordings = Self.recordings()
    var random = SeededGenerator(seed: Self.seed &+ 1)
    for number in 0..<Self.count / 100 {
      var bytes = recordings[Int.random(in: 0..<recordings.count, using: &random)]
      // Without its checks and its end, the damage isn't told by them.
      let kept = bytes.split(separator: UInt8(ascii: "\n")).filter { !$0.starts(with: Array("[\"c\"".utf8)) }
      bytes = Array(kept.dropLast().joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
      Self.damage(&bytes, &random)
      let range = RecordingRange(
        causes: Int.random(in: 0..<20, using: &random)...Int.random(in: 20..<40, using: &random))
      func open() throws -> RecordingReader { try RecordingReader(RecordingBytes(bytes), name: "f") }
      func attempt(_ body: () throws -> Void) {
        do {
          try body()
        } catch let error as RecordingError {
          let isGood = error.line >= 1 && Self.isGood(error.fault, bytes.count)
          #expect(isGood, "seed \(Self.seed), recording \(number): \(error)")
        } catch let fault as RecordingTextFault {
          #expect(!fault.reason.isEmpty)
        } catch {
          Issue.record("seed \(Self.seed), recording \(number): \(error)")
        }
      }
      attempt { _ = try RecordingCut(range).copy(to: RecordingBuffer(), open) }
      attempt {
        var listing = RecordingPrinter(try open(), range)
        try listing.print { _ in }
      }
      attempt { try RecordingCSV(try open(), range).write { _ in } }
      attempt {
        var take = try EditedRecording(of: open())
        try take.apply(RecordingEdit("off 1"))
      }
    }
  }

  @Test("a damaged moment is read, or is refused with a reason")
  func moments() {
    let moment = BinaryPropertyList.moment(total: (1, 2))
    let files = [moment, BinaryPropertyList.timeline([moment, moment], selected: .integer(1))].map {
      BinaryPropertyList.bytes($0)
    }
    var random = SeededGenerator(seed: Self.seed &+ 2)
    for number in 0..<Self.count / 10 {
      var bytes = files[number % files.count]
      if random.next() % 3 == 0 {
        Self.damage(&bytes, &random)
      } else {
        for _ in 0...random.next() % 4 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      do throws(Problems) {
        let file = try CycleMonitorFile(bytes, path: "m")
        try file.write(to: RecordingBuffer())
      } catch {
        let isTold = !error.list.isEmpty && error.list.allSatisfy { !$0.text.isEmpty }
        #expect(isTold, "seed \(Self.seed), moment \(number)")
      }
    }
  }
}
