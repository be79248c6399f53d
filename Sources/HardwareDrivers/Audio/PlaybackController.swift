import CycleCore

/// The sounds of a player: sends commands to the mixer until its voices match the model, and emits the reports of the
/// voices.
final class PlaybackController {
  /// A sound of the model.
  private struct Entry {
    var sound: AudioPlayer.Sound
    var state: State
    /// Why its file could not be read to its end, since its last start.
    var failure: DriverError?
    /// The number of its last start; a sound that started later has a larger one.
    var age: Int

    mutating func forgetRefusal() { if case .refused = state { state = .waiting } }

    enum State: Equatable {
      /// Waits for the device, a free voice, or its samples at the device's rate.
      case waiting
      case sounding(Int)
      /// Over; it stays so until it leaves the model or is restarted.
      case over
      /// Its samples can't be read, until it leaves the model, is restarted, or the device's rate changes.
      case refused(DriverError)
    }
  }

  /// A voice of the mixer in use. It keeps its samples alive for as long as the mixer uses them.
  private struct Slot {
    var generation: UInt32 = 0
    var key: String?
    var clip: Clip?
    var stream: SoundStream?
    /// Why the voice is being stopped; nil while it isn't.
    var leaving: AudioPlayer.Reason?
  }

  private let card: any SoundCard
  private var context: DriverContext<AudioPlayer.Event>
  private let worker: Worker<PlaybackLoop>
  private var entries: [Entry] = []
  private var slots = [Slot](repeating: Slot(), count: VoiceMixer.capacity)
  private var starts = 0
  /// The worker's state that was handled last.
  private var state = PlaybackState()
  private var reporter = TroubleReporter()
  private let library: SoundLibrary
  private var tracks = TrackCommands()
  private var master: Float = 1
  /// Commands that did not fit into the worker's queue, to be sent before any other.
  private var backlog = VoiceBacklog()
  /// A key that two sounds of the model have.
  private var doubleKey: String?
  /// The moment at which a stream that ran dry was last reported.
  private var reportedStall: Moment?
  /// The fault of the model that was last reported to the application.
  private var reportedFault: DriverError?

  /// The length of every change of gain.
  private static let rampMilliseconds = 5
  /// The maximum number of sounds that are read while they play: each needs a ring of memory and the disk.
  private static let mostStreams = 8

  init(
    on card: any SoundCard, wish: PCMPreferences, preparing sounds: [AudioPlayer.Sound.Source],
    context: DriverContext<AudioPlayer.Event>
  ) throws(DriverError) {
    self.card = card
    library = SoundLibrary(preparing: sounds, in: context)
    self.context = context
    worker = try Worker(
      PlaybackLoop(card.makeSink(), wish: wish, settlingTime: card.settlingTime), for: "the sound device",
      onThread: card.needsThread,
      commandCapacity: 1024, reportCapacity: 256, in: context)
  }

  /// Continues the sounds for the player of the application that replaces the previous one.
  ///
  /// - Parameter context: the context of that player.
  func move(to context: DriverContext<AudioPlayer.Event>) {
    self.context = context
    worker.move(to: context)
    library.move(to: context)
    // This trouble has not been reported to that application.
    reporter.end()
    reportedFault = nil
    if !isWorking, let error = state.error { noteLoss(error) }
  }

  private func noteLoss(_ error: DriverError?) {
    reporter.note(error.map(Trouble.lost), in: context) { card.watchForReturn($0) }
  }

  /// Waits until the device is open, if the application requires it.
  /// - Throws: the reason why it can't be opened; nothing is left open then.
  func waitForRequiredStart() throws(DriverError) {
    do throws(DriverError) {
      try worker.waitForRequiredStart { $0.isAway ? $0.error : nil }
    } catch {
      stop()
      throw error
    }
  }

