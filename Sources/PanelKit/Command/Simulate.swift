import CycleCore
import Glibc
import HardwareLinux
import Terminal

enum Simulate: Subcommand {
  static let syntax = CommandSyntax(
    "panel simulate", "Runs a panel on simulated devices.",
    discussion: """
      In a terminal it draws the panel and takes keys for the inputs; ? shows them. Otherwise, and where TERM is dumb, it
      reads a step a line, in virtual time; help lists the steps:

        printf 'press bell\\nwait 10ms\\nexpect lamp=blinking\\n' | panel simulate doorbell.panel.yaml
      """,
    operands: [
      .init(
        "FILE", help: "The panel file, or the name of a panel in /etc/panel; the built-in sample panel without it.",
        .optional)
    ],
    options: PortOptions.options(of: PanelPorts.all) + FilmOptions.all + MonitorOptions.all + [Diagnostics.levelOption])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(arguments)
    var mustNotWait = false
    return perform(diagnostics, waitingAtMost: mustNotWait ? Output.patience : nil) {
      let file = arguments.operands.first.map(PanelFile.path)
      let panel =
        try file.map { path throws(Problems) in try PanelFile.read(path: path, kinds: kinds) }
        ?? SamplePanel.read(kinds: kinds)
      let isTyped = isatty(STDIN_FILENO) == 1
      let isTerminal = isTyped && isatty(STDOUT_FILENO) == 1 && TerminalAbilities.ofThisProcess.movesCursor
      let monitor = try MonitorOptions(arguments, of: syntax, diagnostics)
      let platform = try Platform(
        PortOptions(arguments, of: PanelPorts.names, others: .simulated), usesRealClock: isTerminal || monitor.isAsked)
      let session = try PanelSession(panel, on: platform, isSoundRequired: arguments.has("--audio"))
      let film = try session.film(arguments, of: syntax, panelFile: file, diagnostics, shownBy: monitor)
      defer { film.abandon() }
      defer { mustNotWait = isTerminal || session.application.cycle.isStopRequested }
      if isTerminal, let loop = platform.bench.loop as? LinuxLoop {
        let requests = try film.watchRequests(on: loop)
        defer { requests?.end() }
        try Console(PanelStage(session), on: loop, monitored: monitor) { () throws(DriverError) in
          try monitor.serve(session, file: file, on: loop)
        }.run()
        return film.end(ExitStatus.success, session.recorder)
      }
      let isAsExpected = try StepConsole(session, diagnostics, isTyped: isTyped).run(filmedBy: film, monitor) {
        try monitor.serve(session, file: file, on: $0)
      }
      return film.end(isAsExpected ? ExitStatus.success : ExitStatus.failed, session.recorder)
    }
  }
}
