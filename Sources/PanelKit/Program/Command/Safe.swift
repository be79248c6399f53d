import HardwareDrivers
import HardwarePlatform
import PanelLanguage
import PanelRun
import Terminal

enum Safe: Subcommand {
  private static let last = CommandSyntax.Option(
    "--last", value: "FILE",
    help: """
      Use this copy of the panel file, which `panel run --socket` keeps beside the socket. If it is missing, use PANEL.
      """)

  static let syntax = CommandSyntax(
    "panel safe", "Set every output of a panel to its safe state and exit.",
    discussion: """
      Use it after a crash: the kernel of a Raspberry Pi keeps driving the outputs when a program is killed. The service \
      panel@.service runs this command for you. A service of your own needs this line:

        ExecStopPost=/usr/bin/panel safe --last /run/panel/lamp/safe /etc/panel/lamp.panel.yaml
      """,
    examples: """
      $ panel safe lamp.panel.yaml
      Lamp: every output is in its safe state

      $ panel safe lamp.panel.yaml --gpio simulated
      $ panel safe --last /run/panel/lamp/safe /etc/panel/lamp.panel.yaml
      """,
    operands: [
      .init(
        "PANEL", help: "A panel file, or a panel's name. Optional with --last.", .optional
      )
    ],
    options: [last])

  static func ports(in kinds: KindList) -> [any Port.Type] { kinds.outputPorts }

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      guard let panel = try panel(arguments, diagnostics, kinds) else { return ExitStatus.wrongContent }
      let platform = try Platform(portOptions(arguments, kinds, others: .real))
      let errors = SafeStateSetter(of: panel).show(on: platform)
      for error in errors.dropLast() { diagnostics.write(.error, "panel: \(error)") }
      if let error = errors.last { throw error }
      // After a crash, the journal of a service shows this line.
      Output.print("\(visible(panel.name)): every output is in its safe state")
      return ExitStatus.success
    }
  }

  /// Returns the panel of `--last`, or else of the panel file. Logs an error and returns nil if both fail. Ignores
  /// sounds.
  private static func panel(
    _ arguments: ParsedArguments, _ diagnostics: Diagnostics, _ kinds: KindList
  ) throws -> PanelDefinition? {
    let file = try arguments.operands.first.map(PanelFile.find)
    guard let last = arguments.value(of: last.name) else {
      guard let file else { throw syntax.misuse("PANEL is missing") }
      return try read(file, kinds)
    }
    do throws(Problems) {
      // The copy is in another folder, and the sheets of its levels are beside the panel file.
      return try read(last, kinds, folder: file.map(PanelFile.folder))
    } catch {
      // Before the first start this file does not exist.
      if error.kind != .noSuchFile || file == nil { tell(error, diagnostics) }
    }
    guard let file else { return nil }
    do throws(Problems) {
      return try read(file, kinds)
    } catch {
      tell(error, diagnostics)
      return nil
    }
  }

  private static func read(
    _ path: String, _ kinds: KindList, folder: String? = nil
  ) throws(Problems) -> PanelDefinition {
    try PanelFile.read(
      PanelFile.text(path: path), file: path, folder: folder ?? PanelFile.folder(of: path), kinds: kinds.withoutSheets
    ) { _ in nil }
  }

  private static func tell(_ problems: Problems, _ diagnostics: Diagnostics) {
    for line in problems.lines { diagnostics.write(.error, line) }
  }
}
