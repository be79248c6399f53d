import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

/// Times of day while the clock is set, and at times at which the panel did not run.
@Suite("Clocks that are set")
struct ClockJumpTests {
  private static let bell = """
    panel: Bell
    values: { rings: { initial: 0, min: 0, max: 99 } }
    at: { "06:00": { set: { rings: +1 } } }
    initial: rests
    states: { rests: }

    """

  /// A time that may be late by two hours.
  private static let pump = """
    panel: Pump
    values: { runs: { initial: 0, min: 0, max: 99, keep: { within: 0s } } }
    initial: waits
    states:
      waits: { at: { "06:00": { go: waters, set: { runs: +1 }, late: 2h } } }
      waters: { after: { 10m: waits } }

    """

  private func failures(of panel: String, _ scenario: String) throws -> [String] {
    try TimeOfDayTests.failures(of: panel, scenario)
  }

  @Test("a time that the clock skips by three hours or by a day fires if it is at most a minute late")
  func forward() throws {
    let failures = try failures(
      of: Self.bell,
      """
      scenario: The clock is set forward
      cases:
        - { from: "2026-11-25 05:00:00", to: "2026-11-25 08:00:00", rings: 0, before: "2026-11-26 05:59:59", then: 1 }
        - { from: "2026-11-25 03:00:00", to: "2026-11-25 06:00:00", rings: 1, before: "2026-11-26 05:59:59", then: 2 }
        - { from: "2026-11-25 03:01:00", to: "2026-11-25 06:01:00", rings: 1, before: "2026-11-26 05:59:59", then: 2 }
        - { from: "2026-11-25 03:01:01", to: "2026-11-25 06:01:01", rings: 0, before: "2026-11-26 05:59:59", then: 1 }
        - { from: "2026-11-25 05:59:59", to: "2026-11-26 05:59:59", rings: 0, before: "2026-11-26 05:59:59", then: 1 }
        - { from: "2026-11-25 05:00:00", to: "2026-11-26 06:01:00", rings: 1, before: "2026-11-27 05:59:59", then: 2 }
        - { from: "2026-11-25 07:00:00", to: "2026-11-26 07:00:00", rings: 0, before: "2026-11-27 05:59:59", then: 1 }
      start: { clock: $from }
      steps:
        - expect: { rings: 0 }
        - clock: $to
        - expect: { rings: $rings }
        - clock: $before
        - expect: { rings: $rings }
        - wait: 999ms
        - expect: { rings: $rings }
        - wait: 1ms
        - expect: { rings: $then }

      """)
    #expect(failures == [])
  }

  @Test("a time does not fire twice on a date if the clock is set back by three hours, or by half a day")
  func back() throws {
    let failures = try failures(
      of: Self.bell,
      """
      scenario: The clock is set back after the time
      cases:
        - { past: 1h, to: "2026-11-25 04:00:00", again: 2h }
        - { past: 2h, to: "2026-11-25 05:00:00", again: 1h }
        - { past: 0ms, to: "2026-11-24 18:00:00", again: 12h }
      start: { clock: "2026-11-25 05:59:00" }
      steps:
        - wait: 59999ms
        - expect: { rings: 0 }
        - wait: 1ms
        - expect: { rings: 1 }
        - wait: $past
        - clock: $to
        - expect: { rings: 1 }
        - wait: $again
        - expect: { rings: 1 }
        - wait: 24h
        - expect: { rings: 2 }

      """)
    #expect(failures == [])
  }

  @Test("a time fires again on its date if the clock is set back by more than half a day")
  func farBack() throws {
    let failures = try failures(
      of: Self.bell,
      """
      scenario: Half a day and a second, 18 hours, a day
      cases:
        - { past: 0ms, to: "2026-11-24 17:59:59", before: 43200s }
        - { past: 1h, to: "2026-11-24 13:00:00", before: 61199s }
        - { past: 1h, to: "2026-11-24 07:00:00", before: 82799s }
        - { past: 6h, to: "2026-11-24 12:00:00", before: 64799s }
      start: { clock: "2026-11-25 05:59:00" }
      steps:
        - wait: 1m
        - expect: { rings: 1 }
        - wait: $past
        - clock: $to
        - expect: { rings: 1 }
        - wait: $before
        - expect: { rings: 1 }
        - wait: 1s
        - expect: { rings: 2 }
        - wait: 24h
        - expect: { rings: 3 }

      """)
    #expect(failures == [])
  }

