/// Rounds samples of which full scale is 1 to 16-bit numbers.
public enum PCMSample {
  /// Rounds to the nearest number, ties to even; magnitudes beyond full scale become the largest number.
  ///
  /// - Parameters:
  ///   - samples: the samples.
  ///   - count: the number of samples.
  ///   - output: room for them.
  public static func convert(
    _ samples: UnsafePointer<Float>, _ count: Int, into output: UnsafeMutablePointer<Int16>
  ) {
    for index in 0..<count { output[index] = rounded(samples[index] * 32_768) }
  }

  /// Rounds a sample of which full scale is 32 768.
  @inline(__always)
  static func rounded(_ sample: Float) -> Int16 {
    // A float of this size has no bits for a fraction, so adding it rounds, and its last bits are the number. `rounded`
    // calls libm(7) on processors without SSE 4.1.
    let shift: Float = 12_582_912  // 1.5 · 2²³
    let low = sample < -32_768 ? -32_768 : sample
    let near = low > 32_767 ? 32_767 : low
    return Int16(truncatingIfNeeded: (near + shift).bitPattern)
  }
}
