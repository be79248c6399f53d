import CycleBase

/// The conversion of a cycle's frames to parts of a recording, without the frames' type.
package class AnyFrameCodec {
  /// Whether frames are rows. A recording then contains the numbers that an event has changed.
  let hasChanges: Bool

  init(hasChanges: Bool) { self.hasChanges = hasChanges }

  /// Writes a whole frame.
  func write(_ frame: UnsafeRawPointer, to recording: inout JSONWriter) throws(RecordingTextFault) {
    programmerError("each kind of frame has a codec of its own")
  }

  /// Returns the digest of the text of a frame. It may use the writer, which is empty.
  func digest(of frame: UnsafeRawPointer, using recording: inout JSONWriter) throws(RecordingTextFault)
    -> FNV1aHash
  {
    programmerError("each kind of frame has a codec of its own")
  }

  /// Writes the numbers that differ between two rows.
  func writeChanges(from before: UnsafeRawPointer, to frame: UnsafeRawPointer, to recording: inout JSONWriter) {
    programmerError("each kind of frame has a codec of its own")
  }
}

/// The conversion of frames of one type to parts of a recording, and back.
package final class TypedFrameCodec<Frame: Equatable>: AnyFrameCodec {
  package let codec: FrameCodec<Frame>

  package init(_ codec: FrameCodec<Frame>) {
    self.codec = codec
    super.init(hasChanges: codec.writeChanges != nil)
  }

  override func write(_ frame: UnsafeRawPointer, to recording: inout JSONWriter) throws(RecordingTextFault) {
    try codec.write(frame.assumingMemoryBound(to: Frame.self), &recording)
  }

  override func digest(of frame: UnsafeRawPointer, using recording: inout JSONWriter) throws(RecordingTextFault)
    -> FNV1aHash
  {
    try codec.digest(frame.assumingMemoryBound(to: Frame.self), &recording)
  }

  override func writeChanges(
    from before: UnsafeRawPointer, to frame: UnsafeRawPointer, to recording: inout JSONWriter
  ) {
    codec.writeChanges?(
      before.assumingMemoryBound(to: Frame.self), frame.assumingMemoryBound(to: Frame.self), &recording)
  }
}
