import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("A card's mixer")
struct CardVolumeTests {
  let mixer = SimulatedMixer(volume: 0.8)

  private func rig(_ model: CardVolume.Model) throws -> Rig<CardVolume> {
    let mixer = mixer
    let rig = Rig(showing: model, isRequired: false) { (_: SimulatedChip) in CardVolume(mixer) }
    try rig.run()
    return rig
  }

  @Test("what the model says is written at the start, once, and what it leaves alone is told")
  func start() throws {
    let rig = try rig(.init(volume: 0.5))
    #expect(mixer.level == MixerLevel(volume: 0.5))
    #expect(mixer.writes == 1)
    #expect(rig.events.count == 1)
    #expect(rig.events.first?.hasPrefix("changed(") == true)
    try rig.show(.init(volume: 0.5, isMuted: true))
    #expect(mixer.level == MixerLevel(volume: 0.5, isMuted: true))
    #expect(mixer.writes == 2)
    #expect(rig.events.count == 1)
    rig.stop()
    #expect(mixer.writes == 2, "the end leaves it as it is")
  }

  @Test("what somebody else turned stays so until the model changes that")
  func outside() throws {
    let rig = try rig(.init(volume: 0.5, isMuted: false))
    #expect(rig.events == [])
    mixer.turn(to: MixerLevel(volume: 0.7))
    try rig.advance(0)
    #expect(rig.events.count == 1)
    try rig.show(.init(volume: 0.5, isMuted: true))
    #expect(mixer.level == MixerLevel(volume: 0.7, isMuted: true))
    try rig.show(.init(volume: 0.4, isMuted: true))
    #expect(mixer.level == MixerLevel(volume: 0.4, isMuted: true))
    #expect(rig.events.count == 1)
    rig.stop()
  }

  @Test("a volume beyond the range is the nearer end", arguments: [(-1.0, 0.0), (2, 1), (.nan, 0)])
  func range(_ volume: Double, _ expected: Double) throws {
    let rig = try rig(.init(volume: volume, isMuted: false))
    #expect(mixer.level.volume == expected)
    rig.stop()
  }

  @Test("a card that goes away is lost, and has the model's volume again when it is back")
  func loss() throws {
    let rig = try rig(.init(volume: 0.5, isMuted: false))
    mixer.unplug()
    try rig.advance(0)
    try rig.show(.init(volume: 0.3, isMuted: false))
    try rig.advance(5000)
    #expect(rig.events == ["lost@0"])
    mixer.plug()
    try rig.advance(0)
    #expect(rig.events == ["lost@0", "restored@5000"])
    #expect(mixer.level.volume == 0.3)
    rig.stop()
  }

  @Test("a card that isn't there at the start is lost, and made as the model says when it is there")
  func absentAtStart() throws {
    mixer.unplug()
    let rig = try rig(.init(volume: 0.5))
    try rig.advance(100_000)
    #expect(rig.events == ["lost@0"])
    mixer.plug()
    try rig.advance(0)
    #expect(mixer.level.volume == 0.5)
    #expect(rig.events.count == 3)
    #expect(rig.events[1] == "restored@100000")
    #expect(rig.events[2].hasPrefix("changed("))
    rig.stop()
  }

  @Test("a required card that isn't there ends the start")
  func required() {
    let mixer = mixer
    mixer.unplug()
    let rig = Rig(showing: .init(volume: 0.5)) { (_: SimulatedChip) in CardVolume(mixer) }
    #expect {
      try rig.run()
    } throws: {
      "\($0)".hasPrefix("cannot use the mixer of the sound card \"simulated\": there is no such card.")
    }
  }

  @Test("calls that take 2 s hold nothing up, and the last model counts")
  func slow() throws {
    mixer.callDuration = .seconds(2)
    let rig = try rig(.init(volume: 0.5, isMuted: false))
    for percent in 1...20 {
      try rig.show(.init(volume: Double(percent) / 100, isMuted: false))
      try rig.advance(100)
    }
    try rig.advance(20_000)
    #expect(mixer.level.volume == 0.2)
    #expect(mixer.writes <= 3)
    #expect(rig.events == [])
    rig.stop()
  }

  @Test("muting a card that has no switch is told once, however often the volume is turned meanwhile")
  func noSwitch() throws {
    let mixer = SimulatedMixer(volume: 0.8, hasSwitch: false)
    let rig = Rig(showing: .init(volume: 0.5, isMuted: false)) { (_: SimulatedChip) in CardVolume(mixer) }
    try rig.run()
    for percent in 10...30 { try rig.show(.init(volume: Double(percent) / 100, isMuted: true)) }
    #expect(rig.events == ["failed@0"])
    #expect(mixer.level == MixerLevel(volume: 0.3))
    try rig.show(.init(volume: 0.4, isMuted: false))
    #expect(rig.events == ["failed@0", "restored@0"])
    rig.stop()
  }

  @Test(
    "a write that is refused is tried again 1 s after the first refusal, however often the model changes until then")
  func retriesInTime() throws {
    let rig = try rig(.init(volume: 0.5))
    mixer.lastingWriteError = DriverError(.failed, cannot: "set it", reason: "it is busy", remedy: "Wait.")
    for step in 1...9 {
      try rig.show(.init(volume: 0.5 + Double(step) / 100))
      try rig.advance(100)
    }
    mixer.lastingWriteError = nil
    let writes = mixer.writes
    try rig.advance(99)
    #expect(mixer.writes == writes)
    try rig.advance(2)
    #expect(mixer.writes == writes + 1 && mixer.level.volume == 0.59)
    rig.stop()
  }
}
