import Glibc
import HardwareLinux
import HardwarePlatform
import PanelLanguage
import Terminal

/// `panel watch`: streams the state of a running panel.
enum Watch: Subcommand {
  static let syntax = CommandSyntax(
    "panel watch", "Stream the state of a running panel as JSON: first the full state, then changes.",
    discussion: """
      Each line is an object with the members state, values, inputs, outputs, playing and trouble. Later lines have only what \
      has changed. It runs until Ctrl-C, or until the panel stops.
      """,
    examples: """
      $ panel watch lamp
      {"state": {"main": "dark"}, "values": {}, "inputs": {"key": "released"}, ...}
      {"state": {"main": "lit"}, "outputs": {"lamp": "blinking"}}

      $ panel watch lamp | jq --unbuffered .state
      $ panel watch lamp --run /tmp/panels
      """, operands: [.runningPanel], options: [RunningPanels.runOption])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let name = arguments.operands[0]
      let panels = RunningPanels(arguments)
      guard let client = try panels.connect(to: name) else {
        return ControlRequest.tellAbsence(of: name, among: panels, diagnostics)
      }
      try client.send("watch")
      client.wait(atMost: nil)
      while let line = try client.readLine() {
        if let refusal = ControlClient.Answer.Refusal(line) {
          diagnostics.write(.error, "\(name): \(line)")
          return refusal.code
        }
        Output.print(line)
        if Output.standard.failure != nil { break }
      }
      return ExitStatus.success
    }
  }
}

/// `panel reload`: reloads the file of a running panel.
enum Reload: Subcommand {
  static let syntax = CommandSyntax(
    "panel reload", "Reload the file of a running panel without restarting it.",
    discussion: """
      States, values and lines that are the same in both files stay as they are. If the new file has an error, the panel \
      continues with the old one. The command prints what changed.
      """,
    examples: """
      $ panel reload lamp
      $ panel reload lamp /etc/panel/lamp.panel.yaml
      $ panel check lamp && panel reload lamp
      """,
    operands: [
      .runningPanel, .init("FILE", help: "The panel file (default: the one that the panel runs).", .optional),
    ],
    options: [RunningPanels.runOption])

  /// The longest wait for the reply: the panel reads its sounds first.
  private static let patience = Duration.seconds(60)

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    guard arguments.operands.count > 1 else {
      return ControlRequest.perform("reload", of: syntax.name, arguments, waitingAtMost: patience)
    }
    let path = arguments.operands[1]
    // The panel has a different working directory.
    let folder = path.hasPrefix("/") ? "" : "\(Folder.current)/"
    return ControlRequest.perform("reload \(folder)\(path)", of: syntax.name, arguments, waitingAtMost: patience)
  }
}

/// `panel press`: presses and releases a button.
enum Press: Subcommand {
  static let syntax = CommandSyntax(
    "panel press", "Press and release a button of a running panel.",
    discussion: """
      The panel file must allow it: accept: { press: [ bell ] }. There is no command for a press without a release: a button \
      must not stay pressed after the command has ended. Use --for for a long press.
      """,
    examples: """
      $ panel press doorbell bell
      $ panel press doorbell bell --for 2s
      $ panel press doorbell bel
      panel press: unknown input "bel"; did you mean "bell"?
      """,
    operands: [.runningPanel, .init("BUTTON", help: "The button's name in the panel file.")],
    options: [span, RunningPanels.runOption])

  private static let span = CommandSyntax.Option(
    "--for", value: "TIME", "a time from 1ms to 10s",
    help: "How long to hold the button (default: as short as possible).")

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let button = arguments.operands[1]
    let request = arguments.value(of: span.name).map { "hold \(button) \($0)" } ?? "click \(button)"
    return ControlRequest.perform(request, of: syntax.name, arguments)
  }
}

/// `panel do`: sends an event.
enum Do: Subcommand {
  static let syntax = CommandSyntax(
    "panel do", "Send an event to a running panel.",
    discussion: "The panel file must allow it: accept: { event: [ light ] }",
    examples: """
      $ panel do doorbell light
      $ panel do doorbell lights
      panel do: refused: the panel file does not allow the event "lights"; did you mean "light"?
      """,
    operands: [.runningPanel, .init("EVENT", help: "The event's name in the panel file: light for network.light.")],
    options: [RunningPanels.runOption])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    ControlRequest.perform("do \(arguments.operands[1])", of: syntax.name, arguments)
  }
}

