import Glibc
import Terminal

enum Wiring: Subcommand {
  static let syntax = CommandSyntax(
    "panel wiring", "Shows how a panel's devices are wired to the 40-pin header of a Raspberry Pi.",
    discussion: """
      Prints the wiring as text: the header, each circuit with its parts, what to check before the board is connected, and what is
      dangerous. With -o it writes a picture. Examples:

        panel wiring doorbell.panel.yaml
        panel wiring doorbell.panel.yaml -o doorbell.svg
      """, operands: [.panelFile],
    options: [
      CommandSyntax.Option(
        "-o", value: "FILE.svg", help: "Writes a picture into this file, in place of one that is there."
      ) {
        $0.hasSuffix(".svg")
      },
      CommandSyntax.Option("--theme", value: "auto|light|dark", help: "The picture's colours; auto unless given.") {
        ["auto", "light", "dark"].contains($0)
      },
      CommandSyntax.Option("--ascii", help: "Prints the text without any character beyond ASCII."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let file = PanelFile.path(of: arguments.operands[0])
      let plan = WiringPlan(of: try PanelFile.read(path: file, kinds: kinds))
      guard let path = arguments.value(of: "-o") else {
        let abilities = TerminalAbilities.ofThisProcess
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
