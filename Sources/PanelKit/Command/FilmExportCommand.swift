import CycleCore
import HardwareLinux
import Terminal

enum FilmExportCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording export", "Write the events of a recording as a table (CSV).",
    discussion: "Each row has an event and the panel's state after it.",
    examples: """
      $ panel recording export bell.recording -o bell.csv
      $ panel recording export bell.recording --from 3s --to 5s
      $ panel recording export bell.recording | head -n 3
      """,
    operands: [.recording],
    options: FilmPlace.options + [.output(help: "File to write, or - for standard output (default: -).")])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      let table = FilmTable(try Film(path: arguments.operands[0]), FilmPlace.range(arguments))
      guard let output = arguments.value(of: "--output"), output != "-" else {
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
