/// A frame that is a row of integers. For each event, a recording then contains only the changed numbers.
public protocol RowFrame: Equatable {
  /// The numbers. All frames of an application must have the same number of them.
  var recordingNumbers: [Int] { get set }
}

/// The conversion of an application's frames to JSON and back.
package struct FrameCodec<Frame: Equatable> {
  package let write: (UnsafePointer<Frame>, inout JSONWriter) throws(RecordingTextFault) -> Void
  /// Returns the digest of the text that ``write`` writes. It may use the writer, which is empty.
  let digest: (UnsafePointer<Frame>, inout JSONWriter) throws(RecordingTextFault) -> FNV1aHash
  /// Reads a frame. Parts of it that the recording doesn't contain are copied from another frame.
  package let read: (inout JSONReader, Frame) throws(RecordingTextFault) -> Frame
  /// Writes the numbers that differ, as `[[column,number],…]`; nil for a frame that is not a row.
  let writeChanges: ((_ from: UnsafePointer<Frame>, _ to: UnsafePointer<Frame>, inout JSONWriter) -> Void)?

  /// Makes the codec; nil if the frame is neither ``RowFrame`` nor ``Recordable`` nor `Codable`.
  package init?() {
    if let row = Frame.self as? any RowFrame.Type {
      self = Self.row(row)
    } else if let codec = ValueCodec<Frame>() {
      self.init(
        write: codec.write,
        digest: { (frame, recording) throws(RecordingTextFault) in
          try codec.write(frame, &recording)
          var digest = FNV1aHash()
          digest.add(recording.written)
          return digest
        },
        read: { (recording, _) throws(RecordingTextFault) in try codec.read(&recording) }, writeChanges: nil)
    } else {
      return nil
    }
  }

  private init(
    write: @escaping (UnsafePointer<Frame>, inout JSONWriter) throws(RecordingTextFault) -> Void,
    digest: @escaping (UnsafePointer<Frame>, inout JSONWriter) throws(RecordingTextFault) -> FNV1aHash,
    read: @escaping (inout JSONReader, Frame) throws(RecordingTextFault) -> Frame,
    writeChanges: ((UnsafePointer<Frame>, UnsafePointer<Frame>, inout JSONWriter) -> Void)?
  ) {
    self.write = write
    self.digest = digest
    self.read = read
    self.writeChanges = writeChanges
  }

  // R is Frame, but the compiler does not know it: the forced casts between them can't fail.
  private static func row<R: RowFrame>(_ type: R.Type) -> FrameCodec {
    func numbers(_ frame: UnsafePointer<Frame>) -> [Int] {
      // The compiler would copy a pointee that it can't change.
      readNumbers(&UnsafeMutableRawPointer(mutating: frame).assumingMemoryBound(to: R.self).pointee)
    }
    return FrameCodec(
      write: { (frame, recording) throws(RecordingTextFault) in numbers(frame).write(to: &recording) },
      digest: { (frame, _) throws(RecordingTextFault) in
        var digest = FNV1aHash()
        digest.add(row: numbers(frame))
        return digest
      },
      read: { (recording, other) throws(RecordingTextFault) in
        var row = other as! R
        let count = row.recordingNumbers.count
        let numbers = try [Int](from: &recording)
        guard numbers.count == count else {
          throw recording.fault("the frame has \(numbers.count) numbers; the application's have \(count)")
        }
        row.recordingNumbers = numbers
        return row as! Frame
      },
      writeChanges: { before, after, recording in recording.write(changesFrom: numbers(before), to: numbers(after)) })
  }
}

private func readNumbers<R: RowFrame>(_ row: inout R) -> [Int] { row.recordingNumbers }
