import CycleCore
import Glibc

/// The report that a voice has been played to its end, or to the end of its fade, or that its stream has run dry.
struct VoiceReport: Equatable, Sendable {
  var news: VoiceNews
  var slot: Int
  var generation: UInt32
}

/// The state of a player's device. The newest state reaches the player even if reports are dropped.
struct PlaybackState: Equatable, Sendable {
  /// The configuration with which the device was last opened; nil before the first time.
  var configuration: PCMConfiguration?
  /// Whether the device could not be opened or went away, and opening it is being retried.
  var isAway = false
  /// The number of times that this has happened.
  var losses: UInt32 = 0
  /// Why the device went away the last time.
  var error: DriverError?
  /// Whether the device failed while it played, was opened again, and has not worked for one second since.
  var isUnproven = false
  /// The number of times that the device has run out of samples and continued.
  var underruns = 0
  /// The number of sample frames that would have been cut and were limited. It is updated once a second at most.
  var clippedFrames = 0
}

/// Plays on one sink what the mixer renders: opens it, keeps its buffer filled while something sounds, closes it after
/// some silence, and opens it again after a loss.
///
/// It allocates nothing and takes no lock while the device runs.
final class PlaybackLoop: Work {
  typealias Command = VoiceCommand
  typealias Report = VoiceReport

  private(set) var state = PlaybackState()
  private let sink: any PCMSink
  private let wish: PCMPreferences
  /// The time between the announcement of a device and its opening.
  private let settlingTime: Duration
  /// The moment at which a device that was announced is opened; nil if none was.
  private var settled: Moment?
  private let mixer: VoiceMixer
  /// The device is opened before there is anything to play, so that a missing one is reported immediately. Silence is
  /// missed sooner than other hardware, so a device is retried at least every 5 s.
  private var recovery = Recovery(
    in: .opening, pauses: .init(first: .milliseconds(250), longest: .seconds(5), stableTime: .seconds(1)))
  /// The moment at which the device was last opened.
  private var opened = Moment.zero
  /// Whether a device that failed directly after its opening was opened again without a pause.
  private var hasReopened = false

  private let block: UnsafeMutablePointer<Float>
  /// Sample frames of the block, and those of them that the sink has not taken yet.
  private var (blockSize, blockRest) = (0, 0)
  /// Whether the device has accepted samples since it was opened.
  private var hasAccepted = false
  /// Sample frames written since the device was opened or last recovered.
  private var written = 0
  /// The moment at which writing began: a device that accepts samples faster than they are played is limited by the
  /// clock.
  private var writingBegan = Moment.zero
  /// Whether the device has reported samples that are not played yet. Such a device has a clock of its own, which may be
  /// faster than the machine's, so only its free space limits what is written.
  private var isPaced = false
  /// Whether the descriptors have been ready although there was no room for a period. They are not polled any more.
  private var areDescriptorsWrong = false
  /// The moment up to which the descriptors are polled; nil if they aren't.
  private var polledUntil: Moment?
  private var silentSince: Moment?
  private var underruns: (since: Moment, count: Int) = (.zero, 0)
  /// Underruns after which the device has not played yet. They are reported when it does.
  private var unreportedUnderruns = 0
  /// The moment at which ``PlaybackState/clippedFrames`` was last updated.
  private var clippingReport = Moment.zero
  /// The moment since which the device has been suspended without interruption; nil if it isn't suspended.
  private var suspendedSince: Moment?
  /// The number of sample frames that had been played when the device last made progress, and that moment.
  private var progress: (heard: Int, moment: Moment) = (0, .zero)

  /// A voice that has ended but has not been played to its end yet.
  private struct Ending: BitwiseCopyable {
    var isUsed = false
    var generation: UInt32 = 0
    /// The sample frame after the last one of the voice, counted like ``written``.
    var end = 0
  }
  private let endings: UnsafeMutablePointer<Ending>

  private static let silenceUntilClose = Duration.seconds(5)
  /// A running device must make progress within this time.
  private static let longestStandstill = Duration.seconds(1)
  /// A device that was opened must begin within this time: PulseAudio's sink without hardware takes two seconds.
  private static let longestBeginning = Duration.seconds(3)
  /// Sound servers often fail directly after they were opened.
  private static let unreliableTime = Duration.milliseconds(500)
  /// A device that has failed must work for this time before it counts as restored.
  private static let trialTime = Duration.seconds(1)
  /// A device that is suspended for longer is treated as lost.
  private static let longestResume = Duration.seconds(10)

