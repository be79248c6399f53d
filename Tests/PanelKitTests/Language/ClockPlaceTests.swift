import TestSupport
import Testing

/// Times of day on dates and at places on which they are special: summer time, midnight, and the polar regions.
@Suite("Special dates and places")
struct ClockPlaceTests {
  private static let zones = """
    panel: Three times
    values:
      first: { initial: 0, min: 0, max: 9 }
      second: { initial: 0, min: 0, max: 9 }
      third: { initial: 0, min: 0, max: 9 }
    at:
      "01:45": { set: { first: +1 } }
      "02:15": { set: { second: +1 } }
      "02:30": { set: { third: +1 } }
    initial: x
    states: { x: }

    """

  private func failures(of panel: String, _ scenario: String) throws -> [String] {
    try TimeOfDayTests.failures(of: panel, scenario)
  }

  @Test("in Berlin, 02:30 fires at 03:00 when summer time begins, and the first time when it ends")
  func berlin() throws {
    let failures = try failures(
      of: Self.zones,
      """
      scenario: Both dates
      cases:
        - { from: "2026-03-29 01:59:00", before: 59999ms, day: 23h, again: 30m }
        - { from: "2026-10-25 01:59:00", before: 1859999ms, day: 24h, again: 1h }
      start: { clock: $from, zone: "CET-1CEST,M3.5.0,M10.5.0/3" }
      steps:
        - expect: { third: 0 }
        - wait: $before
        - expect: { third: 0 }
        - wait: 1ms
        - expect: { third: 1 }
        - wait: $day
        - expect: { third: 1 }
        - wait: $again
        - expect: { third: 2 }

      """)
    #expect(failures == [])
  }

  @Test("on Lord Howe Island, whose clocks are set by half an hour, each time fires once on a date")
  func lordHowe() throws {
    let autumn = try failures(
      of: Self.zones,
      """
      scenario: At two o'clock it is half past one again, so 01:45 occurs twice
      start: { clock: "2026-04-05 01:44:00", zone: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0" }
      steps:
        - wait: 59999ms
        - expect: { first: 0 }
        - wait: 1ms
        - expect: { first: 1 }
        - wait: 30m
        - expect: { first: 1, second: 0, third: 0 }
        - wait: 1799999ms
        - expect: { second: 0 }
        - wait: 1ms
        - expect: { second: 1, third: 0 }
        - wait: 899999ms
        - expect: { third: 0 }
        - wait: 1ms
        - expect: { first: 1, second: 1, third: 1 }
        - wait: 23h
        - expect: { first: 1, second: 1, third: 1 }
        - wait: 1h
        - expect: { first: 2, second: 2, third: 2 }

      """)
    #expect(autumn == [])
    let spring = try failures(
      of: Self.zones,
      """
      scenario: At two o'clock it is half past two, so 02:15 is skipped
      start: { clock: "2026-10-04 01:59:00", zone: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0" }
      steps:
        - wait: 59999ms
        - expect: { second: 0, third: 0 }
        - wait: 1ms
        - expect: { second: 1, third: 1 }
        - wait: 1424m
        - expect: { first: 1, second: 1, third: 1 }
        - wait: 1m
        - expect: { second: 2, third: 1 }
        - wait: 15m
        - expect: { second: 2, third: 2 }

      """)
    #expect(spring == [])
  }

  @Test("00:00 is the first moment of its date, and 23:59 is in its last minute")
  func midnight() throws {
    let failures = try failures(
      of: """
        panel: Midnight
        inputs: { minute: { switch: { between: "23:59..00:00" } } }
        values: { firsts: { initial: 0, min: 0, max: 9 }, lasts: { initial: 0, min: 0, max: 9 } }
        at: { 00:00 thu: { set: { firsts: +1 } }, 23:59 wed: { set: { lasts: +1 } } }
        initial: x
        states: { x: }

        """,
      """
      scenario: From Wednesday to Thursday
      start: { clock: "2026-11-25 23:58:00" }
      steps:
        - expect: { minute: off }
        - wait: 59999ms
        - expect: { lasts: 0, minute: off }
        - wait: 1ms
        - expect: { lasts: 1, firsts: 0, minute: on }
        - wait: 59999ms
        - expect: { firsts: 0, minute: on }
        - wait: 1ms
        - expect: { lasts: 1, firsts: 1, minute: off }
        - wait: 24h
        - expect: { lasts: 1, firsts: 1, minute: off }

      """)
    #expect(failures == [])
  }

  // MARK: - The sun

  /// A panel in Longyearbyen, on 78° north.
  private static let arctic = """
    panel: Arctic
    clock: { latitude: 78.22, longitude: 15.65 }
    inputs:
      dark: { switch: { between: sunset..sunrise } }
      bright: { switch: { between: sunrise..sunset } }
    outputs: { lamp: { led: GPIO23 } }
    values: { rises: { initial: 0, min: 0, max: 9 }, sets: { initial: 0, min: 0, max: 9 } }
    at:
      sunrise: { set: { rises: +1 } }
      sunset: { set: { sets: +1 } }
      sunset-30m: { set: { sets: +1 } }
    show: { lamp: { when: { dark == on: on } } }
    initial: x
    states: { x: }

    """

