/// A WAV file's bytes, put together piece by piece.
package struct WAVBytes {
  package var code: Int
  package var channelCount: Int
  package var sampleRateHertz: Int
  package var bits: Int
  /// With the extended format of 40 bytes.
  package var isExtended: Bool
  /// Chunks between the format and the samples.
  package var between: [UInt8]
  /// The size of the samples in bytes according to the header; their true size unless set.
  package var claimedSize: Int?
  package var data: [UInt8]

  package init(
    code: Int = 1, channelCount: Int = 1, sampleRateHertz: Int = 48_000, bits: Int = 16, isExtended: Bool = false,
    between: [UInt8] = [], claimedSize: Int? = nil, data: [UInt8] = []
  ) {
    self.code = code
    self.channelCount = channelCount
    self.sampleRateHertz = sampleRateHertz
    self.bits = bits
    self.isExtended = isExtended
    self.between = between
    self.claimedSize = claimedSize
    self.data = data
  }

  package var bytes: [UInt8] {
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

  package static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  package static func chunk(_ tag: String, _ content: [UInt8]) -> [UInt8] {
    Array(tag.utf8) + number(content.count, 4) + content + (content.count.isMultiple(of: 2) ? [] : [0])
  }
}
