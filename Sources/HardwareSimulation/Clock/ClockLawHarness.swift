import CycleCore
import HardwareDrivers

/// The ``LawHarness`` of a driver on a simulated clock. The stimulus waits for a day.
///
///     setup: { bench in
///       let clock = SimulatedClock(bench)
///       clock.set(CalendarDate(2026, 11, 25), TimeOfDay(6, 0))
///       return ClockLawHarness(clock)
///     }
public final class ClockLawHarness: LawHarness {
  public let clock: SimulatedClock

  public init(_ clock: SimulatedClock) { self.clock = clock }

  public var bench: Bench { clock.bench }
  public var names: [String] { [ClockErrorFactory.subject] }
  public var writeCount: Int { clock.timerCount }
  public var heldCount: Int { clock.isOpen ? 1 : 0 }
  public var hasPicture: Bool { false }
  public var picture: String { "" }

  private var failure: DriverError {
    DriverError(
      .failed, of: ClockErrorFactory.subject, cannot: "set the timer of the clock", reason: "input/output error",
      remedy: "This failure was asked for.")
  }

  public func failNextRequest() -> Bool {
    clock.nextOpenError = failure
    return true
  }

  public func failWrites(_ fail: Bool) -> Bool {
    clock.lastingError = fail ? failure : nil
    return true
  }

  public func unplug() -> Bool {
    clock.unplug()
    return true
  }

  public func plug() { clock.plug() }

  public func stimulate() throws(DriverError) {
    try bench.advance(by: .seconds(86_400))
  }
}
