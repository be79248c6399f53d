import CycleCore

@testable import HardwareDrivers

/// A file in memory.
struct MemoryFile: ByteSource {
  let content: [UInt8]
  /// What it claims to have; its own unless told otherwise.
  let size: Int

  init(_ content: [UInt8], size: Int? = nil) {
    self.content = content
    self.size = size ?? content.count
  }

  func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int {
    let count = max(0, min(bytes.count, content.count - offset))
    if count > 0 { bytes.copyBytes(from: content[offset..<offset + count]) }
    return count
  }
}

/// A long file that nobody has to keep: a header, and nothing but zeros after it.
final class SilentFile: ByteSource {
  let size: Int
  private let header: [UInt8]
  /// In bytes.
  private(set) var longestRead = 0

  init(header: [UInt8], size: Int) {
    self.header = header
    self.size = size
  }

  func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int {
    longestRead = max(longestRead, bytes.count)
    let count = max(0, min(bytes.count, size - offset))
    for index in 0..<min(count, max(0, header.count - offset)) { bytes[index] = header[offset + index] }
    let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[min(count, max(0, header.count - offset))..<count])
    _ = rest.initializeMemory(as: UInt8.self, repeating: 0)
    return count
  }
}
