import TestSupport
import Testing

/// Panels in which many parts of the language work together, each with its scenarios.
@Suite("Panels of the whole language")
struct LanguageScenarioTests {
  private func failures(of panel: String, _ scenario: String) throws -> [String] {
    try TimeOfDayTests.failures(of: panel, scenario)
  }

  // MARK: - A heater with a sensor that fails

  private static let greenhouse = """
    panel: Greenhouse
    inputs:
      air: { sensor: { w1: any }, min: 0, max: 40, decimals: 1, if-lost: max }
      warm: { switch: { on: air >= goal + 0.5, off: air <= goal - 0.5 } }
      knob: { encoder: [GPIO5, GPIO6] }
      mode: { button: GPIO17 }
    outputs:
      heater: { relay: GPIO24, rest: 5m }
      fault: { led: GPIO23 }
      screen: { display: { i2c: 0x27 } }
    texts: { modes: [Off, Day, Night] }
    values:
      goal: { initial: 20.5, min: 5, max: 30, decimals: 1, unit: °C, keep: { within: 60s } }
      plan: { initial: 2, min: 1, max: 3 }
    accept: { set: [goal] }
    on:
      knob.clockwise: { set: { goal: +0.5 } }
      knob.counterclockwise: { set: { goal: -0.5 } }
      mode.pressed: { set: { plan: plan mod 3 + 1 } }
    show:
      fault: { when: { air == lost: { blink: 250ms } } }
      screen:
        - "{air:4.1} > {goal:.1}"
        - when:
            air == unknown: wait
            air == lost: no sensor
            heater == on: "{modes(plan)} heats"
            else: "{modes(plan)}"
    never: { burns: heater == on and air == lost }
    initial: rests
    states:
      rests: { when: { warm == off and plan != 1: heats } }
      heats:
        show: { heater: on }
        when: { air == lost or plan == 1: rests, warm == on and elapsed >= 150s: rests }

    """

  @Test("a heater waits for the first reading, goes off when its sensor is lost, and rests after it")
  func sensorFails() throws {
    let failures = try failures(
      of: Self.greenhouse,
      """
      scenario: No reading, a reading, no sensor, a reading again
      steps:
        - expect: { air: unknown, warm: unknown, heater: off, fault: off, state: rests }
        - wait: 100ms
        - expect: { screen: "   - > 20.5 / wait" }
        - nothing: 750ms
        - sense: { air: 20.5 }
        - expect: { state: heats, heater: on, warm: off }
        - wait: 100ms
        - expect: { screen: "20.5 > 20.5 / Day heats" }
        - unplug: air
        - wait: 10ms
        - expect: { state: rests, heater: off, fault: blinking, air: lost, warm: on }
        - wait: 100ms
        - expect: { screen: "   - > 20.5 / no sensor" }
        - sense: { air: 18 }
        - wait: 10ms
        - expect: { state: heats, heater: off, fault: off, warm: off }
        - wait: { until: heater == on, at-least: 299s, at-most: 300s }
        - wait: 100ms
        - expect: { screen: "18.0 > 20.5 / Day heats" }

      """)
    #expect(failures == [])
  }

  @Test("a heater runs for its shortest time, and stops at once when it is switched off")
  func shortestTime() throws {
    let failures = try failures(
      of: Self.greenhouse,
      """
      scenario: It runs 150 seconds at least, and half degrees count
      start: { air: 17.8 }
      steps:
        - expect: { state: heats, heater: on }
        - sense: { air: 25 }
        - wait: { for: 149s, while: heater == on }
        - wait: { until: heater == off, at-least: 900ms, at-most: 1s }
        - turn: { knob: 3 }
        - expect: { goal: 22 }
        - click: mode
        - click: mode
        - wait: 100ms
        - expect: { plan: 1, screen: "25.0 > 22.0 / Off" }
        - sense: { air: 10 }
        - wait: 6m
        - expect: { heater: off, state: rests }
        - click: mode
        - expect: { heater: on }
        - click: mode
        - click: mode
        - expect: { plan: 1, heater: off, state: rests }

      """)
    #expect(failures == [])
  }

  // MARK: - A time that waits for a reading

