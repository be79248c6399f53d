import CycleBase

/// A source of a recording's bytes: a file, or memory.
public protocol RecordingSource: AnyObject {
  /// Reads at least one of the next bytes into a buffer. Returns their number; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int
  /// Continues reading after this number of bytes of the recording.
  ///
  /// - Throws: kind `unsupported` if the source can only be read in order.
  func move(to offset: Int) throws(DriverError)
}

extension RecordingSource {
  public func move(to offset: Int) throws(DriverError) {
    throw DriverError(
      .unsupported, cannot: "go to a different place in the recording", reason: "it is read in order only",
      remedy: "Keep the recording in a file.")
  }
}

/// A recording in memory.
public final class RecordingBytes: RecordingSource {
  private let bytes: [UInt8]
  private var offset = 0

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - offset)
    bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
    offset += count
    return count
  }

  public func move(to offset: Int) { self.offset = min(max(0, offset), bytes.count) }
}
