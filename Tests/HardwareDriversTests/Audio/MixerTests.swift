import CycleCore
import Testing

@testable import HardwareDrivers

@Suite("A card's mixer")
struct MixerTests {
  let mixer = SimulatedMixer(volume: 0.8)

  private func rig(_ model: Mixer.Model) throws -> Rig<Mixer> {
    let mixer = mixer
    let rig = Rig(showing: model) { (_: SimulatedChip) in Mixer(mixer) }
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

  @Test("a card that isn't there at the start is an error, one that goes away an event")
  func absent() throws {
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
    mixer.unplug()
    #expect(throws: DriverError.self) { _ = try self.rig(.init()) }
  }
}
