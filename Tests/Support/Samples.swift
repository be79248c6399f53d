/// 16-bit samples, little-endian, as they lie in a file.
package func samples(_ bytes: some Collection<UInt8>) -> [Int16] {
  let bytes = Array(bytes)
  return stride(from: 0, to: bytes.count - 1, by: 2).map {
    Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
  }
}

extension Collection<Int16> {
  /// The left channel of interleaved samples.
  package func left(channelCount: Int) -> [Int16] {
    let samples = Array(self)
    return stride(from: 0, to: samples.count, by: channelCount).map { samples[$0] }
  }

  /// From the first sample that isn't silence to the last one.
  package var sounding: [Int16] {
    let samples = Array(self)
    guard let first = samples.firstIndex(where: { $0 != 0 }), let last = samples.lastIndex(where: { $0 != 0 }) else {
      return []
    }
    return Array(samples[first...last])
  }
}
