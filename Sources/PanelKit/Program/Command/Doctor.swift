import HardwarePlatform
import PanelLanguage
import Terminal

enum Doctor: Subcommand {
  static let syntax = CommandSyntax(
    "panel doctor", "Check whether a panel can run on this machine, and explain how to fix problems.",
    discussion: """
      It checks the system, GPIO chips and lines, permissions, sound, disk and power supply. With a panel, it also checks the \
      panel file and its service.

      With --json, each line is an object with the members check (a number), severity (ok, warning or error), what, and \
      remedy if there is one.
      """,
    examples: """
      $ panel doctor
      $ panel doctor lamp
      $ panel doctor ./lamp.panel.yaml
      """,
    operands: [
      .init("PANEL", help: "The name of a panel in /etc/panel, or the path of a panel file.", .optional)
    ],
    options: [.json],
    statuses: [
      (ExitStatus.failed, "The panel can run, but something could be better."),
      (ExitStatus.unavailable, "The panel cannot run here."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      let panel = arguments.operands.first.map { ExaminedPanel($0, kinds: kinds) }
      return report(on: ExaminedSystem(machine: LinuxMachine(), panel: panel), isJSON: arguments.has("--json"))
    }
  }

  /// Prints the results of all checks. Returns the exit status.
  static func report(on system: ExaminedSystem, isJSON: Bool) -> Int32 {
    var statuses: Set<Int32> = []
    for check in DoctorCheck.all {
      for diagnosis in check.examine(system) {
        statuses.insert(diagnosis.status)
        Output.print(isJSON ? json(of: diagnosis, check.number).line : diagnosis.line)
      }
    }
    return status(of: statuses)
  }

  /// Returns the status of the most important problem: one that must be fixed before the others.
  static func status(of found: Set<Int32>) -> Int32 {
    let order = [
      ExitStatus.notPermitted, ExitStatus.unavailable, ExitStatus.noSuchFile, ExitStatus.wrongContent,
      ExitStatus.failed,
    ]
    return order.first(where: found.contains) ?? ExitStatus.success
  }

  private static func json(of diagnosis: CheckResult, _ number: Int) -> JSON {
    .object([
      "check": .number(number), "severity": .text(diagnosis.severity.rawValue), "what": .text(diagnosis.what),
      "remedy": diagnosis.remedy.isEmpty ? nil : .text(diagnosis.remedy),
    ])
  }
}
