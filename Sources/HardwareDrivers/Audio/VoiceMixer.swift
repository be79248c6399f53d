import Glibc

/// A command of the player to the mixer. Plain bytes: it is passed through a ring to a thread that must not allocate.
struct VoiceCommand: BitwiseCopyable, Sendable {
  enum Kind: UInt8, BitwiseCopyable, Sendable {
    case start
    case setGain
    case setLooping
    /// Fades out and frees the voice.
    case stop
    case setMaster
    /// Removes all voices: the device is lost.
    case clear
    /// The device may be back. The mixer ignores it.
    case retry
  }

  var kind: Kind
  var slot: Int32 = 0
  /// The use of the slot that the command is for; a command for an earlier use is ignored.
  var generation: UInt32 = 0
  /// Of a start: the number of losses of the device that the player knew when it sent the command.
  var epoch: UInt32 = 0
  var gain: Float = 0
  /// The length of a start, a stop or a change of gain, in sample frames.
  var ramp: Int32 = 0
  var isLooping = false
  /// A clip's samples; nil for a tone. The player keeps the clip until the voice is over.
  nonisolated(unsafe) var samples: UnsafePointer<Int16>?
  /// The length of the clip in sample frames.
  var length: Int32 = 0
  var channelCount: Int32 = 1
  /// Of a tone: cycles per sample frame.
  var increment: Double = 0

  init(_ kind: Kind, slot: Int32 = 0, generation: UInt32 = 0) {
    self.kind = kind
    self.slot = slot
    self.generation = generation
  }
}

/// Mixes voices into blocks of 16-bit samples: a fixed pool, no allocation, no lock, no branch in the inner loops.
///
/// A clip at gain 1, alone, comes out bit for bit; at another gain each sample is the product in single precision,
/// rounded to the nearest integer, ties to even.
///
/// Used by one thread at a time.
final class VoiceMixer: @unchecked Sendable {
  /// The maximum number of voices that sound at the same time.
  static let capacity = 64

  private struct Voice: BitwiseCopyable {
    var generation: UInt32 = 0
    var isActive = false
    /// Fades out and ends.
    var isStopping = false
    var isLooping = false
    var samples: UnsafePointer<Int16>?
    var length = 0
    var channelCount = 1
    var position = 0
    var phase = 0.0
    var increment = 0.0
    var gain: Float = 0
    var target: Float = 0
    var slope: Float = 0
    /// Sample frames until the gain is at its target.
    var ramp = 0
  }

  private let voices: UnsafeMutablePointer<Voice>
  private let sum: UnsafeMutablePointer<Float>
  /// The sum of the voices that are the same on both sides of a stereo device: mono clips and tones. It is added to
  /// `sum` once for each block. To add each voice to both sides would take twice as long.
  private let middle: UnsafeMutablePointer<Float>
  private var isMiddleUsed = false
  /// The index of a sample as a float, and that of the sample frame of a stereo sample. Reading them takes a third of
  /// the instructions of converting an index, which the compiler does in three steps.
  private let sampleIndices: UnsafeMutablePointer<Float>
  private let stereoIndices: UnsafeMutablePointer<Float>
  private var master: Float = 1
  private var masterTarget: Float = 1
  private var masterSlope: Float = 0
  private var masterRamp = 0
  private(set) var channelCount = 2
  private(set) var activeVoices = 0
  /// Samples that did not fit into 16 bits and were cut, since the beginning.
  private(set) var clippedSamples = 0

  /// - Parameter largestBlock: the maximum number of sample frames that are rendered at a time.
  init(largestBlock: Int) {
    voices = .allocate(capacity: Self.capacity)
    voices.initialize(repeating: Voice(), count: Self.capacity)
    sum = .allocate(capacity: largestBlock * 2)
    sum.initialize(repeating: 0, count: largestBlock * 2)
    middle = .allocate(capacity: largestBlock)
    middle.initialize(repeating: 0, count: largestBlock)
    sampleIndices = .allocate(capacity: largestBlock)
    for index in 0..<largestBlock { (sampleIndices + index).initialize(to: Float(index)) }
    stereoIndices = .allocate(capacity: largestBlock * 2)
    for index in 0..<largestBlock * 2 { (stereoIndices + index).initialize(to: Float(index / 2)) }
  }

  deinit {
    voices.deallocate()
    sum.deallocate()
    middle.deallocate()
    sampleIndices.deallocate()
    stereoIndices.deallocate()
  }

  func configure(channelCount: Int) {
    self.channelCount = channelCount
  }

  /// The generation of the voice that is active in a slot; nil if none is.
  func generation(in slot: Int) -> UInt32? {
    voices[slot].isActive ? voices[slot].generation : nil
  }

  // MARK: - Commands

  func apply(_ command: VoiceCommand) {
    switch command.kind {
    case .start: start(command)
    case .setMaster: setMaster(command)
    case .clear: clear()
    case .retry: break
    case .setGain, .setLooping, .stop:
      let voice = voices + Int(command.slot)
      guard voice.pointee.isActive, voice.pointee.generation == command.generation else { return }
      change(voice, command)
    }
  }

