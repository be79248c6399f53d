import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("Times of day")
struct TimeOfDayTests {
  /// Runs a scenario on a panel. Returns its failures.
  static func failures(of panel: String, _ scenario: String) throws -> [String] {
    let definition = try PanelFile.read(Array(panel.utf8), file: "test")
    let read = try ScenarioFile.read(Array(scenario.utf8), file: "test", for: definition)
    return try read.cases.flatMap { try ScenarioRun(read, of: definition).run($0).failures.flatMap(\.texts) }
  }

  private static let alarm = """
    panel: Alarm clock
    inputs:
      snooze: { button: GPIO17, hold: 2s }
      set: { encoder: [ GPIO5, GPIO6 ] }
      armed: { switch: GPIO27 }
    outputs: { lamp: { led: GPIO23 } }
    values: { wake: { initial: "06:30", keep: true } }
    on:
      set.clockwise: { set: { wake: +5m } }
      set.counterclockwise: { set: { wake: -5m } }
    initial: waits
    states:
      waits: { at: { wake mon..fri: { go: rings, if: armed == on } } }
      rings:
        initial: loud
        when: { armed == off: waits }
        after: { 30m: waits }
        on: { snooze.held: waits }
        states:
          loud: { show: { lamp: { blink: 500ms } }, on: { snooze.pressed: quiet } }
          quiet: { after: { 9m: loud } }

    """

  @Test("an alarm rings on Wednesday and not on Saturday, its time goes round at midnight")
  func alarm() throws {
    let failures = try Self.failures(
      of: Self.alarm,
      """
      scenario: Rings on Wednesday, snoozes, not on Saturday
      start: { clock: "2026-11-25 06:29:30", armed: on }
      steps:
        - expect: { state: waits, clock: "06:29" }
        - wait: { until: state == loud, at-least: 30s, at-most: 30s }
        - expect: { lamp: blinking }
        - click: snooze
        - wait: 8m
        - expect: { state: quiet }
        - wait: { until: state == loud, at-most: 62s }
        - hold: { snooze: 2500ms }
        - expect: { state: waits }
        - turn: { set: -79 }
        - expect: { wake: "23:55" }
        - turn: { set: 1 }
        - expect: { wake: "00:00" }
        - clock: "2026-11-27 23:59:50"
        - nothing: 10s
        - expect: { state: waits }

      """)
    #expect(failures == [])
  }

  @Test("a scenario checks the present time, also where the panel does not read the clock each minute")
  func presentTime() throws {
    let failures = try Self.failures(
      of: Self.alarm,
      """
      scenario: The present time
      start: { clock: "2026-11-25 05:00:00" }
      steps:
        - wait: 17m
        - expect: { clock: "05:17" }
        - wait: { until: clock == 05:30, at-least: 13m, at-most: 13m }
        - expect: clock < 05:31
        - expect: { clock: "05:31" }
        - unplug: clock
        - wait: 90s
        - expect: { clock: unknown }
        - plug: clock
        - wait: 90s
        - expect: { clock: "05:33" }
      """)
    #expect(failures == ["test:8:5: expected clock 05:31; it is 05:30"])
  }

  @Test("a clock that is unplugged is known again when a step sets it, and an expectation names its time")
  func setAgain() throws {
    let failures = try Self.failures(
      of: Self.alarm,
      """
      scenario: A clock that returns
      start: { clock: "2026-11-25 05:00:00" }
      steps:
        - unplug: clock
        - expect: { clock: unknown }
        - clock: "2026-11-25 08:05:00"
        - expect: { clock: "08:05" }
        - wait: 60s
        - expect: { clock: "08:06" }
        - expect: { clock: unknown }
      """)
    #expect(failures == ["test:10:5: expected clock unknown; it is 08:06"])
  }

  @Test(
    "a time that passed during a power cut still fires, if the file has a late",
    arguments: [("", false), (", late: 30s", true), (", late: 1m", true), (", late: 2m", true)])
  func lateAfterPowerCut(late: String, rings: Bool) throws {
    let failures = try Self.failures(
      of: """
        panel: Bell
        outputs: { bell: { relay: GPIO24 } }
        values: { rings: { initial: 0, min: 0, max: 9, keep: { within: 0s } } }
        at: { "08:00": { set: { rings: +1 }\(late) } }
        show: { bell: { when: { rings == 1: on } } }
        initial: x
        states: { x: }

        """,
      """
      scenario: A power cut over eight o'clock
      start: { clock: "2026-11-25 07:59:00" }
      steps:
        - wait: 40s
        - power-cut: 30s
        - wait: 1s
        - expect: { rings: \(rings ? 1 : 0) }
      """)
    #expect(failures == [])
  }

