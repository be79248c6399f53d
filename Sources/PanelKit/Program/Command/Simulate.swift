import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import PanelLanguage
import PanelRecording
import PanelRun
import Terminal

enum Simulate: Subcommand {
  static let syntax = CommandSyntax(
    "panel simulate", "Run a panel on simulated devices.",
    discussion: """
      Interactive: keyboard keys act as buttons; ? lists the keys. In a pipe, or with TERM=dumb: reads one step per line, in \
      virtual time; the step `help` lists the steps.

      Without a panel it runs a built-in sample.
      """,
    examples: """
      $ panel simulate lamp.panel.yaml
      $ printf 'press key\\nwait 10ms\\nexpect lamp=blinking\\n' | panel simulate lamp.panel.yaml
      Lamp
      0.000s  state=dark  lamp=off  playing=nothing
      0.010s  state=lit  lamp=blinking  playing=hum

      $ panel simulate lamp.panel.yaml --audio real
      """,
    operands: [
      .init(
        "PANEL", help: "A panel file, or a panel's name (lamp: ./lamp.panel.yaml or /etc/panel/lamp.panel.yaml).",
        .optional)
    ],
    options: RecordingSession.all + MonitorSession.all + [Diagnostics.levelOption],
    statuses: [(ExitStatus.failed, "A step `expect` failed.")])

  static func ports(in kinds: KindList) -> [any Port.Type] { kinds.ports }

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(arguments)
    var mustNotWait = false
    return perform(diagnostics, waitingAtMost: mustNotWait ? Output.patience : nil) {
      let file = try arguments.operands.first.map { word throws in
        guard word != "-" else {
          throw syntax.misuse("standard input has the steps, so that it cannot have the panel file, too; name a file")
        }
        return try PanelFile.find(word)
      }
      let panel =
        try file.map { path throws(Problems) in
          try PanelFile.read(path: path, kinds: kinds, checkSound: SoundFileCheck.finding)
        }
        ?? SamplePanel.read(kinds: kinds)
      let isTyped = isatty(STDIN_FILENO) == 1
      let isTerminal = isTyped && isatty(STDOUT_FILENO) == 1 && TerminalCapabilities.ofThisProcess.movesCursor
      let monitor = try MonitorSession(arguments, of: syntax, diagnostics)
      let platform = try Platform(
        portOptions(arguments, kinds, others: .simulated), usesRealClock: isTerminal || monitor.isAsked)
      let session = try PanelSession(panel, on: platform, isSoundRequired: arguments.has("--audio"))
      let recording = try session.record(arguments, of: syntax, panelFile: file, diagnostics, shownBy: monitor)
      defer { recording.abandon() }
      defer { mustNotWait = isTerminal || session.application.cycle.isStopRequested }
      if isTerminal, let loop = platform.bench.loop as? LinuxLoop {
        let requests = try recording.watchRequests(on: loop)
        defer { requests?.end() }
        try Console(OperatedPanel(session), on: loop, monitored: monitor) { () throws(DriverError) in
          try monitor.serve(session, file: file, on: loop)
        }.run()
        return recording.end(ExitStatus.success, session.recorder)
      }
      let isAsExpected = try StepConsole(session, diagnostics, isTyped: isTyped).run(recordedBy: recording, monitor) {
        try monitor.serve(session, file: file, on: $0)
      }
      return recording.end(isAsExpected ? ExitStatus.success : ExitStatus.failed, session.recorder)
    }
  }
}
