import ArgumentParser
import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

struct Safe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts every output of a panel into its safe state and ends, for after a crash.",
    discussion: """
      The kernel of a Raspberry Pi keeps outputs driven when a program is killed. Have systemd run this afterwards:

        ExecStopPost=/usr/local/bin/panel safe /etc/panels/doorbell.panel.yaml
      """)

  @Argument(help: "The panel file.")
  var file: String

  @Option(help: ArgumentHelp("The GPIO chip: real or simulated.", valueName: "real|simulated"))
  var gpio: DeviceArguments.GPIO?

  func run() throws {
    let diagnostics = Diagnostics(.warning)
    try perform(diagnostics) {
      let panel = try PanelFile.read(path: file)
      let devices = try Devices(
        DeviceOptions(gpio: gpio?.choice ?? .real, audio: .simulated), chip: panel.chipChoice,
        lines: PanelSession.lines(of: panel), isLive: false)
      let errors = SafeState(of: panel).show(on: devices.chip, loop: devices.bench.loop)
      for error in errors.dropLast() { diagnostics.write(.error, "panel: \(error)") }
      if let error = errors.last { throw error }
    }
  }
}