  @Test("times with bars between them are alternatives, each with its own days")
  func alternatives() throws {
    let panel = """
      panel: Feeder
      outputs: { motor: { relay: GPIO24 } }
      values: { supper: { initial: "22:00" }, meals: { initial: 0, min: 0, max: 99 } }
      at: { 00:00: { set: { meals: 0 } } }
      initial: rests
      states:
        rests:
          at: { 07:00 mon..fri | 09:00 sat sun | supper: { go: feeds, set: { meals: +1 } } }
        feeds: { show: { motor: on }, after: { 5s: rests } }

      """
    let failures = try Self.failures(
      of: panel,
      """
      scenario: Friday and Saturday
      start: { clock: "2026-11-27 06:59:00" }
      steps:
        - wait: { until: motor == on, at-least: 60s, at-most: 60s }
        - wait: 3h
        - expect: { meals: 1, motor: off }
        - wait: { until: motor == on, at-least: 11h, at-most: 12h }
        - expect: { clock: "22:00", meals: 2 }
        - wait: 570m
        - expect: { meals: 0 }
        - wait: { until: motor == on, at-least: 90m, at-most: 90m }
        - expect: { clock: "09:00", meals: 1 }
      """)
    #expect(failures == [])
  }

  @Test("until the clock is set nothing rings, and a jump over the time does not either")
  func unsynchronised() throws {
    let failures = try Self.failures(
      of: Self.alarm,
      """
      scenario: Unknown
      start: { armed: on }
      steps:
        - expect: { clock: unknown }
        - nothing: 1500m
        - clock: "2026-11-25 07:10:00"
        - expect: { state: waits, clock: "07:10" }
        - wait: { until: state == loud, at-least: 1399m, at-most: 1401m }

      """)
    #expect(failures == [])
  }

  private static let night = """
    panel: Night light
    inputs:
      night: { switch: { between: "22:00..06:00" } }
      week: { switch: { between: "08:00..17:00", days: mon..fri } }
    values: { twos: { initial: 0, min: 0, max: 9 } }
    at: { "02:30": { set: { twos: +1 } } }
    outputs: { lamp: { led: GPIO23 } }
    regions:
      night:
        initial: unknown
        states:
          unknown: { when: { night == on: lit, night == off: dark } }
          lit: { show: { lamp: on }, when: { night == off: dark, night == unknown: unknown } }
          dark: { when: { night == on: lit, night == unknown: unknown } }
      morning:
        initial: late
        states:
          early: { when: { clock >= 12:00: late, clock == unknown: late } }
          late: { when: { "clock < 12:00": early } }

    """

  @Test("half past two counts once a date: in spring at three, in autumn the first time, and after a clock set back")
  func summerTime() throws {
    let failures = try Self.failures(
      of: Self.night,
      """
      scenario: Spring, autumn
      cases: [ { from: "2026-03-29 01:59:00", wait: 2m }, { from: "2026-10-25 01:59:00", wait: 180m } ]
      start: { clock: $from, zone: "CET-1CEST,M3.5.0,M10.5.0/3" }
      steps:
        - expect: { state: { night: lit, morning: early }, twos: 0, week: off }
        - wait: $wait
        - expect: { twos: 1 }
        - clock: "2026-10-26 11:59:00"
        - expect: { night: off, week: on, state: { morning: early } }
        - wait: 1m
        - expect: { state: { morning: late } }
        - unplug: clock
        - expect: { night: unknown, week: unknown, state: { night: unknown } }

      """)
    #expect(failures == [])
    let back = try Self.failures(
      of: Self.night,
      """
      scenario: The clock is set back by a minute, and the time counts once
      start: { clock: "2026-11-25 02:29:30" }
      steps:
        - wait: 1m
        - expect: { twos: 1 }
        - clock: "2026-11-25 02:29:30"
        - wait: 2m
        - expect: { twos: 1 }
        - wait: 1440m
        - expect: { twos: 2 }

      """)
    #expect(back == [])
  }

  @Test("a period over midnight belongs to the day on which it begins")
  func days() throws {
    let failures = try Self.failures(
      of: """
        panel: P
        inputs: { s: { switch: { between: "22:00..06:00", days: fri } } }
        initial: x
        states: { x: { on: { s.on: y } }, y: { on: { s.off: x } } }

        """,
      """
      scenario: Friday night
      start: { clock: "2026-11-26 23:00:00" }
      steps:
        - expect: { s: off }
        - clock: "2026-11-27 05:00:00"
        - expect: { s: off }
        - wait: 1020m
        - expect: { s: on, state: y }
        - wait: 420m
        - expect: { s: on }
        - wait: 60m
        - expect: { s: off, state: x }
        - wait: 1020m
        - expect: { s: off }

      """)
    #expect(failures == [])
  }

