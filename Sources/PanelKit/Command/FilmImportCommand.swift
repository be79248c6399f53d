import CycleCore
import HardwareLinux
import Terminal

enum FilmImportCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel film import", "Makes films of what CycleMonitor has saved: moments and timelines.",
    discussion: """
      Each file becomes a film of the same name. Example:

        panel film import *.moment --output films
      """,
    operands: [.init("MOMENT", help: "A moment, or a timeline.", .oneOrMore)],
    options: [
      CommandSyntax.Option("--output", value: "FOLDER", help: "Where the films are written; here, unless given.")
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      for path in arguments.operands { try importMoments(path, folder: arguments.value(of: "--output") ?? ".") }
      return ExitStatus.success
    }
  }

  private static func importMoments(_ path: String, folder: String) throws {
    let moments = try MomentFile(path: path)
    var name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    if name.hasSuffix(".moment") { name.removeLast(7) }
    let film = "\(folder)/\(name).film"
    let copy = try FilmCopy(path: film, isReplacing: false)
    try moments.write(to: copy)
    try copy.finish()
    Output.print("\(film): \(counted(moments.moments.count, "event"))")
  }
}
