internal import CALSA
import HardwareDrivers

/// The supported sample formats of a device, the preferred one first.
enum ALSAFormat: CaseIterable {
  case s16
  case s32
  case s24In3
  case s24
  case float
  case s16BigEndian
  case s32BigEndian
  case u8

  var code: snd_pcm_format_t {
    switch self {
    case .s16: SND_PCM_FORMAT_S16_LE
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24In3: SND_PCM_FORMAT_S24_3LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .float: SND_PCM_FORMAT_FLOAT_LE
    case .s16BigEndian: SND_PCM_FORMAT_S16_BE
    case .s32BigEndian: SND_PCM_FORMAT_S32_BE
    case .u8: SND_PCM_FORMAT_U8
    }
  }

  var bytesPerSample: Int {
    switch self {
    case .s16, .s16BigEndian: 2
    case .s32, .s24, .float, .s32BigEndian: 4
    case .s24In3: 3
    case .u8: 1
    }
  }

  /// Writes samples, of which full scale is 1, in this format. Magnitudes beyond full scale become the largest number.
  ///
  /// - Parameters:
  ///   - samples: `count` sample frames of `channelCount` samples.
  ///   - deviceChannels: the number of channels of the device, at least `channelCount`; the others are silent.
  func convert(
    _ samples: UnsafePointer<Float>, count: Int, channelCount: Int, deviceChannels: Int,
    into output: UnsafeMutableRawPointer
  ) {
    guard deviceChannels == channelCount else {
      for sampleFrame in 0..<count {
        for channel in 0..<deviceChannels {
          put(
            channel < channelCount ? samples[sampleFrame &* channelCount &+ channel] : 0,
            at: sampleFrame &* deviceChannels &+ channel, output)
        }
      }
      return
    }
    switch self {
    case .s16: PCMSample.convert(samples, count &* channelCount, into: output.assumingMemoryBound(to: Int16.self))
    case .float: output.copyMemory(from: samples, byteCount: 4 * count * channelCount)
    default: for index in 0..<count &* channelCount { put(samples[index], at: index, output) }
    }
  }

  /// Writes one sample.
  private func put(_ sample: Float, at index: Int, _ output: UnsafeMutableRawPointer) {
    let place = output + index &* bytesPerSample
    switch self {
    case .s16: place.storeBytes(of: Int16(Self.round(sample, bits: 16)).littleEndian, as: Int16.self)
    case .s16BigEndian: place.storeBytes(of: Int16(Self.round(sample, bits: 16)).bigEndian, as: Int16.self)
    case .s32: place.storeBytes(of: Self.round(sample, bits: 32).littleEndian, as: Int32.self)
    case .s32BigEndian: place.storeBytes(of: Self.round(sample, bits: 32).bigEndian, as: Int32.self)
    case .s24: place.storeBytes(of: Self.round(sample, bits: 24).littleEndian, as: Int32.self)
    case .float: place.storeBytes(of: sample, as: Float.self)
    case .u8: place.storeBytes(of: UInt8(Self.round(sample, bits: 8) + 128), as: UInt8.self)
    case .s24In3:
      let number = Self.round(sample, bits: 24)
      for byte in 0..<3 {
        place.storeBytes(of: UInt8(truncatingIfNeeded: number >> (8 * byte)), toByteOffset: byte, as: UInt8.self)
      }
    }
  }

  /// Rounds to the nearest number of this many bits, ties to even.
  private static func round(_ sample: Float, bits: Int) -> Int32 {
    let most = Double(Int64(1) << (bits - 1))
    // A double of this size has no bits for a fraction, so adding it rounds.
    let shift = 6_755_399_441_055_744.0  // 1.5 · 2⁵²
    let number = (Double(sample) * most + shift) - shift
    return Int32(max(-most, min(most - 1, number)))
  }
}