  init(_ sink: any PCMSink, wish: PCMPreferences, settlingTime: Duration = .zero) {
    self.sink = sink
    self.wish = wish
    self.settlingTime = settlingTime
    mixer = VoiceMixer()
    let size = PCMConfiguration.mostChannels * PCMConfiguration.largestPeriod
    block = .allocate(capacity: size)
    block.initialize(repeating: 0, count: size)
    endings = .allocate(capacity: VoiceMixer.capacity)
    endings.initialize(repeating: Ending(), count: VoiceMixer.capacity)
  }

  deinit {
    sink.close()
    block.deallocate()
    endings.deallocate()
  }

  private var isOpen: Bool { recovery.phase == .open }

  var descriptors: [PolledDescriptor] { sink.descriptors }

  var wantsRealTime: Bool { isOpen }

  // MARK: - Steps

  func step(in context: WorkContext<PlaybackLoop>) -> WorkWait {
    let hasCommands = takeCommands(context)
    if hasCommands { polledUntil = nil }
    if recovery.phase == .closed, mixer.activeVoices > 0 { recovery.note(.begin, at: context.now) }
    if let settled, settled <= context.now {
      self.settled = nil
      recovery.note(.announce, at: context.now)
    }
    if settled == nil, recovery.isDue(at: context.now) { tryToOpen(context) }
    return isOpen ? play(context, at: context.now) : WorkWait(until: settled ?? recovery.due)
  }

  /// Takes the commands that are due.
  ///
  /// - Returns: whether there were any.
  @discardableResult
  private func takeCommands(_ context: WorkContext<PlaybackLoop>) -> Bool {
    var hasCommands = false
    while let command = context.receive() {
      hasCommands = true
      switch command.kind {
      case .retry: if !isOpen { settled = settled ?? context.now + settlingTime }
      // The sender did not know of the loss yet. Once it does, it may free the clip, so the start is dropped.
      case .start where command.epoch != state.losses: break
      default: mixer.apply(command)
      }
    }
    return hasCommands
  }

  /// Renders all voices, which are fading out, to their end and waits until they have been played.
  func finish(in context: WorkContext<PlaybackLoop>) -> Moment? {
    takeCommands(context)
    let now = context.now
    guard isOpen, let configuration = state.configuration, written > 0 || !mixer.isSilent,
      case .ready(let available, let delay) = sink.status(at: now)
    else { return nil }
    flushEndings(heard: written - delay, context)
    var room = available
    while !mixer.isSilent || blockRest > 0 {
      guard room > 0, case let taken = write(configuration.periodSize, context, at: now), taken > 0 else {
        return later(configuration.periodSize, configuration, at: now)
      }
      room -= taken
    }
    sink.drain(at: now)
    return delay > 0 || available == 0
      ? later(min(max(delay, 1), configuration.periodSize), configuration, at: now) : nil
  }

  func close(in context: WorkContext<PlaybackLoop>) {
    for slot in 0..<VoiceMixer.capacity where endings[slot].isUsed { end(slot, context) }
    sink.close()
    // A device that has accepted no sample has not shown that it works.
    recovery.note(.end, at: context.now, keepsPauses: !hasAccepted)
  }

  // MARK: - Opening

  private func tryToOpen(_ context: WorkContext<PlaybackLoop>) {
    do throws(DriverError) {
      let configuration = try sink.open(wish, on: context.clock)
      try check(configuration)
      let now = context.now
      state.configuration = configuration
      state.isAway = false
      mixer.configure(channelCount: configuration.channelCount, sampleRateHertz: configuration.sampleRateHertz)
      recovery.note(.succeed, at: now)
      begin(at: now)
    } catch {
      recovery.note(.lose, at: context.now)
      if !state.isAway { recordLoss(error) }
    }
  }

