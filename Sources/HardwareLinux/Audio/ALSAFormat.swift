internal import CALSA
import HardwareDrivers

/// The supported sample formats of a device, the preferred one first; all little-endian.
enum ALSAFormat: CaseIterable {
  case s16
  case s32
  case s24In3
  case s24
  case float

  var code: snd_pcm_format_t {
    switch self {
    case .s16: SND_PCM_FORMAT_S16_LE
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24In3: SND_PCM_FORMAT_S24_3LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .float: SND_PCM_FORMAT_FLOAT_LE
    }
  }

  /// Converts `count` samples of 16 bits to this format, without loss.
  func convert(_ samples: UnsafePointer<Int16>, _ count: Int, into output: UnsafeMutableRawPointer) {
    switch self {
    case .s16:
      output.copyMemory(from: samples, byteCount: 2 * count)
    case .s32:
      let wide = output.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { wide[index] = Int32(samples[index]) << 16 }
    case .s24:
      let wide = output.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { wide[index] = Int32(samples[index]) << 8 }
    case .s24In3:
      let bytes = output.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        bytes[3 &* index] = 0
        bytes[3 &* index &+ 1] = UInt8(truncatingIfNeeded: samples[index])
        bytes[3 &* index &+ 2] = UInt8(truncatingIfNeeded: samples[index] >> 8)
      }
    case .float:
      let wide = output.assumingMemoryBound(to: Float.self)
      for index in 0..<count { wide[index] = Float(samples[index]) / 32_768 }
    }
  }
}
