import Glibc
import HardwareLinux
import Terminal

/// `panel status`: what the panels of this machine are doing.
enum Status: Subcommand {
  static let syntax = CommandSyntax(
    "panel status", "Tells what a panel that runs as a service is doing, or lists all of them.",
    discussion: """
      With a name it prints one JSON object, without one a table. Ends with 0 if all run, 3 if one doesn't. Examples:

        panel status
        panel status doorbell
        panel status --prometheus > /var/lib/prometheus/node-exporter/panel.prom
      """, operands: [.init("NAME", help: "The panel's name, as in /etc/panel/NAME.panel.yaml.", .optional)],
    options: [
      CommandSyntax.Option("--prometheus", help: "Prints numbers in the text format of Prometheus."),
      RunningPanels.runOption, RunningPanels.filesOption,
    ])

  /// The exit status if a panel doesn't run, as systemctl has it.
  static let notRunning: Int32 = 3

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let panels = RunningPanels(arguments)
      let names = try arguments.operands.first.map { [$0] } ?? panels.names()
      let request = { (name: String) in
        arguments.has("--prometheus")
          ? "status prometheus \(name)" : arguments.operands.isEmpty ? "status brief" : "status"
      }
      var rows: [(name: String, words: [String])] = []
      var numbers: [String] = []
      var status = ExitStatus.success
      for name in names {
        guard let client = try panels.connect(to: name) else {
          status = notRunning
          if arguments.has("--prometheus") {
            numbers.append("panel_up{panel=\"\(name)\"} 0")
          } else if arguments.operands.isEmpty {
            rows.append((name, [panels.absence(of: name)]))
          } else {
            diagnostics.write(.error, "\(name): \(panels.absence(of: name))")
          }
          continue
        }
        let answer = try client.ask(request(name))
        if let refusal = answer.refusal {
          diagnostics.write(.error, "\(name): error \(refusal.code) \(refusal.text)")
          return refusal.code
        }
        if arguments.has("--prometheus") {
          numbers += answer.lines
        } else if arguments.operands.isEmpty {
          rows.append((name, cells(answer.lines.first ?? "")))
        } else {
          for line in answer.lines { Output.print(line) }
        }
      }
      for line in grouped(numbers) { Output.print(line) }
      if !rows.isEmpty { printTable(rows) }
      if names.isEmpty { Output.print("no panel in \(panels.files), and none runs in \(panels.run)") }
      return status
    }
  }

  /// Lines of Prometheus with those of one number together, as its format wants them, in the order of their coming.
  static func grouped(_ lines: [String]) -> [String] {
    let names = lines.map { $0.prefix { $0 != "{" } }
    var seen: Set<Substring> = []
    return names.filter { seen.insert($0).inserted }.flatMap { name in
      zip(names, lines).filter { $0.0 == name }.map(\.1)
    }
  }

  /// State, time, events and trouble of `status brief`.
  private static func cells(_ line: String) -> [String] {
    var words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    if words.count > 1, let seconds = Int(words[1]) { words[1] = time(seconds) }
    return words
  }

  /// Seconds as one says them: `59s`, `3m 5s`, `2h 1m`, `3d 4h`.
  static func time(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m \(seconds % 60)s"
    case ..<86400: "\(seconds / 3600)h \(seconds % 3600 / 60)m"
    default: "\(seconds / 86400)d \(seconds % 86400 / 3600)h"
    }
  }

  private static func printTable(_ rows: [(name: String, words: [String])]) {
    let all = [("PANEL", ["STATE", "FOR", "EVENTS", "TROUBLE"])] + rows.map { ($0.name, $0.words) }
    let whole = all.filter { $0.1.count > 1 }
    func width(_ cell: (String, [String]) -> String) -> Int { whole.map { cell($0.0, $0.1).count }.max() ?? 0 }
    let nameWidth = all.map(\.0.count).max() ?? 0
    let widths = (0..<3).map { place in width { $1.count > place ? $1[place] : "" } }
    for (name, words) in all {
      let cells = words.enumerated().map { place, word in
        words.count > 1 && place < widths.count ? padded(word, widths[place]) : word
      }
      var line = ([padded(name, nameWidth)] + cells).joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      Output.print(line)
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

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
      client.wait(atMost: 0)
      while let line = try client.readLine() {
        if let end = ControlRequest.status(ofError: line) {
          diagnostics.write(.error, "\(name): \(line)")
          return end
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

  /// How many seconds an answer may take: sounds are read first.
  private static let patience = 60

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
  ///   - patience: for how many seconds the answer is waited for.
  static func perform(
    _ request: String, _ arguments: ParsedArguments, waitingAtMost patience: Int = ControlClient.patience
  ) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return PanelKit.perform(diagnostics) {
      let name = arguments.operands[0]
      guard !request.utf8.contains(where: { $0 < 0x20 }) else {
        throw CommandEnd("panel: a name has no line end and no tab", status: ExitStatus.wrongUsage)
      }
      let panels = RunningPanels(arguments)
      guard let client = try panels.connect(to: name) else {
        return tellAbsence(of: name, among: panels, diagnostics)
      }
      client.wait(atMost: patience)
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

  /// The code of a line `error CODE text`; nil for any other line.
  static func status(ofError line: String) -> Int32? {
    let words = line.split(separator: " ", maxSplits: 2)
    return words.count > 1 && words[0] == "error" ? Int32(words[1]) : nil
  }
}

extension CommandSyntax.Operand {
  /// The name of a panel that runs as a service.
  static let runningPanel = Self("NAME", help: "The panel's name, as in /etc/panel/NAME.panel.yaml.")
}