  private var rate: Int { state.configuration?.sampleRateHertz ?? 0 }
  /// Whether there is a device to play on. Before that, its rate is unknown.
  private var isHardwarePresent: Bool { state.configuration != nil && !state.isAway }
  /// Whether the device is not reported as lost.
  private var isWorking: Bool { !state.isAway && !state.isUnproven }

  // MARK: - The model

  func show(_ model: AudioPlayer.Model) {
    let master = Float(min(1, max(0, model.isMuted ? 0 : model.volume)))
    if master != self.master {
      self.master = master
      var command = VoiceCommand(.setMaster)
      command.gain = master
      command.ramp = ramp
      send(command)
    }
    showTracks(model.tracks)
    var wanted: [AudioPlayer.Sound] = []
    doubleKey = nil
    for sound in model.sounds {
      if wanted.contains(where: { $0.key == sound.key }) { doubleKey = sound.key } else { wanted.append(sound) }
    }
    for index in entries.indices.reversed() where !wanted.contains(where: { $0.key == entries[index].sound.key }) {
      leave(index, .removed, over: entries[index].sound.fadeOut)
      entries.remove(at: index)
    }
    for sound in wanted { take(sound) }
    startWaiting()
    tellFault()
  }

  /// Why a part of the model can't be played; nil if all of it can.
  private var fault: DriverError? {
    if let doubleKey {
      return DriverError(
        .misconfigured, of: doubleKey, cannot: "play two sounds with the key \(doubleKey)",
        reason: "a key names one sound",
        remedy: "Give each sound a key of its own; the first one is played.")
    }
    if let fault = tracks.fault { return fault }
    for entry in entries {
      if case .refused(let error) = entry.state { return error }
      if let failure = entry.failure { return failure }
    }
    return isHardwarePresent && entries.contains { $0.state == .waiting } ? library.fault : nil
  }

  /// Reports a fault of the model that has appeared or cleared. While the device is away, a cleared fault is not
  /// reported: the return of the device is reported as restored.
  private func tellFault() {
    let fault = self.fault
    guard fault != reportedFault else { return }
    reportedFault = fault
    if let fault { context.report(.failed(fault)) } else if isWorking { context.report(.restored) }
  }

  private func take(_ sound: AudioPlayer.Sound) {
    guard let index = entries.firstIndex(where: { $0.sound.key == sound.key }) else {
      entries.append(Entry(sound: sound, state: .waiting, age: 0))
      return
    }
    let old = entries[index].sound
    entries[index].sound = sound
    if old.restart != sound.restart || old.source != sound.source {
      leave(index, .restarted, over: .milliseconds(Self.rampMilliseconds))
      entries[index].state = .waiting
      entries[index].failure = nil
    } else if case .sounding(let slot) = entries[index].state {
      if gain(of: old) != gain(of: sound) {
        var command = VoiceCommand(.setGain, slot: Int32(slot), generation: slots[slot].generation)
        command.gain = gain(of: sound)
        command.ramp = sampleFrames(sound.ramp)
        send(command)
      }
      if pan(of: old) != pan(of: sound) {
        var command = VoiceCommand(.setPan, slot: Int32(slot), generation: slots[slot].generation)
        command.pan = pan(of: sound)
        command.ramp = sampleFrames(sound.ramp)
        send(command)
      }
      if old.isLooping != sound.isLooping {
        var command = VoiceCommand(.setLooping, slot: Int32(slot), generation: slots[slot].generation)
        command.isLooping = sound.isLooping
        send(command)
        if let stream = slots[slot].stream { library.setLooping(stream, sound.isLooping) }
      }
    }
  }

  private var ramp: Int32 { sampleFrames(.milliseconds(Self.rampMilliseconds)) }

  private func sampleFrames(_ span: Duration) -> Int32 {
    Int32(clamping: Int(Double(max(0, span.wholeNanoseconds)) * Double(rate) / 1_000_000_000))
  }

  private func gain(of sound: AudioPlayer.Sound) -> Float { Float(min(1, max(0, sound.gain))) }

  private func pan(of sound: AudioPlayer.Sound) -> Float { Float(min(1, max(-1, sound.pan))) }

