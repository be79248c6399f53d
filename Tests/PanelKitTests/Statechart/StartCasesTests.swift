import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

/// A panel and a scenario of its start.
private struct StartCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let panel: String
  let scenario: String
}

@Suite("The start of a panel: small panels that were wrong in their first moment")
struct StartCasesTests {
  @Test("begins with what its inputs are", arguments: cases)
  fileprivate func start(one: StartCase) throws {
    try withFiles { folder in
      save(WAVBytes(data: [UInt8](repeating: 0, count: 9600)).bytes, at: "\(folder)/a.wav")
      let panel = try PanelFile.read(Array(one.panel.utf8), file: "p", folder: folder)
      let scenario = try ScenarioFile.read(Array(one.scenario.utf8), file: "s", for: panel)
      #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
    }
  }

  private static let cases: [StartCase] = [
    StartCase(
      testDescription: "start: a device has the name of a word of the start",
      panel: """
        panel: Words
        inputs:
          busy: { switch: GPIO5 }
          unsettled: { button: GPIO6 }
          absent: { switch: GPIO13 }
          unknown: { switch: GPIO16 }
        outputs:
          lamp: { led: GPIO25 }
        initial: rests
        states:
          rests: { when: { busy == on and absent == on and unknown == on: works } }
          works: { show: { lamp: on } }

        """,
      scenario: """
        scenario: the word takes a list or a map, and the device takes a word
        start: { busy: on, absent: on, unknown: on, unsettled: pressed }
        steps:
          - expect: { busy: on, unsettled: pressed, lamp: on }

        """),
    StartCase(
      testDescription: "start: lines are busy and contacts bounce in a panel with such names",
      panel: """
        panel: Words
        inputs:
          busy: { switch: GPIO5 }
          unsettled: { switch: GPIO6 }
        outputs:
          lamp: { led: GPIO25 }
        initial: rests
        states:
          rests: { when: { busy == on: works } }
          works: { show: { lamp: on } }

        """,
      scenario: """
        scenario: the word takes a list or a map, and the device takes a word
        start: { busy: [ lamp ], unsettled: { busy: 200ms, unsettled: 3ms } }
        steps:
          - expect: { busy: unknown, unsettled: off, gpio: lost }

        """),
    StartCase(
      testDescription: "start: a sensor that has not been read is not near",
      panel: """
        panel: Talking picture
        inputs:
          far: { sensor: { distance: [GPIO23, GPIO24] }, min: 0, max: 4000 }
        outputs:
          lamp: { led: GPIO25 }
        sounds:
          story: { file: a.wav }
        values:
          told: { initial: 0, min: 0, max: 99 }
        initial: waiting
        states:
          waiting: { when: { far < 600: telling } }
          telling:
            enter: { set: { told: +1 } }
            show: { lamp: on }
            play: [ story ]
            on: { story.finished: pausing }
          pausing: { when: { far >= 600: waiting } }

        """,
      scenario: """
        scenario: nobody is there when the museum opens
        start: { far: 3000 }
        steps:
          - wait: 10s
          - expect: { told: 0, state: waiting }

        """),
    StartCase(
      testDescription: "start: a window that is shut was never open",
      panel: """
        panel: Window contact at the start
        inputs:
          window: { switch: GPIO17, words: { on: shut, off: open } }
        outputs:
          horn: { relay: GPIO24 }
        values:
          alarms: { initial: 0, min: 0, max: 9 }
        initial: guarding
        states:
          guarding:
            when: { window == open: { go: sounding, set: { alarms: +1 } } }
          sounding:
            show: { horn: on }
            after: { 1m: guarding }

        """,
      scenario: """
        scenario: the window is shut when the panel starts
        start: { window: shut }
        steps:
          - expect: { state: guarding, alarms: 0, horn: off }
          - wait: 10s
          - expect: { state: guarding, alarms: 0, horn: off }

        """),
    StartCase(
      testDescription: "start: a heater at 25 degrees stays off",
      panel: """
        panel: Heater of a shop
        inputs:
          room: { sensor: { w1: any }, min: 0, max: 40, initial: 20, if-lost: max }
          warm: { switch: { on: room >= 21, off: room < 19 } }
        outputs:
          heater: { relay: GPIO24 }
        values:
          starts: { initial: 0, min: 0, max: 9 }
        initial: resting
        states:
          resting:
            when: { warm == off: { go: heating, set: { starts: +1 } } }
          heating:
            show: { heater: on }
            when: { warm == on: resting }

        """,
      scenario: """
        scenario: warm at the start
        start: { room: 25 }
        steps:
          - wait: 1s
          - expect: { state: resting, heater: off, starts: 0 }

        """),
    StartCase(
      testDescription: "start: a gate that is shut need not be closed first",
      panel: """
        panel: Gate that shuts itself at the start
        inputs: { key: { button: GPIO5 }, shut: { switch: GPIO6 } }
        outputs: { opening: { relay: GPIO23 }, closing: { relay: GPIO24 } }
        interlocks: [ { relays: [ opening, closing ], pause: 5s } ]
        initial: homing
        states:
          homing: { show: { closing: on }, when: { shut == on: still } }
          still: { on: { key.pressed: rising } }
          rising: { show: { opening: on }, after: { 30s: homing } }

        """,
      scenario: """
        scenario: the gate is shut at the start, so the closing relay never needs to close, and the opening one may at once
        start: { shut: on }
        steps:
          - wait: 1s
          - press: key
          - wait: 10ms
          - expect: { opening: on }

        """),
    StartCase(
      testDescription: "switch at start: a switch that was left on opens no gate",
      panel: """
        panel: Gate by a toggle switch
        inputs:
          hall: { switch: GPIO5 }
        outputs: { gate: { relay: GPIO24 } }
        values: { pulses: { initial: 0, min: 0, max: 99, keep: true } }
        initial: still
        states:
          still: { on: { hall.on | hall.off: pulse } }
          pulse: { enter: { set: { pulses: +1 } }, show: { gate: on }, after: { 500ms: still } }

        """,
      scenario: """
        scenario: the toggle switch was left on; the panel restarts three times
        start: { hall: on }
        steps:
          - wait: 10s
          - expect: { pulses: 0 }
          - restart: { after: stop }
          - wait: 10s
          - expect: { pulses: 0 }

        """),
    StartCase(
      testDescription: "start: what is shut at the start never was open",
      panel: """
        panel: Window alarm
        inputs:
          window: { switch: GPIO17, words: { on: shut, off: open } }
          guard: { switch: GPIO27, words: { on: closed, off: open } }
        outputs: { horn: { relay: GPIO24 }, fan: { relay: GPIO25 } }
        values: { alarms: { initial: 0, min: 0, max: 9 } }
        never: { unguarded: fan == on and guard == open }
        regions:
          horn:
            initial: guarding
            states:
              guarding: { when: { window == open: { go: sounding, set: { alarms: +1 } } } }
              sounding: { show: { horn: on }, after: { 1m: guarding } }
          fan:
            initial: cooling
            states:
              cooling: { show: { fan: on }, when: { guard == open: still } }
              still: { when: { guard == closed: cooling } }

        """,
      scenario: """
        scenario: What is shut at the start never was open
        start: { window: shut, guard: closed }
        steps: [ { expect: { alarms: 0, horn: off, fan: on } }, { heard: [] }, { nothing: 10s }, { switch: { window: open } }, { wait: 10ms }, { expect: { alarms: 1, horn: on } } ]

        """),
    StartCase(
      testDescription: "start: what is open at the start is open",
      panel: """
        panel: Window alarm
        inputs:
          window: { switch: GPIO17, words: { on: shut, off: open } }
          guard: { switch: GPIO27, words: { on: closed, off: open } }
        outputs: { horn: { relay: GPIO24 }, fan: { relay: GPIO25 } }
        values: { alarms: { initial: 0, min: 0, max: 9 } }
        never: { unguarded: fan == on and guard == open }
        regions:
          horn:
            initial: guarding
            states:
              guarding: { when: { window == open: { go: sounding, set: { alarms: +1 } } } }
              sounding: { show: { horn: on }, after: { 1m: guarding } }
          fan:
            initial: cooling
            states:
              cooling: { show: { fan: on }, when: { guard == open: still } }
              still: { when: { guard == closed: cooling } }

        """,
      scenario: """
        scenario: What is open at the start is open
        start: { window: open, guard: open }
        steps: [ { expect: { alarms: 1, horn: on, fan: off } }, { heard: [] }, { switch: { guard: closed } }, { wait: 10ms }, { expect: { fan: on } } ]

        """),
    StartCase(
      testDescription: "start: the stop is struck and a saw is on",
      panel: """
        panel: Dust collector
        inputs:
          saw: { switch: GPIO5, report-start: true }
          estop: { switch: GPIO19, active: high, words: { on: struck, off: free } }
          reset: { button: GPIO26 }
        outputs: { fan: { relay: GPIO24 }, fault: { led: GPIO23 } }
        never: { after-stop: fan == on and estop == struck }
        regions:
          safety:
            initial: ok
            states:
              ok: { when: { estop == struck: stopped } }
              stopped: { show: { fault: { blink: 200ms } }, on: { reset.pressed: { go: ok, if: estop == free } } }
          fan:
            initial: still
            states:
              still: { on: { saw.on: { go: running, if: state.safety == ok } } }
              running: { show: { fan: on }, when: { state.safety == stopped or saw == off: still } }

        """,
      scenario: """
        scenario: The stop is struck and a saw is on when the panel starts
        start: { saw: on, estop: struck }
        steps: [ { expect: { fan: off, fault: blinking, state: { safety: stopped, fan: still } } }, { heard: [ saw.on ] }, { nothing: 1m } ]

        """),
    StartCase(
      testDescription: "start: a saw that is on is reported because the file asks for it",
      panel: """
        panel: Dust collector
        inputs:
          saw: { switch: GPIO5, report-start: true }
          estop: { switch: GPIO19, active: high, words: { on: struck, off: free } }
          reset: { button: GPIO26 }
        outputs: { fan: { relay: GPIO24 }, fault: { led: GPIO23 } }
        never: { after-stop: fan == on and estop == struck }
        regions:
          safety:
            initial: ok
            states:
              ok: { when: { estop == struck: stopped } }
              stopped: { show: { fault: { blink: 200ms } }, on: { reset.pressed: { go: ok, if: estop == free } } }
          fan:
            initial: still
            states:
              still: { on: { saw.on: { go: running, if: state.safety == ok } } }
              running: { show: { fan: on }, when: { state.safety == stopped or saw == off: still } }

        """,
      scenario: """
        scenario: A saw that is on at the start is reported, because the file asks for it
        start: { saw: on }
        steps: [ { expect: { fan: on } }, { heard: [ saw.on ] }, { switch: { saw: off } }, { wait: 10ms }, { expect: { fan: off } } ]

        """),
  ]
}
