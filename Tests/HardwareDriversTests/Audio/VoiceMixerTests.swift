import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Mixing voices")
struct VoiceMixerTests {
  /// A mixer, and what it has told of.
  final class Desk {
    let mixer = VoiceMixer(largestBlock: 1000)
    var ended: [String] = []
    private var clips: [Clip] = []
    private var rendered = 0

    init(channelCount: Int = 1) { mixer.configure(channelCount: channelCount) }

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
      var output = [Int16](repeating: 99, count: count * mixer.channelCount)
      let start = rendered
      output.withUnsafeMutableBufferPointer { buffer in
        mixer.render(into: buffer.baseAddress!, count: count) { slot, _, place, wasStopped in
          ended.append("\(slot)@\(start + place)\(wasStopped ? " stopped" : "")")
        }
      }
      rendered += count
      return output
    }
  }

  @Test("a clip alone at gain 1 comes out bit for bit")
  func exact() {
    let samples: [Int16] = [1, -1, 32_767, -32_768, 12_345]
    let mono = Desk()
    mono.start(0, samples)
    #expect(mono.render(7) == samples + [0, 0])
    #expect(mono.ended == ["0@5"])
    let stereo = Desk(channelCount: 2)
    stereo.start(0, samples)
    #expect(stereo.render(5) == samples.flatMap { [$0, $0] })
    let both = Desk(channelCount: 2)
    both.start(0, [1, 2, 3, 4], channelCount: 2)
    #expect(both.render(3) == [1, 2, 3, 4, 0, 0])
    let down = Desk()
    down.start(0, [10, 20, -10, -30], channelCount: 2)
    #expect(down.render(2) == [15, -20])
  }

  @Test("at another gain each sample is the product, rounded to the nearest, ties to even")
  func gain() {
    let desk = Desk()
    desk.start(0, [1, 3, 5, 7, -1, -3, 1000, 32_767], gain: 0.5)
    #expect(desk.render(8) == [0, 2, 2, 4, 0, -2, 500, 16_384])
  }

  @Test("voices add up, and what doesn't fit into 16 bits is cut and counted")
  func sums() {
    let desk = Desk()
    desk.start(0, [10_000, 30_000, -30_000])
    desk.start(1, [5_000, 10_000, -10_000])
    #expect(desk.render(3) == [15_000, 32_767, -32_768])
    #expect(desk.mixer.clippedSamples == 2)
    #expect(desk.ended == ["0@3", "1@3"])
  }

  @Test("a gain moves in a straight line, and a stop fades to nothing and frees the voice")
  func ramps() {
    let desk = Desk()
    desk.start(0, [Int16](repeating: 1000, count: 100), ramp: 4)
    #expect(desk.render(6) == [0, 250, 500, 750, 1000, 1000])
    desk.tell(.setGain, gain: 0.5, ramp: 2)
    #expect(desk.render(4) == [1000, 750, 500, 500])
    desk.tell(.stop, ramp: 5)
    #expect(desk.render(7) == [500, 400, 300, 200, 100, 0, 0])
    #expect(desk.ended == ["0@15 stopped"])
    #expect(desk.mixer.activeVoices == 0)
  }

  @Test("a loop goes on without a seam, and to its end when it is no loop any more")
  func loops() {
    let desk = Desk()
    desk.start(0, [1, 2, 3], isLooping: true)
    #expect(desk.render(7) == [1, 2, 3, 1, 2, 3, 1])
    desk.tell(.setLooping, isLooping: false)
    #expect(desk.render(4) == [2, 3, 0, 0])
    #expect(desk.ended == ["0@9"])
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
    desk.start(0, [Int16](repeating: 1000, count: 100))
    #expect(desk.render(2) == [500, 500])
    desk.tell(.setMaster, gain: 1, ramp: 4)
    #expect(desk.render(6) == [500, 625, 750, 875, 1000, 1000])
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
      desk.mixer.apply(tone)
      var output: [Int16] = []
      while output.count < 4000 { output += desk.render(min(size, (4000 - output.count) / 2)) }
      return output
    }
    // A straight line is added up in steps that depend on the blocks: to a rounding.
    #expect(zip(play(size), play(333)).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }
}
