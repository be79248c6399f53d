import CycleCore

/// The sounds of a player that must be prepared: those of another rate than the device's, and those in files. A worker
/// prepares each once, and fills the streams of long ones.
final class SoundLibrary {
  enum Answer {
    case ready(PreparedSound)
    /// It is being prepared.
    case preparing
    /// It can't be prepared. The next request tries again.
    case refused(DriverError)
  }

  private struct Entry {
    let source: AudioPlayer.Sound.Source
    var isUrgent: Bool
    var result: Result<PreparedSound, DriverError>?
  }

  private var context: DriverContext<AudioPlayer.Event>
  /// Created for the first sound that must be prepared.
  private var worker: Worker<SoundFileWork>?
  /// Commands for streams that did not fit into the worker's queue. Its length is bounded: of a stream that was not begun
  /// two wait at most, and of one that was begun a loop and a stop.
  private var backlog: [SoundFileWork.Command] = []
  /// The rate of the device, in hertz; 0 before it is known.
  private(set) var rate = 0
  private var entries: [Entry] = []
  private let prepared: [AudioPlayer.Sound.Source]
  /// Why the thread could not be created.
  private(set) var fault: DriverError?

  /// The maximum number of sounds that are kept besides the prepared ones.
  private static let capacity = 64

  /// - Parameter sounds: the sounds to prepare as soon as the rate is known.
  init(preparing sounds: [AudioPlayer.Sound.Source], in context: DriverContext<AudioPlayer.Event>) {
    prepared = sounds
    self.context = context
  }

  /// Continues for the player of the application that replaces the previous one.
  func move(to context: DriverContext<AudioPlayer.Event>) {
    self.context = context
    worker?.move(to: context)
  }

  /// Sets the rate. A different rate drops all prepared sounds.
  func setRate(_ rate: Int) {
    guard rate != self.rate else { return }
    self.rate = rate
    entries = []
  }

  // MARK: - Preparing

  /// Returns a sound that is to be played, or the reason why it can't be yet.
  func get(_ source: AudioPlayer.Sound.Source) -> Answer {
    if case .clip(let clip) = source, clip.sampleRateHertz == rate { return .ready(.clip(clip)) }
    guard let index = entries.firstIndex(where: { $0.source == source }) else {
      if makeRoom(), request(source, isUrgent: true) { entries.append(Entry(source: source, isUrgent: true)) }
      return .preparing
    }
    switch entries[index].result {
    case .success(let sound): return .ready(sound)
    case .failure(let error) where entries[index].isUrgent:
      entries.remove(at: index)
      return .refused(error)
    case nil, .failure:
      // A file that could not be read beforehand may be there now.
      if !entries[index].isUrgent, request(source, isUrgent: true) {
        (entries[index].isUrgent, entries[index].result) = (true, nil)
      }
      return .preparing
    }
  }

  /// Requests the preparation of the sounds that are known beforehand, as many as the worker has room for.
  func prepare() {
    for source in prepared where !entries.contains(where: { $0.source == source }) {
      switch source {
      case .clip(let clip) where clip.sampleRateHertz == rate: continue
      case .tone: continue
      case .clip, .file: break
      }
      guard request(source, isUrgent: false) else { return }
      entries.append(Entry(source: source, isUrgent: false))
    }
  }

  /// Makes room for a sound besides the prepared ones. Returns false if the worker has as many of them as fit, so that the
  /// sound is requested when one of them is ready.
  private func makeRoom() -> Bool {
    let others = entries.indices.filter { !prepared.contains(entries[$0].source) }
    guard others.count >= Self.capacity else { return true }
    guard let oldest = others.first(where: { entries[$0].result != nil }) else { return false }
    entries.remove(at: oldest)
    return true
  }

  private func request(_ source: AudioPlayer.Sound.Source, isUrgent: Bool) -> Bool {
    // If the queue is full, the remaining sounds are requested when one of them is ready.
    send(.prepare(SoundPreparation(source: source, rate: rate, isUrgent: isUrgent)))
  }

  // MARK: - Streams

  /// Fills a stream with the sound of a file, from a sample frame of the result on.
  func play(_ file: SoundFile, into stream: SoundStream, from sampleFrame: Int, isLooping: Bool) {
    keep(.play(stream, file, rate: rate, from: sampleFrame, isLooping: isLooping))
  }

  func setLooping(_ stream: SoundStream, _ isLooping: Bool) { keep(.setLooping(stream, isLooping)) }

  func stop(_ stream: SoundStream) { keep(.stop(stream)) }

  private func keep(_ command: SoundFileWork.Command) {
    let stream = command.stream
    switch command {
    case .prepare, .play: break
    case .setLooping: backlog.removeAll { $0.isLoop && $0.stream === stream }
    case .stop:
      let isUnknown = backlog.contains { $0.isPlay && $0.stream === stream }
      backlog.removeAll { $0.stream === stream }
      // The worker does not have the stream yet.
      if isUnknown { return }
    }
    backlog.append(command)
    sendBacklog()
  }

  private func sendBacklog() {
    while let command = backlog.first, send(command) { backlog.removeFirst() }
  }

  private func send(_ command: SoundFileWork.Command) -> Bool {
    do throws(DriverError) {
      if worker == nil {
        worker = try Worker(
          SoundFileWork(), for: "the sound files", onThread: !context.isVirtual, in: context, alarm: .secondWorker)
        fault = nil
      }
      try worker?.send(command)
      return true
    } catch {
      if worker == nil { fault = error }
      return false
    }
  }

  // MARK: - Waking

  /// Takes the results of the worker.
  ///
  /// - Parameter failed: is called for each stream whose file can't be read to its end.
  /// - Returns: whether a sound is ready or refused.
  func wake(_ wake: Wake, failed: (SoundStream, DriverError) -> Void) -> Bool {
    var hasResult = false
    worker?.wake(wake) { report, _ in
      switch report {
      case .prepared(let preparation, let result): hasResult = take(result, of: preparation) || hasResult
      case .failed(let stream, let error): failed(stream, error)
      }
    }
    sendBacklog()
    return hasResult
  }

  /// Stores a result. Returns false if it came too late: the rate has changed, or the sound was dropped.
  private func take(_ result: Result<PreparedSound, DriverError>, of preparation: SoundPreparation) -> Bool {
    guard preparation.rate == rate, let index = entries.firstIndex(where: { $0.source == preparation.source }) else {
      return false
    }
    entries[index].result = result
    return true
  }

  func stop() { worker?.stop() }
}

extension SoundFileWork.Command {
  /// The stream that it is for; nil for a preparation.
  fileprivate var stream: SoundStream? {
    switch self {
    case .prepare: nil
    case .play(let stream, _, _, _, _), .setLooping(let stream, _), .stop(let stream): stream
    }
  }

  fileprivate var isPlay: Bool { if case .play = self { true } else { false } }

  fileprivate var isLoop: Bool { if case .setLooping = self { true } else { false } }
}
