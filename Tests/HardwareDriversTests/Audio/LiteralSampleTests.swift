import CycleCore
import Glibc
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// What comes out of a card with one channel at 48 kHz, sample by sample, within one unit unless it is exact.
@Suite("Literal samples")
struct LiteralSampleTests {
  /// Plays models on a card, each from its millisecond on.
  private func play(
    _ models: [(milliseconds: Int, model: AudioPlayer.Model)], for milliseconds: Int, channelCount: Int = 1
  ) throws -> [Int16] {
    let card = SimulatedCard()
    card.onlyChannelCount = channelCount
    card.keepsEverySample = true
    let rig = Rig(showing: AudioPlayer.Model([])) { (_: SimulatedChip) in AudioPlayer(card) }
    try rig.run()
    var now = 0
    for (moment, model) in models {
      try rig.advance(moment - now)
      now = moment
      try rig.show(model)
    }
    try rig.advance(milliseconds - now)
    rig.stop()
    return card.samples
  }

  private func constant(_ value: Int16, _ length: Int) -> Clip {
    Clip(samples: [Int16](repeating: value, count: length), channelCount: 1, sampleRateHertz: 48_000)
  }

  private func near(_ samples: [Int16], _ expected: [Int: Int]) -> [String] {
    expected.sorted { $0.key < $1.key }.compactMap { place, value in
      let sample = place < samples.count ? Int(samples[place]) : 0
      return abs(sample - value) <= 1 ? nil : "[\(place)] is \(sample), not \(value)"
    }
  }

  @Test("9.3: a clip that begins and ends loud has an edge of 5 ms at both ends, and its length")
  func edges() throws {
    let samples = try play([(0, [.clip(constant(16_384, 1_000), key: "a")])], for: 100)
    let expected = [
      0: 0, 1: 68, 120: 8_192, 239: 16_316, 240: 16_384, 759: 16_384, 880: 8_192, 999: 68, 1_000: 0, 1_001: 0,
    ]
    #expect(near(samples, expected) == [])
  }

  @Test("a clip that is shorter than two edges rises to its middle, and falls from there")
  func shortEdges() throws {
    let samples = try play([(0, [.clip(constant(10_000, 100), key: "a")])], for: 100)
    #expect(near(samples, [0: 0, 25: 5_000, 50: 10_000, 75: 5_000, 99: 200, 100: 0]) == [])
  }

  /// 9 000 sample frames of a wave of 100 Hz, cut where its end and its beginning differ by 32 888.
  private var seam: Clip {
    let samples = (0..<9_000).map { place in
      Int16((26_213 * sin(0.299_97 + 2 * .pi * Double(place) / 480)).rounded())
    }
    return Clip(samples: samples, channelCount: 1, sampleRateHertz: 48_000)
  }

  @Test("9.4: the jump of a loop at its seam is spread, and the period stays exact")
  func seams() throws {
    let clip = seam
    #expect([clip.samples[0], clip.samples[8_999]] == [7_746, -25_142])
    var sound = AudioPlayer.Sound.clip(clip, key: "a")
    sound.isLooping = true
    let samples = try play([(0, [sound])], for: 1_000)
    // The jump divided by 240 is added to the wave's own steps.
    #expect(samples[240...].steps.map { abs($0) }.max() == 464)
    #expect(Array(samples[9_240..<18_000]) == Array(clip.samples[240...]))
    #expect(Array(samples[18_240..<27_000]) == Array(clip.samples[240...]))
    #expect(zip(samples[9_000..<9_240], samples[18_000..<18_240]).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    #expect(samples[9_000] == clip.samples[8_999])
  }

  @Test("a short loop is a wave, and is played as it is")
  func waves() throws {
    var sound = AudioPlayer.Sound.clip(
      Clip(samples: (0..<100).map { Int16($0 * 100) }, channelCount: 1, sampleRateHertz: 48_000), key: "a")
    sound.isLooping = true
    let samples = try play([(0, [sound])], for: 200)
    #expect((0..<4_800).allSatisfy { samples[$0] == Int16($0 % 100 * 100) })
  }

