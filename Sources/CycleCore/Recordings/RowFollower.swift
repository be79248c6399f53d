/// Follows the frames of a film, if they are rows. Each is the last whole frame with the numbers that have changed
/// since.
package struct RowFollower {
  /// The current frame; nil if it is not a row, and in a hole.
  package private(set) var row: [Int]?
  /// The digest of the current frame, as recorded in the film.
  private var digest: FilmDigest?

  package init() {}

  /// Applies the line that the film has read last.
  ///
  /// - Throws: ``FilmError`` if the frame has no number in a changed column.
  package mutating func follow(_ line: FilmLine, of film: Film) throws(FilmError) {
    switch line.kind {
    case .keyframe: set(line, film.text)
    case .loss: row = nil
    case _ where line.kind.isCause && line.digest != nil:
      guard line.kind != .frameSet else { return set(line, film.text) }
      digest = line.digest
      guard row != nil, let changes = line.rowChanges(in: film.text) else {
        row = nil
        return
      }
      for (column, number) in changes {
        guard row!.indices.contains(column) else { throw film.error(FilmFault("the frame has no number \(column)")) }
        row![column] = number
      }
    default: break
    }
  }

  private mutating func set(_ line: FilmLine, _ text: UnsafeRawBufferPointer) {
    var reader = FilmReader(text, from: line.value.lowerBound)
    row = try? [Int](from: &reader)
    digest = line.digest
  }

  /// Whether the numbers match the digest in the film.
  package var isRight: Bool {
    guard let row else { return false }
    var sum = FilmDigest()
    sum.add(row: row)
    return sum == digest
  }
}
