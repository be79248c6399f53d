import HardwareLinux
import Terminal

enum Safe: Subcommand {
  static let syntax = CommandSyntax(
    "panel safe", "Puts every output of a panel into its safe state and ends, for after a crash.",
    discussion: """
      The kernel of a Raspberry Pi keeps outputs driven when a program is killed. Have systemd run this afterwards:

        ExecStopPost=/usr/local/bin/panel safe /etc/panels/doorbell.panel.yaml
      """, operands: [.panelFile], options: PortOptions.options(of: [GPIOChipPort.self]))

  static func run(_ arguments: ParsedArguments) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let panel = try PanelFile.read(path: arguments.operands[0])
      let platform = try Platform(PortOptions(arguments, of: [GPIOChipPort.name], others: .real))
      let errors = SafeState(of: panel).show(
        on: platform.hardware(at: PanelSession.port(of: panel)), loop: platform.bench.loop)
      for error in errors.dropLast() { diagnostics.write(.error, "panel: \(error)") }
      if let error = errors.last { throw error }
      return ExitStatus.success
    }
  }
}
