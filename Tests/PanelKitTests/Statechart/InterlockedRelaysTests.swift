import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

@Suite("Relays in an interlock")
struct InterlockedRelaysTests {
  private static let door = """
    panel: Door
    inputs: { key: { button: GPIO5 }, stop: { button: GPIO6 } }
    outputs: { lamp: { led: GPIO23 }, up: { relay: GPIO24 }, down: { relay: GPIO25, active: low }, light: { relay: GPIO8 } }
    interlocks: [ { relays: [up, down], pause: 200ms } ]

    """

  @Test("the next relay closes only after the pause, and what is seen is the line")
  func pause() throws {
    let stage = try Stage(
      panel: Self.door + """
        initial: rising
        states:
          resting: { on: { key.pressed: rising } }
          rising: { show: { up: on, light: on }, on: { key.pressed: falling, stop.pressed: resting } }
          falling: { show: { down: on }, on: { key.pressed: rising } }
        """)
    #expect(try stage.take("expect up=on down=off light=on") == [])
    #expect(
      try stage.take("click key; expect state=falling up=off down=off light=off; wait 100ms; expect down=off") == [])
    #expect(try stage.take("wait 100ms; expect down=on up=off") == [])
    #expect(stage.chip.line("GPIO25").level == .low)
    #expect(try stage.take("click key; wait 10ms; click stop; wait 300ms; expect up=off down=off state=resting") == [])
    #expect(try stage.take("click key; wait 1ms; expect up=on") == [])
    stage.session.stop()
    #expect(stage.chip.line("GPIO24").level == .low)
  }

  @Test("two that are asked for by two regions: one stays closed, and it is told once")
  func together() throws {
    let stage = try Stage(
      panel: Self.door + """
        regions:
          one: { initial: a, states: { a: { on: { key.pressed: b } }, b: { show: { down: on } } } }
          two: { initial: c, states: { c: { on: { stop.pressed: d } }, d: { show: { up: on } } } }
        """)
    #expect(
      try stage.take("click key; wait 300ms; expect down=on; click stop; wait 500ms; expect down=on up=off") == [])
    #expect(stage.session.application.frame.troubles == [.askedTogether(["up", "down"], kept: "down")])
    #expect(
      stage.session.application.frame.troubles[0].text
        == "up, down of an interlock are to be on together; only down is")
    #expect(FailureContext(of: stage.session).lines.contains { $0.hasSuffix("only down is") })
  }

  @Test("after the chip was away the relay that is wanted closes again after the pause")
  func loss() throws {
    let stage = try Stage(panel: Self.door + "initial: a\nstates: { a: { show: { down: on } } }")
    #expect(try stage.take("wait 200ms; expect down=on; unplug gpio; plug gpio; wait 5s; expect down=on up=off") == [])
    #expect(stage.session.application.frame.missing == [])
    #expect(try stage.take("unplug gpio") == [])
    let text = stage.session.application.frame.troubles.last?.text ?? ""
    #expect(text.hasPrefix("gpio (") && text.contains("lost"))
  }

  @Test("a safe state opens both")
  func safe() throws {
    let panel = try PanelFile.read(
      Array((Self.door + "initial: a\nstates: { a: { show: { up: on } } }").utf8), file: "-")
    let platform = try Platform(.simulated)
    let chip = SimulatedChip(platform.bench)
    chip.keepsReleasedOutputs = true
    chip.line("GPIO24").drive(.high)
    #expect(SafeStateSetter(of: panel).show(on: PanelChips(own: chip), platform).isEmpty)
    #expect(chip.line("GPIO24").level == .low)
    #expect(chip.line("GPIO25").level == .high)
    #expect(chip.heldLines == 0)
  }

  @Test("the relays and the pause of a file; half a second unless it is set")
  func reading() throws {
    let text =
      Self.door.split(separator: "interlocks")[0] + """
        interlocks:
          - { relays: [light, down] }
        initial: a
        states: { a: }
        """
    let panel = try PanelFile.read(Array(text.utf8), file: "-")
    #expect(panel.interlocks == [.init(relays: [3, 2], pause: .milliseconds(500))])
  }

  @Test("what is no relay is told with what it is and what the relays are")
  func wrong() {
    let text = """
      panel: T
      inputs:
        a: { button: GPIO5 }

      outputs:
        l: { led: GPIO23 }
        up: { relay: GPIO24 }
        down: { relay: GPIO25 }

      initial: x
      states:
        x: { show: { l: on } }

      interlocks: [ { relays: [up, l] } ]
      """
    #expect(Fixture.problems(ofPanel: text) == ["14:30: \"l\" is an led, not a relay; relays: up, down"])
  }
}
