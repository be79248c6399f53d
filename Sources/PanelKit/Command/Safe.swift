import HardwareLinux
import Terminal

enum Safe: Subcommand {
  static let syntax = CommandSyntax(
    "panel safe", "Puts every output of a panel into its safe state and ends, for after a crash.",
    discussion: """
      The kernel of a Raspberry Pi keeps outputs driven when a program is killed. Have systemd run this afterwards:

        ExecStopPost=/usr/local/bin/panel safe /etc/panels/doorbell.panel.yaml
      """, operands: [.panelFile], options: PortOptions.options(of: [GPIOChipPort.self, I2CBusPort.self]))

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let panel = try PanelFile.read(path: arguments.operands[0], kinds: kinds)
      let platform = try Platform(PortOptions(arguments, of: [GPIOChipPort.name, I2CBusPort.name], others: .real))
      let chips = SimulatedChips(of: panel, on: platform)
      // A simulated bus has no device by itself.
      for output in panel.outputs { _ = output.device.display(on: chips?[panel.chip(of: output.device)], platform) }
      let own = platform.hardware(at: PanelSession.port(of: panel))
      let errors = SafeState(of: panel).show(
        on: PanelChips(of: panel, own: own, on: platform), loop: platform.bench.loop,
        bus: { platform.hardware(at: $0) })
      for error in errors.dropLast() { diagnostics.write(.error, "panel: \(error)") }
      if let error = errors.last { throw error }
      return ExitStatus.success
    }
  }
}
