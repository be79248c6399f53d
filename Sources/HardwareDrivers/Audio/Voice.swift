/// One sound in the mixer: its place in the clip or the phase of its tone, and the factors of its level.
///
/// A sound that is read while it plays is a clip, its beginning, which its stream continues in pieces of the ring.
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
  /// 0 for none.
  private(set) var track = 0
  /// Fades out and ends.
  private(set) var isStopping = false
  private(set) var isLooping = false
  /// The clip, or the current piece of a stream.
  private(set) var samples: UnsafePointer<Int16>?
  private(set) var length = 0
  private(set) var channelCount = 1
  /// The place in the clip or the piece.
  private(set) var position = 0
  /// Of a tone, in cycles.
  private(set) var phase = 0.0
  /// Of a tone: cycles per sample frame.
  private(set) var increment = 0.0
  private var gain = LinearRamp(0)
  /// The factors of the left and the right side.
  private(set) var (left, right) = (LinearRamp(1), LinearRamp(1))
  private var fade = Fade()
  /// The factor of the last 5 ms of a clip that ends loud, or of a stream that runs dry.
  private var tail = LinearRamp(1)
  private var isInTail = false
  /// Whether the last sample frame of the clip is loud.
  private var endsLoud = false
  /// Sample frames of an edge; half of a clip that is shorter than two of them.
  private var edge = 0
  /// The sample frames on both sides of a seam, where a loop begins again.
  private var before: (left: Int, right: Int) = (0, 0)
  /// The jump of the samples there, on the left and the right.
  private(set) var seam: (left: Float, right: Float) = (0, 0)
  /// The number of sample frames over which the jump is spread.
  private var seamLength = 0
  private var seamRest = 0

  private var stream: Unmanaged<SoundStream>?
  /// The place in the stream after the current piece.
  private var streamPlace = 0
  private var supply = Supply.flowing
  /// Whether the stream ran dry at the end of a round, so that the next one has not begun.
  private var isBetweenRounds = false
  /// Whether the stream has run dry since this was last taken.
  private var hasStalled = false

  private enum Supply: BitwiseCopyable {
    case flowing
    /// The last sample frames that are there fade out.
    case ending
    /// There are none. The voice is silent until there are enough.
    case dry
  }

  init() {}

  init(_ command: VoiceCommand, _ lengths: Lengths) {
    generation = command.generation
    isActive = true
    samples = command.samples
    length = Int(command.length)
    channelCount = Int(command.channelCount)
    stream = command.stream
    increment = command.increment
    isLooping = command.isLooping
    track = Int(command.track)
    gain = LinearRamp(command.gain)
    (left, right) = (LinearRamp(min(1, 1 - command.pan)), LinearRamp(min(1, 1 + command.pan)))
    edge = samples == nil || stream != nil ? lengths.edge : min(lengths.edge, length / 2)
    endsLoud = stream == nil && isLoud(at: length - 1)
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

  /// - Parameter pan: -1 is left, 0 the middle, and 1 right. The middle has the full level on both sides.
  mutating func setPan(_ pan: Float, over length: Int) {
    left.move(to: min(1, 1 - pan), over: length)
    right.move(to: min(1, 1 + pan), over: length)
  }

  mutating func stop(over length: Int, _ lengths: Lengths) {
    isStopping = true
    beginFade(from: fade.value, to: 0, over: max(1, length), lengths)
  }

  mutating func setLooping(_ isLooping: Bool, _ lengths: Lengths) {
    guard isLooping != self.isLooping, !isStopping else { return }
    if isBetweenRounds {
      self.isLooping = isLooping
      if !isLooping { stop(over: 1, lengths) }
    } else if isLooping {
      self.isLooping = true
      if isInTail { tail.move(to: 1, over: lengths.edge) }
      isInTail = false
    } else if let end = roundEnd, end.isLoud, end.rest < edge {
      // The end is too near to fade out before it, so the fade continues over the seam.
      stop(over: edge, lengths)
    } else {
      self.isLooping = false
    }
  }

  /// Returns whether the stream has run dry since the last call.
  mutating func takeStall() -> Bool {
    defer { hasStalled = false }
    return hasStalled
  }

  // MARK: - Rendering

  /// The factor of the next sample frame.
  var level: Float { gain.value * fade.value * tail.value }

  /// The factor of the sample frame after a run.
  func level(after run: Int) -> Float {
    guard gain.rest > 0 || fade.isMoving || tail.rest > 0 else { return level }
    return gain.value(after: run) * fade.value(after: run) * tail.value(after: run)
  }

  /// Whether the sides differ.
  var isPanned: Bool { left.rest > 0 || left.value != 1 || right.value != 1 }

  /// Whether the stream has no samples for the next run, which is silent.
  var isDry: Bool { supply == .dry }

  /// Whether the next run is part of a seam.
  var isInSeam: Bool { seamRest > 0 }

  /// How much of the ``seam`` is added to the next sample frame: 1 at its beginning, 0 after it.
  var seamLevel: Float { seamLevel(after: 0) }

  /// How much of it is added to the sample frame after a run.
  func seamLevel(after run: Int) -> Float { seamRest > run ? Float(seamRest &- run) / Float(seamLength) : 0 }

  /// The end of the round, if it is known: the number of sample frames before it, and whether the last one is loud.
  private var roundEnd: (rest: Int, isLoud: Bool)? {
    guard samples != nil else { return nil }
    guard let stream else { return (length &- position, endsLoud) }
    return stream._withUnsafeGuaranteedRef { stream in
      stream.nextEnd.map { ($0.place &- streamPlace &+ length &- position, $0.isLoud) }
    }
  }

  /// Begins the tail if its place is reached. Returns the number of sample frames, at most `count`, over which the level
  /// is a straight line and the samples are contiguous.
  mutating func run(upTo count: Int) -> Int {
    var run = count
    if samples != nil {
      if stream != nil {
        run = min(run, checkSupply())
        if supply != .dry { run = min(run, length &- position) }
        if !isInTail, !isLooping, supply == .flowing, let end = roundEnd, end.isLoud {
          run = beginTail(before: end.rest, run)
        }
      } else {
        let rest = length &- position
        run = min(run, rest)
        if endsLoud, !isLooping, !isInTail { run = beginTail(before: rest, run) }
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
    if left.rest > 0 {
      run = min(run, left.rest)
      bends &+= 1
    }
    if seamRest > 0, bends > 0 { bends &+= 1 }
    // The product of two lines is none; in short pieces it is nearly one.
    return bends > 1 ? min(run, Fade.pieceLength) : run
  }

  /// Begins the tail if its place is reached. Returns the number of sample frames of a run up to that place.
  private mutating func beginTail(before rest: Int, _ run: Int) -> Int {
    guard rest <= edge else { return min(run, rest &- edge) }
    isInTail = true
    tail.move(to: 0, over: rest)
    return run
  }

  /// Advances by the sample frames of a run. Returns whether the voice has ended.
  mutating func advance(by run: Int, _ lengths: Lengths) -> Bool {
    gain.advance(by: run)
    fade.advance(by: run)
    tail.advance(by: run)
    left.advance(by: run)
    right.advance(by: run)
    if isStopping, !fade.isMoving { return true }
    guard samples != nil else {
      let phase = self.phase + Double(run) * increment
      self.phase = phase - phase.rounded(.down)
      return false
    }
    if supply == .dry { return false }
    position &+= run
    seamRest = max(0, seamRest &- run)
    if stream != nil { return advanceStream(lengths) }
    guard position >= length else { return false }
    guard isLooping, length > 0 else { return true }
    noteFrameBefore()
    position = 0
    beginSeam(lengths)
    return false
  }

  // MARK: - Seams

  private func sampleFrame(at place: Int) -> (left: Int, right: Int) {
    guard let samples else { return (0, 0) }
    let first = place &* channelCount
    return (Int(samples[first]), Int(samples[channelCount == 1 ? first : first &+ 1]))
  }

  /// Notes the last sample frame before a seam.
  private mutating func noteFrameBefore() { before = sampleFrame(at: length &- 1) }

  /// Spreads the jump from the last sample frame to the first one. A loop of less than 50 ms is a wave of its own, with
  /// its jumps.
  private mutating func beginSeam(_ lengths: Lengths) {
    guard stream != nil || length >= lengths.curve else { return }
    let after = sampleFrame(at: 0)
    let (left, right) = (before.left &- after.left, before.right &- after.right)
    seam = (left.magnitude > Self.quiet ? Float(left) : 0, right.magnitude > Self.quiet ? Float(right) : 0)
    guard seam.left != 0 || seam.right != 0 else { return }
    seamLength = edge
    seamRest = edge
  }

  // MARK: - Streams

  /// The number of sample frames that follow the current piece in the stream.
  private var following: Int {
    stream.map { $0._withUnsafeGuaranteedRef { $0.available(after: streamPlace) } } ?? 0
  }

  /// Lets the sound fade out before the stream runs dry, and in again when there is enough. Returns the number of sample
  /// frames up to the place where that has to be checked again.
  private mutating func checkSupply() -> Int {
    switch supply {
    case .flowing:
      let rest = length &- position &+ following
      if isEndKnown(within: rest) { return rest }
      if rest > edge { return rest &- edge }
      supply = rest > 0 ? .ending : .dry
      hasStalled = true
      isInTail = false
      tail.move(to: 0, over: rest)
      return rest > 0 ? rest : .max
    case .ending:
      guard tail.rest == 0 else { return tail.rest }
      // Samples that have arrived during the fade wait until there are more.
      supply = .dry
      streamPlace &-= length &- position
      length = position
      resume()
    case .dry: resume()
    }
    return supply == .dry ? .max : edge
  }

  /// Continues a stream that ran dry, if it has enough now.
  private mutating func resume() {
    let following = self.following
    guard let stream, following > 0 else { return }
    let hasEnough = stream._withUnsafeGuaranteedRef { following >= $0.resumption || $0.nextEnd != nil }
    guard hasEnough else { return }
    supply = .flowing
    seamRest = 0
    takePiece()
    tail.move(to: 1, over: edge)
  }

  /// Whether the voice ends within the next sample frames, so that it needs no more.
  private func isEndKnown(within rest: Int) -> Bool {
    guard !isLooping, let end = roundEnd else { return false }
    return end.rest <= rest
  }

  /// Begins the next piece of the stream at the end of the current one. Returns whether the voice has ended.
  private mutating func advanceStream(_ lengths: Lengths) -> Bool {
    guard let stream else { return true }
    let isAtPieceEnd = position >= length
    stream._withUnsafeGuaranteedRef { $0.take(upTo: max(0, streamPlace &- length &+ position)) }
    guard isAtPieceEnd else { return false }
    var hasSeam = false
    if let end = roundEnd, end.rest <= 0 {
      guard isLooping else { return true }
      noteFrameBefore()
      hasSeam = true
      stream._withUnsafeGuaranteedRef { $0.takeEnd() }
    }
    guard following > 0 else {
      supply = .dry
      isBetweenRounds = hasSeam
      return false
    }
    takePiece()
    if hasSeam { beginSeam(lengths) }
    return false
  }

  /// Takes the sample frames that follow in the ring up to the end of the round.
  private mutating func takePiece() {
    guard let stream else { return }
    isBetweenRounds = false
    let available = following
    stream._withUnsafeGuaranteedRef { stream in
      let (start, count) = stream.samples(at: streamPlace)
      var piece = min(available, count)
      if let end = stream.nextEnd { piece = min(piece, end.place &- streamPlace) }
      samples = start
      (position, length) = (0, piece)
      streamPlace &+= piece
    }
  }
}