  /// Checks the configuration of a sink, which may be foreign code. The configuration decides how many samples are
  /// rendered into the block.
  private func check(_ configuration: PCMConfiguration) throws(DriverError) {
    guard !configuration.isPlayable else { return }
    sink.close()
    throw DriverError(
      .unsupported, cannot: "play on the sound device",
      reason: "it gives \(configuration.sampleRateHertz) Hz, \(configuration.channelCount) channels, "
        + "periods of \(configuration.periodSize) and a buffer of \(configuration.bufferSize) sample frames",
      remedy:
        "1 to \(PCMConfiguration.mostChannels) channels and periods of 1 to \(PCMConfiguration.largestPeriod) sample frames, no larger than the buffer, "
        + "can be played: ask for others (`PCMPreferences`).")
  }

  /// Records the loss of the device and drops all voices.
  private func recordLoss(_ error: DriverError) {
    state.isAway = true
    state.losses &+= 1
    state.error = error
    mixer.apply(VoiceCommand(.clear))
    for slot in 0..<VoiceMixer.capacity { endings[slot].isUsed = false }
  }

  private func restart(at now: Moment) {
    written = 0
    writingBegan = now
    progress = (0, now)
  }

  /// - Parameter hasStopped: whether the device claimed to be there, but did not play.
  private func lose(
    _ error: DriverError, hasStopped: Bool, _ context: WorkContext<PlaybackLoop>, at now: Moment
  ) {
    sink.close()
    if hasStopped, now - opened < Self.unreliableTime, !hasReopened, reopen(context) { return }
    // One that opens and fails repeatedly, like a full disk, is unstable: its pauses grow.
    recovery.note(.lose, at: now)
    recordLoss(error)
    if hasStopped { state.isUnproven = true }
  }

  /// Opens a device again that failed directly after its opening, as sound servers do. Its sounds continue.
  private func reopen(_ context: WorkContext<PlaybackLoop>) -> Bool {
    hasReopened = true
    do throws(DriverError) {
      let configuration = try sink.open(wish, on: context.clock)
      guard configuration == state.configuration else {
        sink.close()
        return false
      }
    } catch {
      return false
    }
    restartPosition(context, at: context.now)
    begin(at: context.now)
    return true
  }

  /// Forgets the device as it was before its opening.
  private func begin(at now: Moment) {
    opened = now
    unreportedUnderruns = 0
    hasAccepted = false
    blockRest = 0
    (isPaced, areDescriptorsWrong, polledUntil) = (false, false, nil)
    silentSince = nil
    suspendedSince = nil
    underruns = (now, 0)
    restart(at: now)
  }

  /// Whether the error is that of a sound server that has ended or fails.
  private static func isOfServer(_ error: DriverError) -> Bool {
    error.cause?.number == EPIPE || error.cause?.number == EIO
  }

  /// Notes that a device that had failed works again: it has played for some time, or has had nothing to play for as
  /// long.
  private func watchTrial(heard: Int, _ configuration: PCMConfiguration, at now: Moment) {
    guard state.isUnproven || hasReopened, now - opened >= Self.trialTime else { return }
    guard written == 0 || heard >= configuration.sampleFrames(in: Self.trialTime) else { return }
    state.isUnproven = false
    hasReopened = false
  }

  // MARK: - Playing

  private func play(_ context: WorkContext<PlaybackLoop>, at now: Moment) -> WorkWait {
    guard let configuration = state.configuration else { return .forCommand }
    if !mixer.isSilent { silentSince = nil } else if silentSince == nil { silentSince = now }
    if let silentSince, silentSince + Self.silenceUntilClose <= now {
      close(in: context)
      return .forCommand
    }
    // Nothing has sounded since the device was opened: don't write silence.
    if written == 0, mixer.isSilent, blockRest == 0 {
      watchTrial(heard: 0, configuration, at: now)
      let close = silentSince.map { $0 + Self.silenceUntilClose }
      return WorkWait(until: state.isUnproven ? opened + Self.trialTime : close)
    }
    // Two passes: a device that has just recovered can be written to immediately.
    for _ in 0..<2 {
      switch sink.status(at: now) {
      case .ready(let available, let delay):
        suspendedSince = nil
        let before = written
        fill(configuration, available: available, delay: delay, context, at: now)
        if isOpen { return wait(configuration, delay: delay + written - before, at: now) }
        return .until(now)
      case .underrun: recover(isUnderrun: true, context, at: now)
      case .suspended: recover(isUnderrun: false, context, at: now)
      case .lost(let error): lose(error, hasStopped: Self.isOfServer(error), context, at: now)
      }
      guard isOpen else { return step(in: context) }
    }
    return .until(now + .milliseconds(10))
  }

