import CycleBase

/// The conversion of a cycle's frames to parts of a film, without the frames' type.
package class Filming {
  /// Whether frames are rows. A film then contains the numbers that an event has changed.
  let hasChanges: Bool

  init(hasChanges: Bool) { self.hasChanges = hasChanges }

  /// Writes a whole frame.
  func write(_ frame: UnsafeRawPointer, to film: inout FilmWriter) throws(FilmFault) {
    programmerError("each kind of frame has a codec of its own")
  }

  /// Returns the digest of the text of a frame. It may use the writer, which is empty.
  func digest(of frame: UnsafeRawPointer, using film: inout FilmWriter) throws(FilmFault) -> FilmDigest {
    programmerError("each kind of frame has a codec of its own")
  }

  /// Writes the numbers that differ between two rows.
  func writeChanges(from before: UnsafeRawPointer, to frame: UnsafeRawPointer, to film: inout FilmWriter) {
    programmerError("each kind of frame has a codec of its own")
  }
}

/// The conversion of frames of one type to parts of a film, and back.
package final class FrameFilming<Frame: Equatable>: Filming {
  package let codec: FrameCodec<Frame>

  package init(_ codec: FrameCodec<Frame>) {
    self.codec = codec
    super.init(hasChanges: codec.writeChanges != nil)
  }

  override func write(_ frame: UnsafeRawPointer, to film: inout FilmWriter) throws(FilmFault) {
    try codec.write(frame.assumingMemoryBound(to: Frame.self), &film)
  }

  override func digest(of frame: UnsafeRawPointer, using film: inout FilmWriter) throws(FilmFault) -> FilmDigest {
    try codec.digest(frame.assumingMemoryBound(to: Frame.self), &film)
  }

  override func writeChanges(from before: UnsafeRawPointer, to frame: UnsafeRawPointer, to film: inout FilmWriter) {
    codec.writeChanges?(
      before.assumingMemoryBound(to: Frame.self), frame.assumingMemoryBound(to: Frame.self), &film)
  }
}
