import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Mixing voices")
struct VoiceMixerTests {
  /// A mixer, and what it has told of.
  final class Desk {
    let mixer = VoiceMixer()
    var ended: [String] = []
    private var clips: [Clip] = []
    private var rendered = 0

    init(channelCount: Int = 1) { mixer.configure(channelCount: channelCount, sampleRateHertz: 48_000) }

    func start(
      _ slot: Int, _ samples: [Int16], channelCount: Int = 1, gain: Float = 1, ramp: Int = 0, isLooping: Bool = false
    ) {
      let clip = Clip(samples: samples, channelCount: channelCount, sampleRateHertz: 48_000)
      clips.append(clip)
      var command = VoiceCommand(.start, slot: Int32(slot), generation: 1)
      command.samples = clip.baseAddress
      command.length = Int32(clip.length)
      command.channelCount = Int32(channelCount)
      command.gain = gain
      command.ramp = Int32(ramp)
      command.isLooping = isLooping
      mixer.apply(command)
    }

    func tell(
      _ kind: VoiceCommand.Kind, _ slot: Int = 0, gain: Float = 0, ramp: Int = 0, isLooping: Bool = false,
      generation: UInt32 = 1
    ) {
      var command = VoiceCommand(kind, slot: Int32(slot), generation: generation)
      command.gain = gain
      command.ramp = Int32(ramp)
      command.isLooping = isLooping
      mixer.apply(command)
    }

    func render(_ count: Int) -> [Int16] {
      var output = [Float](repeating: 99, count: count * mixer.channelCount)
      let start = rendered
      mixer.render(into: &output, count: count) { news, slot, _, place in
        if news == .ended { ended.append("\(slot)@\(start + place)") }
      }
      rendered += count
      var samples = [Int16](repeating: 99, count: output.count)
      PCMSample.convert(output, output.count, into: &samples)
      return samples
    }
  }

  @Test("a clip alone at gain 1 comes out bit for bit, up to the ceiling of the limiter")
  func exact() {
    let samples: [Int16] = [1, -1, 32_440, -32_440, 12_345, 300]
    let mono = Desk()
    mono.start(0, samples)
    #expect(mono.render(8) == samples + [0, 0])
    #expect(mono.ended == ["0@6"])
    let stereo = Desk(channelCount: 2)
    stereo.start(0, samples)
    #expect(stereo.render(6) == samples.flatMap { [$0, $0] })
    let both = Desk(channelCount: 2)
    both.start(0, [1, 2, 3, 4], channelCount: 2)
    #expect(both.render(3) == [1, 2, 3, 4, 0, 0])
    let down = Desk()
    down.start(0, [10, 20, -10, -30], channelCount: 2)
    #expect(down.render(2) == [15, -20])
    #expect(mono.mixer.clippedFrames == 0)
  }

  @Test("a device of more than two channels plays on the first two", arguments: [3, 4, 8])
  func moreChannels(_ channelCount: Int) {
    let desk = Desk(channelCount: channelCount)
    desk.start(0, [1, 2, 3, 4], channelCount: 2)
    desk.start(1, [10, 20])
    let silence = [Int16](repeating: 0, count: channelCount - 2)
    #expect(desk.render(3) == [11, 12] + silence + [23, 24] + silence + [0, 0] + silence)
  }

  @Test("at another gain each sample is the product, rounded to the nearest, ties to even")
  func gain() {
    let desk = Desk()
    desk.start(0, [1, 3, 5, 7, -1, -3, 1000, 32_440, 0], gain: 0.5)
    #expect(desk.render(8) == [0, 2, 2, 4, 0, -2, 500, 16_220])
  }

  @Test("voices add up")
  func sums() {
    let desk = Desk()
    desk.start(0, [100, 20_000, -20_000, 0])
    desk.start(1, [50, 10_000, -10_000, 0])
    #expect(desk.render(4) == [150, 30_000, -30_000, 0])
    #expect(desk.ended == ["0@4", "1@4"])
  }

  @Test("a sum above the ceiling is lowered from 63 sample frames earlier on, counted, and exact again later")
  func limits() {
    let desk = Desk()
    var loud = [Int16](repeating: 100, count: 2_000)
    loud[1_000] = 30_000
    desk.start(0, loud)
    desk.start(1, loud)
    let samples = desk.render(2_000)
    #expect(samples[..<937].allSatisfy { $0 == 200 })
    #expect(samples[1_000] == 32_440)
    #expect(samples[937..<1_000].steps.allSatisfy { (-2...0).contains($0) })
    #expect(samples[1_001...1_063].allSatisfy { (108..<200).contains($0) })
    #expect(desk.mixer.clippedFrames == 1)
    // After a long silence, or when the gain is back, the samples are exact.
    let later = Desk()
    later.start(0, loud + [Int16](repeating: 100, count: 30_000))
    later.start(1, loud + [Int16](repeating: 100, count: 30_000))
    #expect(later.render(32_000).suffix(1_000).allSatisfy { $0 == 200 })
  }

