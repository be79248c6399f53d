import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

typealias SoundCase = Case<any SoundStand>

extension Case where Stand == any SoundStand {
  static var all: [SoundCase] { playing + lengths + formats + faults }

  private static func clip(_ samples: [Int16], rate: Int = 48_000) -> Clip {
    Clip(samples: samples, channelCount: 1, sampleRateHertz: rate)
  }

  /// Samples that show their place, none of them silence, and quiet at the beginning and the end.
  private static func pattern(_ count: Int) -> [Int16] {
    (0..<count).map { Int16(min(($0 &* 31) % 20_000 + 1, count - $0)) }
  }

  private static func words(_ trial: Trial<AudioPlayer>) -> [String] {
    trial.events.map { $0.replacing("HardwareDrivers.AudioPlayer.Reason.", with: "") }
  }

  // MARK: - Playing

  static let playing = [
    SoundCase("a clip comes out of the device to the sample", needs: [.hearing]) { stand, findings in
      let samples = pattern(24_000)
      try stand.listen(channelCount: 2)
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.clip(clip(samples), key: "a")])
      try stand.pass(1500)
      let heard = try stand.heard()
      findings.expect(heard == samples, "\(heard.count) samples were heard of \(samples.count)")
      findings.equal("events", words(trial), [#"started("a")"#, #"finished("a", ended)"#])
    },
    SoundCase("a sound has started at once and is finished when it has been heard") { stand, findings in
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try stand.pass()
      let before = stand.bench.now
      try trial.show([.clip(clip(pattern(14_400)), key: "a")])
      try stand.pass(400)
      findings.equal("events", words(trial), [#"started("a")"#, #"finished("a", ended)"#])
      guard trial.moments.count == 2 else { return }
      findings.expect(trial.moments[0] - before <= stand.tolerance, "it starts at once: \(trial.moments[0] - before)")
      let length = trial.moments[1] - trial.moments[0]
      findings.expect(
        length >= .milliseconds(299) && length <= .milliseconds(300) + stand.tolerance, "300 ms are heard: \(length)")
    },
    SoundCase("a device with one rate gets everything at that rate", needs: [.restricting]) { stand, findings in
      var wish = PCMPreferences()
      wish.sampleRateHertz = 44_100
      let clip = clip([Int16](repeating: 200, count: 22_050), rate: 44_100)
      let trial = try Trial(AudioPlayer(stand.card, wish: wish, preparing: [.clip(clip)]), showing: [], on: stand.bench)
      // The clip is converted beside the cycle, in a second or two where an emulator runs a debug build.
      try stand.pass(3000)
      try trial.show([.clip(clip, key: "a")])
      try stand.pass(800)
      findings.equal("events", words(trial), [#"started("a")"#, #"finished("a", ended)"#])
      guard trial.moments.count == 2 else { return }
      let length = trial.moments[1] - trial.moments[0]
      findings.expect(
        length >= .milliseconds(499) && length <= .milliseconds(500) + stand.tolerance, "500 ms are heard: \(length)")
    },
    SoundCase("a device of one channel gets both sides", needs: [.hearing]) { stand, findings in
      var wish = PCMPreferences()
      wish.channelCount = 1
      try stand.listen(channelCount: 1)
      let trial = try Trial(AudioPlayer(stand.card, wish: wish), showing: [], on: stand.bench)
      let sides = Clip(
        samples: (0..<9600).flatMap { _ -> [Int16] in [100, 300] }, channelCount: 2, sampleRateHertz: 48_000)
      try trial.show([.clip(sides, key: "a")])
      try stand.pass(800)
      let heard = try stand.heard()
      findings.expect(
        heard == [Int16](repeating: 200, count: 9600), "\(heard.count) samples, \(Set(heard).sorted().prefix(3))")
    },
    SoundCase("after five seconds of silence the device is free for others, and the next sound gets it back") {
      stand, findings in
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try stand.pass(5500)
      try stand.hold(true)
      try trial.show([.clip(clip(pattern(4800)), key: "a")])
      try stand.pass(50)
      findings.equal("events", words(trial), [#"started("a")"#, #"finished("a", lost)"#, "lost"])
      try stand.hold(false)
      // It is tried again after 0.25 and 0.5 s.
      try stand.pass(800)
      findings.equal("the last events", words(trial).dropFirst(3).prefix(2).map { $0 }, ["restored", #"started("a")"#])
    },
  ]

  // MARK: - Lengths and formats

  static let lengths = [
    SoundCase(
      "a clip that ends within a period is heard to its last sample, and so is one of a few samples", needs: [.hearing]
    ) {
      stand, findings in
      let clips = [pattern(22_051), pattern(7)]
      try stand.listen(channelCount: 2)
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      for (number, samples) in clips.enumerated() {
        try trial.show([.clip(clip(samples), key: "\(number)")])
        try stand.pass(800)
      }
      // No sample of the clips is silence; there is silence between them.
      let heard = try stand.heard().filter { $0 != 0 }
      findings.expect(
        heard == clips[0] + clips[1], "\(heard.count) samples were heard of \(clips[0].count + clips[1].count)")
      findings.equal(
        "events", words(trial),
        [#"started("0")"#, #"finished("0", ended)"#, #"started("1")"#, #"finished("1", ended)"#])
    },
    SoundCase("four seconds last four seconds") { stand, findings in
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.clip(clip(pattern(192_000)), key: "a")])
      try stand.pass(4500)
      findings.equal("events", words(trial), [#"started("a")"#, #"finished("a", ended)"#])
      guard trial.moments.count == 2 else { return }
      let length = trial.moments[1] - trial.moments[0]
      findings.expect(
        length >= .milliseconds(3900) && length <= .milliseconds(4100), "4 s within 100 ms are heard: \(length)")
    },
  ]

  static let formats = [
    SoundCase("a device without samples of 16 bits plays the same ones", needs: [.hearing, .formats]) {
      stand, findings in
      let samples = pattern(9_600)
      try stand.listen(channelCount: 2, bits: 32)
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.clip(clip(samples), key: "a")])
      try stand.pass(800)
      let heard = try stand.heard()
      findings.expect(heard == samples, "\(heard.count) samples were heard of \(samples.count)")
    },
    SoundCase("a device of four channels plays on the first two, and on no other", needs: [.hearing, .formats]) {
      stand, findings in
      let samples = pattern(9_600)
      try stand.listen(channelCount: 4)
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.clip(clip(samples), key: "a")])
      try stand.pass(800)
      let heard = try stand.heard()
      findings.expect(heard == samples, "\(heard.count) samples were heard of \(samples.count)")
    },
  ]

  // MARK: - Faults

  static let faults = [
    SoundCase("an underrun is told, and what was not played yet is played") { stand, findings in
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.clip(clip(pattern(24_000)), key: "a")])
      try stand.pass(150)
      try stand.underrun()
      try stand.pass(1000)
      findings.equal("underruns", words(trial).filter { $0 == "underrun" }.count, 1)
      findings.equal("the last event", words(trial).last, #"finished("a", ended)"#)
      if stand.reason(against: .hearing) == nil, stand.tolerance == .zero {
        findings.expect(try stand.heard() == pattern(24_000), "every sample has been handed over once")
      }
    },
    SoundCase("signals that interrupt the player's thread are not heard", needs: [.hearing, .interrupting]) {
      stand, findings in
      let samples = pattern(24_000)
      try stand.listen(channelCount: 2)
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.clip(clip(samples), key: "a")])
      let start = stand.bench.now
      for tenth in 1...60 { stand.bench.plan(at: start + .milliseconds(7 * tenth)) { try? stand.interrupt() } }
      try stand.pass(1200)
      let heard = try stand.heard()
      findings.expect(heard == samples, "\(heard.count) samples were heard of \(samples.count)")
      findings.equal("events", words(trial), [#"started("a")"#, #"finished("a", ended)"#])
    },
    SoundCase("a card that is taken away while it plays is lost, and plays again when it is back", needs: [.removing]) {
      stand, findings in
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.tone(hertz: 440, key: "a", gain: 0.1)])
      try stand.pass(200)
      try stand.unplug()
      try stand.pass(100)
      findings.equal("events", words(trial), [#"started("a")"#, #"finished("a", lost)"#, "lost"])
      try stand.plug()
      try stand.pass(400)
      findings.equal("events", words(trial).dropFirst(3).map { $0 }, ["restored", #"started("a")"#])
    },
    SoundCase("a device that another program holds at the start is busy, and is played on when it is free") {
      stand, findings in
      try stand.hold(true)
      let trial = try Trial(
        AudioPlayer(stand.card), showing: [.tone(hertz: 440, key: "a", gain: 0.1)], on: stand.bench, isRequired: false)
      try stand.pass(50)
      findings.equal("events", words(trial), ["lost"])
      if case .lost(let error)? = trial.troubles.first { findings.equal("kind", error.kind, .busy) }
      try stand.hold(false)
      // It is tried again after 0.25 and 0.5 s.
      try stand.pass(800)
      findings.equal("events", words(trial), ["lost", "restored", #"started("a")"#])
    },
    SoundCase("a machine that slept goes on playing", needs: [.suspending]) { stand, findings in
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.clip(clip(pattern(24_000)), key: "a")])
      try stand.pass(150)
      try stand.suspend()
      try stand.pass(1000)
      findings.equal("events", words(trial), [#"started("a")"#, #"finished("a", ended)"#])
    },
    SoundCase("a device that stands still while it claims to run is noticed within a second", needs: [.stalling]) {
      stand, findings in
      let trial = try Trial(AudioPlayer(stand.card, wish: stand.wish), showing: [], on: stand.bench)
      try trial.show([.tone(hertz: 440, key: "a", gain: 0.1)])
      try stand.pass(200)
      try stand.stall()
      try stand.pass(1100)
      findings.expect(words(trial).contains("lost"), "the loss is told: \(words(trial))")
    },
  ]

  /// A device whose clock differs from that of the machine by this many millionths.
  private static func clock(_ word: String, _ millionths: Int) -> SoundCase {
    SoundCase("F1, 9.1: a device whose clock is \(word) by a thousandth plays without a gap", needs: [.drifting]) {
      stand, findings in
      try stand.drift(millionths, lump: 1)
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.tone(hertz: 440, key: "a", gain: 0.1)])
      try stand.pass(60_000)
      findings.equal("events", words(trial), [#"started("a")"#])
    }
  }

  /// Cases of devices that no card of a kernel without hardware is: it plays by the machine's clock, and has no server.
  static let ofOtherCards = [
    clock("fast", 1_000), clock("slow", -1_000),
    SoundCase("9.2: a device that takes 1024 sample frames at a time plays without a gap", needs: [.drifting]) {
      stand, findings in
      try stand.drift(0, lump: 1_024)
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.tone(hertz: 440, key: "a", gain: 0.1)])
      try stand.pass(60_000)
      findings.equal("events", words(trial), [#"started("a")"#])
    },
    SoundCase("F3: a sound server that is killed is lost once, without an underrun, and plays again", needs: [.ending])
    {
      stand, findings in
      let trial = try Trial(AudioPlayer(stand.card), showing: [], on: stand.bench)
      try trial.show([.tone(hertz: 440, key: "a", gain: 0.1)])
      try stand.pass(2_000)
      try stand.endServer(true)
      try stand.pass(20_000)
      findings.equal("events", words(trial), [#"started("a")"#, #"finished("a", lost)"#, "lost"])
      if case .lost(let error)? = trial.troubles.first {
        findings.equal("reason", error.reason, "the sound server has ended")
      }
      try stand.endServer(false)
      // Nothing announces its return here: it is tried again after 5 s at the latest, and is restored when it has played
      // for 1 s.
      try stand.pass(6_500)
      findings.equal("events", words(trial).dropFirst(3).map { $0 }, [#"started("a")"#, "restored"])
    },
  ]
}
