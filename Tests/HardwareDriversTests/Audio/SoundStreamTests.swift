import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareSimulation

/// Files that are read while they play, on a simulated card with one channel, in virtual time.
@Suite("Sounds that are read while they play")
struct SoundStreamTests {
  /// A player and its card.
  private final class Stage {
    let card = SimulatedCard()
    let rig: Rig<AudioPlayer>

    init(channelCount: Int = 1, preparing sounds: [AudioPlayer.Sound.Source] = []) throws {
      let card = card
      card.onlyChannelCount = channelCount
      card.keepsEverySample = true
      rig = Rig(showing: AudioPlayer.Model([])) { (_: SimulatedChip) in AudioPlayer(card, preparing: sounds) }
      try rig.run()
    }

    func show(_ sounds: [AudioPlayer.Sound]) throws { try rig.show(AudioPlayer.Model(sounds)) }

    func advance(_ milliseconds: Int) throws { try rig.advance(milliseconds) }

    /// The events, in short.
    var events: [String] {
      rig.trial.entries.compactMap { _, entry in
        if case .event(let event) = entry {
          "\(event)".replacing("HardwareDrivers.AudioPlayer.Reason.", with: "")
        } else {
          nil
        }
      }
    }

    /// The troubles: `restored`, or the reason of the failure.
    var troubles: [String] {
      rig.trial.troubles.map { trouble in
        switch trouble {
        case .failed(let error), .lost(let error): error.reason
        case .restored: "restored"
        case .eventsLost: "lost events"
        }
      }
    }

    var heard: [Int16] { Array(card.samples.drop { $0 == 0 }) }
  }

  /// A wave that never repeats: each sample frame is known by its value and those around it.
  private func wave(_ length: Int, channelCount: Int = 1) -> [Int16] {
    var (value, generator) = (0, SeededGenerator(seed: 11))
    return (0..<length * channelCount).map { place in
      if place % 8 == 0 { value = max(-9_000, min(9_000, value + Int.random(in: -300...300, using: &generator))) }
      return Int16(value)
    }
  }

  private func sound(_ file: SoundFile, looping: Bool = false, restart: Int = 0) -> AudioPlayer.Sound {
    AudioPlayer.Sound(.file(file), key: "a", isLooping: looping, restart: restart)
  }

  @Test("a file of any length comes out as it would from memory", arguments: [1, 2], [48_000, 44_100, 8_000])
  func exact(channelCount: Int, rate: Int) throws {
    let samples = wave(15 * rate, channelCount: channelCount)
    let disk = SlowDisk(samples, channelCount: channelCount, sampleRateHertz: rate)
    let stage = try Stage(channelCount: channelCount)
    try stage.show([sound(disk.file())])
    try stage.advance(16_000)
    stage.rig.stop()
    let clip = try Clip(samples: samples, channelCount: channelCount, sampleRateHertz: rate).resampled(to: 48_000)
    let expected = Array(clip.samples.drop { $0 == 0 })
    // The last 5 ms fade out if they are loud.
    #expect(Array(stage.heard.prefix(expected.count - 480)) == Array(expected.dropLast(480)))
    #expect(stage.events == [#"started("a")"#, #"finished("a", ended)"#])
    #expect(disk.openings.count == 2)
  }

  @Test("a stream and a clip sound the same, whatever happens to them", arguments: 0..<30)
  func differential(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rate = Bool.random(using: &generator) ? 48_000 : 44_100
    // The length isn't a whole number of pieces, and the round is shorter or longer than the ring.
    let length = Int.random(in: rate...3 * rate, using: &generator)
    let samples = wave(length)
    let file = SlowDisk(samples, sampleRateHertz: rate).file(isStreamed: true)
    let clip = Clip(samples: samples, channelCount: 1, sampleRateHertz: rate)
    // Both are ready before the first model, so that they start in the same period.
    let stages = [
      try Stage(preparing: [.file(file)]), try Stage(preparing: [.clip(clip)]),
    ]
    for stage in stages { try stage.advance(10) }
    var sound = AudioPlayer.Sound(.file(file), key: "a", isLooping: true)
    for _ in 0..<12 {
      switch Int.random(in: 0..<7, using: &generator) {
      case 0...2: sound.isLooping.toggle()
      case 3: sound.gain = Double.random(in: 0...1, using: &generator)
      case 4: sound.restart += 1
      case 5: sound.fadeIn = .milliseconds(Int.random(in: 0...200, using: &generator))
      default: break
      }
      let isShown = Int.random(in: 0..<8, using: &generator) > 0
      let pause = Int.random(in: 1...2_500, using: &generator)
      for (stage, source) in zip(stages, [AudioPlayer.Sound.Source.file(file), .clip(clip)]) {
        sound.source = source
        try stage.show(isShown ? [sound] : [])
        try stage.advance(pause)
      }
    }
    for stage in stages { stage.rig.stop() }
    #expect(stages[0].events == stages[1].events, "seed \(seed)")
    #expect(stages[0].card.samples == stages[1].card.samples, "seed \(seed), \(length) at \(rate) Hz")
    #expect(stages[0].card.samples.contains { $0 != 0 })
  }

