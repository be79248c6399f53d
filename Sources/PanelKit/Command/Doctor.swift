import HardwareLinux
import Terminal

enum Doctor: Subcommand {
  static let syntax = CommandSyntax(
    "panel doctor", "Looks whether a panel can run on this machine, and says what to do where it can't.",
    discussion: """
      Tells of the system, the chips, lines, rights, sound, disk and supply, and of the panel and its service if one is named. Ends
      with 0 if all is well, 1 if something could be better, 69 if the panel can't run here, 77 if it may not, 65 if its file is
      wrong, 66 if it is missing. Examples:

        panel doctor
        panel doctor doorbell
        panel doctor ./doorbell.panel.yaml
      """,
    operands: [
      .init("PANEL", help: "The name of a panel in /etc/panel, or the path of a panel file.", .optional)
    ],
    options: [
      CommandSyntax.Option("--json", help: "Prints a JSON object a line: check, severity, what, remedy.")
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      let panel = arguments.operands.first.map { ExaminedPanel($0, kinds: kinds) }
      return report(on: Patient(machine: LinuxMachine(), panel: panel), isJSON: arguments.has("--json"))
    }
  }

  /// Prints what all checks find. Returns the exit status.
  static func report(on patient: Patient, isJSON: Bool) -> Int32 {
    var statuses: Set<Int32> = []
    for check in DoctorCheck.all {
      for diagnosis in check.examine(patient) {
        statuses.insert(diagnosis.status)
        Output.print(isJSON ? json(of: diagnosis, check.number).line : diagnosis.line)
      }
    }
    return status(of: statuses)
  }

  /// What keeps the panel from running comes first, and of that what has to be mended first.
  static func status(of found: Set<Int32>) -> Int32 {
    let order = [
      ExitStatus.notPermitted, ExitStatus.unavailable, ExitStatus.noSuchFile, ExitStatus.wrongContent,
      ExitStatus.failed,
    ]
    return order.first(where: found.contains) ?? ExitStatus.success
  }

  private static func json(of diagnosis: Diagnosis, _ number: Int) -> JSON {
    .object([
      "check": .number(number), "severity": .text(diagnosis.severity.rawValue), "what": .text(diagnosis.what),
      "remedy": diagnosis.remedy.isEmpty ? nil : .text(diagnosis.remedy),
    ])
  }
}
