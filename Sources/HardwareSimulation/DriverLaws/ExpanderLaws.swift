import CycleCore
import HardwareDrivers

/// Checks a ``HardwareDrivers/GPIOChip`` that is a driver itself, such as a port expander: LEDs and buttons on its
/// lines obey the ``DriverLaws``, two at a time.
///
///     let violations = ExpanderLaws.violations(outputs: ("GPB6", "GPB7"), input: "GPA0") { bench in
///       let bus = SimulatedI2CBus(bench)
///       let part = SimulatedMCP23017(on: bus, at: 0x20)
///       let setup = BusLawHarness(bus, plug: { $0 ? part.plug() : part.unplug() }, …)
///       return (setup, I2CExpander(MCP23017(), bus, address: 0x20))
///     }
///     #expect(violations == [])
///
/// Besides these laws:
///
/// - A write to the second output does not change the first one, not even between two accesses of one write.
/// - When the hardware goes away, the chip and each device on it report the loss, once for each kind of error, and the
///   return once.
/// - After a power cut that is too short for a transfer to fail, the outputs are right within 200 s.
public enum ExpanderLaws {
  /// - Parameters:
  ///   - outputs: two lines on which the laws have LEDs, lit at high level. The setup's picture shows the first.
  ///   - input: a line with a button, closed at low level. The setup's stimulus presses it, and releases it.
  ///   - setup: creates new hardware and the chip for each run.
  /// - Returns: a sentence for each violation, beginning with the law's number.
  public static func violations<Setup: LawHarness, Chip: GPIOChip & Driver>(
    outputs: (LineName, LineName), input: LineName, setup: @escaping (Bench) -> (Setup, Chip)
  ) -> [String] where Chip.Model == NoModel {
    let run = ChipRun(setup)
    let companions = { (setup: Setup) in
      [CompanionDriver(run.chip(of: setup)), CompanionDriver(LED(run.chip(of: setup), line: outputs.1), showing: .on)]
    }
    let checks: [() -> [String]] = [
      {
        DriverLaws.violations(
          models: [.on, .off, .on], setup: run.make, companions: companions,
          device: { LED(run.chip(of: $0), line: outputs.0) }
        ).map { "LED: \($0)" }
      },
      {
        DriverLaws.violations(
          models: [NoModel()], setup: run.make, companions: companions,
          device: { Button(run.chip(of: $0), line: input) }
        ).map { "button: \($0)" }
      },
      { neighbourViolations(outputs, run) }, { lossViolations(outputs, run) }, { powerCutViolations(outputs, run) },
    ]
    var violations: [String] = []
    for check in checks where !violations.contains(where: StepLimit.isExceeded) { violations += check() }
    return violations
  }

  private static func neighbourViolations<Setup: LawHarness, Chip: GPIOChip & Driver>(
    _ outputs: (LineName, LineName), _ run: ChipRun<Setup, Chip>
  ) -> [String] where Chip.Model == NoModel {
    [LED.Model.off, .on].flatMap { model -> [String] in
      let setup = run.make(Bench())
      let trial = DriverBench(
        LED(run.chip(of: setup), line: outputs.1), showing: .off,
        beside: [
          CompanionDriver(run.chip(of: setup)),
          CompanionDriver(LED(run.chip(of: setup), line: outputs.0), showing: model),
        ], on: setup.bench)
      let limit = StepLimit(of: trial.cycle, on: setup.bench)
      defer { trial.stop() }
      do throws(DriverError) {
        try trial.start()
        try setup.bench.advance(by: .seconds(1))
        let picture = setup.picture
        var hasChanged = false
        setup.onAccess { [unowned setup] in hasChanged = hasChanged || setup.picture != picture }
        for next in [LED.Model.on, .off, .on] {
          try trial.show(next)
          try setup.bench.advance(by: .seconds(1))
          hasChanged = hasChanged || setup.picture != picture
        }
        return limit.violations
          + (hasChanged ? ["7: a write to \(outputs.1) changes \(outputs.0), which is \(model)"] : [])
      } catch {
        return ["7: \(error)"]
      }
    }
  }

