import Glibc

/// The sum of voices on one or two channels, and the inner loops that add to it.
struct VoiceSum {
  private var samples: UnsafeMutablePointer<Float>
  private var width = 2
  /// The sum of the voices that are the same on both sides of two channels: mono clips and tones. It is added once for
  /// each slice. To add each voice to both sides would take twice as long.
  private let middle: UnsafeMutablePointer<Float>
  private var isMiddleUsed = false
  /// The index of a sample as a float, and that of the sample frame of a stereo sample. Reading them takes a third of
  /// the instructions of converting an index, which the compiler does in three steps.
  private let sampleIndices: UnsafeMutablePointer<Float>
  private let stereoIndices: UnsafeMutablePointer<Float>
  /// A tone before it is given to the two sides.
  private let tone: UnsafeMutablePointer<Float>

  /// A 16-bit sample of full scale is 1.
  private static let scale: Float = 1 / 32_768
  /// The amplitude of a tone at gain 1: the largest sample of 16 bits.
  private static let toneScale: Float = 32_767.0 / 32_768

  /// - Parameter capacity: the maximum number of sample frames of a slice.
  init(capacity: Int) {
    middle = .allocate(capacity: capacity)
    middle.initialize(repeating: 0, count: capacity)
    sampleIndices = .allocate(capacity: capacity)
    for index in 0..<capacity { (sampleIndices + index).initialize(to: Float(index)) }
    stereoIndices = .allocate(capacity: 2 * capacity)
    for index in 0..<2 * capacity { (stereoIndices + index).initialize(to: Float(index / 2)) }
    tone = .allocate(capacity: capacity)
    tone.initialize(repeating: 0, count: capacity)
    samples = middle
  }

  func deallocate() {
    middle.deallocate()
    sampleIndices.deallocate()
    stereoIndices.deallocate()
    tone.deallocate()
  }

  /// Begins a slice of silence.
  ///
  /// - Parameters:
  ///   - samples: room for `count * width` samples.
  ///   - width: the number of channels: 1 or 2.
  mutating func begin(_ samples: UnsafeMutablePointer<Float>, width: Int, count: Int) {
    (self.samples, self.width) = (samples, width)
    samples.update(repeating: 0, count: count &* width)
  }

  /// Adds the middle to both sides, and clears it.
  mutating func finish(_ count: Int) {
    guard isMiddleUsed else { return }
    for index in 0..<count {
      samples[2 &* index] += middle[index]
      samples[2 &* index &+ 1] += middle[index]
    }
    middle.update(repeating: 0, count: count)
    isMiddleUsed = false
  }

  /// Adds a voice to the slice. Returns the sample frame at which it has ended; -1 if it continues.
  mutating func add(_ voice: UnsafeMutablePointer<Voice>, _ count: Int, _ lengths: Voice.Lengths) -> Int {
    var done = 0
    while done < count {
      let run = voice.pointee.run(upTo: count &- done)
      let level = voice.pointee.level
      if run > 0, width == 2, voice.pointee.isPanned {
        addPanned(voice, from: done, run)
      } else if run > 0 {
        let slope = (voice.pointee.level(after: run) - level) / Float(run)
        if voice.pointee.samples == nil {
          addTone(voice, from: done, run, level, slope)
        } else if !voice.pointee.isDry {
          addClip(voice, from: done, run, level, slope)
          if voice.pointee.isInSeam { addSeam(voice, from: done, run) }
        }
      }
      done &+= run
      if voice.pointee.advance(by: run, lengths) { return done }
    }
    return -1
  }

  /// Returns the sum for voices with one channel: that of the device if it has one channel, too, or the middle.
  private mutating func monoSum() -> UnsafeMutablePointer<Float> {
    if width == 1 { return samples }
    isMiddleUsed = true
    return middle
  }

  // MARK: - Clips

  private mutating func addClip(
    _ voice: UnsafeMutablePointer<Voice>, from first: Int, _ run: Int, _ level: Float, _ slope: Float
  ) {
    guard let clip = voice.pointee.samples else { return }
    let channels = voice.pointee.channelCount
    let source = clip + voice.pointee.position &* channels
    let (level, slope) = (level * Self.scale, slope * Self.scale)
    switch (channels, width) {
    case (1, _): Self.add(source, monoSum() + first, run, level, slope, sampleIndices)
    case (_, 2): Self.add(source, samples + first &* 2, run &* 2, level, slope, stereoIndices)
    default: Self.addStereoToMono(source, samples + first, run, level, slope, sampleIndices)
    }
  }

