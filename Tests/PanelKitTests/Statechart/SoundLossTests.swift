import Testing

@testable import PanelRun

@Suite("Sounds of a panel whose card goes away")
struct SoundLossTests {
  /// The chime lasts 1.2 s.
  static let states = """
    initial: idle
    states:
      idle: { on: { key.pressed: ringing, bell.pressed: looping } }
      ringing: { play: [ chime ], on: { chime.finished: rang, bell.pressed: idle } }
      looping: { play: [ high ], on: { key.pressed: idle } }
      rang: { on: { key.pressed: idle } }
    """

  @Test("a sound that was cut off is played again when the card is back, and its end is heard")
  func cutOff() throws {
    let stage = try Stage(Self.states)
    let failures = try stage.take(
      """
      click key; wait 300ms; expect state=ringing playing=chime; unplug audio; wait 5s; expect state=ringing playing=;
      plug audio; wait 1s; expect state=ringing playing=chime; wait 1s; expect state=rang playing=
      """)
    #expect(failures == [])
  }

  @Test("a sound of a state that was entered without a card is played once the card is there, and its end is heard")
  func enteredWithout() throws {
    let stage = try Stage(Self.states)
    let failures = try stage.take(
      """
      unplug audio; wait 1s; click key; wait 3s; expect state=ringing playing=; plug audio; wait 1s;
      expect state=ringing playing=chime; wait 1s; expect state=rang
      """)
    #expect(failures == [])
  }

  @Test("what sounds without end goes on by itself, and what its state has left is not played again")
  func others() throws {
    let stage = try Stage(Self.states)
    let failures = try stage.take(
      """
      click bell; wait 100ms; expect playing=high; unplug audio; wait 1s; expect playing=; plug audio; wait 1s;
      expect state=looping playing=high; click key; wait 100ms; expect state=idle; click key; wait 300ms;
      expect state=ringing; unplug audio; wait 100ms; click bell; wait 100ms; expect state=idle; plug audio; wait 2s;
      expect state=idle playing=
      """)
    #expect(failures == [])
    #expect(stage.session.journal.last(100).filter { $0.text == "chime started" }.count == 1)
  }

  private static let once = """
    initial: idle
    states:
      idle: { on: { key.pressed: { play: [ chime ] }, audio.lost: alone } }
      rang: {}
      alone: { enter: { play: [ chime ] }, on: { key.pressed: { play: [ chime ] }, chime.finished: rang, audio.restored: again } }
      again: { enter: { play: [ chime ] }, on: { chime.finished: rang } }
    """

  @Test("what a transition has begun ends with the card, without telling that it has finished")
  func begun() throws {
    let stage = try Stage(
      """
      initial: idle
      states:
        idle: { on: { key.pressed: { play: [ chime ] }, chime.finished: rang } }
        rang: {}
      """)
    let failures = try stage.take(
      """
      click key; wait 300ms; expect state=idle playing=chime; unplug audio; wait 5s; expect playing=; plug audio; wait 3s;
      expect state=idle playing=
      """)
    #expect(failures == [])
    #expect(stage.session.journal.last(100).filter { $0.text == "chime started" }.count == 1)
  }

  @Test("while the card is away nothing is begun; what its return begins is heard")
  func away() throws {
    let stage = try Stage(Self.once)
    let failures = try stage.take(
      """
      click key; wait 300ms; unplug audio; wait 1s; expect state=alone playing=; click key; wait 2s;
      expect state=alone playing=; plug audio; wait 1s; expect state=again playing=chime; wait 2s; expect state=rang
      """)
    #expect(failures == [])
    #expect(stage.session.journal.last(100).filter { $0.text == "chime started" }.count == 2)
  }
}
