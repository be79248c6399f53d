import CycleCore
import HardwareLinux
import Terminal

enum FilmPrintCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording print", "Print one line per event of a recording.",
    examples: """
      $ panel recording print left-in-the-dark.recording
      $ panel recording print left-in-the-dark.recording --from 3 --to 5
      $ panel recording print left-in-the-dark.recording --from 10s --to 1m
      """, operands: [.recording], options: FilmPlace.options)

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      var listing = FilmListing(try Film(path: arguments.operands[0]), FilmPlace.range(arguments))
      try listing.print { Output.print($0) }
      return ExitStatus.success
    }
  }
}

extension CommandSyntax.Operand {
  static let recording = Self("RECORDING", help: "A recording, made with --record.")
}

extension CommandSyntax.Option {
  static let otherPanel = Self(
    "--panel", value: "FILE", help: "Use this panel file, not the one in the recording.")
}

extension Film {
  /// A film in a file.
  convenience init(path: String) throws { try self.init(FilmFileReader(path: path), name: path) }
}