  /// - Parameter indices: for each sample the index of its sample frame.
  private static func add(
    _ source: UnsafePointer<Int16>, _ sum: UnsafeMutablePointer<Float>, _ count: Int, _ level: Float, _ slope: Float,
    _ indices: UnsafePointer<Float>
  ) {
    if slope == 0 {
      for index in 0..<count { sum[index] += Float(source[index]) * level }
    } else {
      for index in 0..<count { sum[index] += Float(source[index]) * (level + slope * indices[index]) }
    }
  }

  private static func addStereoToMono(
    _ source: UnsafePointer<Int16>, _ sum: UnsafeMutablePointer<Float>, _ run: Int, _ level: Float, _ slope: Float,
    _ indices: UnsafePointer<Float>
  ) {
    for index in 0..<run {
      let both = Float(source[2 &* index]) + Float(source[2 &* index &+ 1])
      sum[index] += both * 0.5 * (level + slope * indices[index])
    }
  }

  /// Adds what is left of the jump at a seam: a straight line to 0.
  private mutating func addSeam(_ voice: UnsafeMutablePointer<Voice>, from first: Int, _ run: Int) {
    let start = voice.pointee.level * voice.pointee.seamLevel * Self.scale
    let slope =
      (voice.pointee.level(after: run) * voice.pointee.seamLevel(after: run) * Self.scale - start) / Float(run)
    let (left, right) = voice.pointee.seam
    if width == 2, voice.pointee.channelCount == 2 {
      for index in 0..<run {
        let level = start + slope * sampleIndices[index]
        samples[2 &* (first &+ index)] += left * level
        samples[2 &* (first &+ index) &+ 1] += right * level
      }
    } else {
      let sum = monoSum() + first
      let jump = (left + right) * 0.5
      for index in 0..<run { sum[index] += jump * (start + slope * sampleIndices[index]) }
    }
  }

  // MARK: - Sides

  /// The factors of the two sides at the beginning of a run, and their steps from one sample frame to the next.
  private struct Sides {
    var start: SIMD2<Float>
    var slope: SIMD2<Float>

    init(_ voice: Voice, _ run: Int) {
      start = voice.level * SIMD2(voice.left.value, voice.right.value)
      let end = voice.level(after: run) * SIMD2(voice.left.value(after: run), voice.right.value(after: run))
      slope = (end - start) / Float(run)
    }

    func scaled(by factor: Float) -> Sides {
      var sides = self
      (sides.start, sides.slope) = (start * factor, slope * factor)
      return sides
    }
  }

  /// Adds a voice whose sides differ to two channels.
  private func addPanned(_ voice: UnsafeMutablePointer<Voice>, from first: Int, _ run: Int) {
    let sides = Sides(voice.pointee, run)
    let output = samples + 2 &* first
    guard let clip = voice.pointee.samples else {
      tone.update(repeating: 0, count: run)
      add(Sine(phase: voice.pointee.phase, increment: voice.pointee.increment), tone, run, Self.toneScale, 0)
      let tone = tone
      return addSides(
        output, run, sides, single: { SIMD2(tone[$0], tone[$0]) },
        pair: { SIMD4(tone[$0], tone[$0], tone[$0 &+ 1], tone[$0 &+ 1]) })
    }
    guard !voice.pointee.isDry else { return }
    let source = clip + voice.pointee.position &* voice.pointee.channelCount
    if voice.pointee.channelCount == 1 {
      addSides(
        output, run, sides.scaled(by: Self.scale), single: { SIMD2<Float>(SIMD2(source[$0], source[$0])) },
        pair: { SIMD4<Float>(SIMD4(source[$0], source[$0], source[$0 &+ 1], source[$0 &+ 1])) })
    } else {
      let raw = UnsafeRawPointer(source)
      addSides(
        output, run, sides.scaled(by: Self.scale),
        single: { SIMD2<Float>(raw.loadUnaligned(fromByteOffset: $0 &* 4, as: SIMD2<Int16>.self)) },
        pair: { SIMD4<Float>(raw.loadUnaligned(fromByteOffset: $0 &* 4, as: SIMD4<Int16>.self)) })
    }
    if voice.pointee.isInSeam { addPannedSeam(voice, output, run, sides.scaled(by: Self.scale)) }
  }

