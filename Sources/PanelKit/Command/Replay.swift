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
        panel replay films --panel doorbell.panel.yaml

      Of a folder all films (*.film) are played, by their names; a folder without any fails.
      """,
    operands: [.init("FILM", help: "A film, recorded with --film, or a folder of films.")],
    options: [
      CommandSyntax.Option("--panel", value: "FILE", help: "Plays it on this panel file, not on the one in the film."),
      CommandSyntax.Option("--digest", help: "Prints only the digest of all that was played."),
      CommandSyntax.Option(
        "--models", help: "Prints the models that drivers would get, and adds them to the digest."),
      CommandSyntax.Option("--until", value: "TIME", help: "Ends there: 12s, 2m.") {
        (try? Quantity.duration($0)) != nil
      },
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let path = arguments.operands[0]
      guard FileKind(following: path) == .folder else { return try replay(path, arguments, kinds, diagnostics) }
      let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      let films = try TestPlan.names(in: folder).filter { $0.hasSuffix(".film") }
      guard !films.isEmpty else {
        diagnostics.write(.error, "no film in \(path)")
        return ExitStatus.failed
      }
      let statuses = films.map { name in
        attempt(diagnostics) { try replay("\(folder)/\(name)", arguments, kinds, diagnostics) }
      }
      let failed = statuses.filter { $0 != ExitStatus.success }
      if !arguments.has("--digest") { Output.print("\(statuses.count - failed.count) passed, \(failed.count) failed") }
      return failed.first ?? ExitStatus.success
    }
  }

  private static func replay(
    _ path: String, _ arguments: ParsedArguments, _ kinds: KindList, _ diagnostics: Diagnostics
  ) throws -> Int32 {
    let replay = try PanelReplay(path: path, panelFile: arguments.value(of: "--panel"), kinds: kinds)
    let until = arguments.value(of: "--until").flatMap { try? Quantity.duration($0) }
    let isDigest = arguments.has("--digest")
    return try tellReplay(of: path, isDigest: isDigest, diagnostics) {
      let isPrinted = arguments.has("--models") && !isDigest
      return try replay.run(
        ReplayOptions(
          until: until, hasModels: arguments.has("--models"), hasDigest: isDigest, sink: isPrinted ? ModelLines() : nil)
      )
    }
  }
}

/// Prints the models that a replay writes.
private final class ModelLines: FilmSink {
  var account: FilmAccount { FilmAccount() }

  func take(_ lines: UnsafeRawBufferPointer, as part: FilmPart) -> Bool {
    if part == .model { Output.standard.write(String(decoding: lines, as: UTF8.self)) }
    return true
  }

  func flush(_ occasion: FilmFlush) {}
}