  @Test("the limiter lowers all channels together")
  func limitsTogether() {
    let desk = Desk(channelCount: 2)
    desk.start(0, [0, 0, 30_000, 300, 0, 0], channelCount: 2)
    desk.start(1, [0, 0, 30_000, 300, 0, 0], channelCount: 2)
    let samples = desk.render(3)
    #expect(samples[2] == 32_440 && samples[3] == 324)
  }

  @Test("no sum of random voices exceeds the ceiling", arguments: 0..<20)
  func ceiling(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let desk = Desk(channelCount: Int.random(in: 1...2, using: &generator))
    for slot in 0..<8 {
      let clip = (0..<Int.random(in: 100...3_000, using: &generator)).map { _ in
        Int16.random(in: .min ... .max, using: &generator)
      }
      desk.start(slot, clip, gain: Float.random(in: 0...1, using: &generator), isLooping: slot % 2 == 0)
    }
    var samples: [Int16] = []
    while samples.count < 8_000 { samples += desk.render(Int.random(in: 1...700, using: &generator)) }
    #expect(samples.map { abs(Int($0)) }.max()! <= 32_440, "seed \(seed)")
    #expect(samples.contains { abs(Int($0)) > 30_000 })
  }

  @Test("a gain moves in a straight line, and a stop fades to nothing and frees the voice")
  func ramps() {
    let desk = Desk()
    desk.start(0, [Int16](repeating: 200, count: 1_000), ramp: 4)
    #expect(desk.render(6) == [0, 50, 100, 150, 200, 200])
    // The next 63 sample frames are mixed already.
    desk.tell(.setGain, gain: 0.5, ramp: 2)
    #expect(desk.render(67).suffix(5) == [200, 200, 150, 100, 100])
    desk.tell(.stop, ramp: 5)
    #expect(desk.render(70).suffix(8) == [100, 100, 80, 60, 40, 20, 0, 0])
    #expect(desk.ended == ["0@141"])
    #expect(desk.mixer.activeVoices == 0)
  }

  @Test("a loop goes on without a seam, and to its end when it is no loop any more")
  func loops() {
    let desk = Desk()
    desk.start(0, [1, 2, 3], isLooping: true)
    #expect(desk.render(6) == [1, 2, 3, 1, 2, 3])
    // 69 sample frames are mixed, which is 23 rounds.
    desk.tell(.setLooping, isLooping: false)
    #expect(desk.render(68).suffix(5) == [1, 2, 3, 0, 0])
    #expect(desk.ended == ["0@72"])
  }

  @Test("a clip of no length is over at once, in a loop too", arguments: [false, true])
  func empty(_ isLooping: Bool) {
    let desk = Desk()
    desk.start(0, [], isLooping: isLooping)
    #expect(desk.render(3) == [0, 0, 0])
    #expect(desk.ended == ["0@0"])
  }

  @Test("the volume of everything moves in a straight line, and at once where nothing sounds")
  func master() {
    let desk = Desk()
    desk.tell(.setMaster, gain: 0.5, ramp: 4)
    desk.start(0, [Int16](repeating: 200, count: 300))
    #expect(desk.render(2) == [100, 100])
    desk.tell(.setMaster, gain: 1, ramp: 4)
    #expect(desk.render(69).suffix(7) == [100, 100, 125, 150, 175, 200, 200])
  }

  @Test("a command for an earlier use of a slot does nothing")
  func generations() {
    let desk = Desk()
    desk.start(0, [Int16](repeating: 7, count: 10))
    desk.tell(.stop, ramp: 1, generation: 9)
    desk.tell(.setGain, gain: 0, generation: 9)
    #expect(desk.render(2) == [7, 7])
  }

  @Test("how much is rendered at a time changes nothing", arguments: [1, 7, 480, 1000])
  func blocks(_ size: Int) {
    func play(_ size: Int) -> [Int16] {
      let desk = Desk(channelCount: 2)
      desk.start(0, (0..<1500).map { Int16($0 % 100 * 100) }, gain: 0.7, ramp: 240)
      desk.start(1, (0..<300).map { Int16($0) }, isLooping: true)
      var tone = VoiceCommand(.start, slot: 2, generation: 1)
      tone.increment = 440.0 / 48_000
      tone.gain = 0.25
      tone.ramp = 100
      tone.pan = 0.3
      tone.track = 2
      desk.mixer.apply(tone)
      var duck = VoiceCommand(.setDuck, slot: 0)
      (duck.source, duck.track, duck.gain) = (2, 1, 0.5)
      (duck.ramp, duck.hold, duck.release) = (300, 100, 500)
      desk.mixer.apply(duck)
      desk.tell(.setTrack, 1, gain: 0.9, ramp: 200)
      let music = Clip(samples: (0..<2_001).map { Int16($0) }, channelCount: 1, sampleRateHertz: 48_000)
      var command = VoiceCommand(.start, slot: 3, generation: 1)
      command.take(music)
      (command.gain, command.track, command.pan) = (1, 1, -0.6)
      desk.mixer.apply(command)
      defer { withExtendedLifetime(music) {} }
      var output: [Int16] = []
      while output.count < 4000 { output += desk.render(min(size, (4000 - output.count) / 2)) }
      return output
    }
    // A straight line is added up in steps that depend on the blocks: to a rounding.
    #expect(zip(play(size), play(333)).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }
}
