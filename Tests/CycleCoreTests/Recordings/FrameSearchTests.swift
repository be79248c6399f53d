import Testing

@testable import CycleCore
@testable import Recordings

/// The search for what differs in a frame of which a recording has the digest only.
@Suite("Search for a difference")
struct FrameSearchTests {
  private func frame(_ values: [String]) -> FlattenedFrame {
    FlattenedFrame("[" + values.joined(separator: ",") + "]", columns: [])
  }

  private func numbers(_ count: Int, _ change: (inout [Int]) -> Void = { _ in }) -> FlattenedFrame {
    var numbers = Array(0..<count)
    change(&numbers)
    return frame(numbers.map(String.init))
  }

  private func differences(_ found: FlattenedFrame?, from frame: FlattenedFrame) -> [String]? {
    found.map { frame.differences(from: $0) { "\($0) \($1) \($2)" } }
  }

  @Test(
    "one value that differs is found wherever it is: a near number, a small one, another word, the text of the frame before",
    arguments: [
      (0, "500", "0"), (1, "12345", "12344"), (1, "12345", "-1000"), (2, "true", "false"),
      (3, "\"long ago\"", "\"soon\""),
      (4, "9223372036854775807", "9223372036854775000"), (5, "-7", "993"),
    ])
  func finds(place: Int, now: String, recording: String) {
    var values = ["1", "2", "false", "\"\"", "5", "6"]
    values[place] = now
    let here = frame(values)
    values[place] = recording
    let there = frame(values)
    let before = place == 3 ? there : here
    #expect(differences(here.search(for: there.digest, near: before), from: here) == ["[\(place)] \(now) \(recording)"])
  }

  @Test("the last of 400 numbers is found")
  func findsTheLast() {
    let (here, there) = (numbers(400), numbers(400) { $0[399] += 1000 })
    #expect(differences(here.search(for: there.digest, near: here), from: here) == ["[399] 399 1399"])
  }

  @Test("a search without a result ends after a bounded number of tries; the likely values come first")
  func bounded() {
    let here = numbers(3)
    let there = numbers(3) { $0[2] += 1 }
    // Three values of the frame before, and the numbers of two values before the third.
    #expect(here.search(for: there.digest, near: here, mostTries: 3 + 2 * 4002) == nil)
    #expect(here.search(for: there.digest, near: here, mostTries: 3 + 3 * 4002) != nil)
    #expect(here.search(for: there.digest, near: there, mostTries: 3) != nil)
    #expect(numbers(100_000).search(for: FNV1aHash(1), near: here) == nil)
  }

  @Test("taking bytes away from a digest undoes their adding")
  func undo() {
    var digest = FNV1aHash()
    digest.add("one")
    let one = digest
    digest.add("two, and \u{e4}")
    Array("two, and \u{e4}".utf8).withUnsafeBytes { digest.remove($0) }
    #expect(digest == one)
    var number = FNV1aHash()
    for value in [0, 9, 10, -1, Int.min, Int.max] { number.add(number: value) }
    var text = FNV1aHash()
    text.add("0910-1\(Int.min)\(Int.max)")
    #expect(number == text)
  }
}
