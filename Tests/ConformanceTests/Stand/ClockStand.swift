import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A clock for the program, and the user who sets it.
protocol ClockStand: AnyObject {
  var bench: Bench { get }
  /// The longest delay of an effect.
  var tolerance: Duration { get }
  var clock: any WallClock { get }

  /// Sets the clock, in microseconds since 1970.
  func set(_ microseconds: Int) throws
  /// Called at the end of every case.
  func end() throws
}

extension ClockStand {
  static var rules: String { "CET-1CEST,M3.5.0,M10.5.0/3" }
  static var zone: ZoneRules { ZoneRules(posix: rules) ?? .utc }

  func pass(_ milliseconds: Int = 0) throws(DriverError) {
    try bench.advance(by: .milliseconds(milliseconds) + tolerance)
  }

  func set(_ date: CalendarDate, _ time: TimeOfDay) throws {
    try set(Self.zone.seconds(on: date, at: time.seconds) * 1_000_000)
  }
}

/// A clock in memory, in virtual time.
final class SimulatedClockStand: ClockStand {
  let bench = Bench()
  private let simulated: SimulatedClock

  static let place = SimulatedLineStand.place

  init() { simulated = SimulatedClock(bench, ClockPort(zone: Self.rules, trust: .machine)) }

  var tolerance: Duration { .zero }
  var clock: any WallClock { simulated }
  func set(_ microseconds: Int) { simulated.set(nanoseconds: Int64(microseconds) * 1000) }
  func end() { bench.stop() }
}

/// The clock of the lab's kernel. It is set back at the end; no other clock is changed.
final class KernelClockStand: ClockStand {
  static let isThere = SimulatorChip.isThere && geteuid() == 0

  let bench: Bench
  let clock: any WallClock = LinuxClock(ClockPort(zone: rules, trust: .machine))
  /// The clock minus the loop's clock.
  private let difference: Int64

  init() throws {
    bench = Bench(loop: try MeasuredLoop())
    difference = Self.time(CLOCK_REALTIME) - Self.time(CLOCK_MONOTONIC)
  }

  private static func time(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  var tolerance: Duration { .milliseconds(60) }

  func set(_ microseconds: Int) throws {
    var time = timespec(tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1000)
    guard clock_settime(CLOCK_REALTIME, &time) == 0 else { throw StandFailure("clock_settime: errno \(errno)") }
  }

  func end() throws {
    bench.stop()
    try set(Int((Self.time(CLOCK_MONOTONIC) + difference) / 1000))
  }
}