/// `panel turn`: turns an encoder.
enum Turn: Subcommand {
  static let syntax = CommandSyntax(
    "panel turn", "Turn an encoder of a running panel.",
    discussion: "The panel file must allow it: accept: { turn: [ knob ] }",
    examples: """
      $ panel turn fan knob 1
      $ panel turn fan knob -3
      """,
    operands: [
      .runningPanel, .init("ENCODER", help: "The encoder's name in the panel file."),
      .init("DETENTS", help: "Number of detents, from 1 to 100 clockwise, or from -1 to -100 counterclockwise."),
    ], options: [RunningPanels.runOption])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    ControlRequest.perform("turn \(arguments.operands[1]) \(arguments.operands[2])", of: syntax.name, arguments)
  }
}

/// `panel set`: sets a value.
enum SetValue: Subcommand {
  static let syntax = CommandSyntax(
    "panel set", "Set or change a value of a running panel.",
    discussion: """
      The panel file must allow it: accept: { set: [ level ] }. A number with a sign changes the value, as in a panel file. \
      Write = before a negative number to set it.
      """,
    examples: """
      $ panel set fan level 9      # level becomes 9
      $ panel set fan level -1     # level becomes 8
      $ panel set fan level = -4   # level becomes -4
      """,
    operands: [
      .runningPanel, .init("VALUE", help: "The value's name in the panel file."),
      .init("NUMBER", help: "9 or = -4 sets the value; +1 or -1 changes it.", .oneOrMore),
    ], options: [RunningPanels.runOption])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    ControlRequest.perform("set \(arguments.operands[1...].joined(separator: " "))", of: syntax.name, arguments)
  }
}

/// `panel log`: shows the journal of a panel, or changes its log level.
enum Log: Subcommand {
  static let syntax = CommandSyntax(
    "panel log", "Show the journal of a panel that runs as a service, or change its log level.",
    discussion: """
      Without a level, it runs journalctl for the service. Options after -- are passed to journalctl. A level applies until \
      the panel stops.
      """,
    examples: """
      $ panel log lamp
      $ panel log lamp -- -f -n 50
      $ panel log lamp debug
      """,
    operands: [.runningPanel, .init("LEVEL", help: "error, warning, info or debug.", .optional)],
    options: [RunningPanels.runOption], passesRest: true)

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    guard arguments.operands.count == 1 || !arguments.rest.isEmpty else {
      return ControlRequest.perform("log \(arguments.operands[1])", of: syntax.name, arguments)
    }
    let diagnostics = Diagnostics(.warning)
    return PanelKit.perform(diagnostics) {
      let name = arguments.operands[0]
      try RunningPanels.check(name)
      if let level = arguments.operands.dropFirst().first {
        throw syntax.misuse(
          "unexpected argument \(quoted(level)); a level and options of journalctl cannot be combined")
      }
      let words = ["journalctl", "-u", "panel@\(name)", "-o", "short-iso"] + arguments.rest
      let argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      execvp("journalctl", argv)
      diagnostics.write(.error, "panel log: cannot start journalctl; this machine needs systemd for it")
      return ExitStatus.unavailable
    }
  }
}

/// A request of a command to a running panel.
enum ControlRequest {
  /// Sends a request to the panel that the first operand names. Returns the exit status of the reply.
  ///
  /// - Parameters:
  ///   - request: the line to send.
  ///   - command: the command as the user types it, for the message about a refusal.
  ///   - arguments: the arguments of the command.
  ///   - patience: the longest wait for the reply.
  static func perform(
    _ request: String, of command: String, _ arguments: ParsedArguments,
    waitingAtMost patience: Duration = ControlClient.patience
  ) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return PanelKit.perform(diagnostics) {
      let name = arguments.operands[0]
      guard !request.utf8.contains(where: { $0 < 0x20 }) else {
        throw CommandEnd("panel: a name has no line end and no tab", status: ExitStatus.wrongUsage)
      }
      let panels = RunningPanels(arguments)
      guard let client = try panels.connect(to: name, within: patience) else {
        return tellAbsence(of: name, among: panels, diagnostics)
      }
      let answer = try client.ask(request)
      guard let refusal = answer.refusal else {
        for line in answer.lines { Output.print(line) }
        return ExitStatus.success
      }
      for line in answer.lines { diagnostics.write(.error, line) }
      diagnostics.write(.error, "\(command): \(refusal.text)")
      return refusal.code
    }
  }

  static func tellAbsence(of name: String, among panels: RunningPanels, _ diagnostics: Diagnostics) -> Int32 {
    diagnostics.write(.error, "\(name): \(panels.absence(of: name))")
    return Status.notRunning
  }
}

extension CommandSyntax.Operand {
  /// The name of a panel that runs as a service.
  static let runningPanel = Self("NAME", help: "The panel's name: lamp for /etc/panel/lamp.panel.yaml.")
}
