import CycleCore
import HardwareDrivers

/// What every driver promises, checked on any driver. It knows no test framework: assert that the list is empty.
///
///     let violations = DriverLaws.violations(
///       models: [.off, .on],
///       port: { ChipPort(SimulatedChip($0), outputs: ["GPIO23"]) },
///       device: { LED($0.chip, line: "GPIO23") })
///     #expect(violations == [])
///
/// 1. The same model twice writes once.
/// 2. Stop leaves the safe value and releases all.
/// 3. Time never runs back, and no event is stamped later than the clock.
/// 4. A port that fails gives an error that names the line.
/// 5. A render that failed changes nothing. It is told once and tried again without a frame, at a bounded cost, until it is good. Where one of
///    several writes failed, the hardware shows the model a minute later all the same, or the one before if it went back.
/// 6. No event, no alarm and no write after stop.
/// 7. The hardware shows the seed's model from the first instant: when the driver has started, and nothing is rendered yet.
/// 8. Hardware that goes away, at the start or amid anything, is told as lost, once for each kind of error, and back as restored; it shows
///    the model of the moment then.
/// 9. However late the driver gets to run (by 0.1, 1 and 30 ms each time, and by 30 ms every other time), it tells the same events, shows
///    the same, and leaves no less time between two writes.
/// 10. No call holds the cycle up for longer than it may.
/// 11. The hardware is used as its data sheet says.
///
/// Law 0 is yours: a sentence that begins with 0 says what could not be seen, because models look alike, a stimulus told no event, or
/// nothing was ever written or held.
public enum DriverLaws {
  /// Runs the driver through all laws on benches of its own, in virtual time.
  ///
  /// - Parameters:
  ///   - models: steady models, no two in a row of which look alike; at least one. ``CycleCore/NoModel`` for a driver that
  ///     only listens.
  ///   - port: makes the hardware anew for each run.
  ///   - safe: what is shown at the end; the driver's own safe model unless given.
  ///   - driver: makes the driver anew on that hardware.
  /// - Returns: a sentence for each law that is broken, beginning with the law's number.
  public static func violations<D: Driver & ~Copyable, Port: LawPort>(
    models: [D.Model], safe: D.Model? = nil, port: @escaping (Bench) -> Port, driver: @escaping (Port) -> D
  ) -> [String] {
    precondition(!models.isEmpty, "the laws are checked with at least one model")
    let probe = driver(port(Bench()))
    let check = LawCheck(models: models + [safe ?? probe.safeModel], port: port, driver: driver)
    check.checkAll()
    return check.journal.violations
  }

  /// Runs a device on lines through all laws.
  public static func violations<Device: LineDevice, Port: LawPort>(
    models: [Device.Model], safe: Device.Model? = nil, port: @escaping (Bench) -> Port,
    device: @escaping (Port) -> Device
  ) -> [String] {
    violations(models: models, safe: safe, port: port, driver: { LineDriver(device($0)) })
  }
}
