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
    // A float of this size has no bits for a fraction, so adding it rounds. `rounded` calls libm(7) on processors
    // without SSE 4.1.
    let shift: Float = 12_582_912  // 1.5 · 2²³
    for index in 0..<count {
      // Samples far outside are clamped first: the sum with the shift would lose their value.
      let near = max(-40_000, min(40_000, samples[index] * 32_768))
      output[index] = Int16(max(-32_768, min(32_767, (near + shift) - shift)))
    }
  }
}
