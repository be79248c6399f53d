import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// An application as a program. It reads from the command line whether its ports are real or simulated, and runs until
/// one of the signals of ``HardwareLinux/StopSignals``.
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
/// without an option are real, or simulated with `--simulated`. `--record`, `--record-limit`, `--record-edges` and
/// `--flight-recorder` record it, `--replay` replays a recording without devices, and `--monitor` shows the application
/// in a browser. In a terminal, with a simulated chip, it draws the lines and operates the inputs by keys. Its exit
/// statuses are those of sysexits.h: 0 after a signal, 64 for wrong usage, 69 if a device is absent or busy, 77 without
/// permission.
public protocol CycledApplication {
  associatedtype Frame: Equatable

  /// Connects simulated devices to the simulated ports: a display to a bus, a sensor to two lines. Called before
  /// ``makeCycle(on:)`` if a port may be simulated. The default implementation does nothing.
  static func connectSimulatedDevices(on platform: Platform)

  /// Creates the application's cycle with drivers on the platform's hardware.
  static func makeCycle(on platform: Platform) throws(DriverError) -> any Application<Frame>
}

extension CycledApplication {
  public static func connectSimulatedDevices(on platform: Platform) {}

  public static func main() {
    StandardStreamSetup.prepare()
    exit(run(Arguments.list))
  }

  /// Runs with these arguments. Returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    let takes = ApplicationRecordingEditor { try make(on: Platform(.simulated)) }
    if let status = ReplaySubprocessMain.run(takes) { return status }
    do {
      // The options depend on the ports, which are known only after `makeCycle`: guess first, parse again afterwards.
      let platform = try Platform(
        PortChoices(guessing: arguments, besides: options, others: .real), usesRealClock: true)
      var recorder: Recorder?
      if arguments.contains(RecordingSession.edges.name) { platform.edgeRecorder = { recorder } }
      let made = Result { () throws(DriverError) in try make(on: platform) }
      let syntax = syntax(of: platform.ports)
      let parsed = try syntax.parse(arguments)
      let diagnostics = Diagnostics(.warning)
      if let path = parsed.value(of: replay) {
        let isDigest = parsed.has(digest)
        return try printReplayResult(of: path, isDigest: isDigest, diagnostics) {
          try made.get().replay(
            RecordingReader(RecordingFileReader(path: path), name: path), ReplayOptions(hasDigest: isDigest))
        }
      }
      let monitor = try MonitorSession(parsed, of: syntax, diagnostics)
      let recording = try RecordingSession(parsed, of: syntax, diagnostics)
      defer { recording.abandon() }
      let sinks = recording.sinks + monitor.sinks
      let cycle = try made.get()
      if !sinks.isEmpty {
        let made = Recorder(app: LineConsumer.thisProgram, to: sinks)
        try cycle.record(with: made)
        (recorder, platform.bench.recorder) = (made, made)
      }
      try run(cycle, on: platform, recording, monitor, recorder)
      return recording.end(ExitStatus.success, recorder)
    } catch let end as CommandEnd {
      end.write()
      return end.status
    } catch let error as DriverError {
      Output.errors.write("\(LineConsumer.thisProgram): \(error)\n")
      return error.exitStatus
    } catch let error as RecordingError {
      Output.errors.write("\(error)\n")
      return ExitStatus.wrongContent
    } catch {
      programmerError("a call that throws something else: \(error)")
    }
  }

  private static func make(on platform: Platform) throws(DriverError) -> any Application<Frame> {
    if platform.options.isPartlySimulated { connectSimulatedDevices(on: platform) }
    return try makeCycle(on: platform)
  }

  private static func syntax(of ports: [any Port.Type]) -> CommandSyntax {
    CommandSyntax(
      LineConsumer.thisProgram,
      "Run until Ctrl-C, SIGTERM, SIGHUP or SIGQUIT, then set every output to its safe state.",
      options: PortChoices.options(of: ports) + options)
  }

  /// The options that don't belong to a port.
  private static var options: [CommandSyntax.Option] {
    RecordingSession.all + MonitorSession.all + [
      RecordingSession.edges,
      CommandSyntax.Option(
        replay, value: "FILE",
        help: "Replay a recording without devices, and end with 1 if a result differs from what was recorded."),
      CommandSyntax.Option(digest, help: "Print only a digest of what was replayed."),
    ]
  }

  private static var replay: String { "--replay" }
  private static var digest: String { "--digest" }

  private static func run(
    _ cycle: any Application<Frame>, on platform: Platform, _ recording: RecordingSession, _ monitor: MonitorSession,
    _ recorder: Recorder?
  ) throws(DriverError) {
    guard let loop = platform.bench.loop as? LinuxLoop else { programmerError("a program runs in real time") }
    let requests = try recording.watchRequests(on: loop)
    defer { requests?.end() }
    func serve(_ inputs: HandOperatedLines?) throws(DriverError) {
      guard monitor.isAsked, let recorder else { return }
      let monitored = MonitoredSwiftApplication(
        cycle, recorder: recorder, on: platform, inputs: inputs, takes: ReplaySubprocess())
      try monitor.serve(monitored, on: loop)
    }
    if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, TerminalCapabilities.ofThisProcess.movesCursor,
      platform.simulatedChip != nil
    {
      let stage = OperatedSwiftApplication(cycle, on: platform)
      return try Console(stage, on: loop, monitored: monitor) { () throws(DriverError) in try serve(stage.lines) }.run()
    }
    let signals = try StopSignals(on: loop) { _ in
      recorder?.endReason = .signal
      cycle.requestStop()
    }
    defer { signals.end() }
    try platform.bench.run(cycle)
    defer { platform.bench.stop() }
    try serve(platform.simulatedChip == nil ? nil : HandOperatedLines(of: platform))
    defer { monitor.end() }
    while !cycle.isStopRequested {
      try platform.bench.step(until: nil)
      monitor.turn()
    }
  }
}
