import CycleCore

/// What the playback side tells the player.
enum PlaybackReport: Sendable {
  /// The device is open, for the first time or again.
  case opened(PCMConfiguration)
  /// The device could not be opened, or went away.
  case lost(DriverError)
  /// A voice is over and has been heard to its end, or to the end of its fade.
  case ended(slot: Int, generation: UInt32, wasStopped: Bool, moment: Moment)
  /// The device ran out of samples.
  case underrun
}

/// Plays what the mixer renders on one sink: opens it when something is to sound, keeps its buffer filled, closes it after some
/// silence, and gets it back when it was lost.
///
/// It never waits. Whoever drives it calls ``step(at:)`` and waits as that says: a thread of its own for a real device, alarms on
/// the cycle's thread for one that goes by the clock. What it does is the same.
final class PlaybackLoop: @unchecked Sendable {
  /// How to wait for the next step.
  struct Wait: Equatable {
    /// At the latest; nil if nothing but a command can come.
    var deadline: Moment?
    /// Whether the sink's descriptors tell as well.
    var pollsDescriptors: Bool
  }

  private enum Phase {
    case closed
    /// Nothing could be opened: to be tried again then.
    case absent(retry: Moment)
    case open
  }

  let commands = Ring<VoiceCommand>(minimumCapacity: 1024)
  let sink: any PCMSink
  private let wish: PCMWish
  private let mixer: VoiceMixer
  private let report: (PlaybackReport) -> Void
  private var phase = Phase.closed
  private var configuration: PCMConfiguration?
  private var retries = 0
  /// How often the device has been lost.
  private var epoch: UInt32 = 0

  private let block: UnsafeMutablePointer<Int16>
  /// Sample frames of the block that the sink has not taken yet.
  private var blockRest = 0
  /// Sample frames written since the device was opened or stood still.
  private var written = 0
  /// When writing began: a device that takes samples faster than they sound is held to the clock.
  private var writingBegan = Moment.zero
  private var silentSince: Moment?
  private var underruns: (since: Moment, count: Int) = (.zero, 0)
  /// Since when the device says that the machine was asleep, without a break; nil while it doesn't.
  private var suspendedSince: Moment?
  /// The last sign that the device moves.
  private var progress: (heard: Int, moment: Moment) = (0, .zero)
  private var isStalled = false

  /// Voices that are over but not yet heard to the end.
  private struct Ending: BitwiseCopyable {
    var isUsed = false
    var generation: UInt32 = 0
    var wasStopped = false
    /// The first sample frame after the voice, counted as ``written``.
    var end = 0
  }
  private let endings: UnsafeMutablePointer<Ending>

  static let largestPeriod = 8192
  private static let silenceUntilClose = Duration.seconds(5)
  /// A device that runs moves within this time.
  private static let longestStandstill = Duration.seconds(1)
  /// A device that is not awake by then is taken for lost.
  private static let longestResume = Duration.seconds(10)
  private static let retryDelays: [Duration] = [
    .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(30),
  ]

  init(_ sink: any PCMSink, wish: PCMWish, report: @escaping (PlaybackReport) -> Void) {
    self.sink = sink
    self.wish = wish
    self.report = report
    mixer = VoiceMixer(largestBlock: Self.largestPeriod)
    block = .allocate(capacity: 2 * Self.largestPeriod)
    block.initialize(repeating: 0, count: 2 * Self.largestPeriod)
    endings = .allocate(capacity: VoiceMixer.capacity)
    endings.initialize(repeating: Ending(), count: VoiceMixer.capacity)
  }

  deinit {
    sink.close()
    block.deallocate()
    endings.deallocate()
  }

  var isOpen: Bool { if case .open = phase { true } else { false } }

  // MARK: - Steps

  /// Opens the device before anything is to sound, so that one that isn't there is known at once.
  func openFirst(at now: Moment) throws(DriverError) -> PCMConfiguration {
    let configuration = try open(at: now)
    silentSince = now
    return configuration
  }

  /// Does what is to be done now.
  func step(at now: Moment) -> Wait {
    takeCommands()
    switch phase {
    case .closed:
      guard mixer.activeVoices > 0 else { return Wait(deadline: nil, pollsDescriptors: false) }
      tryToOpen(at: now)
    case .absent(let retry):
      if retry <= now { tryToOpen(at: now) }
    case .open: break
    }
    switch phase {
    case .closed: return Wait(deadline: nil, pollsDescriptors: false)
    case .absent(let retry): return Wait(deadline: retry, pollsDescriptors: false)
    case .open: return play(at: now)
    }
  }

  /// Somebody says that the device may be back: tries at once.
  func retryNow() {
    if case .absent = phase { phase = .absent(retry: .zero) }
  }

