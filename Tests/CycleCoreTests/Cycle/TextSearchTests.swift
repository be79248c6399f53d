import Testing

@testable import CycleCore

@Suite("TextSearch")
struct TextSearchTests {
  @Test(
    "where a text occurs first",
    arguments: [
      ("a..b..c", "..", 1), ("..", "..", 0), ("a.", "..", nil), ("aab", "ab", 1), ("abc", "", 0), ("", "", 0),
      ("", "a", nil),
      ("x || y", "||", 2), ("ä/ö", "/ö", 1), ("e\u{301}", "e", nil), ("aaab", "aab", 1),
    ])
  func first(text: String, sought: String, place: Int?) {
    let found = text.firstPlace(of: sought)
    let distance = found.map { text.distance(from: text.startIndex, to: $0.lowerBound) }
    #expect(distance == place)
    let foundText = found.map { String(text[$0]) }
    #expect(foundText == (place == nil ? nil : sought))
    #expect(text.contains(text: sought) == (place != nil))
  }

  @Test(
    "the parts between a text",
    arguments: [
      ("1s..4s", "..", 2, ["1s", "4s"]), ("1..2..3", "..", 2, ["1", "2..3"]), ("1..2..3", "..", .max, ["1", "2", "3"]),
      ("..", "..", .max, ["", ""]), ("one", "..", .max, ["one"]), ("", "..", .max, [""]),
      ("a / b /", " / ", .max, ["a", "b /"]),
    ])
  func parts(text: String, separator: String, most: Int, parts: [String]) {
    #expect(text.parts(between: separator, atMost: most).map(String.init) == parts)
  }

  @Test("random texts are searched character by character, in ASCII too, seeds 0 to 1999")
  func random() {
    let letters: [String] = ["a", "b", "K", "\u{212A}", "\r", "\n", "\r\n", "e", "\u{301}", ";", "\u{37E}", "ä"]
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      // Half of the texts are ASCII.
      let choice = seed.isMultiple(of: 2) ? ["a", "b", "K", "\r\n", ";"] : letters
      func text(_ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in choice.randomElement(using: &random) ?? "" }.joined()
      }
      let (whole, sought) = (text(0...12), text(0...3))
      let part = whole.dropFirst(min(1, whole.count))
      let (characters, wanted) = (Array(part), Array(sought))
      let first = (0...characters.count).first { characters.dropFirst($0).starts(with: wanted) }
      let found = part.firstPlace(of: sought)
      #expect(found.map { part.distance(from: part.startIndex, to: $0.lowerBound) } == first, "seed \(seed)")
      #expect(found.map { part[$0] == sought } ?? true, "seed \(seed)")
    }
  }
}
