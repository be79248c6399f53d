import CycleCore

/// The samples of a sound file, read in their order. Used by one thread at a time.
package protocol SampleReader: AnyObject {
  /// 1 or 2.
  var channelCount: Int { get }
  /// 1 000 to 768 000.
  var sampleRateHertz: Int { get }
  /// The length in sample frames that the file declares. A damaged file has fewer.
  var length: Int { get }

  /// Reads the next sample frames, interleaved.
  ///
  /// - Parameters:
  ///   - samples: room for `count * channelCount` samples.
  ///   - count: the number of sample frames.
  /// - Returns: the number of sample frames, at most `count`; 0 at the end, or where the rest is damaged.
  func read(into samples: UnsafeMutablePointer<Int16>, count: Int) throws(DriverError) -> Int

  /// Moves to a sample frame, 0 to ``length``. The samples that are read from there are those of a reading from the
  /// beginning; those of Opus and MP3 may differ by one.
  func move(to sampleFrame: Int) throws(DriverError)
}

extension SampleReader {
  /// The duration that the file declares.
  package var duration: Duration {
    .nanoseconds(Int64(Double(length) / Double(sampleRateHertz) * 1_000_000_000))
  }
}

/// Reads the samples of a clip.
final class ClipReader: SampleReader {
  private let clip: Clip
  private var position = 0

  init(_ clip: Clip) { self.clip = clip }

  var channelCount: Int { clip.channelCount }
  var sampleRateHertz: Int { clip.sampleRateHertz }
  var length: Int { clip.length }

  func read(into samples: UnsafeMutablePointer<Int16>, count: Int) -> Int {
    let taken = min(count, clip.length - position)
    samples.update(from: clip.baseAddress + position * channelCount, count: taken * channelCount)
    position += taken
    return taken
  }

  func move(to sampleFrame: Int) { position = max(0, min(length, sampleFrame)) }
}
