import CycleCore
import HardwareDrivers
import HardwareSimulation

typealias ClockCase = Case<any ClockStand>

extension Case where Stand == any ClockStand {
  private static var day: CalendarDate { CalendarDate(2026, 11, 25) }
  private static func wanted(_ hour: Int, _ minute: Int) -> WantedTimes { WantedTimes([.at(TimeOfDay(hour, minute))]) }

  static let all = [
    ClockCase("a wanted time is an event with exactly this time, and another one is none") { stand, findings in
      try stand.set(day, TimeOfDay(6, 29, 59))
      let trial = try Trial(ClockDriver(stand.clock), showing: wanted(6, 30), on: stand.bench)
      findings.equal("found", trial.found.count, 1)
      try stand.pass(1000)
      findings.equal("events", trial.events, ["reached(2026-11-25 06:30)"])
      try stand.set(day, TimeOfDay(11, 59, 59))
      try stand.pass(1000)
      findings.equal("events after a jump", trial.events.count, 2)
    },
    ClockCase("a clock that is set forward by a day, and back, has jumped, and skips no time after that") {
      stand, findings in
      try stand.set(day, TimeOfDay(6, 0))
      let trial = try Trial(ClockDriver(stand.clock), showing: wanted(6, 30), on: stand.bench)
      for (date, time) in [
        (CalendarDate(day: day.day + 1), TimeOfDay(7, 0)), (day, TimeOfDay(7, 0)), (day, TimeOfDay(6, 29, 59)),
      ] {
        try stand.set(date, time)
        try stand.pass()
      }
      try stand.pass(1000)
      let words = trial.events.map { $0.prefix { $0 != "(" } }
      findings.equal("events", words, ["jumped", "jumped", "jumped", "reached"])
      findings.equal("the last event", trial.events.last, "reached(2026-11-25 06:30)")
      findings.equal("troubles", trial.troubles, [])
    },
    ClockCase("summer time begins and ends") { stand, findings in
      try stand.set(CalendarDate(2026, 3, 29), TimeOfDay(1, 59, 59))
      let trial = try Trial(ClockDriver(stand.clock), showing: wanted(2, 30), on: stand.bench)
      try stand.pass(1000)
      findings.equal("events in spring", trial.events, ["reached(2026-03-29 03:00)"])
      try stand.set(CalendarDate(2026, 10, 25), TimeOfDay(2, 29, 59))
      try stand.pass(1000)
      findings.equal("the last event in autumn", trial.events.last, "reached(2026-10-25 02:30)")
    },
    ClockCase("a period of each day begins and ends with its times, and with a clock that is set") { stand, findings in
      try stand.set(day, TimeOfDay(21, 59, 59))
      let period = DailyPeriod(stand.clock, from: .at(TimeOfDay(22, 0)), to: .at(TimeOfDay(6, 0)))
      let trial = try Trial(period, on: stand.bench)
      findings.equal("found", trial.found, [])
      try stand.pass(1000)
      try stand.set(CalendarDate(day: day.day + 1), TimeOfDay(5, 59, 59))
      try stand.pass()
      findings.equal("events", trial.events, ["began"])
      try stand.pass(1000)
      findings.equal("events at the end", trial.events, ["began", "ended"])
    },
  ]
}
