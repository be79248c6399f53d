import Synchronization

/// The samples of a sound between the worker that reads its file and the thread that plays it: a ring of two seconds.
///
/// Neither side waits. The worker never writes over samples that were not taken yet. It adds an end before the last
/// samples, at least ``edge`` of them, so that the player can fade them out.
final class SoundStream: @unchecked Sendable {
  /// The place after the last sample frame of a round of the file.
  struct End: BitwiseCopyable {
    /// Counted from the beginning of the stream.
    var place: Int
    /// Whether the sample frame before it is loud, so that it would click.
    var isLoud: Bool
  }

  let channelCount: Int
  /// The number of sample frames that fit.
  let capacity: Int
  /// The number of sample frames that a player needs to fade out: 5 ms.
  let edge: Int
  /// The number of sample frames with which a stream that ran dry continues: 100 ms.
  let resumption: Int
  private let samples: UnsafeMutablePointer<Int16>
  private let ends: UnsafeMutablePointer<End>
  private let written = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  private let endsWritten = Atomic<Int>(0)
  private let endsTaken = Atomic<Int>(0)

  /// Ends that fit. A round has half a second at least.
  private static let mostEnds = 16

  init(channelCount: Int, sampleRateHertz: Int) {
    self.channelCount = channelCount
    capacity = 2 * sampleRateHertz
    edge = max(1, sampleRateHertz / 200)
    resumption = sampleRateHertz / 10
    samples = .allocate(capacity: capacity * channelCount)
    samples.initialize(repeating: 0, count: capacity * channelCount)
    ends = .allocate(capacity: Self.mostEnds)
    ends.initialize(repeating: End(place: 0, isLoud: false), count: Self.mostEnds)
  }

  deinit {
    samples.deallocate()
    ends.deallocate()
  }

  // MARK: - The worker's side

  /// The number of sample frames that can be written; 0 if no further end fits.
  var room: Int {
    guard endsWritten.load(ordering: .relaxed) - endsTaken.load(ordering: .acquiring) < Self.mostEnds else { return 0 }
    return capacity - (length - taken.load(ordering: .acquiring))
  }

  /// The number of sample frames that were written.
  var length: Int { written.load(ordering: .relaxed) }

  /// - Parameter count: the number of sample frames, at most ``room``.
  func write(_ source: UnsafePointer<Int16>, count: Int) {
    let start = length
    let place = start % capacity
    let first = min(count, capacity - place)
    (samples + place * channelCount).update(from: source, count: first * channelCount)
    samples.update(from: source + first * channelCount, count: (count - first) * channelCount)
    written.store(start + count, ordering: .releasing)
  }

  /// Marks the end of a round, before its last sample frames are written.
  ///
  /// - Parameter rest: the number of sample frames that are still to be written before it.
  func end(after rest: Int, isLoud: Bool) {
    let number = endsWritten.load(ordering: .relaxed)
    ends[number % Self.mostEnds] = End(place: length + rest, isLoud: isLoud)
    endsWritten.store(number + 1, ordering: .releasing)
  }

  // MARK: - The player's side

  /// The number of sample frames that were written after a place.
  func available(after place: Int) -> Int { written.load(ordering: .acquiring) &- place }

  /// The next end; nil if it is not known yet. Then it comes ``edge`` sample frames after the last one that was
  /// available before this call, or later.
  var nextEnd: End? {
    let number = endsTaken.load(ordering: .relaxed)
    return number < endsWritten.load(ordering: .acquiring) ? ends[number % Self.mostEnds] : nil
  }

  /// Removes the next end.
  func takeEnd() { endsTaken.store(endsTaken.load(ordering: .relaxed) &+ 1, ordering: .releasing) }

  /// The address of a sample frame, which was written and not taken, and the number of those that follow it directly.
  func samples(at place: Int) -> (start: UnsafePointer<Int16>, count: Int) {
    let index = place % capacity
    return (UnsafePointer(samples + index &* channelCount), capacity &- index)
  }

  /// Frees the sample frames before a place.
  func take(upTo place: Int) { taken.store(place, ordering: .releasing) }
}
