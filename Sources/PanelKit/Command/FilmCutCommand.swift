import CycleCore
import HardwareLinux
import Terminal

enum FilmCutCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel film cut", "Makes a film of a part of a film, which begins with a whole frame.",
    discussion: """
      Example:

        panel film cut bell.film --from 12 --to 40 --output part.film
      """, operands: [.film],
    options: FilmPlace.options + [
      CommandSyntax.Option("--output", value: "FILE", help: "Where the part is written; it can't be left out.")
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    let path = arguments.operands[0]
    return perform(diagnostics) {
      guard let part = arguments.value(of: "--output") else { throw syntax.misuse("--output is missing") }
      let copy = try FilmCopy(path: part, isReplacing: true)
      let report = try FilmCut(FilmPlace.range(arguments)).copy(to: copy) { try Film(path: path) }
      if let truncation = report.truncation { diagnostics.write(.warning, truncation) }
      guard report.causes > report.causesBefore else {
        diagnostics.write(.error, "\(path): no event is there; name others with --from and --to")
        return ExitStatus.failed
      }
      if report.causesBefore > 0 {
        diagnostics.write(
          .warning, "\(part): begins \(counted(report.causesBefore, "event")) earlier, at the last whole frame before")
      }
      try copy.finish()
      Output.print("\(part): \(counted(report.causes, "event"))")
      return ExitStatus.success
    }
  }
}
