import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

@Suite("Interlock travel: the pause of an interlock is no travel time")
struct InterlockTravelTests {
  /// The place is counted from the moment when a relay has closed.
  private static let blind = """
    panel: Blind by time
    inputs:
      up: { button: GPIO5 }
      down: { button: GPIO6 }
    outputs:
      motor-up: { relay: GPIO23 }
      motor-down: { relay: GPIO24 }
    interlocks: [ { relays: [ motor-up, motor-down ], pause: 500ms } ]
    values:
      place: { initial: 0, min: 0, max: 200 }
    initial: still
    states:
      still:
        on: { up.pressed: rising, down.pressed: falling }
      rising:
        show: { motor-up: on }
        on: { up.pressed: still, down.pressed: falling }
        when: { place >= 200: still }
        initial: starts
        states:
          starts: { when: { motor-up == closed: rises } }
          rises: { every: { 100ms: { set: { place: +1 } } } }
      falling:
        show: { motor-down: on }
        on: { down.pressed: still, up.pressed: rising }
        when: { place <= 0: still }
        initial: waits
        states:
          waits: { when: { motor-down == closed: falls } }
          falls: { every: { 100ms: { set: { place: -1 } } } }

    """

  @Test("after a turn on the way ten seconds of falling lead back to the floor")
  func travel() throws {
    let panel = try PanelFile.read(Array(Self.blind.utf8), file: "test")
    let scenario = try ScenarioFile.read(
      Array(
        """
        scenario: after a turn on the way, the blind comes down all the way
        steps:
          - click: up
          - wait: 9945ms
          - click: down
          - wait: { until: motor-down == on, at-most: 1s }
          - wait: { for: 9800ms, while: motor-down == on }
          - wait: { until: motor-down == off, at-least: 50ms, at-most: 200ms }
          - expect: { place: 0, state: still }
        """.utf8), file: "s", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
  }

  private static let gate = """
    panel: Roller blind
    inputs: { key: { button: GPIO17, hold: 800ms }, top: { switch: GPIO27, words: { on: reached, off: free } } }
    outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 } }
    interlocks: [ { relays: [ up, down ], pause: 2s } ]
    never: { over-the-top: up == on and top == reached }
    reach: [ open, shut ]
    initial: lost
    resume: [ shut ]
    states:
      lost: { when: { top == reached: open, top == free: opening } }
      open: { on: { key.pressed: closing } }
      shut: { on: { key.pressed: opening } }
      opening:
        show: { up: on }
        when: { top == reached: open }
        on: { key.pressed: closing }
        initial: starts
        states:
          starts: { when: { up == closed: rises } }
          rises: { after: { 30s: stuck } }
      closing:
        show: { down: on }
        on: { key.pressed: opening }
        initial: waits
        states:
          waits: { when: { down == closed: travels } }
          travels: { after: { 10s: shut } }
      stuck: { on: { key.held: lost } }

    """

  @Test("a gate travels for ten seconds from the moment when its relay has closed, after a pause of two")
  func gate() throws {
    let panel = try PanelFile.read(Array(Self.gate.utf8), file: "test")
    let scenario = try ScenarioFile.read(
      Array(
        """
        scenario: Shut at the start moves nothing, and ten seconds of travel are ten seconds
        start: { top: reached }
        steps:
          - expect: { state: open, up: off, down: off }
          - nothing: 1m
          - click: key
          - wait: 1s
          - switch: { top: free }
          - wait: 2s
          - click: key
          - expect: { state: opening, up: off }
          - wait: { until: up == on, at-least: 1900ms, at-most: 2s }
          - click: key
          - wait: { until: down == closed, at-most: 2s }
          - wait: { for: 9990ms, while: down == closed }
          - wait: 10ms
          - expect: { state: shut, down: off }
        """.utf8), file: "s", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
  }

  @Test("what is known of a relay is unknown while its lines are lost, and is reported when they are back")
  func loss() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { key: { button: GPIO5 } }
        outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 }, lamp: { led: GPIO6 }, dark: { led: GPIO7 } }
        interlocks: [ { relays: [ up, down ], pause: 200ms } ]
        regions:
          drive: { initial: a, states: { a: { on: { key.pressed: b } }, b: { show: { up: on }, on: { key.pressed: a } } } }
          lamp:
            initial: unlit
            states:
              unlit: { when: { up == closed: lit } }
              lit: { show: { lamp: on }, when: { not (up == closed): unlit } }
          dark: { initial: none, states: { none: { when: { up == open: all } }, all: { show: { dark: on }, when: { up != open: none } } } }

