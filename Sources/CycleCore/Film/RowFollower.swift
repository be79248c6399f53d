/// Follows the frames of a film, if they are rows: each is the last whole one and the numbers that have changed since.
package struct RowFollower {
  /// The current frame; nil where it is no row, and in a hole.
  package private(set) var row: [Int]?
  /// The digest of the current frame, as the film tells it.
  private var digest: FilmDigest?

  package init() {}

  /// Goes on by the line that the film has read last.
  ///
  /// - Throws: ``FilmError`` where a change is of no number of the frame.
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

  /// Whether the numbers are those of the frame whose digest the film tells.
  package var isRight: Bool {
    guard let row else { return false }
    var sum = FilmDigest()
    sum.add(row: row)
    return sum == digest
  }
}