  private func recover(isUnderrun: Bool, _ context: WorkContext<PlaybackLoop>, at now: Moment) {
    if isUnderrun {
      if now - underruns.since > .seconds(1) { underruns = (now, 0) }
      underruns.count += 1
      unreportedUnderruns += 1
    } else if suspendedSince == nil {
      suspendedSince = now
    }
    if !sink.prepare(at: now) {
      if case .lost(let error) = sink.status(at: now) { return lose(error, hasStopped: true, context, at: now) }
      return loseStopped(context, at: now)
    }
    if unreportedUnderruns > 2 {
      // The device of a sound server that has ended can be prepared again and again, and plays nothing.
      let error = DriverError(
        .lost, cannot: "play on the sound device", reason: "it does not play any more",
        remedy: "If it is that of a sound server, the server has ended; the sound continues when it is back.")
      return lose(error, hasStopped: true, context, at: now)
    }
    let isHopeless = underruns.count > 8 || suspendedSince.map { now - $0 > Self.longestResume } ?? false
    if isHopeless { return loseStopped(context, at: now) }
    restartPosition(context, at: now)
  }

  /// Counts sample frames from 0 again. Those that were written before have been played or dropped, so voices that ended
  /// in them are over.
  private func restartPosition(_ context: WorkContext<PlaybackLoop>, at now: Moment) {
    flushEndings(heard: written, context)
    for slot in 0..<VoiceMixer.capacity where endings[slot].isUsed { endings[slot].end -= written }
    restart(at: now)
  }

  private func loseStopped(_ context: WorkContext<PlaybackLoop>, at now: Moment) {
    lose(
      DriverError(
        .lost, cannot: "keep the sound device running", reason: "it stopped again and again",
        remedy: "It is opened again later. Check the load of the machine."), hasStopped: true, context, at: now)
  }

  /// Reports underruns after which the device has played again.
  private func reportUnderruns() {
    state.underruns += unreportedUnderruns
    unreportedUnderruns = 0
  }

  private func reportClipping(at now: Moment) {
    guard mixer.clippedFrames != state.clippedFrames, now - clippingReport >= .seconds(1) || state.clippedFrames == 0
    else { return }
    state.clippedFrames = mixer.clippedFrames
    clippingReport = now
  }

  /// Renders and writes periods while there is room for them. What is left of the room is filled, too, unless it is
  /// small: a device that takes many samples at a time would otherwise run dry before they are written.
  private func fill(
    _ configuration: PCMConfiguration, available: Int, delay: Int, _ context: WorkContext<PlaybackLoop>, at now: Moment
  ) {
    watchProgress(available: available, delay: delay, configuration, context, at: now)
    guard isOpen else { return }
    flushEndings(heard: written - delay, context)
    if written > delay { reportUnderruns() }
    watchTrial(heard: written - delay, configuration, at: now)
    reportClipping(at: now)
    var room = available
    if delay > 0 { isPaced = true }
    if !isPaced {
      // A device that accepts samples immediately, as ALSA's file plugin does, gets at most one buffer ahead of the
      // clock.
      let sounded = configuration.sampleFrames(in: now - writingBegan)
      room = min(room, sounded + configuration.bufferSize - written)
    }
    let period = configuration.periodSize
    if let polledUntil, now < polledUntil, room < period, blockRest == 0 { areDescriptorsWrong = true }
    while blockRest > 0 || room >= (isPaced ? max(1, period / 4) : period) {
      let taken = write(blockRest > 0 ? blockRest : min(period, room), context, at: now)
      guard taken > 0 else { return }
      room -= taken
    }
  }

