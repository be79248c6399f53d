/// Clips at the device's rate, each converted once: those that are known beforehand when the rate is, others when they are first
/// asked for.
struct ConvertedClips {
  private struct Conversion {
    let clip: Clip
    let result: Clip
  }

  private let prepared: [Clip]
  private var rate = 0
  private var conversions: [Conversion] = []
  /// How many are kept.
  private let capacity: Int
  /// How many had to be made.
  private(set) var count = 0

  /// Besides those that are prepared, 64 are kept.
  init(preparing clips: [Clip]) {
    prepared = clips
    capacity = clips.count + 64
  }

  /// The rate to convert to from now on, in hertz.
  mutating func setRate(_ rate: Int) {
    guard rate != self.rate else { return }
    self.rate = rate
    conversions = []
    for clip in prepared { _ = convert(clip) }
  }

  /// The clip at the rate; itself if that is its own.
  mutating func convert(_ clip: Clip) -> Clip {
    if clip.sampleRateHertz == rate { return clip }
    if let known = conversions.first(where: { $0.clip === clip }) { return known.result }
    let result = clip.resampled(to: rate)
    count += 1
    // Those that were prepared come first, and stay.
    if conversions.count == capacity { conversions.remove(at: capacity - 64) }
    conversions.append(Conversion(clip: clip, result: result))
    return result
  }
}
