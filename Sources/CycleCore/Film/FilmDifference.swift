extension Film {
  /// The number of the first event or trouble at which two films differ, in what it is or in the frame that came of it;
  /// nil if they are the same up to their ends. Both are read.
  package static func firstDifference(of one: Film, _ other: Film) throws -> Int? {
    while true {
      let (first, second) = (try one.nextCause(), try other.nextCause())
      guard first?.text == second?.text else { return first?.number ?? second?.number }
      if first == nil { return nil }
    }
  }

  private func nextCause() throws -> (number: Int, text: [UInt8])? {
    while let line = try next() { if line.kind.isCause { return (line.number, Array(text)) } }
    return nil
  }
}
