import CycleCore

/// Sound in memory: 16-bit samples, one or two channels. It never changes, and is the same clip only as itself.
public final class Clip: @unchecked Sendable, Equatable {
  /// `samples[sampleFrame * channelCount + channel]`; at one address as long as the clip lives.
  let samples: UnsafeBufferPointer<Int16>
  private let storage: UnsafeMutableBufferPointer<Int16>
  /// 1 or 2.
  public let channelCount: Int
  public let sampleRateHertz: Int

  /// - Parameters:
  ///   - samples: interleaved; a last sample frame that isn't whole is left out.
  ///   - channelCount: 1 or 2.
  ///   - sampleRateHertz: 1 000 to 768 000.
  public init(samples: [Int16], channelCount: Int, sampleRateHertz: Int) {
    precondition((1...2).contains(channelCount), "a clip has one or two channels")
    precondition((1_000...768_000).contains(sampleRateHertz), "a clip has 1000 to 768000 sample frames a second")
    let whole = samples.prefix(samples.count / channelCount * channelCount)
    let storage = UnsafeMutableBufferPointer<Int16>.allocate(capacity: max(1, whole.count))
    _ = storage.initialize(from: whole)
    self.samples = UnsafeBufferPointer(rebasing: storage[..<whole.count])
    self.storage = storage
    self.channelCount = channelCount
    self.sampleRateHertz = sampleRateHertz
  }

  convenience init(_ sound: WAVSound) {
    self.init(samples: sound.samples, channelCount: sound.channelCount, sampleRateHertz: sound.sampleRateHertz)
  }

  deinit {
    storage.deallocate()
  }

  var baseAddress: UnsafePointer<Int16> { UnsafePointer(storage.baseAddress!) }

  /// How far the first sample frame is from silence, on the louder channel.
  var loudestFirstSample: Int { samples.prefix(channelCount).map { Int($0.magnitude) }.max() ?? 0 }

  /// In sample frames.
  public var length: Int { samples.count / channelCount }

  public var duration: Duration {
    .nanoseconds(Int64(Double(length) / Double(sampleRateHertz) * 1_000_000_000))
  }

  public static func == (left: Clip, right: Clip) -> Bool { left === right }

  /// The clip at another rate; itself at its own.
  func resampled(to rate: Int) -> Clip {
    guard rate != sampleRateHertz else { return self }
    let resampler = Resampler(from: sampleRateHertz, to: rate)
    return Clip(
      samples: resampler.resample(Array(samples), channelCount: channelCount), channelCount: channelCount,
      sampleRateHertz: rate)
  }
}
