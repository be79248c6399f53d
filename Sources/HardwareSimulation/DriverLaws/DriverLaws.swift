import CycleCore
import HardwareDrivers

/// Checks the laws that every driver must obey. It returns the violations as a list, which a test of any framework
/// asserts to be empty.
///
///     let violations = DriverLaws.violations(
///       models: [.off, .on],
///       setup: { ChipLawHarness(SimulatedChip($0), outputs: ["GPIO23"]) },
///       device: { LED($0.chip, line: "GPIO23") })
///     #expect(violations == [])
///
/// 1. Rendering the same model a second time writes nothing.
/// 2. After stop the hardware shows the safe model, and the driver holds nothing.
/// 3. The moments of events never decrease, and none is later than the clock.
/// 4. If the setup fails, the driver throws or reports an error that names the line.
/// 5. A render whose first write fails leaves the hardware unchanged. The failure is reported once, and the render
///    is retried without a new frame, at a bounded rate, until it succeeds. If one of several writes fails, the
///    hardware still shows the model after a minute, or the previous model if the application has returned to that.
///    This also holds for a write that fails and takes effect nevertheless.
/// 6. After stop the driver emits no event, sets no alarm and writes nothing.
/// 7. The hardware shows the seed's model as soon as the driver has started, before the first render, and nothing
///    else on the way there: each output changes once at most.
/// 8. Hardware that is absent at the start, or goes away at any time, is reported as lost, once for each kind of
///    error, and as restored when it is back; then it shows the current model, and the driver emits the same events
///    as before.
/// 9. A driver may run late: each time by 0.1, 1 or 30 ms, or by 30 ms at every second turn. Then it emits the same
///    events with the same moments, the hardware shows the same, and the time between two writes gets no shorter.
/// 10. No call of the driver takes longer than allowed.
/// 11. The driver obeys the hardware's data sheet.
/// 12. The driver refuses none of its own events when they come from outside (``CycleCore/Driver/refusal(of:)``),
///     and its refusal can be requested for events with any other numbers. Events that no recording can hold are
///     not checked.
/// 13. The state of the hardware at the start is not an event. If its inputs are operated when the driver starts,
///     or come to rest in the first milliseconds, the driver emits none until they change again. It writes nothing
///     before the application's inputs are known.
/// 14. A driver at rest sleeps: while nothing happens it wakes at most 10 times in 10 s without writing or emitting
///     anything, and emits at most 3 events.
/// 15. If the hardware loses events while the driver is late, the driver emits the right ones later. If the
///     hardware counts the lost ones, their numbers are right, too. This is compared at the end of a run, so it
///     needs an event with a running total: a number for each window of time is not checked.
///
/// Give a driver that moves something slowly a model that is far away: some faults show on a long way only. A model or
/// a picture whose text is longer than 120 characters is named by its number in a sentence.
///
/// A violation of law 0 is a weakness of the test: its sentence reports what could not be checked. The reason is that
/// models look alike, the stimulus made the driver emit no event, or nothing was ever written or held.
public enum DriverLaws {
  /// Checks a driver against all laws, in several runs in virtual time, each on its own bench.
  ///
  /// - Parameters:
  ///   - models: at least one model, each with a picture that doesn't change by itself and differs from the one before;
  ///     ``CycleCore/NoModel`` for a driver without models.
  ///   - setup: creates new hardware for each run.
  ///   - safe: the model that is rendered at the end of each run; the driver's own safe model unless given.
  ///   - companions: creates drivers that run beside it on that hardware, such as that of a port expander.
  ///   - driver: creates a new driver for that hardware.
  /// - Returns: a sentence for each violation, beginning with the law's number.
  public static func violations<D: Driver & ~Copyable, Setup: LawHarness>(
    models: [D.Model], safe: D.Model? = nil, setup: @escaping (Bench) -> Setup,
    companions: @escaping (Setup) -> [CompanionDriver] = { _ in [] }, driver: @escaping (Setup) -> D
  ) -> [String] {
    precondition(!models.isEmpty, "the laws are checked with at least one model")
    let probe = driver(setup(Bench()))
    let check = DriverLawCheck(
      models: models + [safe ?? probe.safeModel], setup: setup, companions: companions, driver: driver)
    check.checkAll()
    return check.journal.violations
  }

  /// Runs a device on lines through all laws.
  public static func violations<Device: LineDevice, Setup: LawHarness>(
    models: [Device.Model], safe: Device.Model? = nil, setup: @escaping (Bench) -> Setup,
    companions: @escaping (Setup) -> [CompanionDriver] = { _ in [] }, device: @escaping (Setup) -> Device
  ) -> [String] {
    violations(
      models: models, safe: safe, setup: setup, companions: companions, driver: { LineDriver(device($0)) })
  }
}
