import HardwareDrivers
import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("What steps expect")
struct ExpectationTests {
  static let states = """
    audio: { volume: level }
    initial: a
    states:
      a: { show: { lamp: { blink: 250ms } }, on: { key.pressed: b, mute.on: c } }
      b: { show: { lamp: { blink: { on: 100ms, off: 900ms, times: 3 } } }, on: { key.pressed: c } }
      c: { show: { lamp: { pulse: 2s } }, on: { key.pressed: d } }
      d: { show: { lamp: { level: 0.3 } } }
    """

  @Test("looks are expected in full, or as what is seen at a glance")
  func looks() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("expect lamp=blinking; expect lamp.blink=250ms") == [])
    #expect(try stage.take("expect lamp.blink.on=250ms lamp.blink.off=250ms") == [])
    #expect(
      try stage.take("expect lamp.blink=1s") == ["expected lamp { blink: 1s }; it is { blink: 250ms }"])
    #expect(try stage.take("click key; expect lamp.blink.on=100ms lamp.blink.off=900ms lamp.blink.times=3") == [])
    #expect(
      try stage.take("expect lamp.blink=250ms") == [
        "expected lamp { blink: 250ms }; it is { blink: { on: 100ms, off: 900ms, times: 3 } }"
      ])
    #expect(
      try stage.take("wait 3s; expect lamp.blink.on=100ms lamp.blink.off=900ms lamp.blink.times=3") == [
        "expected lamp { blink: { on: 100ms, off: 900ms, times: 3 } }; it is off"
      ])
    #expect(try stage.take("click key; expect lamp.pulse=2s; click key; expect lamp.level=0.3") == [])
    #expect(try stage.take("expect lamp.pulse=2s") == ["expected lamp { pulse: 2s }; it is 0.3"])
  }

  @Test("a lamp without its chip shows nothing, whatever the panel wants")
  func lookWithoutChip() throws {
    let stage = try Stage(Self.states)
    #expect(
      try stage.take("unplug gpio; wait 1s; expect lamp.blink=250ms") == ["expected lamp { blink: 250ms }; it is off"])
  }

  @Test("values are expected in ranges, both ends included")
  func ranges() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("expect level=5..7; expect level=3..5; expect level=5..5; expect level=5") == [])
    #expect(try stage.take("expect level=6..7") == ["expected level 6..7; it is 5"])
    #expect(try stage.take("expect level=4") == ["expected level 4; it is 5"])
  }

  @Test("inputs, hardware, the volume and the exit status are expected")
  func others() throws {
    let stage = try Stage(Self.states)
    #expect(
      try stage.take("expect mute=off bell=released gpio=there audio=there audio.volume=0.5 ended=0") == [])
    #expect(
      try stage.take("press bell; wait 10ms; unplug gpio; wait 1s; expect mute=off bell=pressed gpio=lost") == [])
    #expect(
      try stage.take("expect mute=on bell=released audio=lost gpio=there audio.volume=0.4 ended=70") == [
        "expected mute on; it is off", "expected bell released; it is pressed", "expected audio lost; it is there",
        "expected gpio there; it is lost", "expected audio.volume 0.4; it is 0.5", "expected ended 70; it is 0",
      ])
  }

  @Test("an input has the position that the panel has heard of")
  func debounce() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("switch mute=on; expect mute=off; wait 5ms; expect mute=on") == [])
  }

  @Test("any condition is expected, and what its names are is told where it doesn't hold")
  func conditions() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("expect \"level >= 3 and not mute == on\"; expect \"state == a or gpio == lost\"") == [])
    #expect(
      try stage.take("expect \"(level + 1) * 2 == 4 or gpio == lost\"") == [
        "expected (level + 1) * 2 == 4 or gpio == lost; level is 5, gpio is there"
      ])
    #expect(try stage.take("expect \"1 == 2\"") == ["expected 1 == 2; it isn't so"])
  }

  @Test("a panel that has ended is expected by its exit status, and is a failure otherwise")
  func ended() throws {
    let panel = try PanelDefinition.endless()
    func failures(_ steps: String) throws -> [[String]] {
      let scenario = try ScenarioFile.read(Array("scenario: S\nsteps: \(steps)".utf8), file: "s", for: panel)
      return try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.map(\.texts)
    }
    #expect(try failures("[ expect: { ended: 0 }, click: a, expect: { ended: 1 } ]") == [])
    #expect(
      try failures("[ click: a, expect: { ended: 70 } ]") == [["s:2:20: expected ended 70; it is 1"]])
    #expect(try failures("[ click: a ]").count == 1)
  }
}
