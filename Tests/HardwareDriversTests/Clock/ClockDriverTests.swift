import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

let berlinRules = "CET-1CEST,M3.5.0,M10.5.0/3"
let berlin = ZoneRules(posix: berlinRules)!

/// A simulated clock and its driver.
final class ClockStand {
  let bench = Bench()
  let clock: SimulatedClock
  let trial: DriverBench<ClockDriver>
  private let begin: Moment = .zero

  init(
    _ times: [String], everyMinute: Bool = false, zone: String = berlinRules, trust: ClockPort.Trust = .synchronised,
    at start: String? = "2026-11-25 06:29:30", place: Place? = nil
  ) throws {
    clock = SimulatedClock(bench, ClockPort(zone: zone, trust: trust))
    if let start { clock.set(start) }
    let wanted = Set(times.compactMap { TimeOfDay($0) }.map { DailyTime.at($0) })
    trial = DriverBench(
      ClockDriver(clock, place: place), showing: WantedTimes(wanted, everyMinute: everyMinute), on: bench)
    try trial.start()
  }

  func pass(_ seconds: Int) throws { try bench.advance(by: .seconds(seconds)) }

  /// The events, each with its name, the time of day and the date, and their moments in milliseconds if wanted.
  var events: [String] { trial.events.map { Self.text($0.event) } }
  var found: [String] { trial.found.map { Self.text($0.event) } }

  static func text(_ event: ClockDriver.Event) -> String {
    switch event {
    case .known(let reading): "known \(reading)"
    case .unknown: "unknown"
    case .jumped(let reading): "jumped \(reading)"
    case .reached(let reading): "reached \(reading)"
    }
  }
}

extension SimulatedClock {
  /// Sets it to a text like `2026-11-25 06:29:30`.
  func set(_ text: String) {
    let parts = text.split(separator: " ")
    let date = parts[0].split(separator: "-").compactMap { Int($0) }
    set(CalendarDate(date[0], date[1], date[2]), TimeOfDay(parts[1])!)
  }
}

@Suite("ClockDriver")
struct ClockDriverTests {
  @Test("the time at the start is found, a wanted time is an event at its moment, and between it sleeps")
  func times() throws {
    let stand = try ClockStand(["06:30", "12:00"])
    #expect(stand.found == ["known 2026-11-25 06:29:30"] && stand.events == [])
    try stand.pass(30)
    #expect(stand.events == ["reached 2026-11-25 06:30"])
    #expect(stand.trial.events[0].moment == .zero + .seconds(30))
    #expect(stand.trial.cycle.nextAlarm == nil)
    try stand.pass(6 * 3600)
    #expect(stand.events.dropFirst() == ["reached 2026-11-25 12:00"])
    try stand.pass(24 * 3600)
    #expect(stand.events.suffix(2) == ["reached 2026-11-26 06:30", "reached 2026-11-26 12:00"])
    stand.trial.stop()
    #expect(!stand.clock.isOpen && stand.trial.troubles == [])
  }

