/// A report of the mixer on a voice.
enum VoiceNews: BitwiseCopyable, Sendable {
  /// It has come to its end, or to the end of its fade.
  case ended
  /// Its stream has run dry.
  case stalled
}

/// Mixes voices into blocks of samples: a fixed pool, no allocation, no lock, no branch in the inner loops.
///
/// A clip at gain 1, alone, comes out bit for bit, and so does a sum of clips below the ceiling of the ``Limiter``. At
/// another gain each sample is the product in single precision.
///
/// Used by one thread at a time.
final class VoiceMixer: @unchecked Sendable {
  /// The maximum number of voices that sound at the same time.
  static let capacity = 64
  /// The number of sample frames that are mixed at a time.
  static let sliceSize = 512

  private let voices: UnsafeMutablePointer<Voice>
  private let limiter: Limiter
  private var lengths = Voice.Lengths()
  /// The sum of all voices: sample frames that were mixed and not returned yet. They are ahead because the limiter needs
  /// them.
  private let ahead: UnsafeMutablePointer<Float>
  private var aheadCount = 0
  /// The number of the last of them that are silent.
  private var silentCount = 0
  /// The sum of the voices on the first two channels of a device that has more.
  private let pair: UnsafeMutablePointer<Float>
  // Only the mixer uses it. A check at each access would cost as much as ten samples.
  @exclusivity(unchecked) private var sum: VoiceSum
  private let tracks: Tracks
  private var master = LinearRamp(1)
  private(set) var channelCount = 2
  private(set) var activeVoices = 0

  init() {
    let capacity = Self.sliceSize + Limiter.lookAhead
    voices = .allocate(capacity: Self.capacity)
    voices.initialize(repeating: Voice(), count: Self.capacity)
    limiter = Limiter(capacity: capacity)
    ahead = .allocate(capacity: capacity * PCMConfiguration.mostChannels)
    ahead.initialize(repeating: 0, count: capacity * PCMConfiguration.mostChannels)
    pair = .allocate(capacity: capacity * 2)
    pair.initialize(repeating: 0, count: capacity * 2)
    sum = VoiceSum(capacity: capacity)
    tracks = Tracks(sliceSize: capacity)
  }

  deinit {
    voices.deallocate()
    ahead.deallocate()
    pair.deallocate()
    sum.deallocate()
  }

  /// - Parameter channelCount: 1 to ``PCMConfiguration/mostChannels``.
  func configure(channelCount: Int, sampleRateHertz: Int) {
    self.channelCount = channelCount
    lengths = Voice.Lengths(sampleRateHertz: sampleRateHertz)
    limiter.configure(sampleRateHertz: sampleRateHertz)
    (aheadCount, silentCount) = (0, 0)
    tracks.reset()
  }

  /// Whether nothing sounds, and everything that has sounded was returned.
  var isSilent: Bool { activeVoices == 0 && aheadCount == 0 }

  /// The number of sample frames that would have been cut and were limited, since the beginning.
  var clippedFrames: Int { limiter.clippedFrames }

  /// The generation of the voice that is active in a slot; nil if none is.
  func generation(in slot: Int) -> UInt32? {
    voices[slot].isActive ? voices[slot].generation : nil
  }

  // MARK: - Commands

  func apply(_ command: VoiceCommand) {
    let voice = voices + Int(command.slot)
    switch command.kind {
    case .start:
      if voice.pointee.isActive { end(voice) }
      voice.pointee = Voice(command, lengths)
      activeVoices += 1
      tracks.begin(voice.pointee.track)
    case .setMaster: master.move(to: command.gain, over: isSilent ? 0 : Int(command.ramp))
    case .clear: clear()
    case .setTrack: tracks.setGain(command.gain, of: Int(command.slot), over: isSilent ? 0 : Int(command.ramp))
    case .setDuck: tracks.setDuck(Int(command.slot), command)
    case .retry: break
    case .setGain, .setPan, .setLooping, .stop:
      guard voice.pointee.isActive, voice.pointee.generation == command.generation else { return }
      switch command.kind {
      case .setGain: voice.pointee.setGain(command.gain, over: Int(command.ramp))
      case .setPan: voice.pointee.setPan(command.pan, over: Int(command.ramp))
      case .setLooping: voice.pointee.setLooping(command.isLooping, lengths)
      default: voice.pointee.stop(over: Int(command.ramp), lengths)
      }
    }
  }

  private func end(_ voice: UnsafeMutablePointer<Voice>) {
    voice.pointee.isActive = false
    activeVoices &-= 1
    tracks.end(voice.pointee.track)
  }

  private func clear() {
    for slot in 0..<Self.capacity { voices[slot].isActive = false }
    activeVoices = 0
    tracks.clear()
    (aheadCount, silentCount) = (0, 0)
    limiter.reset()
  }

  // MARK: - Rendering

