import ArgumentParser
import CycleCore
import Glibc
import HardwareDrivers

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a panel on the devices of this machine.",
    discussion: """
      Runs until Ctrl-C or SIGTERM, then leaves every output in its safe state. Example:

        panel run /etc/panels/doorbell.panel.yaml
      """)

  @Argument(help: "The panel file.")
  var file: String

  @OptionGroup
  var arguments: DeviceArguments

  func run() throws {
    let diagnostics = Diagnostics(arguments.logLevel)
    try perform(diagnostics) {
      let panel = try PanelFile.read(path: file)
      let devices = try Devices(
        arguments.options(gpio: .real, audio: .real), chip: panel.chipChoice, soundDevice: panel.audio.device,
        lines: PanelSession.lines(of: panel), isLive: true)
      let session = try PanelSession(panel, devices: devices, isSoundRequired: arguments.audio != nil)
      session.log(to: diagnostics)
      guard let loop = devices.bench.loop as? LinuxLoop else { preconditionFailure("a panel runs in real time") }
      let signals = try StopSignals(on: loop) { _ in session.application.cycle.requestStop() }
      defer { signals.end() }
      try session.start(isWatched: false)
      defer { session.stop() }
      diagnostics.write(.info, "\(panel.name): running")
      let cycle = session.application.cycle
      let bench = devices.bench
      while !cycle.isStopRequested {
        try bench.step(until: nil)
        session.tellTroubles()
      }
      diagnostics.write(.info, "\(panel.name): stopped")
    }
  }
}