  private func showTracks(_ tracks: [AudioPlayer.Track]) {
    self.tracks.show(tracks, atHertz: rate) { send($0) }
  }

  // MARK: - Voices

  private func leave(_ index: Int, _ reason: AudioPlayer.Reason, over span: Duration) {
    guard case .sounding(let slot) = entries[index].state else { return }
    slots[slot].leaving = reason
    var command = VoiceCommand(.stop, slot: Int32(slot), generation: slots[slot].generation)
    command.ramp = max(1, sampleFrames(span))
    send(command)
  }

  private func startWaiting() {
    guard isHardwarePresent else { return }
    for index in entries.indices where entries[index].state == .waiting {
      guard let slot = slots.firstIndex(where: { $0.key == nil }) else {
        stealOldest(except: index) { _ in true }
        return
      }
      start(index, in: slot)
    }
  }

  /// Stops the oldest sound of those that count, unless one of them is being stopped already. The new sound starts when
  /// that one has faded out.
  private func stealOldest(except newest: Int, where counts: (Slot) -> Bool) {
    guard !slots.contains(where: { $0.leaving != nil && counts($0) }) else { return }
    let sounding = entries.indices.filter {
      if case .sounding(let slot) = entries[$0].state { $0 != newest && counts(slots[slot]) } else { false }
    }
    guard let oldest = sounding.min(by: { entries[$0].age < entries[$1].age }) else { return }
    leave(oldest, .stolen, over: .milliseconds(Self.rampMilliseconds))
    entries[oldest].state = .over
  }

  /// Starts the sound, unless its samples are not ready yet or can't be read.
  private func start(_ index: Int, in slot: Int) {
    let sound = entries[index].sound
    var ready: PreparedSound?
    switch sound.source {
    case .tone: break
    case .clip, .file:
      switch library.get(sound.source) {
      case .ready(let sound): ready = sound
      case .preparing: return
      case .refused(let error):
        entries[index].state = .refused(error)
        context.emit(.finished(sound.key, .failed))
        return
      }
    }
    if case .beginning = ready, slots.count(where: { $0.stream != nil }) >= Self.mostStreams {
      return stealOldest(except: index) { $0.stream != nil }
    }
    slots[slot].generation &+= 1
    slots[slot].key = sound.key
    slots[slot].leaving = nil
    var command = VoiceCommand(.start, slot: Int32(slot), generation: slots[slot].generation)
    command.epoch = state.losses
    command.gain = gain(of: sound)
    command.pan = pan(of: sound)
    command.track = Int32(sound.track.flatMap { tracks.number(of: $0) } ?? 0)
    command.isLooping = sound.isLooping
    command.ramp = sampleFrames(sound.fadeIn)
    slots[slot].clip = ready?.clip
    if let clip = ready?.clip { command.take(clip) }
    if case .beginning(let clip) = ready { command.stream = makeStream(of: sound, after: clip, in: slot) }
    if case .tone(let hertz) = sound.source { command.increment = min(0.5, max(0, hertz / Double(rate))) }
    starts += 1
    entries[index].age = starts
    entries[index].failure = nil
    entries[index].state = .sounding(slot)
    send(command)
    context.emit(.started(sound.key))
  }

  /// Makes the stream of a sound, which continues its beginning.
  private func makeStream(
    of sound: AudioPlayer.Sound, after beginning: Clip, in slot: Int
  ) -> Unmanaged<SoundStream>? {
    guard case .file(let file) = sound.source else { return nil }
    let stream = SoundStream(channelCount: beginning.channelCount, sampleRateHertz: rate)
    slots[slot].stream = stream
    library.play(file, into: stream, from: beginning.length, isLooping: sound.isLooping)
    return Unmanaged.passUnretained(stream)
  }

