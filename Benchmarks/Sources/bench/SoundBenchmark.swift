import CycleCore
import HardwareDrivers
import HardwareSimulation
import Yardstick

/// The cost of 10 ms of 64 voices, by their kind: the player, its loop and its mixer, on a card that keeps nothing.
/// Stereo clips at one gain, and those that fade, are measured against plain loops in C, the others against stereo clips
/// at one gain, the cheapest kind. A second of sound at 44.1 kHz is converted to 48 kHz.
let soundBenchmarks = [
  mixBenchmark("stereo clips", slope: 0) { stereoClip($0) }
    .demanding(.ratioOfTimes, atMost: 1.5),
  mixBenchmark("clips that fade in", slope: 1e-9) { number in
    var sound = stereoClip(number)
    sound.fadeIn = .seconds(30)
    return sound
  }.demanding(.ratioOfTimes, atMost: 1 / 0.75),
  resampleBenchmark.demanding(.ratioOfTimes, atMost: 1 / 0.6),
  soundBenchmark("mono clips") { .clip(clip(channelCount: 1), key: "\($0)", gain: 0.01) },
  soundBenchmark("stereo clips with a pan and a track that is lowered", tracks: tracks) { number in
    var sound = stereoClip(number)
    (sound.pan, sound.track) = (0.5, number == 0 ? "speech" : "music")
    return sound
  }.demanding(.ratioOfTimes, atMost: 1.5),
  soundBenchmark("tones") { .tone(hertz: 200 + Double($0), gain: 0.01) }
    .demanding(.ratioOfTimes, atMost: 2.5),
]

private let tracks = [
  AudioPlayer.Track("music", gain: 0.7), AudioPlayer.Track("speech", ducks: [.init("music", gain: 0.25)]),
]

private func mixBenchmark(
  _ kind: String, slope: Float, sound: @escaping @Sendable (Int) -> AudioPlayer.Sound
) -> Benchmark {
  Benchmark("10 ms of 64 \(kind)", against: "a loop in C", timed: 2_000, counted: 200) {
    // Each voice reads a clip of its own, as in the player.
    let samples = samples(48_000 * 2 * 64)
    let sounds = (0..<64).map(sound)
    return ({ try play(sounds, periods: $0) }, { mixInC(samples, slope: slope, periods: $0) })
  }
}

private func mixInC(_ samples: [Int16], slope: Float, periods: Int) {
  samples.withUnsafeBufferPointer { samples in
    guard let first = samples.baseAddress else { return }
    var output = [Int16](repeating: 0, count: 960)
    for period in 0..<periods {
      let clips = (0..<64).map { UnsafePointer<Int16>?(first + $0 * 96_000 + period % 90 * 960) }
      yardstick_mix(clips, 64, 0.01, slope, &output, 480)
    }
  }
}

/// A clip of ten seconds of one channel that is made ready to play, and the same products in C.
private let resampleBenchmark = Benchmark(
  "ten seconds of 44.1 kHz at 48 kHz", against: "a loop in C", timed: 20, counted: 2
) {
  let (count, made) = (441_000, 480_000)
  let clip = Clip(samples: samples(count), channelCount: 1, sampleRateHertz: 44_100)
  let input = [Float](repeating: 0.5, count: count + 64)
  let table = [Float](repeating: 1 / 64, count: 160 * 64)
  return (
    { for _ in 0..<$0 { try begin(clip) } },
    { repetitions in
      var output = [Int16](repeating: 0, count: made)
      for _ in 0..<repetitions {
        let found = yardstick_resample(input, Int32(count), table, 147, 160, &output, Int32(made))
        precondition(Int(found) == made)
      }
    }
  )
}

/// Starts a player with a sound, and stops it.
@inline(never)
private func begin(_ clip: Clip) throws {
  let bench = Bench()
  let card = SilentCard()
  let cycle = Cycle(seed: 0) { Lens(AudioPlayer(card), show: { _ in .init([.clip(clip, key: "a", gain: 0.01)]) }) }
  try bench.run(cycle)
  try bench.advance(by: .milliseconds(10))
  precondition(card.sink.written >= 480, "the clip has been converted")
  bench.stop()
}

private func soundBenchmark(
  _ kind: String, tracks: [AudioPlayer.Track] = [], sound: @escaping @Sendable (Int) -> AudioPlayer.Sound
) -> Benchmark {
  Benchmark("10 ms of 64 \(kind)", against: "of stereo clips", timed: 2_000, counted: 200) {
    let (sounds, clips) = ((0..<64).map(sound), (0..<64).map(stereoClip))
    return ({ try play(sounds, tracks, periods: $0) }, { try play(clips, periods: $0) })
  }
}

@Sendable private func stereoClip(_ number: Int) -> AudioPlayer.Sound {
  .clip(clip(channelCount: 2), key: "\(number)", gain: 0.01)
}

/// A second of a sawtooth that is played again and again.
private func clip(channelCount: Int) -> Clip {
  Clip(
    samples: samples(48_000 * channelCount), channelCount: channelCount, sampleRateHertz: 48_000)
}

private func samples(_ count: Int) -> [Int16] { (0..<count).map { Int16(truncatingIfNeeded: $0 &* 97) } }

@inline(never)
private func play(_ sounds: [AudioPlayer.Sound], _ tracks: [AudioPlayer.Track] = [], periods: Int) throws {
  let sounds = sounds.map { sound in
    var sound = sound
    sound.isLooping = true
    return sound
  }
  let bench = Bench()
  let card = SilentCard()
  let cycle = Cycle(seed: 0) { Lens(AudioPlayer(card), show: { _ in .init(sounds, tracks: tracks) }) }
  try bench.run(cycle)
  try bench.advance(by: .milliseconds(10 * periods))
  precondition(card.sink.written >= 480 * periods, "each period has been written")
  bench.stop()
}

/// A card that plays by the clock and keeps nothing.
private final class SilentCard: SoundCard {
  let sink = SilentSink()

  var needsThread: Bool { false }
  func makeSink() -> any PCMSink { sink }
  func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? { nil }
}

private final class SilentSink: PCMSink {
  private(set) var written = 0
  private var beginning: Moment?
  private let bufferSize = 1440

  func open(_ wish: PCMPreferences, on clock: WorkClock) -> PCMConfiguration {
    PCMConfiguration(sampleRateHertz: 48_000, channelCount: 2, periodSize: 480, bufferSize: bufferSize)
  }

  private func delay(at now: Moment) -> Int {
    guard let beginning else { return written }
    return max(
      0,
      written - Int((now - beginning).components.attoseconds / 1_000_000_000 * 48_000 / 1_000_000_000)
        - Int((now - beginning).components.seconds) * 48_000)
  }

  func status(at now: Moment) -> PCMStatus {
    let delay = delay(at: now)
    return .ready(available: bufferSize - delay, delay: delay)
  }

  func write(_ samples: UnsafePointer<Float>, count: Int, at now: Moment) -> Int {
    if beginning == nil { beginning = now }
    let count = min(count, bufferSize - delay(at: now))
    written += count
    return count
  }

  func prepare(at now: Moment) -> Bool { true }
  var descriptors: [PolledDescriptor] { [] }
  func drain(at now: Moment) {}
  func close() {}
}