  private func change(_ voice: UnsafeMutablePointer<Voice>, _ command: VoiceCommand) {
    switch command.kind {
    case .setGain where !voice.pointee.isStopping: Self.ramp(voice, to: command.gain, over: Int(command.ramp))
    case .setLooping: voice.pointee.isLooping = command.isLooping
    case .stop:
      voice.pointee.isStopping = true
      Self.ramp(voice, to: 0, over: max(1, Int(command.ramp)))
    default: break
    }
  }

  private func start(_ command: VoiceCommand) {
    let voice = voices + Int(command.slot)
    if !voice.pointee.isActive { activeVoices += 1 }
    voice.pointee = Voice()
    voice.pointee.isActive = true
    voice.pointee.generation = command.generation
    voice.pointee.samples = command.samples
    voice.pointee.length = Int(command.length)
    voice.pointee.channelCount = Int(command.channelCount)
    voice.pointee.increment = command.increment
    voice.pointee.isLooping = command.isLooping
    voice.pointee.gain = command.ramp > 0 ? 0 : command.gain
    voice.pointee.target = command.gain
    if command.ramp > 0 { Self.ramp(voice, to: command.gain, over: Int(command.ramp)) }
  }

  private static func ramp(_ voice: UnsafeMutablePointer<Voice>, to gain: Float, over length: Int) {
    voice.pointee.target = gain
    voice.pointee.ramp = length
    if length == 0 {
      voice.pointee.gain = gain
    } else {
      voice.pointee.slope = (gain - voice.pointee.gain) / Float(length)
    }
  }

  private func setMaster(_ command: VoiceCommand) {
    masterTarget = command.gain
    masterRamp = activeVoices == 0 ? 0 : Int(command.ramp)
    if masterRamp == 0 {
      master = command.gain
    } else {
      masterSlope = (command.gain - master) / Float(masterRamp)
    }
  }

  private func clear() {
    for slot in 0..<Self.capacity { voices[slot].isActive = false }
    activeVoices = 0
  }

  // MARK: - Rendering

  /// Renders the next block.
  ///
  /// - Parameters:
  ///   - output: room for `count * channelCount` samples.
  ///   - ended: is called for each voice that has ended, with the index of the sample frame after its last one, and
  ///     whether it was stopped.
  func render(
    into output: UnsafeMutablePointer<Int16>, count: Int,
    ended: (_ slot: Int, _ generation: UInt32, _ sampleFrame: Int, _ wasStopped: Bool) -> Void
  ) {
    let total = count &* channelCount
    if activeVoices == 0 {
      output.update(repeating: 0, count: total)
      return
    }
    sum.update(repeating: 0, count: total)
    for slot in 0..<Self.capacity where voices[slot].isActive {
      let voice = voices + slot
      let end = mix(voice, count)
      guard end >= 0 else { continue }
      let wasStopped = voice.pointee.isStopping
      voice.pointee.isActive = false
      activeVoices &-= 1
      ended(slot, voice.pointee.generation, end, wasStopped)
    }
    if isMiddleUsed { addMiddle(count) }
    applyMaster(count)
    store(output, total)
  }

  /// Adds a voice to the block. Returns the sample frame at which it ended; -1 if it continues.
  private func mix(_ voice: UnsafeMutablePointer<Voice>, _ count: Int) -> Int {
    var done = 0
    while done < count {
      var run = count &- done
      if voice.pointee.ramp > 0 { run = min(run, voice.pointee.ramp) }
      if voice.pointee.samples != nil {
        run = min(run, voice.pointee.length &- voice.pointee.position)
        mixClip(voice, from: done, run)
        voice.pointee.position &+= run
      } else {
        mixTone(voice, from: done, run)
      }
      done &+= run
      if finishRamp(voice, run) { return done }
      if voice.pointee.samples != nil, voice.pointee.position >= voice.pointee.length {
        guard voice.pointee.isLooping, voice.pointee.length > 0 else { return done }
        voice.pointee.position = 0
      }
    }
    return -1
  }

  /// Advances the gain by `run` sample frames. Returns true if the voice has faded out.
  private func finishRamp(_ voice: UnsafeMutablePointer<Voice>, _ run: Int) -> Bool {
    guard voice.pointee.ramp > 0 else { return false }
    voice.pointee.ramp &-= run
    if voice.pointee.ramp > 0 {
      voice.pointee.gain += voice.pointee.slope * Float(run)
      return false
    }
    voice.pointee.gain = voice.pointee.target
    voice.pointee.slope = 0
    return voice.pointee.isStopping
  }

  /// Returns the sum for voices with one channel: that of the device if it has one channel, too, or the middle.
  private func monoSum() -> UnsafeMutablePointer<Float> {
    if channelCount == 1 { return sum }
    isMiddleUsed = true
    return middle
  }