  private static let garden = """
    panel: Garden
    inputs:
      rain: { switch: GPIO17, debounce: { on: 3s, off: 30m } }
      soil: { sensor: { iio: ads1115, channel: voltage0, scale: 30 }, min: 0, max: 100, if-lost: max }
      stop: { button: GPIO27 }
    outputs:
      valves: { relays: [GPIO5, GPIO6, GPIO13], active: low }
      pump: { relay: GPIO19, active: low }
    values:
      bed: { initial: 0, min: 0, max: 4 }
      minutes: { list: 3, filled: [10, 5, 20], min: 0, max: 60 }
      run: { initial: 0s, min: 0s, max: 60m }
    interlocks: [ { relays: [valves], pause: 0s } ]
    never: { dry: pump == on and bed == 0 }
    reach: [waters]
    initial: waits
    states:
      waits:
        at:
          06:00 mon wed fri: { go: waters, if: soil < 40 and rain == off, late: 2h }
      waters:
        enter: { set: { bed: 1 } }
        exit: { set: { bed: 0 } }
        show: { pump: on, valves: { only: bed } }
        on: { stop.pressed | rain.on: waits }
        initial: one
        states:
          one:
            enter: { set: { run: "max(1m, minutes(bed) * 1m)" } }
            after: { run: [ { go: one, if: bed < 3, set: { bed: +1 } }, waits ] }

    """

  @Test("after a power cut a missed time waits for the first reading of its condition, and fires once")
  func missed() throws {
    let failures = try failures(
      of: Self.garden,
      """
      scenario: A power cut over six o'clock, without a reading before it
      cases:
        - { cut: 90m, reading: 20, state: waters, pump: on }
        - { cut: 149m, reading: 20, state: waters, pump: on }
        - { cut: 90m, reading: 40, state: waits, pump: off }
        - { cut: 151m, reading: 20, state: waits, pump: off }
      start: { clock: "2026-11-25 05:30:00", rain: off }
      steps:
        - wait: 2s
        - power-cut: $cut
        - wait: 5s
        - expect: { state: waits, pump: off, soil: unknown }
        - sense: { soil: $reading }
        - expect: { state: $state, pump: $pump }
        - wait: 36m
        - expect: { state: waits, pump: off, bed: 0 }
        - sense: { soil: 10 }
        - nothing: 20m

      """)
    #expect(failures == [])
  }

  @Test("a missed time whose condition becomes known too late does not fire")
  func missedTooLate() throws {
    let failures = try failures(
      of: Self.garden,
      """
      scenario: The first reading comes two hours after the time
      cases: [ { wait: 1795s, state: waters }, { wait: 30m, state: waits } ]
      start: { clock: "2026-11-25 05:30:00", rain: off }
      steps:
        - wait: 2s
        - power-cut: 2h
        - wait: $wait
        - sense: { soil: 20 }
        - expect: { state: $state }

      """)
    #expect(failures == [])
  }

  @Test("each bed gets water for its own time, and a wet soil or a day without watering gets none")
  func beds() throws {
    let failures = try failures(
      of: Self.garden,
      """
      scenario: Wednesday and Thursday
      start: { clock: "2026-11-25 05:59:00", soil: 20, rain: off }
      steps:
        - wait: 1m
        - expect: { pump: on, valves: [ on, off, off ], bed: 1 }
        - wait: { for: 599s, while: valves(1) == on }
        - wait: 1s
        - expect: { valves: [ off, on, off ] }
        - wait: { for: 299s, while: valves(2) == on }
        - wait: 1s
        - expect: { valves: [ off, off, on ], bed: 3 }
        - wait: { for: 1199s, while: valves(3) == on }
        - wait: 1s
        - expect: { pump: off, valves: [ off, off, off ], bed: 0, state: waits }
        - wait: 24h
        - expect: { state: waits }
        - sense: { soil: 60 }
        - clock: "2026-11-27 05:59:30"
        - wait: 1m
        - expect: { state: waits }

      """)
    #expect(failures == [])
  }

  // MARK: - One region for each turnout

