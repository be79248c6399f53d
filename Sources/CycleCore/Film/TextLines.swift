/// Splits a source of bytes into lines, and holds one at a time.
final class TextLines {
  private let source: any FilmSource
  private var buffer: UnsafeMutableRawBufferPointer
  /// The bytes that have been read from the source and lie behind the lines that were returned.
  private var waiting = 0..<0
  private var isAtEnd = false
  /// How many bytes of the source lie before the line that was returned last.
  private(set) var offset = 0
  private var nextOffset = 0
  /// How many bytes without an end of the line lie behind the last line.
  private(set) var leftOut = 0

  init(_ source: any FilmSource) {
    self.source = source
    buffer = .allocate(byteCount: 1 << 16, alignment: 1)
  }

  deinit { buffer.deallocate() }

  /// The next line without its end, which stays valid until the next call; nil behind the last one.
  ///
  /// - Parameter longest: how many bytes the line may have, its end included.
  /// - Throws: ``FilmFault`` for a longer line, and what the source throws.
  func next(longest: Int) throws -> UnsafeRawBufferPointer? {
    var searched = waiting.lowerBound
    while true {
      if let end = newline(from: searched) {
        let line = waiting.lowerBound..<end
        guard line.count < longest else { throw tooLong(longest) }
        waiting = end + 1..<waiting.upperBound
        offset = nextOffset
        nextOffset += line.count + 1
        return UnsafeRawBufferPointer(rebasing: buffer[line])
      }
      guard waiting.count < longest else { throw tooLong(longest) }
      let before = waiting.count
      guard !isAtEnd, try readMore() else {
        leftOut = waiting.count
        waiting = 0..<0
        return nil
      }
      searched = waiting.lowerBound + before
    }
  }

  /// Goes on at another place of the source.
  func move(to offset: Int) throws(DriverError) {
    try source.move(to: offset)
    waiting = 0..<0
    (isAtEnd, leftOut, nextOffset) = (false, 0, offset)
  }

  private func newline(from place: Int) -> Int? {
    buffer[place..<waiting.upperBound].firstIndex(of: UInt8(ascii: "\n"))
  }

  private func readMore() throws -> Bool {
    if waiting.upperBound == buffer.count { makeRoom() }
    let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[waiting.upperBound...]))
    isAtEnd = count == 0
    waiting = waiting.lowerBound..<waiting.upperBound + count
    return !isAtEnd
  }

  /// Moves what waits to the buffer's beginning, into a larger buffer if it fills more than half of it.
  private func makeRoom() {
    let old = buffer
    if waiting.count > old.count / 2 { buffer = .allocate(byteCount: 2 * old.count, alignment: 1) }
    buffer.baseAddress!.copyMemory(from: old.baseAddress! + waiting.lowerBound, byteCount: waiting.count)
    waiting = 0..<waiting.count
    if buffer.baseAddress != old.baseAddress { old.deallocate() }
  }

  private func tooLong(_ longest: Int) -> FilmFault { FilmFault("the line is longer than \(longest) bytes") }
}
