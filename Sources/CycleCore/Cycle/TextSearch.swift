/// A search for texts in texts. The equivalent functions of Swift's `_StringProcessing` (`firstRange(of:)`,
/// `contains("text")`, `split(separator: "text")`, `replacing(_:with:)`) would link its regular expressions into every
/// program: 1 MB.
extension StringProtocol where SubSequence == Substring {
  /// Returns the first occurrence of a text; nil if there is none. Compares character by character, like `==`.
  package func firstPlace(of text: String) -> Range<Index>? {
    var start = startIndex
    while true {
      let rest = self[start...]
      var (place, sought) = (start, text.startIndex)
      while sought < text.endIndex, place < endIndex, self[place] == text[sought] {
        place = index(after: place)
        sought = text.index(after: sought)
      }
      if sought == text.endIndex { return start..<place }
      guard !rest.isEmpty else { return nil }
      start = index(after: start)
    }
  }

  /// Whether the text contains another one.
  package func contains(text: String) -> Bool { firstPlace(of: text) != nil }

  /// Returns the parts between the occurrences of a text, empty ones included.
  package func parts(between text: String, atMost count: Int = .max) -> [SubSequence] {
    var parts: [SubSequence] = []
    var rest = self[...]
    while parts.count < count - 1, let place = rest.firstPlace(of: text) {
      parts.append(rest[..<place.lowerBound])
      rest = rest[place.upperBound...]
    }
    return parts + [rest]
  }
}