  private static let turnouts = """
    panel: Turnouts
    inputs: { keys: { buttons: [GPIO5, GPIO6, GPIO13] }, home: { button: GPIO26 } }
    outputs:
      main: { relays: [GPIO4, GPIO17, GPIO27] }
      branch: { relays: [GPIO22, GPIO10, GPIO9] }
      lamps: { leds: [GPIO16, GPIO20, GPIO21] }
      free: { led: GPIO12 }
    values: { places: { list: 3, filled: 0, min: 0, max: 1, keep: { within: 0s } } }
    interlocks: [ { relays: [main, branch], pause: 100ms } ]
    show: { free: { when: { turnout.count(rests) == 3: on } } }
    never: { both: main(1) == on and branch(1) == on }
    regions:
      turnout:
        each: 1..3
        initial: rests
        states:
          rests:
            show: { lamps(each): { when: { places(each) == 1: on } } }
            on:
              keys(each).pressed: [ { go: leaves, if: places(each) == 0 }, returns ]
              home.pressed: { go: returns, if: places(each) == 1 }
          leaves:
            show: { branch(each): on, lamps(each): { blink: 100ms } }
            when: { branch(each) == closed: leaving }
          leaving:
            show: { branch(each): on, lamps(each): { blink: 100ms } }
            after: { 300ms: { go: rests, set: { places(each): 1 } } }
          returns:
            show: { main(each): on, lamps(each): { blink: 100ms } }
            when: { main(each) == closed: returning }
          returning:
            show: { main(each): on, lamps(each): { blink: 100ms } }
            after: { 300ms: { go: rests, set: { places(each): 0 } } }

    """

  @Test("an interlock over the members of repeated regions closes one relay after the other")
  func oneAtATime() throws {
    let failures = try failures(
      of: Self.turnouts,
      """
      scenario: Two keys at once, and each pulse is whole
      steps:
        - expect: { free: on, lamps: off }
        - press: [ keys(1), keys(3) ]
        - wait: 5ms
        - expect: { branch: [ on, off, off ], free: off }
        - expect: { state: { turnout(1): leaving, turnout(2): rests, turnout(3): leaves } }
        - wait: 300ms
        - expect: { branch: [ off, off, off ], places: [ 1, 0, 0 ], lamps: [ on, off, blinking ] }
        - wait: { until: branch(3) == closed, at-least: 100ms, at-most: 100ms }
        - wait: { for: 299ms, while: branch(3) == closed }
        - wait: 1ms
        - expect: { places: [ 1, 0, 1 ], free: on, main: off }
        - release: [ keys(1), keys(3) ]
        - wait: 100ms
        - click: home
        - expect: { main: [ on, off, off ], state: { turnout(3): returns } }
        - wait: 2s
        - expect: { places: [ 0, 0, 0 ], free: on, lamps: off }

      """)
    #expect(failures == [])
  }

  @Test("each repeated region finds its element of a kept list after a power cut")
  func keptElements() throws {
    let failures = try failures(
      of: Self.turnouts,
      """
      scenario: The second turnout is on its branch
      start: { places: [ 0, 1, 0 ] }
      steps:
        - expect: { lamps: [ off, on, off ] }
        - click: keys(3)
        - wait: 500ms
        - power-cut: 1s
        - expect: { places: [ 0, 1, 1 ], lamps: [ off, on, on ], free: on }
        - click: keys(2)
        - wait: 500ms
        - expect: { places: [ 0, 0, 1 ], main: off }

      """)
    #expect(failures == [])
  }

  // MARK: - Cards

