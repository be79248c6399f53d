import CycleCore

@testable import HardwareDrivers

/// A WAV file's bytes, put together piece by piece.
struct WAVBytes {
  var code = 1
  var channelCount = 1
  var sampleRateHertz = 48_000
  var bits = 16
  /// With the extended format of 40 bytes.
  var isExtended = false
  /// Chunks between the format and the samples.
  var between: [UInt8] = []
  /// What the header says of the samples' size; their own unless set.
  var claimedSize: Int?
  var data: [UInt8] = []

  var bytes: [UInt8] {
    var format = Self.number(isExtended ? 0xFFFE : code, 2) + Self.number(channelCount, 2)
    format += Self.number(sampleRateHertz, 4) + Self.number(sampleRateHertz * channelCount * bits / 8, 4)
    format += Self.number(channelCount * bits / 8, 2) + Self.number(bits, 2)
    if isExtended {
      format += Self.number(22, 2) + Self.number(bits, 2) + Self.number(3, 4) + Self.number(code, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    let chunks =
      Self.chunk("fmt ", format) + between + Array("data".utf8) + Self.number(claimedSize ?? data.count, 4) + data
    return Array("RIFF".utf8) + Self.number(4 + chunks.count, 4) + Array("WAVE".utf8) + chunks
  }

  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func chunk(_ tag: String, _ content: [UInt8]) -> [UInt8] {
    Array(tag.utf8) + number(content.count, 4) + content + (content.count.isMultiple(of: 2) ? [] : [0])
  }
}

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
