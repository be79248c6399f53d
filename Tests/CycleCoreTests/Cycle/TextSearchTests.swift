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
}