  @Test("9.20: a long file on a disk that sleeps 400 ms is heard after a buffer and a period")
  func slowDisk() throws {
    let disk = SlowDisk(wave(180 * 48_000))
    disk.openingTime = .milliseconds(400)
    let file = disk.file()
    let stage = try Stage(preparing: [.file(file)])
    // Something plays already, so the card is open and its buffer full.
    let hum = AudioPlayer.Sound(
      .clip(Clip(samples: [Int16](repeating: 100, count: 480_000), channelCount: 1, sampleRateHertz: 48_000)),
      key: "hum")
    try stage.show([hum])
    try stage.advance(3_003)
    let pressed = stage.card.samples.count
    try stage.show([hum, sound(file)])
    try stage.advance(6_000)
    stage.rig.stop()
    let first = stage.card.samples.indices.first { $0 > pressed && stage.card.samples[$0] != 100 }
    // Samples that are in the buffer at the press, and a period that is written after it.
    #expect((first ?? .max) - pressed <= 480 + 63)
    #expect(stage.events.filter { $0.hasPrefix("stalled") } == [])
    let expected = disk.samples.map { $0 + 100 }
    let start = try #require(first)
    let offset = expected.firstIndex { $0 != 100 }!
    #expect(Array(stage.card.samples[start..<start + 200_000]) == Array(expected[offset..<offset + 200_000]))
  }

  @Test("F8: a disk that is too slow makes gaps, which are reported once a second at most; nothing is lost or clicks")
  func tooSlow() throws {
    // A triangle of 100 Hz: its steps are small, and each sample is there.
    let period = (0..<480).map { Int16((abs($0 - 240) - 120) * 80) }
    let samples = (0..<1_200).flatMap { _ in period }
    let disk = SlowDisk(samples)
    disk.readingTime = .milliseconds(150)
    let stage = try Stage()
    try stage.show([sound(disk.file())])
    try stage.advance(30_000)
    stage.rig.stop()
    let stalls = stage.rig.events.filter { $0.hasPrefix("stalled") }
    #expect((5...20).contains(stalls.count), "\(stalls.count)")
    let moments = stalls.compactMap { $0.split(separator: "@").last.flatMap { Int($0) } }
    #expect(moments.count == stalls.count && zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= 1_000 })
    #expect(stage.events.last == #"finished("a", ended)"#)
    // 80 is the step of the wave, and a fade of 5 ms adds 9600 / 240.
    #expect(stage.heard.steps.map { abs($0) }.max()! <= 80 + 40 + 1)
    let silence = stage.heard.count { $0 == 0 }
    #expect(silence > 48_000)
  }

  @Test("F7: a file that is gone after its beginning was read fails when that has been heard")
  func gone() throws {
    let disk = SlowDisk(wave(20 * 48_000))
    let file = disk.file()
    let stage = try Stage(preparing: [.file(file)])
    try stage.advance(100)
    disk.isGone = true
    try stage.show([sound(file)])
    try stage.advance(2_000)
    #expect(stage.events == [#"started("a")"#, #"finished("a", failed)"#])
    #expect(stage.troubles == ["no such file"])
    // The last 5 ms of the beginning fade out.
    #expect(Array(stage.heard.prefix(23_000)) == Array(disk.samples.drop { $0 == 0 }.prefix(23_000)))
    #expect(stage.heard.lastIndex { $0 != 0 }! < 24_000)
    // It is there again at the next start.
    disk.isGone = false
    try stage.show([sound(file, restart: 1)])
    try stage.advance(30_000)
    #expect(stage.events.suffix(2) == [#"started("a")"#, #"finished("a", ended)"#])
    #expect(stage.troubles == ["no such file", "restored"])
    stage.rig.stop()
  }