  private static func powerCutViolations<Setup: LawHarness, Chip: GPIOChip & Driver>(
    _ outputs: (LineName, LineName), _ run: ChipRun<Setup, Chip>
  ) -> [String] where Chip.Model == NoModel {
    let setup = run.make(Bench())
    let trial = DriverBench(
      LED(run.chip(of: setup), line: outputs.0), showing: .on, beside: [CompanionDriver(run.chip(of: setup))],
      on: setup.bench)
    let limit = StepLimit(of: trial.cycle, on: setup.bench)
    defer { trial.stop() }
    do throws(DriverError) {
      try trial.start()
      try setup.bench.advance(by: .seconds(1))
      let picture = setup.picture
      guard setup.unplug() else { return [] }
      setup.plug()
      try setup.bench.advance(by: .seconds(200))
      return limit.violations
        + (setup.picture == picture
          ? [] : ["8: 200 s after a short power cut the hardware shows \(setup.picture) instead of \(picture)"])
    } catch {
      return ["8: \(error)"]
    }
  }

  private static func lossViolations<Setup: LawHarness, Chip: GPIOChip & Driver>(
    _ outputs: (LineName, LineName), _ run: ChipRun<Setup, Chip>
  ) -> [String] where Chip.Model == NoModel {
    var violations: [String] = []
    let setup = run.make(Bench())
    let chip = CompanionDriver(run.chip(of: setup))
    let second = CompanionDriver(LED(run.chip(of: setup), line: outputs.1), showing: .on)
    let trial = DriverBench(
      LED(run.chip(of: setup), line: outputs.0), showing: .on, beside: [chip, second], on: setup.bench)
    let limit = StepLimit(of: trial.cycle, on: setup.bench)
    do throws(DriverError) {
      try trial.start()
      try setup.bench.advance(by: .seconds(1))
      let picture = setup.picture
      guard setup.unplug() else {
        throw DriverError(
          .unsupported, cannot: "unplug the hardware", reason: "the setup can't",
          remedy: "Give the setup a function that unplugs it.")
      }
      try setup.bench.advance(by: .seconds(100))
      setup.plug()
      try setup.bench.advance(by: .seconds(200))
      for (name, troubles) in [
        ("the chip", chip.troubles), ("a device", trial.troubles), ("a device", second.troubles),
      ] {
        let kinds = troubles.map { trouble in
          if case .lost(let error) = trouble { error.kind } else { nil as DriverError.Kind? }
        }
        if kinds.count < 2 || kinds.dropLast().contains(nil) || Set(kinds).count < kinds.count
          || troubles.last != .restored
        {
          violations.append("8: \(name) has reported its loss and its return as \(troubles)")
        }
      }
      if setup.picture != picture {
        violations.append("8: after its return the hardware shows \(setup.picture) instead of \(picture)")
      }
    } catch {
      violations.append("8: \(error)")
    }
    trial.stop()
    return limit.violations + violations
  }
}

/// The chip of the newest setup: each run makes a setup first, and then the drivers on it.
private final class ChipRun<Setup: LawHarness, Chip: GPIOChip & Driver> {
  private let makeBoth: (Bench) -> (Setup, Chip)
  private var newest: (setup: Setup, chip: Chip)?

  init(_ makeBoth: @escaping (Bench) -> (Setup, Chip)) { self.makeBoth = makeBoth }

  func make(_ bench: Bench) -> Setup {
    newest = makeBoth(bench)
    return newest!.setup
  }

  func chip(of setup: Setup) -> Chip {
    guard let newest, newest.setup === setup else {
      preconditionFailure("the drivers of a run are made after its setup")
    }
    return newest.chip
  }
}
