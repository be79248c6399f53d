import CycleCore
import HardwareLinux
import Terminal

enum FilmExportCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel film export", "Makes a table of a film's events, with commas between the values.",
    discussion: """
      A row has an event and the frame after it. Examples:

        panel film export bell.film --output bell.csv
        panel film export bell.film --from 3s --to 5s
      """,
    operands: [.film],
    options: FilmPlace.options + [
      CommandSyntax.Option(
        "--output", value: "FILE", help: "Where the table is written; standard output unless given.")
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      let table = FilmTable(try Film(path: arguments.operands[0]), FilmPlace.range(arguments))
      guard let output = arguments.value(of: "--output") else {
        try table.write { Output.standard.write($0) }
        return ExitStatus.success
      }
      var text = ""
      try table.write { text += $0 }
      try TextFile.write(text, path: output)
      return ExitStatus.success
    }
  }
}
