import Glibc
import PanelLanguage
import PanelWiring
import Terminal

enum Wiring: Subcommand {
  static let syntax = CommandSyntax(
    "panel wiring", "Show how to wire a panel's devices to the 40-pin header of a Raspberry Pi.",
    discussion: """
      It prints the header, each circuit with its parts, what to check before you connect the board, and what is dangerous. \
      With -o it writes a picture instead.

      With --json, each line is an object for one line of a device. Its members are device, kind, terminal, line and \
      pin. There is a terminal if the device names it, such as A of an encoder. There is a pin if the line is on the \
      header. Connections to the supply and to ground are not listed.
      """,
    examples: """
      $ panel wiring lamp.panel.yaml
      $ panel wiring lamp.panel.yaml -o lamp.svg
      $ panel wiring lamp.panel.yaml --theme dark -o lamp.svg
      """, operands: [.panelFile],
    options: [
      .svg,
      CommandSyntax.Option(
        "--theme", value: "auto|light|dark", help: "Colours of the picture; auto follows the viewer's (default: auto)."
      ) {
        ["auto", "light", "dark"].contains($0)
      },
      .json,
      CommandSyntax.Option("--ascii", help: "Print ASCII characters only."),
      .fileName,
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      for option in ["--output", "--ascii"] { try syntax.refuse("--json", with: option, in: arguments) }
      try syntax.refuse("--ascii", with: "--output", in: arguments)
      if arguments.has("--theme"), !arguments.has("--output") { throw syntax.misuse("--theme needs --output") }
      let input = try PanelFileArgument(arguments.operands[0], arguments)
      let file = input.file
      let plan = WiringPlan(of: try input.panel(kinds: kinds))
      if arguments.has("--json") {
        for device in plan.devices + plan.chips.flatMap(\.devices) {
          for terminal in device.circuits.flatMap(\.terminals) {
            let object = JSON.object([
              "device": .text(device.name), "kind": .text(device.kind),
              "terminal": terminal.role.isEmpty ? nil : .text(terminal.role), "line": .text(terminal.line),
              "pin": BoardHeader.pin(ofLineNamed: terminal.line).map { .number($0) },
            ])
            Output.print(object.line)
          }
        }
        return ExitStatus.success
      }
      guard let path = arguments.value(of: "--output") else {
        let abilities = TerminalCapabilities.ofThisProcess
        let text = plan.text(
          isASCII: arguments.has("--ascii") || !abilities.isUTF8,
          isColoured: abilities.hasColours && isatty(STDOUT_FILENO) == 1)
        Output.standard.write(text)
        return ExitStatus.success
      }
      guard let picture = plan.svg(theme: theme(arguments)) else {
        diagnostics.write(
          .error,
          "\(file): not all lines are on a Raspberry Pi's header, so there is no picture; leave -o out for the wiring as text"
        )
        return ExitStatus.wrongContent
      }
      try TextFile.write(picture, path: path)
      return ExitStatus.success
    }
  }

  private static func theme(_ arguments: ParsedArguments) -> WiringTheme {
    switch arguments.value(of: "--theme") {
    case "light": .light
    case "dark": .dark
    default: .automatic
    }
  }
}
