/// The number and the digest of a recording's lines so far, for its checks and its end.
struct RecordingChecksum {
  /// The maximum number of lines from one check to the next.
  private static let linesOfCheck = 256

  private(set) var lines = 0
  /// The digest of all bytes.
  private(set) var digest = FNV1aHash()
  private var linesAtCheck = 0

  /// Adds lines, ends included.
  mutating func add(_ bytes: UnsafeRawBufferPointer, lines count: Int) {
    digest.add(bytes)
    lines += count
  }

  /// Whether the next line must be a check.
  var isCheckDue: Bool { lines - linesAtCheck >= Self.linesOfCheck - 1 }

  /// Writes the line of a check.
  func writeCheck(to line: inout JSONWriter) {
    line.begin(.check)
    line.write(lines + 1)
    line.write(digest)
    line.endArray()
    line.endLine()
  }

  /// Adds the line of a check.
  mutating func addCheck(_ bytes: UnsafeRawBufferPointer) {
    add(bytes, lines: 1)
    linesAtCheck = lines
  }
}