  @Test("half a day is measured from the time before the clock was set, however long ago the last time of day was")
  func farBackHoursLater() throws {
    let failures = try failures(
      of: Self.bell,
      """
      scenario: Twelve and thirteen hours at five o'clock in the afternoon, a day at seven in the evening
      cases:
        - { past: 11h, to: "2026-11-25 05:00:00", before: 3599s, rings: 1 }
        - { past: 11h, to: "2026-11-25 04:59:59", before: 3600s, rings: 2 }
        - { past: 11h, to: "2026-11-25 04:00:00", before: 7199s, rings: 2 }
        - { past: 13h, to: "2026-11-24 19:00:00", before: 39599s, rings: 2 }
      start: { clock: "2026-11-25 05:59:00" }
      steps:
        - wait: 1m
        - wait: $past
        - expect: { rings: 1 }
        - clock: $to
        - wait: $before
        - expect: { rings: 1 }
        - wait: 1s
        - expect: { rings: $rings }

      """)
    #expect(failures == [])
  }

  @Test("a state that a time of day enters was not current at another time of the same moment")
  func entered() throws {
    let chain = """
      panel: Chain
      values: { wake: { initial: "07:00" } }
      initial: x
      states:
        x: { at: { 06:30 mon..fri: y, wake: y } }
        y: { at: { 06:30 wed: z, "07:00": x } }
        z:

      """
    let failures = try failures(
      of: chain,
      """
      scenario: Two lines of one moment
      cases:
        - { from: "2026-11-25 06:29:59", to: "2026-11-25 06:30:00" }
        - { from: "2026-11-25 06:00:00", to: "2026-11-25 06:30:40" }
        - { from: "2026-11-25 06:59:59", to: "2026-11-25 07:00:00" }
        - { from: "2026-11-25 06:40:00", to: "2026-11-25 07:00:30" }
      start: { clock: $from }
      steps:
        - clock: $to
        - expect: { state: y }
        - wait: 30s
        - expect: { state: y }
      """)
    #expect(failures == [])
  }

  @Test("a state that was current before takes all lines of one moment, in the order of the file")
  func severalLines() throws {
    let panel = """
      panel: Sum
      values: { sum: { initial: 0, min: 0, max: 999 } }
      initial: x
      states:
        x:
          at: { "06:30": { go: x, set: { sum: +1 } }, 06:30 wed: { set: { sum: sum * 10 + 2 } } }
          initial: inner
          states: { inner: { at: { 06:30 mon..fri: { set: { sum: sum * 10 + 3 } } } } }

      """
    let failures = try failures(
      of: panel,
      """
      scenario: All lines
      start: { clock: "2026-11-25 06:29:30" }
      steps:
        - wait: 31s
        - expect: { sum: 123 }
      """)
    #expect(failures == [])
  }

  @Test("late: 2h is two hours to the second")
  func late() throws {
    let failures = try failures(
      of: Self.pump,
      """
      scenario: The clock skips the time
      cases:
        - { to: "2026-11-25 05:59:59", runs: 0 }
        - { to: "2026-11-25 06:00:00", runs: 1 }
        - { to: "2026-11-25 07:59:59", runs: 1 }
        - { to: "2026-11-25 08:00:00", runs: 1 }
        - { to: "2026-11-25 08:00:01", runs: 0 }
      start: { clock: "2026-11-25 05:00:00" }
      steps:
        - clock: $to
        - expect: { runs: $runs }

      """)
    #expect(failures == [])
  }

  @Test("after a power cut a time is late by two hours at most, and fires once on its date")
  func powerCut() throws {
    let failures = try failures(
      of: Self.pump,
      """
      scenario: A power cut over six o'clock
      cases:
        - { cut: 29m, runs: 0, state: waits }
        - { cut: 30m, runs: 1, state: waters }
        - { cut: 150m, runs: 1, state: waters }
        - { cut: 9001s, runs: 0, state: waits }
        - { cut: 30h, runs: 0, state: waits }
      start: { clock: "2026-11-25 05:29:00" }
      steps:
        - wait: 1m
        - power-cut: $cut
        - expect: { runs: $runs, state: $state }

      """)
    #expect(failures == [])
    let twice = try self.failures(
      of: Self.pump,
      """
      scenario: A power cut after the time
      start: { clock: "2026-11-25 05:59:00" }
      steps:
        - wait: 62s
        - expect: { runs: 1, state: waters }
        - power-cut: 30m
        - expect: { runs: 1, state: waits }
        - wait: 5s
        - clock: "2026-11-25 05:30:00"
        - wait: 5s
        - power-cut: 1h
        - expect: { runs: 1, state: waits }
        - wait: 24h
        - expect: { runs: 2 }

      """)
    #expect(twice == [])
  }

  @Test("after a power cut only the states that are current at the start catch up")
  func statesOfTheStart() throws {
    let failures = try failures(
      of: """
        panel: Two states
        inputs: { key: { button: GPIO17 } }
        values: { runs: { initial: 0, min: 0, max: 99, keep: { within: 0s } } }
        initial: away
        states:
          away: { on: { key.pressed: home } }
          home: { at: { "06:00": { set: { runs: +1 }, late: 2h } } }

        """,
      """
      scenario: The other state has the time
      start: { clock: "2026-11-25 05:30:00" }
      steps:
        - click: key
        - expect: { state: home }
        - wait: 5s
        - power-cut: 1h
        - click: key
        - expect: { state: home, runs: 0 }
        - wait: 2h
        - expect: { runs: 0 }

      """)
    #expect(failures == [])
  }

