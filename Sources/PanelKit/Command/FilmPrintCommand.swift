import CycleCore
import HardwareLinux
import Terminal

enum FilmPrintCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel film print", "Prints a line for each event of a film, with what it changed.",
    discussion: """
      Example:

        panel film print bell.film --from 3s --to 5s
      """, operands: [.film], options: FilmPlace.options)

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      var listing = FilmListing(try Film(path: arguments.operands[0]), FilmPlace.range(arguments))
      try listing.print { Output.print($0) }
      return ExitStatus.success
    }
  }
}

extension CommandSyntax.Operand {
  static let film = Self("FILM", help: "The film.")
}

extension Film {
  /// A film in a file.
  convenience init(path: String) throws { try self.init(FilmFileReader(path: path), name: path) }
}
