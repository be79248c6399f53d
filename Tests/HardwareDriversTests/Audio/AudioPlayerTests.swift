import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// The player on a simulated card, in virtual time. `started("a")@5` is an event at 5 ms.
@Suite("Playing sounds")
struct AudioPlayerTests {
  let card = SimulatedCard()

  /// A rig of a player that shows nothing yet.
  private func rig() throws -> Rig<AudioPlayer> {
    let card = card
    let rig = Rig(showing: AudioPlayer.Model([]), isRequired: false) { (_: SimulatedChip) in AudioPlayer(card) }
    try rig.run()
    return rig
  }

  /// So many milliseconds of one value, mono; small enough to begin without a fade.
  private func clip(_ value: Int16 = 300, milliseconds: Int = 100, rate: Int = 48_000) -> Clip {
    Clip(samples: [Int16](repeating: value, count: rate / 1000 * milliseconds), channelCount: 1, sampleRateHertz: rate)
  }

  /// The left channel from the first sample that isn't silence on.
  private var heard: [Int16] {
    Array(card.samples.left(channelCount: card.configuration?.channelCount ?? 2).drop { $0 == 0 })
  }

  @Test("a clip comes out bit for bit on both sides, and its end is told when it has been heard")
  func plays() throws {
    let rig = try rig()
    let samples = PlaybackLoopTests.ramp
    try rig.show([.clip(Clip(samples: samples, channelCount: 1, sampleRateHertz: 48_000), key: "a")])
    try rig.advance(200)
    #expect(rig.events == [#"started("a")@0"#, #"finished("a", HardwareDrivers.AudioPlayer.Reason.ended)@100"#])
    #expect(Array(heard[..<4800]) == samples)
    #expect(stride(from: 0, to: card.samples.count, by: 2).allSatisfy { card.samples[$0] == card.samples[$0 + 1] })
    rig.stop()
    #expect(card.configuration == nil)
  }

  @Test("what leaves the model fades out over 5 ms, is told, and can come again")
  func removes() throws {
    let rig = try rig()
    let clip = clip(10_000, milliseconds: 1000)
    try rig.show([.clip(clip, key: "a")])
    try rig.advance(200)
    try rig.show([])
    try rig.advance(200)
    let events = rig.events
    #expect(events.count == 2)
    #expect(events[1].hasPrefix(#"finished("a", HardwareDrivers.AudioPlayer.Reason.removed)@2"#))
    let fall = heard.drop { $0 < 10_000 }.drop { $0 == 10_000 }
    #expect(fall.prefix { $0 != 0 }.count == 239)
    try rig.show([.clip(clip, key: "a")])
    #expect(rig.events.count == 3)
    rig.stop()
  }

