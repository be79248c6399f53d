import CycleCore
import HardwareLinux
import Terminal

enum Replay: Subcommand {
  static let syntax = CommandSyntax(
    "panel replay", "Plays a film without devices, and compares what comes of it.",
    discussion: """
      Ends with 0 if the panel makes the same frames of the film's events, and with 1 at the first that differs. Examples:

        panel simulate doorbell.panel.yaml --film bell.film
        panel replay bell.film
        panel replay bell.film --panel doorbell.panel.yaml
      """,
    operands: [.init("FILM", help: "A film, recorded with --film.")],
    options: [
      CommandSyntax.Option("--panel", value: "FILE", help: "Plays it on this panel file, not on the one in the film."),
      CommandSyntax.Option("--digest", help: "Prints only the digest of all that was played."),
      CommandSyntax.Option("--models", help: "Adds to the digest the models that drivers would get."),
      CommandSyntax.Option("--until", value: "TIME", help: "Ends there: 12s, 2m.") {
        (try? Quantity.duration($0)) != nil
      },
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let path = arguments.operands[0]
      let replay = try PanelReplay(path: path, panelFile: arguments.value(of: "--panel"), kinds: kinds)
      let until = arguments.value(of: "--until").flatMap { try? Quantity.duration($0) }
      return try tellReplay(of: path, isDigest: arguments.has("--digest"), diagnostics) {
        try replay.run(ReplayOptions(until: until, hasModels: arguments.has("--models")))
      }
    }
  }
}
