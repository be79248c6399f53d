import CycleCore
import Glibc
import HardwareDrivers
import HardwareSimulation
import Terminal

/// An application as a program: reads from the command line whether its ports are real or simulated, and runs until one
/// of the signals of ``StopSignals``.
///
///     @main
///     struct Doorbell: CycledApplication {
///       static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Bell> {
///         Cycle(seed: Bell()) {
///           Lens(Button(platform.chip, line: "GPIO17"), on: { frame, event in ... })
///           Lens(LED(platform.chip, line: "GPIO23"), show: { ... })
///         }
///       }
///     }
///
/// The program has an option for each of its ports, `--gpio real|simulated` or `--audio real|simulated|FILE.wav`. Ports
/// without an option are real, or simulated with `--simulated`. In a terminal, with a simulated chip, it draws the
/// lines and operates the inputs by keys. Its exit statuses are those of sysexits.h: 0 after a signal, 64 for wrong
/// usage, 69 if a device is absent or busy, 77 without permission.
public protocol CycledApplication {
  associatedtype Frame: Equatable

  /// Connects simulated devices to the simulated ports: a display to a bus, a sensor to two lines. Called before
  /// ``makeCycle(on:)`` if a port may be simulated. Does nothing unless implemented.
  static func connectSimulatedDevices(on platform: Platform)

  /// Makes the application's cycle with drivers on the platform's hardware.
  static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Frame>
}

extension CycledApplication {
  public static func connectSimulatedDevices(on platform: Platform) {}

  public static func main() {
    StandardStreams.prepare()
    exit(run(Arguments.list))
  }

  /// Runs with these arguments: the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      // The options depend on the ports, which are known only after `makeCycle`: guess first, parse again afterwards.
      let platform = try Platform(PortOptions(guessing: arguments, others: .real), usesRealClock: true)
      let made = Result { () throws(DriverError) in
        if platform.options.isPartlySimulated { connectSimulatedDevices(on: platform) }
        return try makeCycle(on: platform)
      }
      _ = try syntax(of: platform.ports).parse(arguments)
      try run(made.get(), on: platform)
      return ExitStatus.success
    } catch let end as CommandEnd {
      end.write()
      return end.status
    } catch let error as DriverError {
      Output.errors.write("\(LineConsumer.thisProgram): \(error)\n")
      return error.exitStatus
    } catch {
      programmerError("a call that throws something else: \(error)")
    }
  }

  private static func syntax(of ports: [any Port.Type]) -> CommandSyntax {
    CommandSyntax(
      LineConsumer.thisProgram,
      "Runs until Ctrl-C, SIGTERM, SIGHUP or SIGQUIT, then leaves every output in its safe state.",
      options: PortOptions.options(of: ports))
  }

  private static func run(_ cycle: any Application<Frame>, on platform: Platform) throws(DriverError) {
    guard let loop = platform.bench.loop as? LinuxLoop else { programmerError("a program runs in real time") }
    if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, TerminalAbilities.ofThisProcess.movesCursor,
      platform.simulatedChip != nil
    {
      return try Console(ApplicationStage(cycle, on: platform), on: loop).run()
    }
    let signals = try StopSignals(on: loop) { _ in cycle.requestStop() }
    defer { signals.end() }
    try platform.bench.run(cycle)
    defer { platform.bench.stop() }
    while !cycle.isStopRequested { try platform.bench.step(until: nil) }
  }
}