        """)
    #expect(try stage.take("wait 1ms; expect lamp=off dark=on") == [])
    #expect(try stage.take("click key; wait 1ms; expect lamp=on dark=off up=on") == [])
    // Unknown decides nothing: neither becomes another.
    #expect(try stage.take("unplug gpio; wait 10ms; expect state.lamp=lit state.dark=none; plug gpio; wait 1ms") == [])
    #expect(try stage.take("wait 5s; expect lamp=on up=on; click key; wait 1ms; expect lamp=off dark=on up=off") == [])
  }

  @Test("a relay that follows its own contact would chatter for ever: the panel stops, and says which")
  func chatter() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { key: { button: GPIO5 } }
        outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 } }
        interlocks: [ { relays: [ up, down ] } ]
        initial: x
        states:
          x: { on: { key.pressed: a } }
          a: { show: { up: on }, when: { up == closed: b } }
          b: { when: { up == open: a } }

        """)
    try stage.take("click key; wait 1s; expect up=off")
    let session = stage.session
    #expect(session.frame.stop?.text(in: session.panel) == "relay \"up\" opens and closes without end")
  }

  @Test("scenarios of a panel that doesn't ask look at the line")
  func scenario() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { key: { button: GPIO5 } }
        outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 } }
        interlocks: [ { relays: [ up, down ], pause: 300ms } ]
        initial: a
        states: { a: { show: { up: on }, on: { key.pressed: b } }, b: { show: { down: on } } }

        """)
    let panel = stage.session.panel
    #expect(!panel.readsContacts)
    let scenario = try ScenarioFile.read(
      Array(
        """
        scenario: S
        steps:
          - wait: { until: up == closed, at-most: 1ms }
          - click: key
          - wait: { for: 200ms, while: up == open and down == open }
          - wait: { until: down == closed, at-least: 50ms, at-most: 100ms }
        """.utf8), file: "s", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
  }

  @Test("only a relay with rest or in an interlock can be asked whether it is closed")
  func wrong() {
    func problems(_ condition: String) -> [String] {
      Fixture.problems(
        ofPanel: """
          panel: T
          inputs: { a: { button: GPIO5 } }
          outputs: { fan: { relay: GPIO24 }, l: { led: GPIO23 }, up: { relay: GPIO6 }, down: { relay: GPIO7 } }
          interlocks: [ { relays: [ up, down ] } ]
          initial: x
          states:
            x: { when: { \(condition): y } }
            y: { show: { l: on }, on: { a.pressed: x } }

          """)
    }
    #expect(
      problems("fan == closed") == [
        "7:16: only a relay with rest or in an interlock can be \"closed\"; \"fan\" closes as soon as a state shows it"
      ])
    #expect(
      problems("fan != open") == [
        "7:16: only a relay with rest or in an interlock can be \"open\"; \"fan\" is open as soon as no state shows it"
      ])
    #expect(
      problems("l == closed") == [
        "7:16: only a relay with rest or in an interlock can be \"closed\"; \"l\" is not a relay"
      ])
    #expect(problems("up == closed and down != open") == [])
    #expect(problems("up > closed").count == 1)
  }

  @Test("after a reload it is known which relay is closed, also if the file before didn't ask")
  func reload() throws {
    let asking = """
      panel: P
      inputs: { key: { button: GPIO5 } }
      outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 }, lamp: { led: GPIO6 } }
      interlocks: [ { relays: [ up, down ], pause: 200ms } ]
      regions:
        drive:
          initial: a
          states:
            a: { on: { key.pressed: b } }
            b: { show: { up: on }, on: { key.pressed: c } }
            c: { show: { down: on } }
        lamp:
          initial: unlit
          states:
            unlit: { when: { up == closed: lit } }
            lit: { show: { lamp: on }, when: { up == open: unlit } }

      """
    let silent = asking.replacing("when: { up == closed: lit }", with: "after: { 60m: lit }")
      .replacing("when: { up == open: unlit }", with: "after: { 60m: unlit }")
    let stage = try ReloadStage(silent)
    #expect(try stage.take("click key; wait 1s; expect up=on lamp=off") == [])
    let before = stage.changes("GPIO24")
    try stage.reload(asking)
    #expect(try stage.take("wait 1ms; expect up=on lamp=on") == [])
    try stage.reload(asking + "\n")
    #expect(try stage.take("wait 1s; expect up=on lamp=on") == [])
    #expect(stage.changes("GPIO24") == before)
    #expect(try stage.take("click key; wait 1ms; expect lamp=off; wait 1s; expect down=on") == [])
  }

  @Test("a recording has what the relays did, and is replayed with the same frames")
  func recording() throws {
    let recording = try RecordingStage.recording(Self.blind, ["click up", "wait 900ms", "click down", "wait 3s"])
    let contacts = RecordingStage.causes(of: recording).filter { $0.contains("contacts") }
    #expect(contacts.count >= 4, "\(contacts)")
    let application = try PanelApplication.undriven(try PanelFile.read(Array(Self.blind.utf8), file: "test"))
    _ = try application.cycle.replay(
      RecordingReader(RecordingBytes(recording), name: "test.recording"), ReplayOptions())
    #expect(application.frame[value: 0] == 0)
  }
}
