/// The lines of a film so far, as checks and the end tell them.
struct FilmChain {
  /// After how many lines there is a check at the latest.
  private static let linesOfCheck = 256

  private(set) var lines = 0
  /// Of all bytes.
  private(set) var digest = FilmDigest()
  private var linesAtCheck = 0

  /// Adds lines, ends included.
  mutating func add(_ bytes: UnsafeRawBufferPointer, lines count: Int) {
    digest.add(bytes)
    lines += count
  }

  /// Whether the next line has to be a check.
  var isCheckDue: Bool { lines - linesAtCheck >= Self.linesOfCheck - 1 }

  /// Writes the line of a check.
  func writeCheck(to line: inout FilmWriter) {
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