  private func takeCommands() {
    while let command = commands.pop() {
      // Whoever asked for this didn't know that the device was gone. They know soon, and may free the clip then.
      if command.kind == .start, command.epoch != epoch { continue }
      mixer.take(command)
    }
  }

  /// One step of the end: what sounds has been told to fade. When to go on; nil when all has been heard, or nothing more will be.
  func finish(at now: Moment) -> Moment? {
    takeCommands()
    guard isOpen, let configuration, written > 0 || mixer.activeVoices > 0,
      case .ready(let available, let delay) = sink.status(at: now)
    else { return nil }
    flushEndings(heard: written - delay, at: now)
    var room = available
    while mixer.activeVoices > 0 || blockRest > 0 {
      guard room > 0, case let taken = write(configuration, at: now), taken > 0 else {
        return later(configuration.periodSize, configuration, at: now)
      }
      room -= taken
    }
    sink.drain(at: now)
    return delay > 0 || available == 0
      ? later(min(max(delay, 1), configuration.periodSize), configuration, at: now) : nil
  }

  func close(at now: Moment) {
    endAll(at: now)
    sink.close()
    phase = .closed
  }

  // MARK: - Opening

  @discardableResult
  private func open(at now: Moment) throws(DriverError) -> PCMConfiguration {
    let configuration = try sink.open(wish, at: now)
    self.configuration = configuration
    mixer.configure(channelCount: configuration.channelCount)
    phase = .open
    retries = 0
    blockRest = 0
    restart(at: now)
    silentSince = nil
    suspendedSince = nil
    underruns = (now, 0)
    return configuration
  }

  private func tryToOpen(at now: Moment) {
    let wasAbsent: Bool
    if case .absent = phase { wasAbsent = true } else { wasAbsent = false }
    do throws(DriverError) {
      let configuration = try open(at: now)
      report(.opened(configuration))
    } catch {
      phase = .absent(retry: now + Self.retryDelays[min(retries, Self.retryDelays.count - 1)])
      retries += 1
      if !wasAbsent {
        epoch &+= 1
        mixer.take(VoiceCommand(.clear))
        report(.lost(error))
      }
    }
  }

  private func restart(at now: Moment) {
    written = 0
    writingBegan = now
    progress = (0, now)
    isStalled = false
  }

  private func lose(_ error: DriverError, at now: Moment) {
    sink.close()
    epoch &+= 1
    mixer.take(VoiceCommand(.clear))
    for slot in 0..<VoiceMixer.capacity { endings[slot].isUsed = false }
    phase = .absent(retry: now + Self.retryDelays[0])
    retries = 1
    report(.lost(error))
  }

  // MARK: - Playing

  private func play(at now: Moment) -> Wait {
    guard let configuration else { return Wait(deadline: nil, pollsDescriptors: false) }
    if mixer.activeVoices > 0 { silentSince = nil } else if silentSince == nil { silentSince = now }
    if let silentSince, silentSince + Self.silenceUntilClose <= now {
      close(at: now)
      return Wait(deadline: nil, pollsDescriptors: false)
    }
    // Open, but nothing has sounded yet: silence is not written for its own sake.
    if written == 0, mixer.activeVoices == 0, blockRest == 0 {
      return Wait(deadline: silentSince.map { $0 + Self.silenceUntilClose }, pollsDescriptors: false)
    }
    // Twice, because a device that stood still can go on at once.
    for _ in 0..<2 {
      switch sink.status(at: now) {
      case .ready(let available, let delay):
        suspendedSince = nil
        fill(configuration, available: available, delay: delay, at: now)
        if case .open = phase { return wait(configuration, delay: delay, at: now) }
        return Wait(deadline: now, pollsDescriptors: false)
      case .underrun: recover(isUnderrun: true, at: now)
      case .suspended: recover(isUnderrun: false, at: now)
      case .lost(let error): lose(error, at: now)
      }
      guard case .open = phase else { return step(at: now) }
    }
    return Wait(deadline: now + .milliseconds(10), pollsDescriptors: false)
  }

  private func recover(isUnderrun: Bool, at now: Moment) {
    if isUnderrun {
      if now - underruns.since > .seconds(1) { underruns = (now, 0) }
      underruns.count += 1
      report(.underrun)
    } else if suspendedSince == nil {
      suspendedSince = now
    }
    let isHopeless = underruns.count > 8 || suspendedSince.map { now - $0 > Self.longestResume } ?? false
    if isHopeless || !sink.prepare(at: now) {
      lose(
        DriverError(
          .lost, cannot: "keep the sound device running", reason: "it stands still again and again",
          remedy: "It is opened anew by and by; look at the machine's load."), at: now)
      return
    }
    // What had been written before it stood still has been heard or is gone: endings in it are over.
    flushEndings(heard: written, at: now)
    for slot in 0..<VoiceMixer.capacity where endings[slot].isUsed { endings[slot].end -= written }
    restart(at: now)
  }

