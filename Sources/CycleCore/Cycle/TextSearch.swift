/// A search for texts in texts. The equivalent functions of Swift's `_StringProcessing` (`firstRange(of:)`,
/// `contains("text")`, `split(separator: "text")`, `replacing(_:with:)`) would link its regular expressions into every
/// program: 1 MB.
extension StringProtocol where SubSequence == Substring {
  /// Returns the first occurrence of a text; nil if there is none. Compares character by character, like `==`.
  package func firstPlace(of text: String) -> Range<Index>? {
    if let search = ASCIISearch(for: text, in: self) {
      return search.offset.map { offset in
        let start = utf8.index(startIndex, offsetBy: offset)
        return start..<utf8.index(start, offsetBy: text.utf8.count)
      }
    }
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

/// A search by bytes. In a text of ASCII each printable byte is a character, so the result is that of a search by
/// characters, and costs less.
private struct ASCIISearch {
  /// The offset of the first occurrence in bytes; nil if there is none.
  let offset: Int?

  /// Returns nil if one of the texts has other characters.
  init?(for sought: String, in text: some StringProtocol) {
    guard sought.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    // Each character has a byte at least.
    guard text.utf8.count >= sought.utf8.count else {
      offset = nil
      return
    }
    var isPossible = false
    var found: Int?
    _ = text.utf8.withContiguousStorageIfAvailable { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return }
      _ = sought.utf8.withContiguousStorageIfAvailable { wanted in
        isPossible = true
        found = Self.offset(of: wanted, in: bytes)
      }
    }
    guard isPossible else { return nil }
    offset = found
  }

  private static func offset(of wanted: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = wanted.first else { return 0 }
    for start in 0...bytes.count - wanted.count where bytes[start] == first {
      if wanted.indices.allSatisfy({ bytes[start + $0] == wanted[$0] }) { return start }
    }
    return nil
  }
}
