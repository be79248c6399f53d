import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// Commands of a player while its sound device hangs.
@Suite("Backlog of a player")
struct VoiceBacklogTests {
  private func command(_ kind: VoiceCommand.Kind, _ slot: Int = 0, of generation: UInt32 = 1, gain: Float = 0)
    -> VoiceCommand
  {
    var command = VoiceCommand(kind, slot: Int32(slot), generation: generation)
    command.gain = gain
    return command
  }

  private func words(_ backlog: VoiceBacklog) -> [String] {
    backlog.commands.map { "\($0.kind) \($0.slot).\($0.generation) \(Int($0.gain))" }
  }

  @Test("of 20 000 changes of the volume and of gains the newest wait")
  func newest() {
    var backlog = VoiceBacklog()
    for number in 1...20_000 {
      backlog.append(command(.setMaster, of: 0, gain: Float(number)))
      backlog.append(command(.setGain, number % 2, gain: Float(number)))
      backlog.append(command(.setLooping, number % 2))
      backlog.append(command(.setPan, number % 2))
      backlog.append(command(.setTrack, number % 2, of: 0, gain: Float(number)))
      backlog.append(command(.setDuck, number % 2, of: 0))
      backlog.append(command(.retry, of: 0))
    }
    #expect(
      words(backlog) == [
        "setGain 1.1 19999", "setLooping 1.1 0", "setPan 1.1 0", "setTrack 1.0 19999", "setDuck 1.0 0",
        "setMaster 0.0 20000", "setGain 0.1 20000", "setLooping 0.1 0", "setPan 0.1 0", "setTrack 0.0 20000",
        "setDuck 0.0 0", "retry 0.0 0",
      ])
  }

  @Test("a start that waits begins with the newest gain, and its stop follows")
  func startsWithTheNewest() {
    var backlog = VoiceBacklog()
    backlog.append(command(.start, 3, gain: 1))
    backlog.append(command(.setGain, 3, gain: 2))
    backlog.append(command(.stop, 3))
    #expect(words(backlog) == ["start 3.1 2", "stop 3.1 0"])
  }

  @Test("the start of another voice in a slot makes the commands of the one before it void")
  func laterVoice() {
    var backlog = VoiceBacklog()
    backlog.append(command(.start, 3, gain: 1))
    backlog.append(command(.stop, 3))
    backlog.append(command(.setGain, 4, gain: 5))
    backlog.append(command(.start, 3, of: 2, gain: 7))
    #expect(words(backlog) == ["setGain 4.1 5", "start 3.2 7"])
    backlog.forgetVoices()
    #expect(words(backlog) == [])
  }

  @Test("all that can wait are a volume, a return and four commands for each voice")
  func bounded() {
    var backlog = VoiceBacklog()
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let kinds: [VoiceCommand.Kind] = [.start, .setGain, .setLooping, .stop, .setMaster, .retry]
      backlog.append(
        command(
          kinds.randomElement(using: &random)!, .random(in: 0..<VoiceMixer.capacity, using: &random),
          of: .random(in: 0...2, using: &random)))
    }
    var sent = 0
    #expect(backlog.commands.count <= 2 + 4 * 3 * VoiceMixer.capacity)
    let count = backlog.commands.count
    backlog.send(room: 10) { _ in sent += 1 }
    #expect(sent == 10 && backlog.commands.count == count - 10)
  }

  @Test("after a device has hung for 10 s the volume is the newest one, however often it has changed")
  func afterAHang() throws {
    let card = SimulatedCard()
    card.openingDuration = .seconds(10)
    let rig = Rig(showing: AudioPlayer.Model([]), isRequired: false) { (_: SimulatedChip) in AudioPlayer(card) }
    try rig.run()
    let sounds: [AudioPlayer.Sound] = [.tone(hertz: 440, key: "a")]
    for step in 1...20_001 {
      try rig.show(.init(sounds, volume: Double(step % 2) * 0.5))
      if step % 1000 == 0 { try rig.advance(1) }
    }
    try rig.show(.init(sounds, volume: 0.25))
    try rig.advance(11_000)
    let loudest = card.samples.suffix(4_000).map { abs(Int($0)) }.max() ?? 0
    #expect((8_000...8_200).contains(loudest), "a quarter of 32 767, and not \(loudest)")
    rig.stop()
  }
}
