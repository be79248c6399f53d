import ArgumentParser
import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a panel on the devices of this machine.",
    discussion: """
      Runs until Ctrl-C, SIGTERM, SIGHUP or SIGQUIT, then leaves every output in its safe state. Example:

        panel run /etc/panels/doorbell.panel.yaml
      """)

  @Argument(help: "The panel file.")
  var file: String

  @Flag(help: "Waits for a GPIO chip or a line that can't be had yet, instead of ending with 69.")
  var wait = false

  @OptionGroup
  var arguments: DeviceArguments

  func run() throws {
    let diagnostics = Diagnostics(arguments.logLevel)
    try perform(diagnostics, waitingAtMost: Output.patience) {
      let panel = try PanelFile.read(path: file)
      let devices = try Devices(
        arguments.options(gpio: .real, audio: .real), chip: panel.chipChoice,
        soundDevice: panel.audio.device,
        lines: PanelSession.lines(of: panel), isLive: true)
      let session = try PanelSession(
        panel, devices: devices, isSoundRequired: arguments.audio != nil, waitsForLines: wait)
      session.log(to: diagnostics)
      guard let loop = devices.bench.loop as? LinuxLoop else { preconditionFailure("a panel runs in real time") }
      let signals = try StopSignals(on: loop) { _ in session.application.cycle.requestStop() }
      defer { signals.end() }
      // Nothing that is told may hold the panel up.
      Output.errors.detach()
      try run(session, diagnostics)
      diagnostics.write(.info, "\(panel.name): stopped")
    }
  }

  /// Runs until the cycle is asked to stop; the outputs are in their safe state afterwards, also when this throws.
  private func run(_ session: PanelSession, _ diagnostics: Diagnostics) throws(DriverError) {
    try session.start(isWatched: false)
    defer {
      session.stop()
      session.tellTroubles(isLast: true)
    }
    diagnostics.write(.info, "\(session.panel.name): running")
    let cycle = session.application.cycle
    let bench = session.devices.bench
    while !cycle.isStopRequested {
      try bench.step(until: session.nextTelling)
      session.tellTroubles()
    }
  }
}