  @Test("the same time can be late by another span in another region, and each keeps its own date")
  func twoSpans() throws {
    let failures = try failures(
      of: """
        panel: Two spans
        values:
          pumps: { initial: 0, min: 0, max: 99, keep: { within: 0s } }
          lamps: { initial: 0, min: 0, max: 99, keep: { within: 0s } }
        regions:
          pump: { initial: a, states: { a: { at: { "06:00": { set: { pumps: +1 }, late: 2h } } } } }
          lamp: { initial: a, states: { a: { at: { "06:00": { set: { lamps: +1 }, late: 1h } } } } }

        """,
      """
      scenario: A power cut of two hours
      start: { clock: "2026-11-25 05:30:00" }
      steps:
        - wait: 5s
        - power-cut: 2h
        - expect: { pumps: 1, lamps: 0 }
        - wait: 5s
        - power-cut: 10m
        - expect: { pumps: 1, lamps: 0 }
        - wait: 24h
        - expect: { pumps: 2, lamps: 1 }

      """)
    #expect(failures == [])
  }

  @Test("a region called clock can resume in a state that has the name of a time")
  func regionClock() throws {
    let failures = try failures(
      of: """
        panel: Names
        inputs: { key: { button: GPIO17 } }
        values: { wake: { initial: "06:30" } }
        regions:
          clock:
            initial: off
            resume: [ wake ]
            states:
              off: { on: { key.pressed: wake } }
              wake: { at: { wake: { go: off, late: 2h } } }

        """,
      """
      scenario: A power cut of an hour
      start: { clock: "2026-11-25 06:00:00" }
      steps:
        - click: key
        - expect: { state: wake }
        - wait: 15s
        - power-cut: 10m
        - expect: { state: wake }
        - wait: 15s
        - power-cut: 1h
        - expect: { state: off }

      """)
    #expect(failures == [])
  }

  /// A time that waits for the reading of a sensor.
  private static let soil = """
    panel: Soil
    inputs: { soil: { sensor: { w1: any }, min: 0, max: 100 } }
    values: { runs: { initial: 0, min: 0, max: 9 } }
    initial: waits
    states:
      waits: { at: { "06:00": { set: { runs: +1 }, if: soil < 40, late: 2h } } }

    """

  @Test("a time that waits for its condition fires once on its date, also if the clock is set back")
  func waiting() throws {
    let after = try failures(
      of: Self.soil,
      """
      scenario: It fires after five seconds, and the clock is set back
      start: { clock: "2026-11-25 05:59:00" }
      steps:
        - wait: 65s
        - expect: { runs: 0 }
        - sense: { soil: 20 }
        - expect: { runs: 1 }
        - clock: "2026-11-25 05:59:00"
        - wait: 2m
        - expect: { runs: 1 }
        - wait: 24h
        - expect: { runs: 2 }

      """)
    #expect(after == [])
    let before = try failures(
      of: Self.soil,
      """
      scenario: The clock is set back while it waits
      start: { clock: "2026-11-25 05:59:00" }
      steps:
        - wait: 65s
        - clock: "2026-11-25 05:59:00"
        - wait: 30s
        - sense: { soil: 20 }
        - wait: 2m
        - expect: { runs: 1 }

      """)
    #expect(before == [])
  }

  @Test("a time that waits is forgotten if the clock is set back by more than half a day")
  func waitingFarBack() throws {
    let failures = try failures(
      of: Self.soil,
      """
      scenario: The clock is set back by a day
      start: { clock: "2026-11-25 05:59:00" }
      steps:
        - wait: 65s
        - clock: "2026-11-24 06:00:05"
        - sense: { soil: 20 }
        - expect: { runs: 0 }
        - wait: 86394s
        - expect: { runs: 0 }
        - wait: 1s
        - expect: { runs: 1 }

      """)
    #expect(failures == [])
  }

  @Test("a time that fired before the clock became unknown does not fire again when it is known")
  func unknown() throws {
    let failures = try failures(
      of: Self.bell,
      """
      scenario: The clock is unknown for a minute
      start: { clock: "2026-11-25 05:59:30" }
      steps:
        - wait: 40s
        - expect: { rings: 1 }
        - unplug: clock
        - clock: "2026-11-25 05:59:00"
        - plug: clock
        - wait: 2m
        - expect: { rings: 1 }
        - wait: 24h
        - expect: { rings: 2 }

      """)
    #expect(failures == [])
  }
}