  private static let box = """
    panel: Box
    inputs:
      card:
        code: { keys: "Sycreader USB Reader" }
        known: { fox: "0004512345", bear: "0004512346", owner: "0009999999" }
      louder: { button: GPIO5, hold: 500ms, repeat: 200ms }
      off: { button: GPIO26, hold: 3s }
    outputs: { lamp: { led: GPIO23 }, screen: { display: { i2c: 0x27 } } }
    sounds: { stories: { tones: [262Hz, 330Hz], for: 30s }, no: { tone: 200Hz, for: 300ms } }
    texts: { titles: [The fox, The bear] }
    values:
      story: { initial: 0, min: 0, max: 2 }
      level: { initial: 5, min: 0, max: 10 }
      most: { initial: 8, min: 0, max: 10 }
    audio: { volume: level }
    on:
      louder.pressed | louder.repeated: { if: level < most, set: { level: +1 } }
      off.held: { power: off }
      card.owner: { power: restart }
      card.other: { play: [no] }
      card.fox: { go: plays, set: { story: 1 } }
      card.bear: { go: plays, set: { story: 2 } }
    initial: still
    states:
      still:
        show:
          screen:
            - Music box
            - when: { card == unknown: Show a card, card == other: Not a story, else: Again? }
      plays:
        show: { lamp: on, screen: [ "{titles(story)}", "{story:02} {level:2}" ] }
        play: [ stories(story) ]
        on: { stories.finished: still }

    """

  @Test("a card chooses a story, another card the next one, and the box is switched off")
  func cards() throws {
    let failures = try failures(
      of: Self.box,
      """
      scenario: Two cards, a foreign card, a key that repeats, and off
      steps:
        - wait: 100ms
        - expect: { screen: "Music box / Show a card", card: unknown }
        - event: { card: bear }
        - expect: { state: plays, lamp: on, playing: [ stories(2) ] }
        - wait: 100ms
        - expect: { screen: "The bear / 02  5" }
        - event: { card: fox }
        - expect: { playing: [ stories(1) ] }
        - wait: 100ms
        - expect: { screen: "The fox / 01  5" }
        - hold: { louder: 1s }
        - expect: { level: 8 }
        - wait: 31s
        - expect: { state: still, lamp: off }
        - event: { card: other }
        - expect: { state: still, story: 1, playing: [ no ] }
        - wait: 100ms
        - expect: { screen: "Music box / Not a story" }
        - hold: { off: 3s }
        - expect: { power: off }

      """)
    #expect(failures == [])
  }

  // MARK: - Unknown inputs

  @Test("what is not known makes no condition true, and no negation either")
  func unknown() throws {
    let failures = try failures(
      of: """
        panel: Unknown
        inputs:
          air: { sensor: { w1: any }, min: 0, max: 50, if-lost: keep }
          door: { switch: GPIO17, words: { on: shut, off: open } }
          far: { switch: GPIO27 }
        outputs:
          cold: { led: GPIO5 }
          either: { led: GPIO6 }
          present: { led: GPIO13 }
          waiting: { led: GPIO19 }
          both: { led: GPIO26 }
          remote: { led: GPIO20 }
          screen: { display: { i2c: 0x27 } }
        values: { n: { initial: 3, min: 0, max: 50 } }
        show:
          cold: { when: { not air > 5: on } }
          either: { when: { air > 5 or door == shut: on } }
          present: { when: { not air == lost: on } }
          waiting: { when: { air == unknown: on } }
          both: { when: { air > 5 and door == open: on } }
          remote: { when: { far == unknown: { blink: 250ms }, far == on: on } }
          screen: "{air} {n:03}"
        on: { door.open: { set: { n: air } } }
        initial: x
        states: { x: }

        """,
      """
      scenario: A sensor without a reading, lost, and with one
      start: { door: shut, far: unknown }
      steps:
        - expect: { cold: off, either: on, present: off, waiting: on, both: off, remote: blinking }
        - wait: 100ms
        - expect: { screen: "- 003" }
        - switch: { door: open }
        - wait: 10ms
        - expect: { cold: off, either: off, both: off, n: 3 }
        - unplug: air
        - wait: 10ms
        - expect: { cold: off, either: off, present: off, waiting: off, both: off }
        - sense: { air: 9 }
        - expect: { cold: off, either: on, present: on, waiting: off, both: on }
        - wait: 100ms
        - expect: { screen: "9 003" }
        - switch: { far: on }
        - wait: 10ms
        - expect: { remote: on }
        - switch: { door: shut }
        - wait: 10ms
        - switch: { door: open }
        - wait: 10ms
        - expect: { n: 9 }
        - unplug: air
        - wait: 110ms
        - expect: { air: lost, both: on, screen: "- 009" }

      """)
    #expect(failures == [])
  }
}
