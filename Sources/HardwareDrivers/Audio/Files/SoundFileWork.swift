import CycleCore

/// Sound that is ready to be played at the rate of a device.
enum PreparedSound: Sendable {
  case clip(Clip)
  /// The beginning of a sound that is read piece by piece while it plays: 500 ms.
  case beginning(Clip)

  var clip: Clip {
    switch self {
    case .clip(let clip), .beginning(let clip): clip
    }
  }
}

/// A sound to be prepared.
struct SoundPreparation: Sendable {
  var source: AudioPlayer.Sound.Source
  /// The rate of the device, in hertz.
  var rate: Int
  /// Whether it is to be played now. Others are prepared after all of these.
  var isUrgent: Bool
}

/// Reads, decodes and converts sounds: prepares them, and fills the streams of those that play.
///
/// Each step makes one piece of about 100 ms, for the stream that needs it most. If no stream needs any, it is for the
/// oldest urgent preparation, and then for the oldest other one. So no sound waits for the whole of another.
struct SoundFileWork: Work {
  enum Command: Sendable {
    case prepare(SoundPreparation)
    case play(SoundStream, SoundFile, rate: Int, from: Int, isLooping: Bool)
    case setLooping(SoundStream, Bool)
    case stop(SoundStream)
  }

  enum Report: Sendable {
    case prepared(SoundPreparation, Result<PreparedSound, DriverError>)
    /// The file of a stream can't be read on. What was read is played.
    case failed(SoundStream, DriverError)
  }

  let state = false
  private var preparations: [PreparationJob] = []
  private var streams: [StreamJob] = []
  private var resamplers: [ResamplerKey: Resampler] = [:]

  private struct ResamplerKey: Hashable {
    var from: Int
    var to: Int
  }

  /// Converters that are kept: a device has one rate, and sounds seldom have more than three.
  private static let mostResamplers = 8

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    let began = context.now
    repeat {
      while let command = context.receive() { take(command) }
      guard advance(context) else { return wait(from: context.now) }
      // In virtual time the work takes no time, unless the disk does.
    } while context.now == began && !context.mustEnd
    return .until(context.now)
  }

  private mutating func take(_ command: Command) {
    switch command {
    case .prepare(let preparation):
      preparations.removeAll { $0.preparation.source == preparation.source && $0.preparation.rate != preparation.rate }
      if let known = preparations.firstIndex(where: { $0.preparation.source == preparation.source }) {
        preparations[known].preparation.isUrgent = preparations[known].preparation.isUrgent || preparation.isUrgent
      } else {
        preparations.append(PreparationJob(preparation: preparation))
      }
    case .play(let stream, let file, let rate, let place, let isLooping):
      streams.append(StreamJob(stream: stream, file: file, rate: rate, place: place, isLooping: isLooping))
    case .setLooping(let stream, let isLooping):
      if let index = streams.firstIndex(where: { $0.stream === stream }) { streams[index].isLooping = isLooping }
    case .stop(let stream): streams.removeAll { $0.stream === stream }
    }
  }

  /// Makes the most urgent piece. Returns false if there is none to make.
  private mutating func advance(_ context: WorkContext<Self>) -> Bool {
    let hungry = streams.indices.filter { streams[$0].isHungry }
    if let index = hungry.min(by: { streams[$0].reserve < streams[$1].reserve }) {
      fill(index, context)
      return true
    }
    guard let index = preparations.firstIndex(where: \.preparation.isUrgent) ?? preparations.indices.first else {
      return false
    }
    prepare(index, context)
    return true
  }

  /// The moment at which the next stream needs samples.
  private func wait(from now: Moment) -> WorkWait {
    streams.compactMap { $0.pause }.min().map { .until(now + $0) } ?? .forCommand
  }

  private mutating func fill(_ index: Int, _ context: WorkContext<Self>) {
    do throws(DriverError) {
      if streams[index].pieces == nil {
        let reader = try streams[index].file.open(context.clock)
        guard reader.channelCount == streams[index].stream.channelCount else {
          throw Self.changed(streams[index].file)
        }
        streams[index].pieces = SoundPieces(reader, with: resampler(from: reader, to: streams[index].rate))
        try streams[index].pieces?.begin(at: streams[index].place)
      }
      try streams[index].fill()
    } catch {
      streams[index].fail()
      context.report(.failed(streams[index].stream, error))
    }
  }

  private mutating func prepare(_ index: Int, _ context: WorkContext<Self>) {
    let preparation = preparations[index].preparation
    var result: Result<PreparedSound, DriverError>?
    do throws(DriverError) {
      if preparations[index].pieces == nil { try open(index, context) }
      result = try preparations[index].advance().map { .success($0) }
    } catch {
      result = .failure(error)
    }
    guard let result else { return }
    preparations.remove(at: index)
    context.report(.prepared(preparation, result))
  }

  private mutating func open(_ index: Int, _ context: WorkContext<Self>) throws(DriverError) {
    let reader: any SampleReader
    var isStreamed = false
    switch preparations[index].preparation.source {
    case .clip(let clip): reader = ClipReader(clip)
    case .file(let file):
      reader = try file.open(context.clock)
      isStreamed = file.isStreamed(atLength: reader.duration)
    case .tone: programmerError("a tone needs no preparation")
    }
    let resampler = resampler(from: reader, to: preparations[index].preparation.rate)
    try preparations[index].begin(SoundPieces(reader, with: resampler), isStreamed: isStreamed)
  }

  private mutating func resampler(from reader: any SampleReader, to rate: Int) -> Resampler? {
    guard reader.sampleRateHertz != rate else { return nil }
    let key = ResamplerKey(from: reader.sampleRateHertz, to: rate)
    if let known = resamplers[key] { return known }
    let made = Resampler(from: key.from, to: key.to)
    if resamplers.count >= Self.mostResamplers { resamplers.removeAll() }
    resamplers[key] = made
    return made
  }

  fileprivate static func changed(_ file: SoundFile) -> DriverError {
    DriverError(
      .failed, of: file.path, cannot: "read \(file.path)", reason: "it has changed while it played",
      remedy: "It is read again when the sound starts again.")
  }
}

