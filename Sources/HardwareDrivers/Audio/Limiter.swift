import Glibc

/// Keeps the sum of all sounds within 16 bits.
///
/// While no sample exceeds the ``ceiling``, it changes nothing, bit for bit. A louder sample lowers the gain of all
/// channels, in a curve that begins 1.3 ms earlier, so that nothing is cut. The gain rises again with a time constant of
/// 50 ms. The limiter needs the next ``lookAhead`` sample frames.
final class Limiter {
  /// The number of sample frames that must be known after the one that is limited.
  static let lookAhead = 63
  /// The largest magnitude of a sample that is left unchanged. It is a little below full scale, for the rounding of the
  /// device.
  static let ceiling: Float = 32_440.0 / 32_768
  /// The number of sample frames over which the gain is averaged.
  private static let window = lookAhead + 1
  /// A gain that is nearer to 1 is 1: 0.001 dB.
  private static let nearest: Float = 1e-4

  /// For each sample frame the gain at which it is at the ceiling, at most 1.
  private let needs: UnsafeMutablePointer<Float>
  /// The last gains, before averaging: a ring.
  private let recent: UnsafeMutablePointer<Float>
  private var place = 0
  /// The sum of the ring. It is exact, so it is 64 again when all gains are 1.
  private var sum = Double(window)
  private var gain: Float = 1
  /// How much of the way back to 1 the gain moves in a sample frame.
  private var release: Float = 1 / 2_400
  private(set) var isActive = false
  /// The number of sample frames above full scale, since the beginning. They would have been cut.
  private(set) var clippedFrames = 0

  /// - Parameter capacity: the maximum number of sample frames of a slice, with those ahead of it.
  init(capacity: Int) {
    needs = .allocate(capacity: capacity)
    needs.initialize(repeating: 1, count: capacity)
    recent = .allocate(capacity: Self.window)
    recent.initialize(repeating: 1, count: Self.window)
  }

  deinit {
    needs.deallocate()
    recent.deallocate()
  }

  func configure(sampleRateHertz: Int) {
    release = 1 / max(1, Float(sampleRateHertz) / 20)
    reset()
  }

  /// Forgets the samples before, as after a silence.
  func reset() {
    guard isActive else { return }
    isActive = false
    gain = 1
    sum = Double(Self.window)
    recent.update(repeating: 1, count: Self.window)
  }

  /// Limits a slice.
  ///
  /// - Parameters:
  ///   - samples: the sample frames to limit and those after them, interleaved.
  ///   - known: the number of sample frames at the beginning that were passed with the previous slice, too.
  ///   - total: the number of sample frames: those of the slice, and ``lookAhead`` more.
  ///   - count: the number of sample frames to limit.
  ///   - output: room for the slice.
  func limit(
    _ samples: UnsafePointer<Float>, channelCount: Int, known: Int, total: Int, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    let first = known &* channelCount
    let isLoud = Self.exceeds(samples + first, total &* channelCount &- first)
    guard isActive || isLoud else {
      output.update(from: samples, count: count &* channelCount)
      return
    }
    if !isActive {
      isActive = true
      needs.update(repeating: 1, count: known)
    }
    for sampleFrame in known..<total { needs[sampleFrame] = need(samples + sampleFrame &* channelCount, channelCount) }
    // Sounds begin after a silence: the gain may be low from the first sample frame on.
    if known == 0 { for count in 1...Self.lookAhead { take(least(in: 0..<count)) } }
    for sampleFrame in 0..<count {
      take(least(in: sampleFrame..<sampleFrame &+ Self.window))
      let factor = Float(sum / Double(Self.window))
      for channel in 0..<channelCount {
        output[sampleFrame &* channelCount &+ channel] = samples[sampleFrame &* channelCount &+ channel] * factor
      }
    }
    for sampleFrame in count..<total { needs[sampleFrame &- count] = needs[sampleFrame] }
    if gain == 1, sum == Double(Self.window), !Self.lowers(needs, total &- count) { isActive = false }
  }

  private static func exceeds(_ samples: UnsafePointer<Float>, _ count: Int) -> Bool {
    var peak: Float = 0
    for index in 0..<count {
      let magnitude = abs(samples[index])
      peak = magnitude > peak ? magnitude : peak
    }
    return peak > ceiling
  }

  private static func lowers(_ needs: UnsafePointer<Float>, _ count: Int) -> Bool {
    for sampleFrame in 0..<count where needs[sampleFrame] < 1 { return true }
    return false
  }

  private func need(_ sampleFrame: UnsafePointer<Float>, _ channelCount: Int) -> Float {
    var peak: Float = 0
    for channel in 0..<channelCount { peak = max(peak, abs(sampleFrame[channel])) }
    guard peak > Self.ceiling else { return 1 }
    if peak > 1 { clippedFrames &+= 1 }
    return Self.ceiling / peak
  }

  private func least(in sampleFrames: Range<Int>) -> Float {
    var least: Float = 1
    for sampleFrame in sampleFrames { least = min(least, needs[sampleFrame]) }
    return least
  }

  /// Moves the gain, which must not exceed `least`, and adds it to the last 64 gains. Their average is applied: each of
  /// them is low enough for the 64 sample frames from its own on.
  private func take(_ least: Float) {
    gain = min(least, gain + (1 - gain) * release)
    if 1 - gain < Self.nearest { gain = least }
    sum += Double(gain) - Double(recent[place])
    recent[place] = gain
    place = (place &+ 1) % Self.window
  }
}
