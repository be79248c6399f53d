import Glibc
import HardwarePlatform
import PanelLanguage
import Terminal

/// `panel status`: shows the states of the panels of this machine.
enum Status: Subcommand {
  static let syntax = CommandSyntax(
    "panel status", "Show the status of a running panel, or list all panels of this machine.",
    discussion: """
      With a name it prints the whole status as one JSON object. Without a name it prints a table: state, time since the panel \
      started, time in the current state, events so far, and faults.

      With --json, each line is an object for one panel, with or without a name. Its members are panel, running, state, \
      uptime_s, state_s, events and trouble, or panel, running and fault if the panel gave no status. Then running is false \
      if the panel does not run, true if it refuses or does not answer in time, and null if that is not known.
      """,
    examples: """
      $ panel status
      $ panel status lamp | jq .state
      $ panel status lamp --json | jq .running
      $ panel status --prometheus > /var/lib/prometheus/node-exporter/panel.prom
      """,
    operands: [.init("NAME", help: "The panel's name: lamp for /etc/panel/lamp.panel.yaml.", .optional)],
    options: [
      .json, CommandSyntax.Option("--prometheus", help: "Print numbers in the text format of Prometheus."),
      RunningPanels.runOption, RunningPanels.filesOption,
    ],
    statuses: [
      (notRunning, "A panel is not running. With several faults, the highest status counts."),
      (ExitStatus.unavailable, "A panel does not answer within 5 seconds."),
      (ExitStatus.notPermitted, "You may not ask a panel; join the group panel."),
    ])

  /// The exit status for a panel that does not run; the same as for systemctl.
  static let notRunning: Int32 = 3

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      try syntax.refuse("--json", with: "--prometheus", in: arguments)
      let panels = RunningPanels(arguments)
      if let name = arguments.operands.first { try RunningPanels.check(name) }
      let names = try arguments.operands.first.map { [$0] } ?? panels.names()
      let isForPrometheus = arguments.has("--prometheus")
      let isJSON = arguments.has("--json")
      let isWhole = !arguments.operands.isEmpty && !isJSON
      let outcomes = ControlClientGroup.ask(
        names.map { name in
          let request = isForPrometheus ? "status prometheus \(name)" : isWhole ? "status" : "status brief"
          return (panels.socket(of: name), request)
        })
      let rows = zip(names, outcomes).map { Row($0, $1, panels) }
      if isForPrometheus {
        let numbers = rows.map { PrometheusNumbers($0) }
        for line in grouped(numbers.flatMap(\.lines)) { Output.print(line) }
        for fault in numbers.compactMap(\.fault) { diagnostics.write(.error, fault) }
      } else if isJSON {
        for row in rows { Output.print(json(of: row).line) }
      } else if isWhole {
        for line in rows[0].lines { Output.print(line) }
        if let fault = rows[0].fault { diagnostics.write(.error, "\(rows[0].name): \(fault)") }
      } else if !rows.isEmpty {
        printTable(rows.map { ($0.name, $0.fault.map { [$0] } ?? Brief($0.lines.first ?? "").cells) })
      }
      if names.isEmpty, !isJSON {
        Output.print("no panel in \(panels.files), and none runs in \(panels.run)")
      }
      return rows.map(\.status).max() ?? ExitStatus.success
    }
  }

  /// The result of one panel's status request.
  struct Row {
    let name: String
    /// The reply.
    var lines: [String] = []
    /// The reason why it did not reply, or its refusal; nil if it replied with its status.
    var fault: String?
    /// Whether a program serves the panel's socket; nil if that is not known.
    var isRunning: Bool?
    /// The exit status of the command if all other panels run.
    var status = ExitStatus.success

    init(_ name: String, _ outcome: ControlClientGroup.Outcome, _ panels: RunningPanels) {
      self.name = name
      switch outcome {
      case .answered(let answer):
        (lines, isRunning) = (answer.lines, true)
        guard let refusal = answer.refusal else { return }
        (fault, status) = (refusal.text, refusal.code)
      case .absent: (fault, isRunning, status) = (panels.absence(of: name), false, Status.notRunning)
      case .silent:
        fault = "doesn't answer (\(ControlClient.patience.components.seconds) s)"
        (isRunning, status) = (true, ExitStatus.unavailable)
      case .failed(let error) where error.kind == .notPermitted:
        (fault, status) = (
          "permission denied; join the panel's group: sudo adduser $USER panel", ExitStatus.notPermitted
        )
      case .failed(let error): (fault, status) = ("can't be asked: \(error.reason)", ExitStatus.unavailable)
      }
    }
  }

  /// Groups Prometheus lines by number, as the format requires. The groups keep the order of their first lines.
  static func grouped(_ lines: [String]) -> [String] {
    var places: [Substring: Int] = [:]
    var groups: [[String]] = []
    for line in lines {
      let name = line.prefix { $0 != "{" }
      if let place = places[name] {
        groups[place].append(line)
      } else {
        places[name] = groups.count
        groups.append([line])
      }
    }
    return groups.flatMap { $0 }
  }

  /// The reply to `status brief`.
  private struct Brief {
    var state: String
    var uptime: Int?
    /// The number of seconds that the panel has been in its state; nil from an older version.
    var stateSpan: Int?
    var events: Int?
    var trouble: String

    init(_ line: String) {
      let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      func word(_ place: Int) -> String { words.indices.contains(place) ? words[place] : "" }
      (state, uptime, events) = (word(0), Int(word(1)), Int(word(2)))
      (trouble, stateSpan) = (word(3), Int(word(4)))
    }

    /// The cells of the table row.
    var cells: [String] {
      [
        state, stateSpan.map(Status.time) ?? "-", uptime.map(Status.time) ?? "-", events.map(String.init) ?? "-",
        trouble,
      ]
    }
  }

  /// Returns a panel as `--json` prints it.
  static func json(of row: Row) -> JSON {
    let running = row.isRunning.map { JSON.flag($0) } ?? JSON.null
    if let fault = row.fault {
      return .object(["panel": .text(row.name), "running": running, "fault": .text(fault)])
    }
    let brief = Brief(row.lines.first ?? "")
    return .object([
      "panel": .text(row.name), "running": running, "state": .text(brief.state),
      "uptime_s": brief.uptime.map { .number($0) }, "state_s": brief.stateSpan.map { .number($0) },
      "events": brief.events.map { .number($0) }, "trouble": .text(brief.trouble),
    ])
  }

  /// Formats seconds: `59s`, `3m 5s`, `2h 1m`, `3d 4h`.
  static func time(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m \(seconds % 60)s"
    case ..<86400: "\(seconds / 3600)h \(seconds % 3600 / 60)m"
    default: "\(seconds / 86400)d \(seconds % 86400 / 3600)h"
    }
  }

  private static func printTable(_ rows: [(name: String, words: [String])]) {
    let all = [("PANEL", ["STATE", "IN STATE", "UPTIME", "EVENTS", "FAULT"])] + rows.map { ($0.name, $0.words) }
    let whole = all.filter { $0.1.count > 1 }
    func width(_ cell: (String, [String]) -> String) -> Int { whole.map { cell($0.0, $0.1).count }.max() ?? 0 }
    let nameWidth = all.map(\.0.count).max() ?? 0
    let widths = (0..<4).map { place in width { $1.count > place ? $1[place] : "" } }
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
