import CycleCore
import HardwareLinux
import Terminal

enum Run: Subcommand {
  static let syntax = CommandSyntax(
    "panel run", "Runs a panel on the devices of this machine.",
    discussion: """
      Runs until Ctrl-C, SIGTERM, SIGHUP or SIGQUIT, then leaves every output in its safe state. Example:

        panel run /etc/panels/doorbell.panel.yaml
      """, operands: [.panelFile],
    options: [
      CommandSyntax.Option(
        "--wait", help: "Waits for a GPIO chip or a line that can't be had yet, instead of ending with 69.")
    ] + PortOptions.options(of: PanelPorts.all) + [Diagnostics.levelOption])

  static func run(_ arguments: ParsedArguments) -> Int32 {
    let diagnostics = Diagnostics(arguments)
    return perform(diagnostics, waitingAtMost: Output.patience) {
      let panel = try PanelFile.read(path: arguments.operands[0])
      let options = PortOptions(arguments, of: PanelPorts.names, others: .real)
      let platform = try Platform(options, usesRealClock: true)
      let session = try PanelSession(
        panel, on: platform, isSoundRequired: arguments.has("--audio"), waitsForLines: arguments.has("--wait"))
      session.log(to: diagnostics)
      guard let loop = platform.bench.loop as? LinuxLoop else { programmerError("a panel runs in real time") }
      let signals = try StopSignals(on: loop) { _ in session.application.cycle.requestStop() }
      defer { signals.end() }
      // From here on a thread writes the log, so that a slow reader doesn't block the panel.
      Output.errors.detach()
      try run(session, diagnostics)
      diagnostics.write(.info, "\(panel.name): stopped")
      return ExitStatus.success
    }
  }

  /// Runs until the cycle is asked to stop; the outputs are in their safe state afterwards, also when this throws.
  private static func run(_ session: PanelSession, _ diagnostics: Diagnostics) throws(DriverError) {
    try session.start(keepsObservations: false)
    defer {
      session.stop()
      session.logTroubles(isLast: true)
    }
    diagnostics.write(.info, "\(session.panel.name): running")
    let cycle = session.application.cycle
    let bench = session.bench
    while !cycle.isStopRequested {
      try bench.step(until: session.nextLogMoment)
      session.logTroubles()
    }
  }
}