  @Test("a loop that is no loop any more within its last 5 ms fades out over its seam", arguments: 145...160)
  func endInTail(milliseconds: Int) throws {
    let clip = seam
    var sound = AudioPlayer.Sound.clip(clip, key: "a")
    sound.isLooping = true
    let samples = try play([(0, [sound]), (milliseconds, [.clip(clip, key: "a")])], for: 1_000)
    #expect(samples[240...].steps.map { abs($0) }.max()! <= 464 + 26_213 / 240)
    // Changes are heard a buffer later: before the tail the first round is the last one.
    let end = samples.lastIndex { $0 != 0 } ?? 0
    #expect((8_990...9_240).contains(end) || (17_990...18_240).contains(end), "\(end)")
  }

  @Test("9.5: a long fade in follows a sine")
  func fadeIn() throws {
    var sound = AudioPlayer.Sound.clip(constant(10_000, 96_000), key: "a")
    sound.fadeIn = .seconds(1)
    let samples = try play([(0, [sound])], for: 1_500)
    #expect(near(samples, [0: 0, 12_000: 3_827, 24_000: 7_071, 36_000: 9_239, 48_000: 10_000]) == [])
  }

  @Test("9.6: two sounds that fade into each other keep their power")
  func crossFade() throws {
    var old = AudioPlayer.Sound.clip(constant(10_000, 480_000), key: "old")
    old.fadeOut = .seconds(1)
    var new = AudioPlayer.Sound.clip(constant(10_000, 480_000), key: "new")
    new.fadeIn = .seconds(1)
    let samples = try play([(0, [old]), (1_000, [new])], for: 3_000)
    let begin = try #require(samples.indices.first { $0 > 10_000 && samples[$0] != 10_000 })
    #expect(abs(Int(samples[begin + 24_000]) - 14_142) <= 1)
    #expect(samples[begin...].max()! <= 14_143)
    #expect(samples[begin + 48_000] == 10_000)
  }

  @Test("a fade out begins where a fade in has come to")
  func interruptedFade() throws {
    var sound = AudioPlayer.Sound.clip(constant(10_000, 480_000), key: "a")
    sound.fadeIn = .seconds(1)
    sound.fadeOut = .seconds(1)
    let samples = try play([(0, [sound]), (500, [])], for: 3_000)
    let peak = samples.enumerated().max { $0.element < $1.element }!
    #expect(abs(peak.offset - 24_000) < 2_000 && abs(Int(peak.element) - 7_071) < 400)
    #expect(samples.steps.map { abs($0) }.max()! <= 2)
  }

  @Test("9.8: two tones at full volume are limited below full scale, and one of them alone is exact")
  func limited() throws {
    let both = try play(
      [(0, [.tone(hertz: 440, key: "a")]), (500, [.tone(hertz: 440, key: "a"), .tone(hertz: 660, key: "b")])],
      for: 2_000)
    #expect(both.map { abs(Int($0)) }.max()! == 32_440)
    #expect(both.steps.map { abs($0) }.max()! <= 2 * (1_887 + 2_831))
    let alone = try play([(0, [.tone(hertz: 440, key: "a", gain: 0.9)])], for: 500)
    // After the edge of 5 ms the sine is left as it is.
    let wave = (240..<24_000).map { 0.9 * 32_767 * sin(2 * .pi * 440 * Double($0) / 48_000) }
    let differences = zip(alone[240...], wave).map { abs(Double($0) - $1) }
    #expect(differences.max()! <= 0.51)
  }