  @Test("F7: a file that is cut off, or on a disk that fails, is heard up to there", arguments: [true, false])
  func cutOff(isCut: Bool) throws {
    let disk = SlowDisk(wave(20 * 48_000))
    if isCut { disk.cutPlace = 400_000 } else { disk.failingPlace = 400_000 }
    let stage = try Stage()
    try stage.show([sound(disk.file())])
    try stage.advance(12_000)
    #expect(stage.events == [#"started("a")"#, #"finished("a", failed)"#])
    let expected = disk.samples.drop { $0 == 0 }.prefix(390_000)
    #expect(Array(stage.heard.prefix(390_000)) == Array(expected))
    #expect(stage.heard.lastIndex { $0 != 0 }! < 400_000)
    #expect(stage.troubles == [isCut ? "it is cut off or damaged" : "the disk fails"])
    try stage.show([])
    try stage.advance(100)
    #expect(stage.troubles.last == "restored")
    stage.rig.stop()
  }

  @Test("a file that can't be read is over, and is read again when it starts again")
  func unreadable() throws {
    let disk = SlowDisk(wave(48_000))
    disk.isGone = true
    let stage = try Stage()
    try stage.show([sound(disk.file())])
    try stage.advance(500)
    #expect(stage.events == [#"finished("a", failed)"#])
    #expect(stage.troubles == ["no such file"])
    disk.isGone = false
    try stage.show([sound(disk.file(), restart: 1)])
    try stage.advance(1_500)
    #expect(stage.events == [#"finished("a", failed)"#, #"started("a")"#, #"finished("a", ended)"#])
    stage.rig.stop()
  }

  @Test("F16: eight files are read at a time, and the ninth takes the place of the oldest")
  func nine() throws {
    let stage = try Stage()
    let sounds = (0..<9).map { number in
      AudioPlayer.Sound(
        .file(SlowDisk(wave(20 * 48_000)).file("\(number)")), key: "\(number)", gain: 0.1)
    }
    try stage.show(Array(sounds.prefix(8)))
    try stage.advance(500)
    #expect(stage.events.count == 8)
    try stage.show(sounds)
    try stage.advance(500)
    #expect(stage.events.suffix(2) == [#"finished("0", stolen)"#, #"started("8")"#])
    stage.rig.stop()
  }

  @Test("nothing is opened before it is needed, and a stream that has ended needs no wake-ups")
  func idle() throws {
    let disk = SlowDisk(wave(15 * 48_000))
    let stage = try Stage()
    try stage.advance(1_000)
    #expect(disk.openings == [])
    try stage.show([sound(disk.file())])
    try stage.advance(25_000)
    #expect(stage.events.last == #"finished("a", ended)"# && stage.card.configuration == nil)
    #expect(stage.rig.cycle.nextAlarm == nil)
    stage.rig.stop()
  }

  @Test("a file that was not there when it was prepared is read when it starts")
  func preparedTooEarly() throws {
    let disk = SlowDisk(wave(48_000))
    disk.isGone = true
    let stage = try Stage(preparing: [.file(disk.file())])
    try stage.advance(500)
    #expect(disk.openings.count == 1 && stage.troubles == [])
    disk.isGone = false
    try stage.show([sound(disk.file())])
    try stage.advance(1_500)
    #expect(stage.events == [#"started("a")"#, #"finished("a", ended)"#])
    stage.rig.stop()
  }

  @Test("of 200 sounds that are wanted at the same time all are heard, and those that don't fit are read later")
  func many() throws {
    let stage = try Stage()
    let disks = (0..<200).map { _ in SlowDisk([Int16](repeating: 100, count: 4_800)) }
    for disk in disks { disk.openingTime = .milliseconds(1) }
    let sounds = disks.enumerated().map { number, disk in
      AudioPlayer.Sound(.file(disk.file("\(number)")), key: "\(number)", gain: 0.01)
    }
    try stage.show(sounds)
    try stage.advance(5_000)
    #expect(Set(stage.events.filter { $0.hasPrefix("started") }).count == 200)
    #expect(stage.troubles == [])
    stage.rig.stop()
  }

  @Test("a disk that hangs holds nothing up, and a sound whose loop changes 300 times continues when it answers")
  func hanging() throws {
    let disk = SlowDisk(wave(20 * 48_000))
    let file = disk.file()
    let stage = try Stage(preparing: [.file(file)])
    try stage.advance(100)
    disk.openingTime = .seconds(20)
    try stage.show([sound(file)])
    // More than the worker's queue holds.
    for number in 0..<300 {
      try stage.show([sound(file, looping: number % 2 == 0)])
      try stage.advance(1)
    }
    try stage.advance(10_000)
    #expect(stage.events == [#"started("a")"#, #"stalled("a")"#])
    try stage.advance(45_000)
    #expect(stage.events.last == #"finished("a", ended)"#)
    stage.rig.stop()
  }
}
