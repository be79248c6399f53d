/// Follows the frames of a recording, if they are rows. Each is the last whole frame with the numbers that have changed
/// since.
package struct RowDeltaDecoder {
  /// The current frame; nil if it is not a row, and in a hole.
  package private(set) var row: [Int]?
  /// The digest of the current frame, as recorded in the recording.
  private var digest: FNV1aHash?

  package init() {}

  /// Applies the line that the recording has read last.
  ///
  /// - Throws: ``RecordingError`` if the frame has no number in a changed column.
  package mutating func follow(_ line: ParsedRecordingLine, of recording: RecordingReader) throws(RecordingError) {
    switch line.kind {
    case .keyframe: set(line, recording.text)
    case .loss: row = nil
    case _ where line.kind.isCause && line.digest != nil:
      guard line.kind != .frameSet else { return set(line, recording.text) }
      digest = line.digest
      guard row != nil, let changes = line.rowChanges(in: recording.text) else {
        row = nil
        return
      }
      for (column, number) in changes {
        guard row!.indices.contains(column) else {
          throw recording.error(RecordingTextFault("the frame has no number \(column)"))
        }
        row![column] = number
      }
    default: break
    }
  }

  private mutating func set(_ line: ParsedRecordingLine, _ text: UnsafeRawBufferPointer) {
    var reader = JSONReader(text, from: line.value.lowerBound)
    row = try? [Int](from: &reader)
    digest = line.digest
  }

  /// Whether the numbers match the digest in the recording.
  package var isRight: Bool {
    guard let row else { return false }
    var sum = FNV1aHash()
    sum.add(row: row)
    return sum == digest
  }
}