  /// Music of 10 000, and speech that is silent, so that the music alone is in the samples.
  private func ducked(
    _ later: [(milliseconds: Int, isSpeaking: Bool)], attack: Duration = .milliseconds(100), for milliseconds: Int
  ) throws -> [Int16] {
    let music = AudioPlayer.Sound(.clip(constant(10_000, 960_000)), key: "music", track: "music")
    let speech = AudioPlayer.Sound(.clip(constant(0, 48_000)), key: "speech", track: "speech")
    let tracks = [
      AudioPlayer.Track("music"),
      AudioPlayer.Track("speech", ducks: [.init("music", gain: 0.251_189, attack: attack)]),
    ]
    let models = later.map { moment, isSpeaking in
      (milliseconds: moment, model: AudioPlayer.Model(isSpeaking ? [music, speech] : [music], tracks: tracks))
    }
    let samples = try play([(0, AudioPlayer.Model([music], tracks: tracks))] + models, for: milliseconds)
    // The music fades out when the player stops.
    return Array(samples.prefix(milliseconds * 48 - 480))
  }

  @Test("9.7: music is lowered under speech, and rises 200 ms after it, whether speech has ended or was stopped")
  func ducks() throws {
    for isStopped in [false, true] {
      let samples = try ducked(isStopped ? [(500, true), (1_000, false)] : [(500, true)], for: 3_000)
      // The first sample frame of speech has the full level, the second a little less.
      let begin = try #require(samples.indices.first { $0 > 1_000 && samples[$0] != 10_000 }) - 1
      #expect((24_000...26_000).contains(begin))
      #expect(near(samples, [begin + 2_400: 6_256, begin + 4_800: 2_512, begin + 20_000: 2_512]) == [])
      let rise = try #require(samples.indices.first { $0 > begin + 10_000 && samples[$0] > 2_512 }) - 1
      // Speech has 48 000 sample frames, or the 24 000 until it was stopped and the 240 of its fade.
      let length = rise - 9_600 - begin
      #expect(isStopped ? (23_500...25_500).contains(length) : (48_000...48_002).contains(length), "\(length)")
      #expect(near(samples, [rise + 12_000: 6_256, rise + 24_000: 10_000, rise + 30_000: 10_000]) == [])
      #expect(samples[1_000...].steps.map { abs($0) }.max()! <= 2)
    }
  }

  @Test("speech that comes again while the music is low or rises lowers it from where it is")
  func ducksAgain() throws {
    let samples = try ducked(
      [(500, true), (700, false), (800, true), (1_000, false), (1_400, true), (1_600, false)], for: 4_000)
    #expect(samples[1_000...].steps.map { abs($0) }.max()! <= 2)
    let begin = try #require(samples.indices.first { $0 > 1_000 && samples[$0] != 10_000 })
    // Within the hold of 200 ms nothing rises.
    #expect(samples[(begin + 5_000)..<(begin + 24_000)].allSatisfy { $0 == 2_512 })
    // At 1.4 s it has risen for 200 ms of 500, and falls again within 100 ms.
    let peak = try #require(samples[(begin + 30_000)..<(begin + 48_000)].max())
    #expect((5_000...6_000).contains(Int(peak)), "\(peak)")
    #expect(samples.suffix(1_000).allSatisfy { $0 == 10_000 })
  }

  @Test("the gains of tracks multiply those of their sounds, and a track that two others lower has both factors")
  func tracks() throws {
    let sound = AudioPlayer.Sound(.clip(constant(16_000, 480_000)), key: "a", gain: 0.5, track: "music")
    func other(_ name: String) -> AudioPlayer.Sound {
      AudioPlayer.Sound(.clip(constant(0, 480_000)), key: name, track: name)
    }
    let tracks = [
      AudioPlayer.Track("music", gain: 0.5), .init("one", ducks: [.init("music", gain: 0.5, attack: .zero)]),
      .init("two", ducks: [.init("music", gain: 0.25, attack: .zero)]),
    ]
    var louder = tracks
    louder[0].gain = 1
    let samples = try play(
      [
        (0, .init([sound], tracks: tracks)), (200, .init([sound, other("one")], tracks: tracks)),
        (400, .init([sound, other("one"), other("two")], tracks: tracks)),
        (600, .init([sound, other("one"), other("two")], tracks: louder)),
      ], for: 1_000)
    #expect([4_800, 16_000, 26_000, 40_000].map { samples[$0] } == [4_000, 2_000, 500, 1_000])
  }

