import Testing

@testable import CycleCore
@testable import Recordings

@Suite("The text of a row")
struct RowTextTests {
  /// Numbers of every length, of both signs.
  private static let numbers: [Int] = {
    var numbers = [0, 9, 10, 99, 100, 101, 999, 1_000, 9_999, 10_000, 10_001, .max, .min]
    var power = 1
    while power <= Int.max / 10 {
      power *= 10
      numbers += [power - 1, power, power + 1, power / 2]
    }
    return numbers + numbers.filter { $0 > 0 }.map { -$0 }
  }()

  private static func text(of row: [Int]) -> String { "[" + row.map(String.init).joined(separator: ",") + "]" }

  @Test("is written with the digits that Swift writes")
  func text() {
    for count in [0, 1, Self.numbers.count] {
      let row = Array(Self.numbers.prefix(count))
      var recording = JSONWriter()
      row.write(to: &recording)
      #expect(recording.text == Self.text(of: row))
    }
    var recording = JSONWriter()
    recording.write(UInt64.max)
    #expect(recording.text == "\(UInt64.max)")
  }

  @Test("has the digest that is computed without writing it")
  func digest() {
    for count in 0...Self.numbers.count {
      let row = Array(Self.numbers.prefix(count))
      var (written, computed) = (FNV1aHash(), FNV1aHash())
      written.add(Self.text(of: row))
      computed.add(row: row)
      #expect(computed == written, "\(row)")
    }
  }

  @Test("has changes that lead from each row to the other")
  func changes() {
    let before = Self.numbers
    var recording = JSONWriter()
    recording.write(changesFrom: before, to: before)
    #expect(recording.text == "[]")
    for column in before.indices {
      var after = before
      after[column] = -(before[column] / 2 + 1)
      recording.removeAll()
      recording.write(changesFrom: before, to: after)
      #expect(recording.text == "[[\(column),\(after[column])]]")
    }
  }

  @Test(
    "A digest is written in 16 lower-case digits",
    arguments: [0, 9, 10, 15, 16, 0xffff_ffff, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, .max] as [UInt64])
  func digits(_ number: UInt64) {
    var recording = JSONWriter()
    recording.write(FNV1aHash(number))
    let digits = String(number, radix: 16)
    #expect(recording.text == "\"\(String(repeating: "0", count: 16 - digits.count))\(digits)\"")
  }
}