  /// Renders and writes whole periods as long as there is room for them.
  private func fill(_ configuration: PCMConfiguration, available: Int, delay: Int, at now: Moment) {
    watchProgress(delay, configuration, at: now)
    flushEndings(heard: written - delay, at: now)
    var room = available
    // A device that swallows samples at once, as ALSA's file plugin does, gets no more than a buffer ahead of the clock.
    let elapsed = (now - writingBegan).wholeNanoseconds / 1_000
    let sounded = Int(elapsed) * configuration.sampleRateHertz / 1_000_000
    room = min(room, sounded + configuration.bufferSize - written)
    while blockRest > 0 || room >= configuration.periodSize {
      let taken = write(configuration, at: now)
      guard taken > 0 else { return }
      room -= taken
    }
  }

  /// Writes what is left of the block, or the next one: how many sample frames were taken.
  private func write(_ configuration: PCMConfiguration, at now: Moment) -> Int {
    let size = configuration.periodSize
    if blockRest == 0 {
      let start = written
      mixer.render(into: block, count: size) { slot, generation, place, wasStopped in
        endings[slot] = Ending(isUsed: true, generation: generation, wasStopped: wasStopped, end: start + place)
      }
      blockRest = size
    }
    let offset = (size - blockRest) * configuration.channelCount
    let taken = sink.write(block + offset, count: blockRest, at: now)
    guard taken > 0 else { return taken }
    blockRest -= taken
    written += taken
    return taken
  }

  /// A device that claims to run and does not move is as good as gone.
  private func watchProgress(_ delay: Int, _ configuration: PCMConfiguration, at now: Moment) {
    guard delay > 0, written - delay <= progress.heard else {
      progress = (written - delay, now)
      return
    }
    if now - progress.moment >= Self.longestStandstill {
      lose(
        DriverError(
          .lost, cannot: "play on the sound device", reason: "it has not moved for a second",
          remedy: "It is opened anew; look at the sound server."), at: now)
    }
  }

  private func wait(_ configuration: PCMConfiguration, delay: Int, at now: Moment) -> Wait {
    let rate = Int64(configuration.sampleRateHertz)
    let polls = !sink.descriptors.isEmpty
    // By the clock, a period's room is there when so much has been heard; a device that is polled gets twice its buffer, at
    // least 100 ms, before it is looked at again.
    let current: Int
    if case .ready(_, let delay) = sink.status(at: now) { current = delay } else { current = delay }
    var deadline = later(configuration.periodSize - (configuration.bufferSize - current), configuration, at: now)
    if polls {
      deadline = now + max(.milliseconds(100), .nanoseconds(Int64(2 * configuration.bufferSize) * 1_000_000_000 / rate))
    }
    let elapsed = Int((now - writingBegan).wholeNanoseconds / 1_000) * configuration.sampleRateHertz / 1_000_000
    let ahead = written - elapsed
    let isAhead = polls && current == 0 && ahead > configuration.bufferSize - configuration.periodSize
    if isAhead { deadline = later(ahead - configuration.bufferSize + configuration.periodSize, configuration, at: now) }
    // Whether it moves at all is looked at when it should have.
    if current > 0 { deadline = min(deadline, progress.moment + Self.longestStandstill) }
    for slot in 0..<VoiceMixer.capacity where endings[slot].isUsed {
      deadline = min(deadline, later(endings[slot].end - (written - current), configuration, at: now))
    }
    return Wait(deadline: deadline, pollsDescriptors: polls && !isAhead)
  }

  /// When so many sample frames more have been heard.
  private func later(_ sampleFrames: Int, _ configuration: PCMConfiguration, at now: Moment) -> Moment {
    let rate = Int64(configuration.sampleRateHertz)
    return now + .nanoseconds((Int64(max(1, sampleFrames)) * 1_000_000_000 + rate - 1) / rate)
  }

  /// Tells of the voices that have been heard to their end.
  private func flushEndings(heard: Int, at now: Moment) {
    for slot in 0..<VoiceMixer.capacity where endings[slot].isUsed && endings[slot].end <= heard {
      end(slot, at: now)
    }
  }

  private func endAll(at now: Moment) {
    for slot in 0..<VoiceMixer.capacity where endings[slot].isUsed { end(slot, at: now) }
  }

  private func end(_ slot: Int, at now: Moment) {
    endings[slot].isUsed = false
    report(
      .ended(
        slot: slot, generation: endings[slot].generation, wasStopped: endings[slot].wasStopped, moment: now))
  }
}
