import CycleCore

/// Sound in memory: 16-bit samples, one or two channels. A clip is immutable and equal only to itself.
public final class Clip: @unchecked Sendable, Equatable {
  /// The maximum number of bytes of samples in a clip that is read or converted: 23 minutes of stereo at 48 kHz.
  package static let largestSize = 256 << 20

  /// `samples[sampleFrame * channelCount + channel]`; the address is fixed for as long as the clip lives.
  let samples: UnsafeBufferPointer<Int16>
  private let storage: UnsafeMutableBufferPointer<Int16>
  /// 1 or 2.
  public let channelCount: Int
  public let sampleRateHertz: Int

  /// - Parameters:
  ///   - samples: interleaved; an incomplete last sample frame is dropped.
  ///   - channelCount: 1 or 2.
  ///   - sampleRateHertz: 1 000 to 768 000.
  public convenience init(samples: [Int16], channelCount: Int, sampleRateHertz: Int) {
    self.init(
      length: samples.count / max(1, channelCount), channelCount: channelCount, sampleRateHertz: sampleRateHertz)
    _ = storage.update(from: samples.prefix(storage.count))
  }

  /// A clip of silence, to be filled before other code uses it.
  /// - Parameter length: in sample frames.
  private init(length: Int, channelCount: Int, sampleRateHertz: Int) {
    precondition((1...2).contains(channelCount), "a clip has one or two channels")
    precondition((1_000...768_000).contains(sampleRateHertz), "a clip has 1000 to 768000 sample frames a second")
    let count = length * channelCount
    let room = UnsafeMutablePointer<Int16>.allocate(capacity: max(1, count))
    room.initialize(repeating: 0, count: max(1, count))
    storage = UnsafeMutableBufferPointer(start: room, count: count)
    samples = UnsafeBufferPointer(storage)
    self.channelCount = channelCount
    self.sampleRateHertz = sampleRateHertz
  }

  package convenience init(_ reader: WAVReader) throws(DriverError) {
    let sound = try reader.readHeader()
    self.init(length: sound.length, channelCount: sound.channelCount, sampleRateHertz: sound.sampleRateHertz)
    try reader.read(sound, into: storage)
  }

  deinit {
    storage.baseAddress?.deallocate()
  }

  var baseAddress: UnsafePointer<Int16> { UnsafePointer(storage.baseAddress!) }

  /// The length in sample frames.
  public var length: Int { samples.count / channelCount }

  public var duration: Duration {
    .nanoseconds(Int64(Double(length) / Double(sampleRateHertz) * 1_000_000_000))
  }

  /// Whether another clip sounds the same: it has the same rate and channels, and each sample is equal.
  package func hasSameSamples(as other: Clip) -> Bool {
    channelCount == other.channelCount && sampleRateHertz == other.sampleRateHertz
      && samples.elementsEqual(other.samples)
  }

  public static func == (left: Clip, right: Clip) -> Bool { left === right }

  /// The clip converted to a different rate, or itself if it has that rate. Slow, so a worker calls it.
  ///
  /// - Parameters:
  ///   - rate: the rate in hertz.
  ///   - mustEnd: is called repeatedly during the conversion; if it returns true, the result is nil.
  /// - Throws: kind `unsupported` if the result is too large.
  package func resampled(to rate: Int, mustEnd: () -> Bool = { false }) throws(DriverError) -> Clip? {
    guard rate != sampleRateHertz else { return self }
    let resampler = Resampler(from: sampleRateHertz, to: rate)
    let newLength = resampler.length(of: length)
    guard newLength <= Self.largestSize / (2 * channelCount) else {
      throw DriverError(
        .unsupported, cannot: "convert a sound of \(duration.components.seconds) s to \(rate) Hz",
        reason: Self.tooLarge(newLength * 2 * channelCount), remedy: "Cut the sound, or play it at a lower rate.")
    }
    let conversion = Resampler.Conversion(with: resampler, channelCount: channelCount)
    var converted: [Int16] = []
    converted.reserveCapacity(newLength * channelCount)
    let piece = Self.conversionPiece * channelCount
    for start in stride(from: 0, to: samples.count, by: piece) {
      if mustEnd() { return nil }
      conversion.add(
        UnsafeBufferPointer(rebasing: samples[start..<min(samples.count, start + piece)]), to: &converted)
    }
    conversion.finish(&converted)
    return Clip(samples: converted, channelCount: channelCount, sampleRateHertz: rate)
  }

  /// The number of sample frames that are converted at a time.
  private static let conversionPiece = 4_096

  package static func tooLarge(_ bytes: Int) -> String {
    "it needs \(bytes >> 20) MB; the limit is \(largestSize >> 20) MB"
  }
}

/// Encodes only the form of the clip, because recordings don't contain samples.
extension Clip: Encodable {
  private enum CodingKeys: CodingKey { case channels, sampleRateHertz, samples }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(channelCount, forKey: .channels)
    try container.encode(sampleRateHertz, forKey: .sampleRateHertz)
    try container.encode(samples.count, forKey: .samples)
  }
}
