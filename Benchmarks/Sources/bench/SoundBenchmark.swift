import CycleCore
import HardwareDrivers
import HardwareSimulation

/// The cost of 10 ms of 64 voices, by their kind: the player, its loop and its mixer, on a card that keeps nothing.
/// Each row is measured against 64 stereo clips at one gain, the cheapest kind.
let soundBenchmarks = [
  soundBenchmark("stereo clips", nil) { .clip(clip(channelCount: 2), key: "\($0)", gain: 0.01) },
  soundBenchmark("clips that fade in", "stereo clips") { number in
    var sound = AudioPlayer.Sound.clip(clip(channelCount: 2), key: "\(number)", gain: 0.01)
    sound.fadeIn = .seconds(10_000)
    return sound
  },
  soundBenchmark("mono clips", "stereo clips") { .clip(clip(channelCount: 1), key: "\($0)", gain: 0.01) },
  soundBenchmark("tones", "stereo clips") { .tone(hertz: 200 + Double($0), gain: 0.01) },
]

private func soundBenchmark(
  _ kind: String, _ yardstick: String?, sound: @escaping @Sendable (Int) -> AudioPlayer.Sound
) -> Benchmark {
  let name = "10 ms of 64 \(kind)"
  let make: @Sendable (@escaping @Sendable (Int) -> AudioPlayer.Sound) -> Benchmark.Work = { sound in
    { try play((0..<64).map(sound), periods: $0) }
  }
  guard let yardstick else { return Benchmark(name, timed: 2_000, counted: 200) { make(sound) } }
  return Benchmark(name, against: "of \(yardstick)", timed: 2_000, counted: 200) {
    (make(sound), make { .clip(clip(channelCount: 2), key: "\($0)", gain: 0.01) })
  }
}

/// A second of a sawtooth that is played again and again.
private func clip(channelCount: Int) -> Clip {
  Clip(
    samples: (0..<48_000 * channelCount).map { Int16(truncatingIfNeeded: $0 &* 97) }, channelCount: channelCount,
    sampleRateHertz: 48_000)
}

@inline(never)
private func play(_ sounds: [AudioPlayer.Sound], periods: Int) throws {
  let sounds = sounds.map { sound in
    var sound = sound
    sound.isLooping = true
    return sound
  }
  let bench = Bench()
  let card = SilentCard()
  let cycle = Cycle(seed: 0) { Lens(AudioPlayer(card), show: { _ in .init(sounds) }) }
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