  /// Writes the rest of the block, or renders the next one, with this number of sample frames, and writes that. Returns
  /// the number of sample frames that the sink accepted.
  private func write(_ count: Int, _ context: WorkContext<PlaybackLoop>, at now: Moment) -> Int {
    if blockRest == 0 {
      let start = written
      mixer.render(into: block, count: count) { news, slot, generation, place in
        switch news {
        case .ended: endings[slot] = Ending(isUsed: true, generation: generation, end: start + place)
        case .stalled: context.report(VoiceReport(news: .stalled, slot: slot, generation: generation))
        }
      }
      (blockSize, blockRest) = (count, count)
    }
    let offset = (blockSize - blockRest) * mixer.channelCount
    let taken = sink.write(block + offset, count: blockRest, at: now)
    guard taken > 0 else { return taken }
    blockRest -= taken
    written += taken
    hasAccepted = true
    return taken
  }

  /// Treats a device that claims to run but makes no progress as lost: it plays none of its samples, or has none and
  /// accepts none.
  private func watchProgress(
    available: Int, delay: Int, _ configuration: PCMConfiguration, _ context: WorkContext<PlaybackLoop>, at now: Moment
  ) {
    let mustMove = delay > 0 || blockRest > 0 || available < configuration.periodSize
    guard mustMove, written - delay <= progress.heard else {
      progress = (written - delay, now)
      return
    }
    if now - progress.moment >= longestPause(configuration) {
      lose(
        DriverError(
          .lost, cannot: "play on the sound device",
          reason: "it has not played for \(written > configuration.bufferSize ? "a second" : "3 seconds")",
          remedy: "It is opened again. Check the sound server."), hasStopped: true, context, at: now)
    }
  }

  /// The time within which the device must make progress.
  private func longestPause(_ configuration: PCMConfiguration) -> Duration {
    written > configuration.bufferSize ? Self.longestStandstill : Self.longestBeginning
  }

  private func wait(_ configuration: PCMConfiguration, delay: Int, at now: Moment) -> WorkWait {
    let rate = Int64(configuration.sampleRateHertz)
    let polls = !sink.descriptors.isEmpty && !areDescriptorsWrong
    // Without polling, the deadline is the moment at which enough has been played to make room for a period. With
    // polling, it is twice the length of the buffer, at least 100 ms, in case the descriptors don't become ready.
    var current = delay
    // A device without a clock of its own has played already what it has accepted.
    if !isPaced, case .ready(_, let delay) = sink.status(at: now) { current = delay }
    let missing = configuration.periodSize - (configuration.bufferSize - current)
    var deadline = later(missing > 0 ? missing : configuration.periodSize, configuration, at: now)
    if polls {
      deadline = now + max(.milliseconds(100), .nanoseconds(Int64(2 * configuration.bufferSize) * 1_000_000_000 / rate))
    }
    let ahead = written - configuration.sampleFrames(in: now - writingBegan)
    let isAhead = polls && !isPaced && current == 0 && ahead > configuration.bufferSize - configuration.periodSize
    if isAhead { deadline = later(ahead - configuration.bufferSize + configuration.periodSize, configuration, at: now) }
    for slot in 0..<VoiceMixer.capacity where endings[slot].isUsed {
      deadline = min(deadline, later(endings[slot].end - (written - current), configuration, at: now))
    }
    // A device that has not moved since the last check is checked again after one period.
    if progress.moment < now { deadline = max(deadline, later(configuration.periodSize, configuration, at: now)) }
    // Check the device's progress when it is due.
    if current > 0 { deadline = min(deadline, progress.moment + longestPause(configuration)) }
    polledUntil = polls && !isAhead ? deadline : nil
    return WorkWait(until: deadline, pollsDescriptors: polls && !isAhead)
  }

  /// The moment at which this number of further sample frames will have been played.
  private func later(_ sampleFrames: Int, _ configuration: PCMConfiguration, at now: Moment) -> Moment {
    let rate = Int64(configuration.sampleRateHertz)
    return now + .nanoseconds((Int64(max(1, sampleFrames)) * 1_000_000_000 + rate - 1) / rate)
  }

  /// Reports the voices that have been played to their end.
  private func flushEndings(heard: Int, _ context: WorkContext<PlaybackLoop>) {
    for slot in 0..<VoiceMixer.capacity where endings[slot].isUsed && endings[slot].end <= heard { end(slot, context) }
  }

  private func end(_ slot: Int, _ context: WorkContext<PlaybackLoop>) {
    endings[slot].isUsed = false
    context.report(VoiceReport(news: .ended, slot: slot, generation: endings[slot].generation))
  }
}