  /// Adds two sample frames at a time.
  ///
  /// - Parameters:
  ///   - single: returns the samples of a sample frame, left and right.
  ///   - pair: returns those of a sample frame and the next one.
  @inline(__always)
  private func addSides(
    _ output: UnsafeMutablePointer<Float>, _ run: Int, _ sides: Sides,
    single: (_ sampleFrame: Int) -> SIMD2<Float>, pair: (_ sampleFrame: Int) -> SIMD4<Float>
  ) {
    let raw = UnsafeMutableRawPointer(output)
    let indices = UnsafeRawPointer(stereoIndices)
    let start = SIMD4(lowHalf: sides.start, highHalf: sides.start)
    let slope = SIMD4(lowHalf: sides.slope, highHalf: sides.slope)
    var index = 0
    while index &+ 1 < run {
      let place = index &* 8
      let levels = start + slope * indices.loadUnaligned(fromByteOffset: place, as: SIMD4<Float>.self)
      let sums = raw.loadUnaligned(fromByteOffset: place, as: SIMD4<Float>.self) + pair(index) * levels
      raw.storeBytes(of: sums, toByteOffset: place, as: SIMD4<Float>.self)
      index &+= 2
    }
    guard index < run else { return }
    let last = single(index)
    let levels = sides.start + sides.slope * Float(index)
    output[2 &* index] += last.x * levels.x
    output[2 &* index &+ 1] += last.y * levels.y
  }

  private func addPannedSeam(
    _ voice: UnsafeMutablePointer<Voice>, _ output: UnsafeMutablePointer<Float>, _ run: Int, _ sides: Sides
  ) {
    let (left, right) = voice.pointee.seam
    let jump = SIMD2<Float>(left, right)
    let (level, nextLevel) = (voice.pointee.seamLevel, voice.pointee.seamLevel(after: run))
    let begin = jump * sides.start * level
    let end = jump * (sides.start + sides.slope * Float(run)) * nextLevel
    let slope = (end - begin) / Float(run)
    for index in 0..<run {
      let level = begin + slope * sampleIndices[index]
      output[2 &* index] += level.x
      output[2 &* index &+ 1] += level.y
    }
  }

  // MARK: - Tones

  /// Adds a sine.
  private mutating func addTone(
    _ voice: UnsafeMutablePointer<Voice>, from first: Int, _ run: Int, _ level: Float, _ slope: Float
  ) {
    let (level, slope) = (level * Self.toneScale, slope * Self.toneScale)
    add(Sine(phase: voice.pointee.phase, increment: voice.pointee.increment), monoSum() + first, run, level, slope)
  }

  private func add(
    _ sine: consuming Sine, _ output: UnsafeMutablePointer<Float>, _ run: Int, _ level: Float, _ slope: Float
  ) {
    let sum = UnsafeMutableRawPointer(output)
    let indices = UnsafeRawPointer(sampleIndices)
    let size = MemoryLayout<Float>.size
    let whole = run / Sine.lanes &* Sine.lanes
    var index = 0
    while index < whole {
      let place = index &* size
      let levels = level + slope * indices.loadUnaligned(fromByteOffset: place, as: SIMD4<Float>.self)
      let sums = sum.loadUnaligned(fromByteOffset: place, as: SIMD4<Float>.self) + sine.next() * levels
      sum.storeBytes(of: sums, toByteOffset: place, as: SIMD4<Float>.self)
      index &+= Sine.lanes
    }
    let last = sine.next()
    for lane in 0..<run &- whole {
      output[whole &+ lane] += last[lane] * (level + slope * sampleIndices[whole &+ lane])
    }
  }

  /// The sine of a phase that grows by the same increment with each sample: rotated vectors take a few multiplications, a
  /// sine a hundred instructions. The rounding errors in a slice add up to less than 2⁻⁴⁰; each slice begins with a sine.
  private struct Sine {
    /// The number of samples that are made at a time.
    static let lanes = 4

    private var x: SIMD4<Double>
    private var y: SIMD4<Double>
    private let cosine: SIMD4<Double>
    private let sine: SIMD4<Double>

    /// Both in cycles.
    init(phase: Double, increment: Double) {
      var (x, y) = (cos(2 * Double.pi * phase), sin(2 * Double.pi * phase))
      let (cosine, sine) = (cos(2 * Double.pi * increment), sin(2 * Double.pi * increment))
      (self.x, self.y) = (.zero, .zero)
      for lane in 0..<Self.lanes {
        (self.x[lane], self.y[lane]) = (x, y)
        (x, y) = (x * cosine - y * sine, y * cosine + x * sine)
      }
      // Twice the angle, twice: four increments.
      let (x2, y2) = (cosine * cosine - sine * sine, 2 * cosine * sine)
      self.cosine = SIMD4(repeating: x2 * x2 - y2 * y2)
      self.sine = SIMD4(repeating: 2 * x2 * y2)
    }

    @inline(__always)
    mutating func next() -> SIMD4<Float> {
      let samples = SIMD4<Float>(y)
      (x, y) = (x * cosine - y * sine, y * cosine + x * sine)
      return samples
    }
  }
}
