import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("DailyPeriod")
struct DailyPeriodTests {
  private let bench = Bench()

  private func makeClock(_ start: String?, zone: String = "UTC0") -> SimulatedClock {
    let clock = SimulatedClock(bench, ClockPort(zone: zone))
    if let start { clock.set(start) }
    return clock
  }

  private func trial(_ clock: SimulatedClock, _ begin: String, _ end: String) throws -> DriverBench<DailyPeriod> {
    let trial = DriverBench(
      DailyPeriod(clock, from: .at(TimeOfDay(begin)!), to: .at(TimeOfDay(end)!)), on: bench)
    try trial.start()
    return trial
  }

  @Test("a period with equal times, or with a text that is not a time, is refused")
  func badInit() {
    let clock = makeClock("2018-01-01 06:59:00")
    let error = driverError { _ = try trial(clock, "07:00", "07:00") }
    #expect(
      error?.description
        == "cannot follow the period from 07:00 to 07:00 of the clock: it ends when it begins. Give it different times."
    )
    #expect(TimeOfDay("7:00") == nil && TimeOfDay("24:00") == nil && TimeOfDay("12") == nil)
    #expect(TimeOfDay("07:60") == nil && TimeOfDay("07:00:60") == nil && TimeOfDay("") == nil)
  }

  @Test("its times are those that it was made with, in the zone of the clock")
  func times() throws {
    let period = DailyPeriod(makeClock(nil), from: .at(TimeOfDay(7, 0)), to: .at(TimeOfDay(8, 0)))
    #expect(period.begin == .at(TimeOfDay("07:00")!) && period.end == .at(TimeOfDay("08:00:00")!))
    let clock = makeClock("2026-07-01 08:30:00", zone: berlinRules)
    let trial = try trial(clock, "08:00", "09:00")
    #expect(trial.found.map(\.event) == [.began])
    trial.stop()
  }

  @Test("it is current from its begin up to its end, also over midnight")
  func values() throws {
    for (begin, end, isCurrent) in [
      ("07:00", "08:00", ["06:59:59": false, "07:00:00": true, "07:59:59": true, "08:00:00": false]),
      (
        "20:00", "08:00", ["19:59:59": false, "20:00:00": true, "00:00:00": true, "08:00:00": false, "12:00:00": false]
      ),
    ] {
      for (time, expected) in isCurrent {
        let bench = Bench()
        let clock = SimulatedClock(bench)
        clock.set("2018-01-02 \(time)")
        let trial = DriverBench(
          DailyPeriod(clock, from: .at(TimeOfDay(begin)!), to: .at(TimeOfDay(end)!)), on: bench)
        try trial.start()
        #expect((trial.found.map(\.event) == [.began]) == expected, "\(begin) to \(end) at \(time)")
        trial.stop()
      }
    }
  }

  @Test("a period with the sun lasts over midnight only from an afternoon to a morning")
  func sun() throws {
    // Helsinki: the sun rises at 04:00 and sets at 22:50 in June, at 09:20 and 15:10 in December.
    let helsinki = Place(latitude: 60_170_000, longitude: 24_940_000)
    let (sunrise, sunset) = (DailyTime.sunrise(), DailyTime.sunset())
    func at(_ text: String) -> DailyTime { .at(TimeOfDay(text)!) }
    for (begin, end, june, december) in [
      (sunset, at("22:00"), "", "16:00 21:00"), (sunset, at("23:30"), "23:00", "16:00 21:00 23:00"),
      (sunset, at("06:00"), "23:00 02:00", "16:00 21:00 23:00 02:00"),
      (at("22:00"), sunrise, "23:00 02:00", "23:00 02:00 08:00"), (at("05:00"), sunrise, "", "08:00"),
      (sunrise, at("08:30"), "08:00", ""), (at("16:30"), sunset, "21:00", ""),
      (sunset, sunrise, "23:00 02:00", "16:00 21:00 23:00 02:00 08:00"),
    ] as [(DailyTime, DailyTime, String, String)] {
      for (date, expected) in [("2026-06-21", june), ("2026-12-21", december)] {
        var current: [String] = []
        for time in ["12:00", "16:00", "21:00", "23:00", "02:00", "08:00"] {
          let bench = Bench()
          let clock = SimulatedClock(bench, ClockPort(zone: "EET-2EEST,M3.5.0/3,M10.5.0/4"))
          clock.set("\(date) \(time):00")
          let trial = DriverBench(DailyPeriod(clock, from: begin, to: end, place: helsinki), on: bench)
          try trial.start()
          if trial.found.map(\.event) == [.began] { current.append(time) }
          trial.stop()
        }
        #expect(current.joined(separator: " ") == expected, "\(begin) to \(end) on \(date)")
      }
    }
  }

  @Test("its begin and its end are events at their moments")
  func events() throws {
    let clock = makeClock("2018-01-01 06:59:00")
    let trial = try trial(clock, "07:00", "08:00")
    try bench.advance(by: .seconds(2 * 86_400))
    #expect(trial.events.map(\.event) == [.began, .ended, .began, .ended])
    #expect(trial.events.map { $0.moment.nanoseconds / 1_000_000_000 } == [60, 3660, 86_460, 90_060])
    trial.stop()
  }

  @Test("a clock that is set, or known later, is an event only if that changes the state")
  func jumps() throws {
    let clock = makeClock(nil)
    let trial = try trial(clock, "22:00", "06:00")
    try bench.advance(by: .seconds(86_400))
    #expect(trial.found.isEmpty && trial.events.isEmpty)
    clock.set("2026-11-25 23:00:00")
    try bench.settle()
    clock.set("2026-11-26 02:00:00")
    try bench.settle()
    clock.set("2026-11-26 12:00:00")
    try bench.settle()
    clock.set("2026-11-26 13:00:00")
    try bench.settle()
    #expect(trial.events.map(\.event) == [.began, .ended])
    clock.unplug()
    try bench.advance(by: .seconds(3600))
    clock.plug()
    clock.set("2026-11-26 23:00:00")
    try bench.advance(by: .seconds(120))
    #expect(trial.events.map(\.event) == [.began, .ended, .began])
    trial.stop()
  }

  @Test("the night of the sun lasts all day where the sun stays down, and never begins where it stays up")
  func polar() throws {
    let tromso = Place(latitude: 69_650_000, longitude: 18_960_000)
    for (start, isNight) in [("2026-12-21 12:00:00", true), ("2026-06-21 00:00:00", false)] {
      let bench = Bench()
      let clock = SimulatedClock(bench, ClockPort(zone: berlinRules))
      clock.set(start)
      let trial = DriverBench(DailyPeriod(clock, from: .sunset(), to: .sunrise(), place: tromso), on: bench)
      try trial.start()
      #expect((trial.found.map(\.event) == [.began]) == isNight)
      try bench.advance(by: .seconds(5 * 86_400))
      #expect(trial.events.isEmpty)
      trial.stop()
    }
  }

  @Test("it obeys the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [NoModel()],
      setup: { bench -> ClockLawHarness in
        let clock = SimulatedClock(bench, ClockPort(zone: berlinRules))
        clock.set("2026-11-25 06:00:00")
        return ClockLawHarness(clock)
      },
      driver: { DailyPeriod($0.clock, from: .at(TimeOfDay(22, 0)), to: .at(TimeOfDay(6, 30))) })
    #expect(violations == [])
  }
}