  @Test("a period with the sun is over midnight only from an afternoon to a morning")
  func halvesOfTheDay() throws {
    let failures = try failures(
      of: """
        panel: Helsinki
        clock: { latitude: 60.17, longitude: 24.94, zone: "EET-2EEST,M3.5.0/3,M10.5.0/4" }
        inputs:
          evening: { switch: { between: "sunset..22:00" } }
          night: { switch: { between: "sunset..06:00" } }
          rest: { switch: { between: "sunset..bedtime" } }
          morning: { switch: { between: "05:00..sunrise" } }
          afternoon: { switch: { between: "16:30..sunset" } }
        outputs: { lamp: { led: GPIO23 } }
        values: { bedtime: { initial: "21:00" } }
        show: { lamp: { when: { evening == on or night == on or rest == on or morning == on or afternoon == on: on } } }
        accept: { set: [ bedtime ] }
        initial: x
        states: { x: }

        """,
      """
      scenario: Midsummer and midwinter
      cases:
        - { at: "2026-06-21 12:00:00", evening: off, night: off, rest: off, morning: off, afternoon: off, late: off }
        - { at: "2026-06-21 21:30:00", evening: off, night: off, rest: off, morning: off, afternoon: on, late: off }
        - { at: "2026-06-21 23:00:00", evening: off, night: on, rest: off, morning: off, afternoon: off, late: on }
        - { at: "2026-12-21 08:00:00", evening: off, night: off, rest: off, morning: on, afternoon: off, late: on }
        - { at: "2026-12-21 17:00:00", evening: on, night: on, rest: on, morning: off, afternoon: off, late: on }
        - { at: "2026-12-21 21:30:00", evening: on, night: on, rest: off, morning: off, afternoon: off, late: on }
        - { at: "2026-12-21 23:00:00", evening: off, night: on, rest: off, morning: off, afternoon: off, late: on }
      start: { clock: $at }
      steps:
        - expect: { evening: $evening, night: $night, rest: $rest, morning: $morning, afternoon: $afternoon }
        - remote: { bedtime: "09:00" }
        - expect: { rest: $late }

      """)
    #expect(failures == [])
  }

  @Test("in the polar night, sunset..sunrise is on all day, and neither sunrise nor sunset fires")
  func polarNight() throws {
    let failures = try failures(
      of: Self.arctic,
      """
      scenario: Three days of December
      start: { clock: "2026-12-20 00:00:00", zone: "CET-1CEST,M3.5.0,M10.5.0/3" }
      steps:
        - expect: { dark: on, bright: off, lamp: on }
        - wait: { for: 72h, while: dark == on and bright == off }
        - expect: { lamp: on, rises: 0, sets: 0 }

      """)
    #expect(failures == [])
  }

  @Test("in the polar day, sunset..sunrise is off all day, and neither sunrise nor sunset fires")
  func polarDay() throws {
    let failures = try failures(
      of: Self.arctic,
      """
      scenario: Three days of June
      start: { clock: "2026-06-20 00:00:00", zone: "CET-1CEST,M3.5.0,M10.5.0/3" }
      steps:
        - expect: { dark: off, bright: on, lamp: off }
        - wait: { for: 72h, while: dark == off and bright == on }
        - expect: { lamp: off, rises: 0, sets: 0 }

      """)
    #expect(failures == [])
  }

  @Test("in the Antarctic it is the other way round")
  func south() throws {
    let failures = try failures(
      of: Self.arctic.replacing(each: "78.22", by: "-77.85"),
      """
      scenario: Midsummer and midwinter
      cases:
        - { from: "2026-12-20 00:00:00", dark: off, bright: on }
        - { from: "2026-06-20 00:00:00", dark: on, bright: off }
      start: { clock: $from }
      steps:
        - expect: { dark: $dark, bright: $bright }
        - wait: 48h
        - expect: { dark: $dark, bright: $bright, rises: 0, sets: 0 }

      """)
    #expect(failures == [])
  }

  @Test("at a polar place the sun rises and sets on other days")
  func equinox() throws {
    let failures = try failures(
      of: Self.arctic,
      """
      scenario: A day in March
      start: { clock: "2026-03-20 00:00:00", zone: "CET-1CEST,M3.5.0,M10.5.0/3" }
      steps:
        - expect: { dark: on, bright: off, lamp: on }
        - wait: 12h
        - expect: { dark: off, bright: on, lamp: off, rises: 1, sets: 0 }
        - wait: 12h
        - expect: { dark: on, bright: off, lamp: on, rises: 1, sets: 2 }

      """)
    #expect(failures == [])
  }
}