/// A sound that is being prepared.
private struct PreparationJob {
  var preparation: SoundPreparation
  private(set) var pieces: SoundPieces?
  private var isStreamed = false
  private var samples: [Int16] = []

  init(preparation: SoundPreparation) { self.preparation = preparation }

  /// Begins to read.
  mutating func begin(_ pieces: SoundPieces, isStreamed: Bool) throws(DriverError) {
    self.pieces = pieces
    self.isStreamed = isStreamed
    try check(pieces.declaredLength, of: pieces)
  }

  /// Makes the next piece. Returns the sound if it is ready.
  mutating func advance() throws(DriverError) -> PreparedSound? {
    guard let pieces else { return nil }
    let rate = preparation.rate
    let isMore = try pieces.next(to: &samples)
    let length = samples.count / pieces.channelCount
    // The beginning has 500 ms. If the sound ends at most 100 ms after it, the sound is read whole.
    let isLong = isStreamed && length >= rate / 2 + rate / 10
    if isLong { samples.removeLast(samples.count - rate / 2 * pieces.channelCount) }
    guard isLong || !isMore else {
      try check(length, of: pieces)
      return nil
    }
    let clip = Clip(samples: samples, channelCount: pieces.channelCount, sampleRateHertz: rate)
    return isLong ? .beginning(clip) : .clip(clip)
  }

  /// - Parameter count: the number of sample frames of the result that are known.
  private func check(_ count: Int, of pieces: SoundPieces) throws(DriverError) {
    guard !isStreamed else { return }
    try Clip.check(count, channelCount: pieces.channelCount, atHertz: preparation.rate, name: name)
  }

  private var name: String? { if case .file(let file) = preparation.source { file.path } else { nil } }
}

/// A sound that plays and is read piece by piece.
private struct StreamJob {
  let stream: SoundStream
  let file: SoundFile
  let rate: Int
  /// The sample frame at which it begins.
  let place: Int
  var isLooping: Bool
  var pieces: SoundPieces?
  /// Samples that were made and not written yet: the last ones of a round are written after its end is known.
  private var held: [Int16] = []
  /// Whether the round has been written to its end.
  private var hasEnded = false
  private var isRoundEmpty = false
  private var isBroken = false
  /// Whether the stream is filled until it is full; otherwise it is left alone until it is half empty.
  private var isFilling = true

  init(stream: SoundStream, file: SoundFile, rate: Int, place: Int, isLooping: Bool) {
    self.stream = stream
    self.file = file
    self.rate = rate
    self.place = place
    self.isLooping = isLooping
  }

  /// Whether there is more to write.
  private var hasMore: Bool { !isBroken && (!hasEnded || isLooping) }

  /// The number of sample frames that the player still has.
  var reserve: Int { stream.capacity - stream.room }

  /// The sample frames that are needed at most for a piece and what is held.
  private var pieceRoom: Int { rate / 5 }

  /// Whether a piece is to be made now.
  var isHungry: Bool {
    hasMore && stream.room >= (isFilling ? pieceRoom : stream.capacity / 2)
  }

  /// The time until it needs a piece; nil if it needs none.
  var pause: Duration? {
    guard hasMore else { return nil }
    let missing = max(rate / 100, stream.capacity / 2 - stream.room)
    return .nanoseconds(Int64(missing) * 1_000_000_000 / Int64(rate))
  }

  /// Makes a piece and writes it.
  mutating func fill() throws(DriverError) {
    guard let pieces else { return }
    if hasEnded {
      try pieces.begin(at: 0)
      (hasEnded, isRoundEmpty) = (false, true)
    }
    guard try pieces.next(to: &held) else {
      let isShort = pieces.isShort || isRoundEmpty
      end()
      if isShort { throw cutOff }
      return
    }
    isRoundEmpty = false
    write(all: false)
    isFilling = stream.room >= pieceRoom
  }

  private var cutOff: DriverError {
    DriverError(
      .failed, of: file.path, cannot: "read \(file.path) to its end", reason: "it is cut off or damaged",
      remedy: "Copy it again from the original.")
  }

  /// Ends the stream after what was read.
  mutating func fail() {
    if !hasEnded { end() }
    isBroken = true
    pieces = nil
  }

  private mutating func end() {
    let count = held.count / stream.channelCount
    let isLoud = held.suffix(stream.channelCount).contains { $0.magnitude > Voice.quiet }
    stream.end(after: count, isLoud: isLoud)
    write(all: true)
    hasEnded = true
  }

  /// Writes what is held, except for the last sample frames of a round that has not ended.
  private mutating func write(all: Bool) {
    let count = held.count / stream.channelCount - (all ? 0 : stream.edge)
    guard count > 0 else { return }
    held.withUnsafeBufferPointer { held in
      if let start = held.baseAddress { stream.write(start, count: count) }
    }
    held.removeFirst(count * stream.channelCount)
  }
}