  @Test("a time whose condition is unknown waits for it, for as long as it may be late")
  func pending() throws {
    let panel = """
      panel: P
      inputs: { soil: { sensor: { w1: any }, min: 0, max: 100 } }
      values: { n: { initial: 0, min: 0, max: 9 } }
      initial: x
      states: { x: { at: { "06:00": { set: { n: +1 }, if: soil < 40, late: 120m } } } }

      """
    for (wait, number) in [("119m", 1), ("121m", 0)] {
      let failures = try Self.failures(
        of: panel,
        """
        scenario: A sensor that is read late
        start: { clock: "2026-11-25 05:59:00" }
        steps:
          - wait: 1m
          - wait: \(wait)
          - expect: { n: 0 }
          - sense: { soil: 20 }
          - expect: { n: \(number) }
          - sense: { soil: 10 }
          - expect: { n: \(number) }
          - clock: "2026-11-26 07:59:59"
          - expect: { n: \(number + 1) }

        """)
      #expect(failures == [])
    }
  }

  @Test("the sun's times and periods follow the place")
  func sun() throws {
    let failures = try Self.failures(
      of: """
        panel: P
        clock: { latitude: 52.52, longitude: 13.40 }
        inputs: { dark: { switch: { between: sunset..sunrise } } }
        values: { n: { initial: 0, min: 0, max: 9 } }
        at: { sunset+30m: { set: { n: +1 } }, "sunrise-15m mon": { set: { n: +5 } } }
        initial: x
        states: { x: {} }

        """,
      """
      scenario: An evening and a morning
      start: { clock: "2026-11-25 16:00:00", zone: "CET-1CEST,M3.5.0,M10.5.0/3" }
      steps:
        - expect: { dark: off }
        - wait: 1m
        - expect: { dark: on, n: 0 }
        - wait: 30m
        - expect: { n: 1 }
        - wait: 900m
        - expect: { dark: on, n: 1 }
        - wait: 20m
        - expect: { dark: off }
        - clock: "2026-11-30 07:30:00"
        - wait: 9m
        - expect: { n: 6 }

      """)
    #expect(failures == [])
  }

  @Test("a panel with times sleeps between them")
  func sleep() throws {
    let stage = try Stage(panel: Self.night)
    try stage.take("clock \"2026-11-25 12:30:00\"")
    #expect(stage.session.application.cycle.nextAlarm == nil)
  }

  /// The problems and notes of a panel's file, with their places.
  private func problems(_ lines: String) -> [String] {
    let text = """
      panel: P
      inputs: { b: { button: GPIO17 } }
      values: { g: { initial: 0, min: 0, max: 9 }, w: { initial: "06:30" }, d: { initial: 1s, min: 0s, max: 9s } }
      initial: x
      states:
        y: { on: { b.pressed: x } }
        x: { on: { b.pressed: y }, \(lines) }

      """
    do throws(Problems) {
      return try PanelFile.read(Array(text.utf8), file: "test").notes.map(\.text)
    } catch {
      return error.list.map(\.text)
    }
  }

  @Test(
    "wrong times are reported at their place",
    arguments: [
      ("at: { \"6:30\": y }", "\"6:30\" is not a time of day; write \"06:30\""),
      ("at: { 06:30 mo..fr: y }", "\"mo..fr\" names no days; write mon..fri, or sat sun"),
      ("at: { 06:30 | 06:30: y }", "time \"06:30\" is written twice; write it once"),
      ("at: { \"06:30 | \": y }", "a time is missing beside \"|\"; write it, or remove the bar"),
      ("at: { sunset: y }", "\"sunset\" needs a place; write clock: { latitude: 52.52, longitude: 13.40 }"),
      ("after: { \"06:30\": y }", "06:30 is a time of day; write at: { \"06:30\": y }"),
      ("at: { g: y }", "\"g\" is a number; \"at\" takes a time of day, such as w"),
      ("when: { clock > 5: y }", "5 is a number; compare \"clock\" with a time of day: clock > 06:30"),
      ("after: { 3s: { go: y, late: 1m } }", "\"late\" is for times of day; write it in a transition of at"),
      ("at: { \"06:30\": { set: { w: +5 } } }", "\"w\" is a time of day; change it by a duration: +5m"),
      ("at: { \"06:30\": { set: { w: 5m } } }", "5m is a duration and \"w\" a time of day; \"w\" can't be set to it"),
      (
        "at: { \"06:30\": { set: { w: w / 2 } } }",
        "\"w\" is a time of day; only a duration can be added to it or subtracted: w + 30m"
      ),
      (
        "at: { \"06:30\": { set: { w: -w } } }",
        "\"w\" is a time of day; only a duration can be added to it or subtracted: w + 30m"
      ),
      ("when: { clock > 25:00: y }", "25:00 is not a time of day; write 23:00"),
    ])
  func wrong(_ lines: String, _ problem: String) { #expect(problems(lines) == [problem]) }
}