  /// Adds the middle to both sides, and clears it.
  private func addMiddle(_ count: Int) {
    for index in 0..<count {
      sum[2 &* index] += middle[index]
      sum[2 &* index &+ 1] += middle[index]
    }
    middle.update(repeating: 0, count: count)
    isMiddleUsed = false
  }

  private func mixClip(_ voice: UnsafeMutablePointer<Voice>, from first: Int, _ run: Int) {
    guard run > 0, let samples = voice.pointee.samples else { return }
    let channels = voice.pointee.channelCount
    let source = samples + voice.pointee.position &* channels
    let slope = voice.pointee.ramp > 0 ? voice.pointee.slope : 0
    switch (channels, channelCount) {
    case (1, _): Self.add(source, monoSum() + first, run, voice.pointee.gain, slope, sampleIndices)
    case (_, 2): Self.add(source, sum + first &* 2, run &* 2, voice.pointee.gain, slope, stereoIndices)
    default: Self.addStereoToMono(source, sum + first, run, voice.pointee.gain, slope, sampleIndices)
    }
  }

  /// - Parameter indices: for each sample the index of its sample frame.
  private static func add(
    _ source: UnsafePointer<Int16>, _ sum: UnsafeMutablePointer<Float>, _ count: Int, _ gain: Float, _ slope: Float,
    _ indices: UnsafePointer<Float>
  ) {
    if slope == 0 {
      for index in 0..<count { sum[index] += Float(source[index]) * gain }
    } else {
      for index in 0..<count { sum[index] += Float(source[index]) * (gain + slope * indices[index]) }
    }
  }

  private static func addStereoToMono(
    _ source: UnsafePointer<Int16>, _ sum: UnsafeMutablePointer<Float>, _ run: Int, _ gain: Float, _ slope: Float,
    _ indices: UnsafePointer<Float>
  ) {
    for index in 0..<run {
      let both = Float(source[2 &* index]) + Float(source[2 &* index &+ 1])
      sum[index] += both * 0.5 * (gain + slope * indices[index])
    }
  }

  /// A sine of full scale at gain 1.
  private func mixTone(_ voice: UnsafeMutablePointer<Voice>, from first: Int, _ run: Int) {
    let gain = voice.pointee.gain * 32_767
    let slope = (voice.pointee.ramp > 0 ? voice.pointee.slope : 0) * 32_767
    let increment = voice.pointee.increment
    var turning = Phasor(phase: voice.pointee.phase, increment: increment)
    let sum = monoSum() + first
    for index in 0..<run { sum[index] += turning.next() * (gain + slope * sampleIndices[index]) }
    let phase = voice.pointee.phase + Double(run) * increment
    voice.pointee.phase = phase - phase.rounded(.down)
  }

  /// The sine of a phase that grows by the same increment with each sample: a rotated vector takes four
  /// multiplications, a sine a hundred instructions. The rounding errors in a block add up to less than 2⁻⁴⁰; each
  /// block begins with a sine.
  private struct Phasor {
    private var x: Double
    private var y: Double
    private let cosine: Double
    private let sine: Double

    /// Both in cycles.
    init(phase: Double, increment: Double) {
      x = cos(2 * Double.pi * phase)
      y = sin(2 * Double.pi * phase)
      cosine = cos(2 * Double.pi * increment)
      sine = sin(2 * Double.pi * increment)
    }

    @inline(__always)
    mutating func next() -> Float {
      let sample = Float(y)
      (x, y) = (x * cosine - y * sine, y * cosine + x * sine)
      return sample
    }
  }

  private func applyMaster(_ count: Int) {
    if masterRamp == 0 {
      guard master != 1 else { return }
      for index in 0..<count &* channelCount { sum[index] *= master }
      return
    }
    let run = min(count, masterRamp)
    for index in 0..<run &* channelCount { sum[index] *= master + masterSlope * Float(index / channelCount) }
    masterRamp &-= run
    master = masterRamp == 0 ? masterTarget : master + masterSlope * Float(run)
    for index in run &* channelCount..<count &* channelCount { sum[index] *= master }
  }

  /// Rounds to the nearest integer, ties to even, by adding a float so large that the sum has no bits for a fraction.
  /// `rounded` calls libm(7) on processors without SSE 4.1.
  private func store(_ output: UnsafeMutablePointer<Int16>, _ count: Int) {
    let shift: Float = 12_582_912  // 1.5 · 2²³
    var clipped: Int32 = 0
    for index in 0..<count {
      // Samples far outside are clamped first: the sum with the shift would lose their value.
      let near = max(-40_000, min(40_000, sum[index]))
      let sample = (near + shift) - shift
      clipped &+= sample > 32_767 || sample < -32_768 ? 1 : 0
      output[index] = Int16(max(-32_768, min(32_767, sample)))
    }
    clippedSamples &+= Int(clipped)
  }
}
