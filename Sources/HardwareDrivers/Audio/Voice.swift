/// One sound in the mixer: its place in the clip or the phase of its tone, and the factors of its level.
struct Voice: BitwiseCopyable {
  /// Lengths in sample frames that depend on the rate of the device.
  struct Lengths: BitwiseCopyable {
    /// 5 ms: how long an edge takes that would click otherwise.
    var edge = 240
    /// 50 ms: fades of this length and longer follow a sine.
    var curve = 2_400

    init() {}

    init(sampleRateHertz: Int) {
      edge = max(1, sampleRateHertz / 200)
      curve = sampleRateHertz / 20
    }
  }

  /// The largest magnitude that may begin or end suddenly: 40 dB below full scale.
  static let quiet = 327

  var generation: UInt32 = 0
  var isActive = false
  /// Fades out and ends.
  private(set) var isStopping = false
  private(set) var isLooping = false
  private(set) var samples: UnsafePointer<Int16>?
  private(set) var length = 0
  private(set) var channelCount = 1
  private(set) var position = 0
  /// Of a tone, in cycles.
  private(set) var phase = 0.0
  /// Of a tone: cycles per sample frame.
  private(set) var increment = 0.0
  private var gain = LinearRamp(0)
  private var fade = Fade()
  /// The factor of the last 5 ms of a clip that ends loud.
  private var tail = LinearRamp(1)
  private var isInTail = false
  /// Whether the last sample frame of the clip is loud.
  private var endsLoud = false
  /// Sample frames of an edge; half of a clip that is shorter than two of them.
  private var edge = 0
  /// The jump of the samples where a loop begins again, on the left and the right.
  private(set) var seam: (left: Float, right: Float) = (0, 0)
  /// The number of sample frames over which the jump is spread.
  private var seamLength = 0
  private var seamRest = 0

  init() {}

  init(_ command: VoiceCommand, _ lengths: Lengths) {
    generation = command.generation
    isActive = true
    samples = command.samples
    length = Int(command.length)
    channelCount = Int(command.channelCount)
    increment = command.increment
    isLooping = command.isLooping
    gain = LinearRamp(command.gain)
    edge = samples == nil ? lengths.edge : min(lengths.edge, length / 2)
    endsLoud = isLoud(at: length - 1)
    if command.ramp > 0 {
      beginFade(from: 0, to: 1, over: Int(command.ramp), lengths)
    } else if samples == nil || isLoud(at: 0) {
      beginFade(from: 0, to: 1, over: edge, lengths)
    }
  }

  private mutating func beginFade(from origin: Float, to target: Float, over length: Int, _ lengths: Lengths) {
    fade.begin(from: origin, to: target, over: length, isCurved: length >= lengths.curve)
  }

  private func isLoud(at place: Int) -> Bool {
    guard let samples, place >= 0, place < length else { return false }
    for channel in 0..<channelCount where samples[place &* channelCount &+ channel].magnitude > Self.quiet {
      return true
    }
    return false
  }

  // MARK: - Changes

  mutating func setGain(_ gain: Float, over length: Int) { self.gain.move(to: gain, over: length) }

  mutating func stop(over length: Int, _ lengths: Lengths) {
    isStopping = true
    beginFade(from: fade.value, to: 0, over: max(1, length), lengths)
  }

  mutating func setLooping(_ isLooping: Bool, _ lengths: Lengths) {
    guard isLooping != self.isLooping, !isStopping else { return }
    if isLooping {
      self.isLooping = true
      if isInTail { tail.move(to: 1, over: lengths.edge) }
      isInTail = false
    } else if endsLoud, length &- position < edge {
      // The end is too near to fade out before it, so the fade continues over the seam.
      stop(over: edge, lengths)
    } else {
      self.isLooping = false
    }
  }

  // MARK: - Rendering

  /// The factor of the next sample frame.
  var level: Float { gain.value * fade.value * tail.value }

  /// The factor of the sample frame after a run.
  func level(after run: Int) -> Float {
    guard gain.rest > 0 || fade.isMoving || tail.rest > 0 else { return level }
    return gain.value(after: run) * fade.value(after: run) * tail.value(after: run)
  }

  /// Whether the next run is part of a seam.
  var isInSeam: Bool { seamRest > 0 }

  /// How much of the ``seam`` is added to the next sample frame: 1 at its beginning, 0 after it.
  var seamLevel: Float { seamLevel(after: 0) }

  /// How much of it is added to the sample frame after a run.
  func seamLevel(after run: Int) -> Float { seamRest > run ? Float(seamRest &- run) / Float(seamLength) : 0 }

  /// Begins the tail if its place is reached. Returns the number of sample frames, at most `count`, over which the level
  /// is a straight line and the samples are contiguous.
  mutating func run(upTo count: Int) -> Int {
    var run = count
    if samples != nil {
      let rest = length &- position
      run = min(run, rest)
      if endsLoud, !isLooping, !isInTail {
        if rest <= edge {
          isInTail = true
          tail.move(to: 0, over: rest)
        } else {
          run = min(run, rest &- edge)
        }
      }
      if seamRest > 0 { run = min(run, seamRest) }
    }
    var bends = 0
    if gain.rest > 0 {
      run = min(run, gain.rest)
      bends &+= 1
    }
    if fade.isMoving {
      run = min(run, fade.straight)
      bends &+= 1
    }
    if tail.rest > 0 {
      run = min(run, tail.rest)
      bends &+= 1
    }
    if seamRest > 0, bends > 0 { bends &+= 1 }
    // The product of two lines is none; in short pieces it is nearly one.
    return bends > 1 ? min(run, Fade.pieceLength) : run
  }

  /// Advances by the sample frames of a run. Returns whether the voice has ended.
  mutating func advance(by run: Int, _ lengths: Lengths) -> Bool {
    gain.advance(by: run)
    fade.advance(by: run)
    tail.advance(by: run)
    if isStopping, !fade.isMoving { return true }
    guard samples != nil else {
      let phase = self.phase + Double(run) * increment
      self.phase = phase - phase.rounded(.down)
      return false
    }
    position &+= run
    seamRest = max(0, seamRest &- run)
    guard position >= length else { return false }
    guard isLooping, length > 0 else { return true }
    position = 0
    beginSeam(lengths)
    return false
  }

  /// Spreads the jump from the last sample frame to the first one. A loop of less than 50 ms is a wave of its own, with
  /// its jumps.
  private mutating func beginSeam(_ lengths: Lengths) {
    guard length >= lengths.curve, let samples else { return }
    let last = (length &- 1) &* channelCount
    let left = Int(samples[last]) &- Int(samples[0])
    let right = channelCount == 1 ? left : Int(samples[last &+ 1]) &- Int(samples[1])
    seam = (left.magnitude > Self.quiet ? Float(left) : 0, right.magnitude > Self.quiet ? Float(right) : 0)
    guard seam.left != 0 || seam.right != 0 else { return }
    seamLength = edge
    seamRest = edge
  }
}
