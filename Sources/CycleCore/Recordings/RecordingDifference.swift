extension RecordingReader {
  /// Returns the number of the first event or trouble at which two recordings differ, in itself or in the frame after
  /// it; nil if they are the same to their ends. Reads both recordings.
  package static func firstDifference(of one: RecordingReader, _ other: RecordingReader) throws -> Int? {
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
