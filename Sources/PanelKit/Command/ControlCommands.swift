import Glibc
import HardwareLinux
import Terminal

/// `panel watch`: what a panel does, as it does it.
enum Watch: Subcommand {
  static let syntax = CommandSyntax(
    "panel watch",
    "Prints what a panel that runs as a service does: a JSON object a line, the first one with all of it.",
    discussion: "Runs until Ctrl-C, or until the panel ends.", operands: [.runningPanel],
    options: [RunningPanels.runOption])

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

/// `panel reload`: has a panel that runs go on with its file as it is now.
enum Reload: Subcommand {
  static let syntax = CommandSyntax(
    "panel reload", "Has a panel that runs as a service go on with its file as it is now.",
    discussion: """
      What is the same in both goes on: lines stay as they are, states and values of the same name stay. A file that is wrong changes
      nothing. Prints what has become of the lines, values and states. Example: panel reload doorbell
      """,
    operands: [.runningPanel, .init("FILE", help: "The panel file; the one that it runs unless given.", .optional)],
    options: [RunningPanels.runOption])

  /// How long an answer may take: sounds are read first.
  private static let patience = Duration.seconds(60)

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    guard arguments.operands.count > 1 else {
      return ControlRequest.perform("reload", arguments, waitingAtMost: patience)
    }
    let path = arguments.operands[1]
    // The panel has another working directory.
    let folder = path.hasPrefix("/") ? "" : "\(Folder.current)/"
    return ControlRequest.perform("reload \(folder)\(path)", arguments, waitingAtMost: patience)
  }
}

/// `panel press`: presses a button and releases it.
enum Press: Subcommand {
  static let syntax = CommandSyntax(
    "panel press", "Presses a button of a panel that runs as a service, and releases it.",
    discussion: "The panel file has to accept it: `accept: { press: [ bell ] }`. Example: panel press doorbell bell",
    operands: [.runningPanel, .init("BUTTON", help: "Its name in the panel file.")],
    options: [span, RunningPanels.runOption])

  private static let span = CommandSyntax.Option(
    "--for", value: "DURATION", help: "How long it is held: 1ms to 10s, as 2s; as briefly as counts unless given.")

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let button = arguments.operands[1]
    let request = arguments.value(of: span.name).map { "hold \(button) \($0)" } ?? "click \(button)"
    return ControlRequest.perform(request, arguments)
  }
}

/// `panel do`: asks for an event.
enum Do: Subcommand {
  static let syntax = CommandSyntax(
    "panel do", "Asks a panel that runs as a service for an event.",
    discussion: "The panel file has to accept it: `accept: { event: [ light ] }`. Example: panel do doorbell light",
    operands: [.runningPanel, .init("EVENT", help: "Its name in the panel file, without `network.`.")],
    options: [RunningPanels.runOption])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    ControlRequest.perform("do \(arguments.operands[1])", arguments)
  }
}

/// `panel turn`: turns an encoder.
enum Turn: Subcommand {
  static let syntax = CommandSyntax(
    "panel turn", "Turns an encoder of a panel that runs as a service.",
    discussion: "The panel file has to accept it: `accept: { turn: [ knob ] }`. Example: panel turn doorbell knob -3",
    operands: [
      .runningPanel, .init("ENCODER", help: "Its name in the panel file."),
      .init("DETENTS", help: "How far, clockwise; counterclockwise if negative."),
    ], options: [RunningPanels.runOption])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    ControlRequest.perform("turn \(arguments.operands[1]) \(arguments.operands[2])", arguments)
  }
}

/// `panel set`: sets a value.
enum SetValue: Subcommand {
  static let syntax = CommandSyntax(
    "panel set", "Sets a value of a panel that runs as a service.",
    discussion: "The panel file has to accept it: `accept: { set: [ level ] }`. Example: panel set doorbell level 9",
    operands: [
      .runningPanel, .init("VALUE", help: "Its name in the panel file."),
      .init(
        "NUMBER", help: "What it becomes, within its range; +1 and -1 change it, = -4 sets a negative number.",
        .oneOrMore),
    ], options: [RunningPanels.runOption])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    ControlRequest.perform("set \(arguments.operands[1...].joined(separator: " "))", arguments)
  }
}

/// `panel log`: the journal of a panel, or what it writes there.
enum Log: Subcommand {
  static let syntax = CommandSyntax(
    "panel log", "Shows the journal of a panel that runs as a service, or changes what it writes there.",
    discussion:
      "Without a level it runs journalctl -u panel@NAME -o short-iso. With one it holds until the panel ends.",
    operands: [.runningPanel, .init("LEVEL", help: "error, warning, info or debug.", .optional)],
    options: [RunningPanels.runOption])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    guard arguments.operands.count == 1 else {
      return ControlRequest.perform("log \(arguments.operands[1])", arguments)
    }
    let diagnostics = Diagnostics(.warning)
    return PanelKit.perform(diagnostics) {
      let name = arguments.operands[0]
      guard RunningPanels.isName(name) else {
        throw CommandEnd("panel: \(quoted(name)) is no name of a panel", status: ExitStatus.wrongUsage)
      }
      let words = ["journalctl", "-u", "panel@\(name)", "-o", "short-iso"]
      let argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      execvp("journalctl", argv)
      diagnostics.write(.error, "panel: journalctl can't be started; does systemd run here?")
      return ExitStatus.unavailable
    }
  }
}

/// A request to a running panel, as a command makes it.
enum ControlRequest {
  /// Asks the panel of the first operand. Returns the exit status: that of the answer.
  ///
  /// - Parameters:
  ///   - request: the line.
  ///   - arguments: of the command.
  ///   - patience: for how long the answer is waited for.
  static func perform(
    _ request: String, _ arguments: ParsedArguments, waitingAtMost patience: Duration = ControlClient.patience
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
      diagnostics.write(.error, "error \(refusal.code) \(refusal.text)")
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
  static let runningPanel = Self("NAME", help: "The panel's name, as in /etc/panel/NAME.panel.yaml.")
}