  /// Renders the next block; full scale is 1.
  ///
  /// - Parameters:
  ///   - output: room for `count * channelCount` samples.
  ///   - note: is called for each voice that has ended, with the index of the sample frame after its last one. It may lie
  ///     up to ``Limiter/lookAhead`` sample frames after the block. It is also called for each voice whose stream has run
  ///     dry.
  func render(
    into output: UnsafeMutablePointer<Float>, count: Int,
    note: (_ news: VoiceNews, _ slot: Int, _ generation: UInt32, _ sampleFrame: Int) -> Void
  ) {
    var done = 0
    while done < count {
      let slice = min(Self.sliceSize, count &- done)
      renderSlice(into: output + done &* channelCount, count: slice, from: done, note)
      done &+= slice
    }
  }

  private func renderSlice(
    into output: UnsafeMutablePointer<Float>, count: Int, from first: Int,
    _ note: (_ news: VoiceNews, _ slot: Int, _ generation: UInt32, _ sampleFrame: Int) -> Void
  ) {
    guard !isSilent else {
      output.update(repeating: 0, count: count &* channelCount)
      for track in 0...Tracks.capacity { tracks.note(track, silentFrom: 0) }
      tracks.finish(output, count, width: 1) { _ in false }
      return
    }
    let known = aheadCount
    let total = count &+ Limiter.lookAhead
    let isQuiet = activeVoices == 0
    mix(known..<total, from: first, note)
    limiter.limit(ahead, channelCount: channelCount, known: known, total: total, count: count, into: output)
    for index in 0..<Limiter.lookAhead &* channelCount { ahead[index] = ahead[count &* channelCount &+ index] }
    aheadCount = Limiter.lookAhead
    silentCount = isQuiet ? silentCount &+ (total &- known) : 0
    guard activeVoices == 0, silentCount >= aheadCount else { return }
    // All that is ahead is silence. A sound that starts now need not wait for it.
    (aheadCount, silentCount) = (0, 0)
    limiter.reset()
  }

  /// Mixes the sample frames of a range of what is ahead.
  private func mix(
    _ range: Range<Int>, from first: Int,
    _ note: (_ news: VoiceNews, _ slot: Int, _ generation: UInt32, _ sampleFrame: Int) -> Void
  ) {
    let count = range.count
    let destination = ahead + range.lowerBound &* channelCount
    let isPair = channelCount > 2
    let width = min(2, channelCount)
    let output = isPair ? pair : destination
    var used: UInt32 = 0
    for track in 1...Tracks.capacity where tracks.isUsed(track) { used |= 1 << UInt32(track) }
    add(0, to: output, width: width, count, from: first &+ range.lowerBound, note)
    for track in 1...Tracks.capacity {
      guard used & 1 << UInt32(track) != 0 else {
        tracks.note(track, silentFrom: 0)
        continue
      }
      add(track, to: tracks.sum(of: track), width: width, count, from: first &+ range.lowerBound, note)
    }
    tracks.finish(output, count, width: width) { used & 1 << UInt32($0) != 0 }
    applyMaster(isPair ? pair : destination, width, count)
    if isPair { spread(destination, count) }
  }

  /// Adds up the voices of a track.
  private func add(
    _ track: Int, to output: UnsafeMutablePointer<Float>, width: Int, _ count: Int, from first: Int,
    _ note: (_ news: VoiceNews, _ slot: Int, _ generation: UInt32, _ sampleFrame: Int) -> Void
  ) {
    sum.begin(output, width: width, count: count)
    var silentFrom = 0
    for slot in 0..<Self.capacity where voices[slot].isActive && voices[slot].track == track {
      let voice = voices + slot
      let place = sum.add(voice, count, lengths)
      silentFrom = max(silentFrom, place >= 0 ? place : count)
      if voice.pointee.takeStall() { note(.stalled, slot, voice.pointee.generation, first) }
      guard place >= 0 else { continue }
      end(voice)
      note(.ended, slot, voice.pointee.generation, first &+ place)
    }
    sum.finish(count)
    tracks.note(track, silentFrom: silentFrom)
  }

  private func applyMaster(_ samples: UnsafeMutablePointer<Float>, _ width: Int, _ count: Int) {
    var done = 0
    while done < count {
      let run = master.rest > 0 ? min(master.rest, count &- done) : count &- done
      let start = master.value
      master.advance(by: run)
      let slope = (master.value - start) / Float(run)
      if slope != 0 {
        for index in 0..<run &* width {
          samples[done &* width &+ index] *= start + slope * Float(index / width)
        }
      } else if start != 1 {
        for index in 0..<run &* width { samples[done &* width &+ index] *= start }
      }
      done &+= run
    }
  }

  /// Writes the first two channels of a device that has more, and silence to the others.
  private func spread(_ output: UnsafeMutablePointer<Float>, _ count: Int) {
    output.update(repeating: 0, count: count &* channelCount)
    for sampleFrame in 0..<count {
      output[sampleFrame &* channelCount] = pair[2 &* sampleFrame]
      output[sampleFrame &* channelCount &+ 1] = pair[2 &* sampleFrame &+ 1]
    }
  }
}
