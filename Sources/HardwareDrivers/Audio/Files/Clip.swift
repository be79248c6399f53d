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
    samples.withUnsafeBufferPointer { samples in
      if let start = samples.baseAddress { storage.baseAddress?.update(from: start, count: storage.count) }
    }
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

  /// Reads a sound to its end.
  ///
  /// - Parameter name: the name of the file in errors.
  /// - Throws: kind `unsupported` if the sound is too large, here or at 48 kHz.
  package convenience init(_ reader: any SampleReader, name: String) throws(DriverError) {
    try Self.checkSize(reader.length, of: reader, name: name)
    let piece = 4_096
    var buffer = [Int16](repeating: 0, count: piece * reader.channelCount)
    var samples: [Int16] = []
    samples.reserveCapacity(reader.length * reader.channelCount)
    // The declared length may be wrong: what is read counts.
    while case let count = try reader.read(into: &buffer, count: piece), count > 0 {
      samples += buffer.prefix(count * reader.channelCount)
      try Self.checkSize(samples.count / reader.channelCount, of: reader, name: name)
    }
    self.init(samples: samples, channelCount: reader.channelCount, sampleRateHertz: reader.sampleRateHertz)
  }

  /// Checks the size at 48 kHz as well: a sound with a low rate is small, but its conversion for the device may not be.
  package static func checkSize(_ length: Int, of sound: any SampleReader, name: String) throws(DriverError) {
    let sampleFrames = max(Double(length), Double(length) * 48_000 / Double(sound.sampleRateHertz))
    let size = sampleFrames * Double(sound.channelCount) * 2
    guard size > Double(largestSize) else { return }
    throw DriverError(
      .unsupported, of: name, cannot: "read \(name)",
      reason: "\(length / sound.sampleRateHertz) s are too long: \(tooLarge(Int(min(size, 1e15))))",
      remedy: "Cut the sound, or play it as a stream.")
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
  /// - Parameter rate: the rate in hertz.
  /// - Throws: kind `unsupported` if the result is too large.
  package func resampled(to rate: Int) throws(DriverError) -> Clip {
    guard rate != sampleRateHertz else { return self }
    let pieces = SoundPieces(ClipReader(self), with: Resampler(from: sampleRateHertz, to: rate))
    try Self.check(pieces.declaredLength, channelCount: channelCount, atHertz: rate)
    var converted: [Int16] = []
    converted.reserveCapacity(pieces.declaredLength * channelCount)
    while try pieces.next(to: &converted) {}
    return Clip(samples: converted, channelCount: channelCount, sampleRateHertz: rate)
  }

  /// Checks the size of a converted sound.
  ///
  /// - Parameters:
  ///   - length: in sample frames.
  ///   - name: the name of its file, if it has one.
  static func check(
    _ length: Int, channelCount: Int, atHertz rate: Int, name: String? = nil
  ) throws(DriverError) {
    let size = length * channelCount * 2
    guard size > largestSize else { return }
    throw DriverError(
      .unsupported, of: name, cannot: "convert a sound of \(length / rate) s to \(rate) Hz",
      reason: tooLarge(size), remedy: "Cut the sound, or play it at a lower rate.")
  }

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