  /// Notes that the file of a stream can't be read on. What was read is played to its end.
  private func fail(_ stream: SoundStream, _ error: DriverError) {
    guard let slot = slots.firstIndex(where: { $0.stream === stream }) else { return }
    slots[slot].leaving = slots[slot].leaving ?? .failed
    if let index = entries.firstIndex(where: { $0.state == .sounding(slot) }) { entries[index].failure = error }
  }

  /// Reports a stream that ran dry, once a second at most.
  private func noteStall(of key: String, at moment: Moment) {
    if let reportedStall, moment - reportedStall < .seconds(1) { return }
    reportedStall = moment
    context.emit(.stalled(key), at: moment)
  }

  // MARK: - Workers

  private func send(_ command: VoiceCommand) {
    backlog.append(command)
    sendBacklog()
  }

  private func sendBacklog() {
    backlog.send(room: worker.commandRoom) { try? worker.send($0) }
  }

  func wake(_ wake: Wake) {
    if case .ready = wake {
      reporter.acknowledge()
      send(VoiceCommand(.retry))
    }
    sendBacklog()
    worker.wake(wake) { report, moment in take(report, at: moment) }
    note(worker.state)
    let hasPrepared = library.wake(wake) { stream, error in fail(stream, error) }
    if hasPrepared, isHardwarePresent {
      startWaiting()
      library.prepare()
    }
    tellFault()
  }

  private func take(_ report: VoiceReport, at moment: Moment) {
    let slot = report.slot
    guard slots[slot].generation == report.generation, let key = slots[slot].key else { return }
    guard report.news == .ended else { return noteStall(of: key, at: moment) }
    let reason = slots[slot].leaving ?? .ended
    free(slot)
    if let index = entries.firstIndex(where: { $0.state == .sounding(slot) }) { entries[index].state = .over }
    context.emit(.finished(key, reason), at: moment)
    startWaiting()
  }

  private func free(_ slot: Int) {
    slots[slot].key = nil
    slots[slot].clip = nil
    if let stream = slots[slot].stream { library.stop(stream) }
    slots[slot].stream = nil
    slots[slot].leaving = nil
  }

  /// Compares the worker's state with the last one. Its counters ensure that no event in between is missed.
  private func note(_ new: PlaybackState) {
    guard new != state else { return }
    let old = state
    let wasWorking = isWorking
    state = new
    for _ in old.underruns..<new.underruns { context.emit(.underrun) }
    if new.clippedFrames != old.clippedFrames { context.emit(.clipping(new.clippedFrames - old.clippedFrames)) }
    if new.losses != old.losses { lose(wasWorking: wasWorking) }
    guard isHardwarePresent else { return }
    if library.rate != rate { for index in entries.indices { entries[index].forgetRefusal() } }
    library.setRate(rate)
    showTracks(tracks.wanted)
    if isWorking, !wasWorking || new.losses != old.losses {
      // If the model still has a fault, `restored` is reported when that fault is gone.
      if fault == nil {
        reportedFault = nil
        noteLoss(nil)
      } else {
        reporter.end()
      }
    } else if new.losses == old.losses, let before = old.configuration, before.sampleRateHertz != rate {
      // The device has a different rate than before it was closed: start the sounds again, at the new rate.
      for index in entries.indices {
        guard case .sounding = entries[index].state else { continue }
        leave(index, .restarted, over: .zero)
        entries[index].state = .waiting
      }
    }
    startWaiting()
    library.prepare()
  }

  private func lose(wasWorking: Bool) {
    backlog.forgetVoices()
    for slot in slots.indices {
      guard let key = slots[slot].key else { continue }
      context.emit(.finished(key, slots[slot].leaving ?? .lost))
      free(slot)
    }
    for index in entries.indices {
      guard case .sounding = entries[index].state else { continue }
      entries[index].state = .waiting
    }
    if wasWorking, let error = state.error { noteLoss(error) }
  }

  func stop() {
    sendBacklog()
    worker.stop(keeping: slots.compactMap(\.clip) + slots.compactMap(\.stream))
    library.stop()
    reporter.end()
  }
}
