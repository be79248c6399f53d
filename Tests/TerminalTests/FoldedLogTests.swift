import CycleCore
import Testing

@testable import Terminal

@Suite("A log that folds what repeats")
struct FoldedLogTests {
  /// The log of one letter a second.
  private func log(_ letters: String, capacity: Int = 512) -> [String] {
    var log = FoldedLog(capacity: capacity)
    for (second, letter) in letters.enumerated() {
      log.add(String(letter), at: .zero + .seconds(second))
    }
    return log.last(100).map { "\($0.moment.nanoseconds / 1_000_000_000) \($0.text)" }
  }

  @Test("a line that repeats has its first moment, too")
  func firstMoments() {
    var log = FoldedLog()
    for (second, letter) in "aababc".enumerated() { log.add(String(letter), at: .zero + .seconds(second)) }
    let entries = log.entries(9).map { entry in
      "\(entry.first.nanoseconds / 1_000_000_000)-\(entry.last.nanoseconds / 1_000_000_000) \(entry.text) \(entry.times)"
    }
    #expect(entries == ["0-1 a 2", "2-2 b 1", "3-3 a 1", "4-4 b 1", "5-5 c 1"])
  }

  @Test("equal lines that follow each other are one, with the last one's time")
  func runs() {
    #expect(log("aaab") == ["2 a ×3", "3 b"])
    #expect(log("aba") == ["0 a", "1 b", "2 a"])
  }

  @Test(
    "groups of two to four lines are folded when they are whole",
    arguments: [
      ("abab", ["2 a ×2", "3 b ×2"]), ("ababa", ["2 a ×2", "3 b ×2", "4 a"]), ("ababab", ["4 a ×3", "5 b ×3"]),
      ("abcabc", ["3 a ×2", "4 b ×2", "5 c ×2"]), ("abcdabcd", ["4 a ×2", "5 b ×2", "6 c ×2", "7 d ×2"]),
    ])
  func groups(_ letters: String, _ lines: [String]) {
    #expect(log(letters) == lines)
  }

  @Test("groups of five are not")
  func longGroups() {
    #expect(log("abcdeabcde").count == 10)
  }

  @Test("a group may have runs in it: its lines are counted, not its rounds")
  func runsInGroups() {
    #expect(log("aabaabaab") == ["7 a ×6", "8 b ×3"])
    #expect(log("abbabb") == ["3 a ×2", "5 b ×4"])
  }

  @Test("what follows a group is not counted with it")
  func after() {
    #expect(log("ababb") == ["2 a ×2", "3 b ×2", "4 b"])
    #expect(log("ababcc") == ["2 a ×2", "3 b ×2", "5 c ×2"])
    #expect(log("abababc") == ["4 a ×3", "5 b ×3", "6 c"])
  }

  @Test("the oldest lines are dropped, and a folded one counts as one")
  func capacity() {
    #expect(log("abcde", capacity: 3) == ["2 c", "3 d", "4 e"])
    #expect(log(String(repeating: "a", count: 1000) + "b", capacity: 2) == ["999 a ×1000", "1000 b"])
  }
}
