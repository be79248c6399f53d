import CycleBase

/// Splits a source of bytes into lines, and holds one at a time.
final class TextLines {
  private let source: any RecordingSource
  @exclusivity(unchecked) private var buffer: UnsafeMutableRawBufferPointer
  /// The bytes that were read from the source and follow the lines that were returned.
  @exclusivity(unchecked) private var waiting = 0..<0
  @exclusivity(unchecked) private var isAtEnd = false
  /// The number of bytes of the source before the line that was returned last.
  @exclusivity(unchecked) private(set) var offset = 0
  @exclusivity(unchecked) private var nextOffset = 0
  /// The digest of all bytes of the source up to the end of the line that was returned last. After ``move(to:)``, it
  /// includes only the bytes after the place of the last move.
  @exclusivity(unchecked) private(set) var digest = FNV1aHash()
  /// The number of bytes after the last line that have no line end.
  @exclusivity(unchecked) private(set) var leftOut = 0

  init(_ source: any RecordingSource) {
    self.source = source
    buffer = .allocate(byteCount: 1 << 16, alignment: 1)
  }

  deinit { buffer.deallocate() }

  /// Returns the next line without its end; nil after the last one. The line stays valid until the next call.
  ///
  /// - Parameter longest: the maximum number of bytes of the line, its end included.
  /// - Throws: ``RecordingTextFault`` for a longer line, and any error of the source.
  func next(longest: Int) throws -> UnsafeRawBufferPointer? {
    var searched = waiting.lowerBound
    // The search for the end costs nothing in addition to the digest, each step of which waits for the previous one.
    var sum = digest
    while true {
      if let end = newline(from: searched, adding: &sum) {
        let line = waiting.lowerBound..<end
        guard line.count < longest else { throw tooLong(longest) }
        waiting = end + 1..<waiting.upperBound
        digest = sum
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

  /// Continues at another place of the source.
  func move(to offset: Int) throws(DriverError) {
    try source.move(to: offset)
    waiting = 0..<0
    (isAtEnd, leftOut, nextOffset) = (false, 0, offset)
  }

  /// Returns the place of the next line end; adds the bytes up to it to a digest.
  private func newline(from place: Int, adding digest: inout FNV1aHash) -> Int? {
    let bytes = buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
    var sum = digest
    defer { digest = sum }
    for place in place..<waiting.upperBound {
      let byte = bytes[place]
      sum.add(byte)
      if byte == UInt8(ascii: "\n") { return place }
    }
    return nil
  }

  private func readMore() throws -> Bool {
    if waiting.upperBound == buffer.count { makeRoom() }
    let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[waiting.upperBound...]))
    isAtEnd = count == 0
    waiting = waiting.lowerBound..<waiting.upperBound + count
    return !isAtEnd
  }

  /// Moves the waiting bytes to the beginning of the buffer, or of a larger one if they fill more than half of it.
  private func makeRoom() {
    let old = buffer
    if waiting.count > old.count / 2 { buffer = .allocate(byteCount: 2 * old.count, alignment: 1) }
    buffer.baseAddress!.copyMemory(from: old.baseAddress! + waiting.lowerBound, byteCount: waiting.count)
    waiting = 0..<waiting.count
    if buffer.baseAddress != old.baseAddress { old.deallocate() }
  }

  private func tooLong(_ longest: Int) -> RecordingTextFault {
    RecordingTextFault("the line is longer than \(longest) bytes")
  }
}