  @Test("9.10: a sound that is panned to the right is quieter on the left, and as loud as before on the right")
  func pan() throws {
    let clip = constant(16_384, 1_000)
    func sides(_ source: AudioPlayer.Sound.Source, pan: Double) throws -> (left: Int16, right: Int16) {
      let samples = try play([(0, [AudioPlayer.Sound(source, key: "a", pan: pan)])], for: 100, channelCount: 2)
      return (samples[2 * 480], samples[2 * 480 + 1])
    }
    let stereo = Clip(
      samples: (0..<1_000).flatMap { _ in [Int16(16_384), 8_192] }, channelCount: 2, sampleRateHertz: 48_000)
    #expect(try sides(.clip(clip), pan: 0.5) == (8_192, 16_384))
    #expect(try sides(.clip(clip), pan: 0) == (16_384, 16_384))
    #expect(try sides(.clip(clip), pan: -0.25) == (16_384, 12_288))
    #expect(try sides(.clip(clip), pan: -7) == (16_384, 0))
    #expect(try sides(.clip(stereo), pan: 0.5) == (8_192, 8_192))
    #expect(try sides(.clip(stereo), pan: -0.5) == (16_384, 4_096))
    let tone = try play(
      [(0, [AudioPlayer.Sound(.tone(hertz: 440), key: "a", gain: 0.5, pan: 1)])], for: 100, channelCount: 2)
    let alone = try play([(0, [.tone(hertz: 440, key: "a", gain: 0.5)])], for: 100)
    #expect((0..<4_000).allSatisfy { tone[2 * $0] == 0 && abs(Int(tone[2 * $0 + 1]) - Int(alone[$0])) <= 1 })
    // A device with one channel plays both sides.
    #expect(try play([(0, [AudioPlayer.Sound(.clip(clip), key: "a", pan: 1)])], for: 100)[480] == 16_384)
  }

  @Test("a pan moves within its ramp, and nothing clicks")
  func movingPan() throws {
    let clip = constant(10_000, 480_000)
    func sound(_ pan: Double) -> AudioPlayer.Sound {
      AudioPlayer.Sound(.clip(clip), key: "a", pan: pan, ramp: .milliseconds(500))
    }
    let samples = try play([(0, [sound(-1)]), (500, [sound(1)])], for: 2_000, channelCount: 2)
    let (left, right) = (samples.left(channelCount: 2), samples.indices.filter { $0 % 2 == 1 }.map { samples[$0] })
    #expect(left[20_000] == 10_000 && right[20_000] == 0 && left[70_000] == 0 && right[70_000] == 10_000)
    #expect(Set(left[1_000..<70_000].steps) == [-1, 0])
    #expect(Set(right[1_000..<70_000].steps) == [0, 1])
  }

  @Test("a model with too many tracks is reported, and its first tracks count")
  func tooManyTracks() throws {
    let card = SimulatedCard()
    let tracks = (0..<17).map { AudioPlayer.Track("\($0)", gain: 0.5) }
    let rig = Rig(showing: AudioPlayer.Model([], tracks: tracks)) { (_: SimulatedChip) in AudioPlayer(card) }
    try rig.run()
    #expect(
      rig.trial.troubles.map { "\($0)" }.first?.contains("cannot play 17 tracks: a player has 16 at most") == true)
    try rig.advance(1_000)
    #expect(rig.trial.troubles.count == 1)
    try rig.show(AudioPlayer.Model([], tracks: Array(tracks.prefix(16))))
    #expect(rig.events.last?.hasPrefix("restored") == true)
    // Other names take the places of those that are gone.
    try rig.show(AudioPlayer.Model([], tracks: (20..<36).map { AudioPlayer.Track("\($0)") }))
    #expect(rig.trial.troubles.count == 2)
    rig.stop()
  }
}
