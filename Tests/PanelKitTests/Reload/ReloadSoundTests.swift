import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelRun

/// Rule 9 of a reload.
@Suite("Reload of sounds")
struct ReloadSoundTests {
  private static let text = """
    panel: Sounds
    inputs: { bell: { button: GPIO1 } }
    outputs: { lamp: { led: GPIO10 } }
    sounds:
      chime: { file: Examples/doorbell/sounds/chime.wav, volume: 0.5 }
      hum: { tone: 220Hz, volume: 0.1 }
    initial: idle
    states:
      idle: { on: { bell.pressed: ringing } }
      ringing: { show: { lamp: on }, play: [ chime, hum ], on: { chime.finished: idle } }
    """
  private static let withLamp = text.replacing("led: GPIO10 }", with: "led: GPIO10 }, more: { led: GPIO11 }")

  private func samples(_ stage: ReloadStage) -> [Int16] { stage.session.card?.samples ?? [] }

  @Test("what plays goes on to the sample, on a device that stays open, and its end is told")
  func goesOn() throws {
    let (stage, twin) = (try ReloadStage(Self.text), try ReloadStage(Self.text))
    for one in [stage, twin] { try one.take("press bell; wait 20ms; release bell; wait 180ms") }
    #expect(try stage.take("expect playing=chime,hum") == [])
    try stage.reload(Self.withLamp)
    #expect(try stage.take("expect playing=chime,hum lamp=on") == [])
    for one in [stage, twin] { try one.take("wait 5s") }
    #expect(samples(stage) == samples(twin))
    #expect(stage.session.card?.openings == 1)
    #expect(try [stage, twin].map { try $0.take("expect state=idle playing=") } == [[], []])
  }

  @Test("a sound that has ended stays over")
  func over() throws {
    let text = Self.text.replacing(", on: { chime.finished: idle }", with: "").replacing(
      "play: [ chime, hum ]", with: "play: [ chime ]")
    let stage = try ReloadStage(text)
    try stage.take("press bell; wait 8s; expect playing=")
    try stage.reload(text.replacing("led: GPIO10 }", with: "led: GPIO10 }, more: { led: GPIO11 }"))
    #expect(try stage.take("expect playing= state=ringing; wait 1s; expect playing=") == [])
    #expect(stage.session.card?.isSounding == false)
  }

  @Test("a sound of another volume, or of another file, begins anew; one that is gone falls silent")
  func changed() throws {
    for other in ["volume: 0.4", "for: 3s, volume: 0.5"] {
      let stage = try ReloadStage(Self.text)
      try stage.take("press bell; wait 200ms")
      let change =
        other.hasPrefix("for")
        ? Self.text.replacing("file: Examples/doorbell/sounds/chime.wav, volume: 0.5", with: "tone: 440Hz, \(other)")
        : Self.text.replacing("volume: 0.5", with: other)
      try stage.reload(change)
      #expect(try stage.take("expect playing=chime,hum") == [])
      #expect(stage.session.frame[start: 0] == 2 && stage.session.frame[start: 1] == 1)
      #expect(stage.session.card?.openings == 1)
    }
    let stage = try ReloadStage(Self.text)
    try stage.take("press bell; wait 200ms")
    let silent = """
      panel: Silent
      inputs: { bell: { button: GPIO1 } }
      outputs: { lamp: { led: GPIO10 } }
      initial: idle
      states: { idle: { on: { bell.pressed: ringing } }, ringing: { show: { lamp: on } } }
      """
    try stage.reload(silent)
    #expect(try stage.take("wait 100ms; expect state=ringing lamp=on") == [])
    #expect(stage.session.card?.configuration == nil)
  }

  @Test("a card that is away is told to the panel that comes, and its sounds begin when it is back")
  func away() throws {
    let stage = try ReloadStage(Self.text)
    try stage.take("press bell; wait 200ms; unplug audio; wait 100ms; expect audio=lost")
    try stage.reload(Self.withLamp)
    #expect(try stage.take("wait 10ms; expect audio=lost; plug audio; wait 100ms; expect playing=chime,hum") == [])
    #expect(stage.session.card?.isSounding == true)
  }
}