  @Test("a sound that is over and still in the model stays over, until its restart number changes")
  func restarts() throws {
    let rig = try rig()
    var sound = AudioPlayer.Sound.clip(clip(), key: "a")
    try rig.show([sound])
    try rig.advance(300)
    try rig.show(.init([sound], volume: 0.5))
    try rig.advance(300)
    #expect(rig.events.count == 2)
    sound.restart = 1
    try rig.show([sound])
    try rig.advance(20)
    #expect(rig.events.count == 3)
    // And while it sounds: the old one fades under the new one.
    sound.restart = 2
    try rig.show([sound])
    try rig.advance(300)
    #expect(
      rig.events.dropFirst(2).withoutMoments == [
        #"started("a")"#, #"started("a")"#, #"finished("a", HardwareDrivers.AudioPlayer.Reason.restarted)"#,
        #"finished("a", HardwareDrivers.AudioPlayer.Reason.ended)"#,
      ])
    rig.stop()
  }

  @Test("another gain ramps over 5 ms and goes on where it was; so does the volume, and a mute")
  func gains() throws {
    let rig = try rig()
    let clip = clip(300, milliseconds: 2000)
    try rig.show([.clip(clip, key: "a")])
    let quiet = AudioPlayer.Sound.clip(clip, key: "a", gain: 0.5)
    let models: [AudioPlayer.Model] = [
      .init([quiet]), .init([quiet], volume: 0.5), .init([quiet], volume: 0.5, isMuted: true),
      .init([.clip(clip, key: "a")]),
    ]
    for model in models {
      try rig.advance(200)
      try rig.show(model)
    }
    try rig.advance(200)
    var levels: [Int16] = []
    let expected: Set<Int16> = [300, 150, 75, 0]
    for sample in heard where expected.contains(sample) && levels.last != sample { levels.append(sample) }
    #expect(levels.prefix(4) == [300, 150, 75, 0])
    #expect(rig.events.count == 1)
    // 300 falls to 0 in 240 samples.
    #expect(heard.steps.allSatisfy { abs($0) <= 2 })
    rig.stop()
  }

  @Test("nothing clicks: starts, stops, gains, mutes and restarts of a tone keep the slope of its wave")
  func clicks() throws {
    let rig = try rig()
    var tone = AudioPlayer.Sound.tone(hertz: 440, key: "a")
    let models: [AudioPlayer.Model] = [
      [tone], .init([tone], volume: 0.2), .init([tone], isMuted: true), [tone], [],
    ]
    for model in models {
      try rig.show(model)
      try rig.advance(73)
    }
    for restart in 1...3 {
      tone.restart = restart
      try rig.show([tone])
      try rig.advance(37)
    }
    rig.stop()
    let steps = heard.steps.map { abs($0) }
    // 440 Hz at full scale rises by 1 887 a sample at most, a fade of 240 samples adds 137; two sound during a restart.
    #expect(steps.max()! <= 2 * (1_887 + 137))
    #expect(steps.max()! > 1_500)
  }

  @Test("a clip that begins loud fades in, one that begins quietly keeps its beginning")
  func attacks() throws {
    let rig = try rig()
    try rig.show([.clip(clip(20_000), key: "loud")])
    try rig.advance(300)
    let loud = heard.prefix(240)
    #expect(loud.first! < 200)
    #expect(heard[240] == 20_000)
    rig.stop()
  }

  @Test("a loop goes on, and to its end when it is no loop any more")
  func loops() throws {
    let rig = try rig()
    let clip = clip(milliseconds: 30)
    try rig.show([.init(.clip(clip), key: "a", isLooping: true)])
    try rig.advance(1000)
    #expect(rig.events == [#"started("a")@0"#])
    try rig.show([.init(.clip(clip), key: "a")])
    try rig.advance(200)
    #expect(rig.events.count == 2)
    #expect(heard.prefix { $0 == 300 }.count % 1440 == 0)
    rig.stop()
  }

  @Test("a tone sounds until it leaves the model")
  func tones() throws {
    let rig = try rig()
    try rig.show([.tone(hertz: 1000, gain: 0.5)])
    try rig.advance(60_000)
    #expect(rig.events == [#"started("1000.0 Hz")@0"#])
    let samples = heard
    let rises = zip(samples, samples.dropFirst()).count { sample, next in sample < 0 && next >= 0 }
    #expect((59_900...60_100).contains(rises))
    #expect((16_300...16_384).contains(samples.max()!))
    rig.stop()
  }

  @Test("of two sounds with one key the first is played, and that is told, and restored when one is left")
  func sameKey() throws {
    let rig = try rig()
    try rig.show([.clip(clip(), key: "a"), .clip(clip(200), key: "a")])
    try rig.advance(50)
    #expect(Set(rig.events) == [#"started("a")@0"#, "failed@0"])
    #expect(heard.first == 300)
    try rig.show([.clip(clip(), key: "a")])
    #expect(rig.events.last == "restored@50")
    rig.stop()
  }

  @Test("a model with a fault is not told as restored when its card is back, only when the fault is gone as well")
  func faultOverALoss() throws {
    let rig = try rig()
    try rig.show([.clip(clip(), key: "a"), .clip(clip(200), key: "a")])
    card.unplug()
    try rig.advance(1000)
    card.plug()
    try rig.advance(2000)
    #expect(rig.events.filter { $0.hasPrefix("restored") } == [])
    #expect(rig.events.count { $0.hasPrefix("failed") } == 1)
    try rig.show([.clip(clip(), key: "a")])
    #expect(rig.events.last == "restored@3000")
    rig.stop()
  }

  @Test("a fault of the model that goes while the card is away is restored with the card")
  func faultGoneWhileAway() throws {
    let rig = try rig()
    try rig.show([.clip(clip(), key: "a"), .clip(clip(200), key: "a")])
    card.unplug()
    try rig.advance(1000)
    try rig.show([.clip(clip(), key: "a")])
    try rig.advance(1000)
    #expect(rig.events.filter { $0.hasPrefix("restored") } == [])
    card.plug()
    try rig.advance(2000)
    #expect(rig.events.count { $0.hasPrefix("restored") } == 1)
    rig.stop()
  }

  @Test("what can't be converted to one rate is tried again at another")
  func refusedAtOneRate() throws {
    card.onlyRateHertz = 768_000
    let rig = try rig()
    let long = Clip(samples: [Int16](repeating: 1, count: 175_000), channelCount: 1, sampleRateHertz: 1000)
    // Hardware that plays is known to be gone.
    try rig.show([.clip(long, key: "long"), .tone(hertz: 440, key: "tone")])
    try rig.advance(100)
    #expect(rig.events.count { $0.hasPrefix("failed") } == 1)
    card.unplug()
    try rig.advance(1000)
    card.onlyRateHertz = 8000
    card.plug()
    try rig.advance(5000)
    #expect(rig.events.count { $0.hasPrefix("failed") } == 1)
    #expect(rig.events.contains { $0.hasPrefix("restored") })
    #expect(rig.events.contains { $0.hasPrefix(#"started("long")"#) }, "\(rig.events)")
    rig.stop()
  }

  @Test("the oldest of 64 sounds makes room for one more")
  func stealing() throws {
    let rig = try rig()
    let clip = clip(10, milliseconds: 1000)
    var sounds: [AudioPlayer.Sound] = []
    for number in 0..<64 {
      sounds.append(.clip(clip, key: "\(number)"))
      try rig.show(.init(sounds))
      try rig.advance(1)
    }
    sounds.append(.clip(clip, key: "one more"))
    try rig.show(.init(sounds))
    try rig.advance(100)
    let last = rig.events.suffix(2).withoutMoments
    #expect(last == [#"finished("0", HardwareDrivers.AudioPlayer.Reason.stolen)"#, #"started("one more")"#])
    rig.stop()
  }

  @Test("a clip of another rate is converted, and a card of one channel gets both sides mixed")
  func conversion() throws {
    card.onlyRateHertz = 44_100
    card.onlyChannelCount = 1
    let rig = try rig()
    try rig.show([.clip(clip(200, milliseconds: 500, rate: 24_000), key: "a")])
    try rig.advance(1000)
    #expect(rig.events.last?.contains("ended)@500") == true, "\(rig.events)")
    #expect((22_000...22_100).contains(heard.prefix { $0 != 0 }.count))
    #expect(heard[1000..<20_000].allSatisfy { $0 == 200 })
    rig.stop()
  }

  @Test("a card that is pulled out: what sounded is lost, and starts again when the card is back")
  func loss() throws {
    let rig = try rig()
    try rig.show([
      .clip(clip(milliseconds: 1000), key: "once"), .init(.clip(clip()), key: "loop", isLooping: true),
      .tone(hertz: 440, key: "tone"),
    ])
    try rig.advance(100)
    card.unplug()
    try rig.advance(100)
    #expect(
      Set(rig.events.suffix(4).withoutMoments) == [
        #"finished("once", HardwareDrivers.AudioPlayer.Reason.lost)"#,
        #"finished("loop", HardwareDrivers.AudioPlayer.Reason.lost)"#,
        #"finished("tone", HardwareDrivers.AudioPlayer.Reason.lost)"#, "lost",
      ])
    card.plug()
    try rig.advance(100)
    #expect(
      rig.events.suffix(4).withoutMoments == [
        "restored", #"started("once")"#, #"started("loop")"#, #"started("tone")"#,
      ])
    #expect(card.openings == 2)
    // From its beginning.
    try rig.advance(1000)
    #expect(rig.events.last == #"finished("once", HardwareDrivers.AudioPlayer.Reason.ended)@1200"#)
    rig.stop()
    #expect(card.configuration == nil)
  }

  @Test(
    "what had ended before the card was pulled out stays over, and what left the model meanwhile does not come again")
  func overStaysOver() throws {
    let rig = try rig()
    let both: AudioPlayer.Model = [.clip(clip(), key: "short"), .clip(clip(milliseconds: 1000), key: "long")]
    try rig.show(both)
    try rig.advance(200)
    card.unplug()
    try rig.advance(100)
    try rig.show([both.sounds[0]])
    card.plug()
    try rig.advance(2000)
    #expect(rig.events.last == "restored@300")
    rig.stop()
  }

  @Test("what the model asks for while the card is away sounds when it is back")
  func changesWhileLost() throws {
    let rig = try rig()
    try rig.show([.tone(hertz: 440, key: "a")])
    try rig.advance(100)
    card.unplug()
    try rig.advance(100)
    try rig.show([.tone(hertz: 880, key: "b")])
    try rig.advance(100)
    card.plug()
    try rig.advance(100)
    #expect(rig.events.suffix(2).withoutMoments == ["restored", #"started("b")"#])
    rig.stop()
  }

  @Test("an underrun is told and nothing else changes")
  func underrun() throws {
    let rig = try rig()
    try rig.show([.clip(clip(milliseconds: 500), key: "a")])
    try rig.advance(100)
    card.underrun()
    try rig.advance(1000)
    let underruns = rig.events.filter { $0.hasPrefix("underrun@") }
    #expect(underruns.count == 1)
    #expect(rig.events.last?.hasPrefix("finished") == true)
    #expect(heard.filter { $0 == 300 }.count == 24_000)
    rig.stop()
  }

  @Test("after five seconds of silence the card is closed, and nothing wakes any more; the next sound opens it")
  func idle() throws {
    let rig = try rig()
    try rig.advance(6000)
    #expect(card.configuration == nil)
    #expect(rig.cycle.nextAlarm == nil)
    try rig.show([.clip(clip(), key: "a")])
    try rig.advance(300)
    #expect(card.openings == 2)
    #expect(rig.events == [#"started("a")@6000"#, #"finished("a", HardwareDrivers.AudioPlayer.Reason.ended)@6100"#])
    rig.stop()
  }

  @Test("a card that isn't there at the start is told, and what the model shows sounds when it is there")
  func absentAtStart() throws {
    card.unplug()
    let rig = Rig(showing: [.clip(clip(), key: "a")], isRequired: false) { (_: SimulatedChip) in AudioPlayer(card) }
    try rig.run()
    #expect(rig.events == ["lost@0"])
    try rig.advance(60_000)
    #expect(rig.events == ["lost@0"])
    card.plug()
    try rig.advance(1000)
    #expect(
      rig.events.dropFirst() == [
        "restored@60000", #"started("a")@60000"#, #"finished("a", HardwareDrivers.AudioPlayer.Reason.ended)@60100"#,
      ])
    rig.stop()
  }

  @Test("a card that is busy at the start is tried again after 0.25, 0.5, 1, 2 … 5 s")
  func busyAtStart() throws {
    card.holder = "aplay"
    let rig = try rig()
    try rig.advance(3700)
    #expect(rig.events == ["lost@0"])
    card.holder = nil
    try rig.advance(100)
    #expect(rig.events == ["lost@0", "restored@3750"])
    rig.stop()
  }

  @Test("a required card that isn't there, is busy, or is forbidden ends the start")
  func startErrors() throws {
    let start = { [card] in
      do {
        let rig = Rig(showing: AudioPlayer.Model([])) { (_: SimulatedChip) in AudioPlayer(card) }
        try rig.run()
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    card.unplug()
    #expect(
      start()
        == "cannot open the sound device \"simulated\": there is no such device. Plug it in, or name another device.")
    card.plug()
    card.holder = "aplay"
    #expect(
      start()
        == "cannot open the sound device \"simulated\": busy. \"aplay\" uses it. Stop that program or choose another device."
    )
    card.holder = nil
    card.isPermitted = false
    #expect(
      start()
        == "cannot open the sound device \"simulated\": permission denied. Add this user to the group \"audio\".")
    #expect(card.openings == 0)
  }

  @Test("more changes at one moment than the player's thread can be told at once come all the same")
  func manyCommands() throws {
    let rig = try rig()
    let clip = clip(10, milliseconds: 5000)
    for round in 0..<60 {
      try rig.show(.init((0..<40).map { .clip(clip, key: "\($0)", gain: Double((round + $0) % 50) / 50) }))
    }
    try rig.show(.init((0..<40).map { .clip(clip, key: "\($0)", gain: 0.5) }))
    try rig.advance(100)
    #expect(heard.last == 200)
    rig.stop()
  }

  @Test("numbers that are none, or out of range, are silence or the nearest that is in range")
  func strangeNumbers() throws {
    let rig = try rig()
    try rig.show(
      .init(
        [
          .clip(clip(), key: "nan", gain: .nan), .clip(clip(100), key: "more", gain: 7),
          .tone(hertz: -5, key: "negative"),
          .tone(hertz: .nan, key: "no number"), .tone(hertz: 1e9, key: "too high", gain: 0.001),
          .clip(clip(milliseconds: 0), key: "empty"),
        ], volume: 3))
    try rig.advance(1000)
    #expect(heard.allSatisfy { abs(Int($0)) <= 200 })
    #expect(heard.contains { abs(Int($0) - 100) <= 33 })
    rig.stop()
  }

  @Test("a card that comes back at another rate plays everything at that rate")
  func otherRate() throws {
    let rig = try rig()
    let clip = clip(200, milliseconds: 500)
    try rig.show([.clip(clip, key: "a")])
    try rig.advance(100)
    card.unplug()
    try rig.advance(100)
    card.onlyRateHertz = 44_100
    card.plug()
    try rig.advance(1000)
    #expect(
      rig.events.suffix(3) == [
        "restored@200", #"started("a")@200"#, #"finished("a", HardwareDrivers.AudioPlayer.Reason.ended)@700+12ns"#,
      ])
    rig.stop()
  }

  @Test("a sound that can't be converted is told once, and the others are played")
  func tooLarge() throws {
    card.onlyRateHertz = 768_000
    let rig = try rig()
    let long = Clip(samples: [Int16](repeating: 1, count: 300_000), channelCount: 1, sampleRateHertz: 1000)
    try rig.show([.clip(long, key: "long"), .tone(hertz: 440, key: "tone")])
    try rig.advance(100)
    let finished = #"finished("long", HardwareDrivers.AudioPlayer.Reason.failed)@0"#
    #expect(Set(rig.events) == ["failed@0", finished, #"started("tone")@0"#])
    try rig.show([.tone(hertz: 440, key: "tone")])
    #expect(rig.events.last == "restored@100")
    rig.stop()
  }

  @Test("a card that takes 3 s to open holds nothing up, and plays when it is open")
  func slowOpening() throws {
    card.openingDuration = .seconds(3)
    let rig = Rig(showing: [.clip(clip(), key: "a")], isRequired: false) { (_: SimulatedChip) in AudioPlayer(card) }
    try rig.run()
    try rig.advance(2999)
    #expect(rig.events == [])
    try rig.advance(1000)
    #expect(rig.events == [#"started("a")@3000"#, #"finished("a", HardwareDrivers.AudioPlayer.Reason.ended)@3100"#])
    rig.stop()
  }

  @Test("a card that hangs while it plays does not hold up the end")
  func hanging() throws {
    let rig = try rig()
    try rig.show([.tone(hertz: 440, key: "a")])
    try rig.advance(100)
    card.isHanging = true
    try rig.advance(100)
    #expect(rig.cycle.nextAlarm == nil)
    rig.stop()
    #expect(card.configuration != nil, "nobody could close it")
  }

  @Test("of a long sound the card keeps the last one or two minutes, and all of it when a test asks for that")
  func forgets() throws {
    for keepsEverySample in [false, true] {
      let card = SimulatedCard()
      card.keepsEverySample = keepsEverySample
      let rig = Rig(showing: [.tone(hertz: 440, key: "a")]) { (_: SimulatedChip) in AudioPlayer(card) }
      try rig.run()
      try rig.advance(130_000)
      rig.stop()
      let minute = 2 * 48_000 * 60
      #expect(card.forgottenSamples + card.samples.count >= 13 * minute / 6)
      #expect(keepsEverySample ? card.forgottenSamples == 0 : (minute...2 * minute).contains(card.samples.count))
    }
  }

  @Test("a card keeps as few samples as a test asks for, and is known to sound by them")
  func keepsFew() throws {
    let card = SimulatedCard()
    card.keptSamples = 0
    let rig = Rig(showing: [.tone(hertz: 440, key: "a")]) { (_: SimulatedChip) in AudioPlayer(card) }
    try rig.run()
    try rig.advance(10_000)
    #expect(card.samples.count < 96_000 && card.forgottenSamples > 800_000)
    #expect(card.isSounding)
    rig.stop()
  }

  @Test("the same run gives the same samples, every time")
  func determinism() throws {
    func run() throws -> [Int16] {
      let card = SimulatedCard()
      let rig: Rig<AudioPlayer> = Rig(showing: AudioPlayer.Model([])) { (_: SimulatedChip) in AudioPlayer(card) }
      try rig.run()
      for step in 0..<20 {
        try rig.show([.tone(hertz: 440 + Double(step), key: "a", gain: 0.5), .clip(clip(), key: "\(step)")])
        try rig.advance(17)
      }
      rig.stop()
      return card.samples
    }
    let first = try run()
    #expect(first.count > 20_000)
    #expect(try run() == first)
  }
}