  @Test("wanted times change with the model, and midnight is a time like others")
  func model() throws {
    let stand = try ClockStand([], at: "2026-12-31 23:58:30")
    try stand.pass(60)
    #expect(stand.events == [])
    try stand.trial.show(WantedTimes([.at(TimeOfDay(0, 0))]))
    try stand.pass(60)
    #expect(stand.events == ["reached 2027-01-01 00:00"])
    try stand.trial.show(WantedTimes([], everyMinute: true))
    try stand.pass(150)
    #expect(
      stand.events.dropFirst() == ["reached 2027-01-01 00:01", "reached 2027-01-01 00:02", "reached 2027-01-01 00:03"])
    try stand.trial.show(.none)
    try stand.pass(3600)
    #expect(stand.events.count == 4)
    stand.trial.stop()
  }

  @Test("in spring a skipped time occurs at the change, and in autumn a repeated time occurs the first time")
  func summerTime() throws {
    let spring = try ClockStand(["02:30", "03:30"], at: "2026-03-29 01:59:00")
    try spring.pass(60)
    // The change of the offset and the skipped time are one moment.
    #expect(spring.events == ["reached 2026-03-29 03:00"])
    try spring.pass(1800)
    #expect(spring.events.dropFirst() == ["reached 2026-03-29 03:30"])
    spring.trial.stop()

    let autumn = try ClockStand(["02:30"], at: "2026-10-25 01:59:00")
    try autumn.pass(3 * 3600)
    #expect(autumn.events == ["reached 2026-10-25 02:30", "reached 2026-10-25 02:00"])
    guard case .reached(let change) = autumn.trial.events[1].event else { return }
    #expect(change.offset == 3600 && change.change == .init(seconds: change.seconds, offsetBefore: 7200))
    try autumn.pass(24 * 3600)
    #expect(autumn.events.dropFirst(2) == ["reached 2026-10-26 02:30"])
    autumn.trial.stop()
  }

  @Test("a clock that is set forward or back by a day has jumped, and what it skips is no event")
  func jumps() throws {
    let stand = try ClockStand(["06:30"])
    stand.clock.set("2026-11-26 06:45:00")
    try stand.bench.settle()
    #expect(stand.events == ["jumped 2026-11-26 06:45"])
    stand.clock.jump(by: .seconds(-86_400))
    try stand.pass(60)
    #expect(stand.events.dropFirst() == ["jumped 2026-11-25 06:45"])
    stand.clock.set("2026-11-25 06:29:59")
    try stand.pass(1)
    #expect(stand.events.dropFirst(2) == ["jumped 2026-11-25 06:29:59", "reached 2026-11-25 06:30"])
    try stand.pass(86_400)
    #expect(stand.events.dropFirst(4) == ["reached 2026-11-26 06:30"])
    stand.trial.stop()
  }

  @Test("a clock that was not synchronised at the boot emits nothing until it is")
  func unknown() throws {
    let stand = try ClockStand(["06:30"], at: nil)
    try stand.pass(3 * 86_400)
    #expect(stand.found == [] && stand.events == [])
    #expect(stand.trial.cycle.nextAlarm == nil)
    stand.clock.set("2026-11-25 06:29:00")
    try stand.pass(60)
    #expect(stand.events == ["known 2026-11-25 06:29", "reached 2026-11-25 06:30"])
    stand.trial.stop()
    let trusted = try ClockStand([], trust: .machine)
    trusted.clock.isSynchronised = false
    try trusted.pass(1)
    #expect(trusted.found.count == 1 && trusted.events == [])
    trusted.trial.stop()
  }

  @Test("a clock that is removed is unknown, and known again when it is back")
  func unplugged() throws {
    let stand = try ClockStand(["06:30"])
    stand.clock.unplug()
    try stand.pass(5)
    #expect(stand.events == ["unknown"])
    #expect(stand.trial.troubles == [.lost(ClockErrorFactory().lost())])
    stand.clock.plug()
    try stand.pass(25)
    #expect(stand.events.first == "unknown" && stand.events.last == "reached 2026-11-25 06:30")
    #expect(stand.events.count == 3 && stand.trial.troubles.last == .restored)
    stand.trial.stop()
  }

  @Test("a program that got no processor time emits each time that has occurred, with its moment")
  func stall() throws {
    let stand = try ClockStand(["06:30", "06:31", "08:00"])
    try stand.bench.stall(for: .seconds(7200))
    #expect(
      stand.events == ["reached 2026-11-25 06:30", "reached 2026-11-25 06:31", "reached 2026-11-25 08:00"])
    #expect(stand.trial.events.map { $0.moment.nanoseconds / 1_000_000_000 } == [30, 90, 5430])
    // More times than fit into the lane are emitted one after the other.
    try stand.trial.show(WantedTimes([], everyMinute: true))
    try stand.bench.stall(for: .seconds(20 * 3600))
    #expect(stand.events.count == 3 + 1200)
    #expect(stand.events.last == "reached 2026-11-26 04:29")
    #expect(stand.trial.troubles == [])
    stand.trial.stop()
  }

  @Test("the sun needs a place, and its times change with the date")
  func sun() throws {
    let bench = Bench()
    let clock = SimulatedClock(bench, ClockPort(zone: berlinRules))
    clock.set("2026-11-25 12:00:00")
    let place = Place(latitude: 52_520_000, longitude: 13_400_000)
    let trial = DriverBench(
      ClockDriver(clock, place: place), showing: WantedTimes([.sunset(minutes: 30), .sunrise()]), on: bench)
    try trial.start()
    try bench.advance(by: .seconds(86_400))
    #expect(
      trial.events.map { ClockStand.text($0.event) } == ["reached 2026-11-25 16:31", "reached 2026-11-26 07:47"])
    trial.stop()
    let placeless = DriverBench(ClockDriver(clock), showing: WantedTimes([.sunrise()]), on: bench)
    #expect(driverError { try placeless.start() }?.kind == .misconfigured)
  }

  @Test("events from outside that no clock shows are refused")
  func refusals() {
    let driver = ClockDriver(SimulatedClock(Bench()))
    func reading(_ microseconds: Int, _ offset: Int = 0, _ change: ClockReading.Change? = nil) -> ClockReading {
      ClockReading(microseconds: microseconds, offset: offset, change: change)
    }
    #expect(driver.refusal(of: .unknown) == nil)
    #expect(driver.refusal(of: .known(reading(1_790_000_000_000_000, 3600))) == nil)
    #expect(driver.refusal(of: .known(reading(-1))) == "-1 µs is not a time of 1970 to 2199")
    #expect(driver.refusal(of: .jumped(reading(.max))) != nil)
    #expect(driver.refusal(of: .reached(reading(0, 93_601))) != nil)
    #expect(driver.refusal(of: .reached(reading(0, 0, .init(seconds: 1, offsetBefore: 0)))) != nil)
    #expect(driver.refusal(of: .reached(reading(0, 0, .init(seconds: .min, offsetBefore: 0)))) != nil)
  }

  @Test("it obeys the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [WantedTimes([.at(TimeOfDay(6, 30))]), WantedTimes([.at(TimeOfDay(6, 30)), .at(TimeOfDay(7, 0))])],
      setup: { bench -> ClockLawHarness in
        let clock = SimulatedClock(bench, ClockPort(zone: berlinRules))
        clock.set("2026-11-25 06:00:00")
        return ClockLawHarness(clock)
      },
      driver: { ClockDriver($0.clock) })
    #expect(violations == [])
  }
}
