import CycleCore
import HardwarePlatform
import PanelLanguage
import PanelRecording
import Terminal

enum Replay: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording replay", "Replay recordings without devices, and compare the results with what was recorded.",
    discussion: """
      The panel receives the recorded events again. The command fails at the first event after which the panel's state differs. \
      With a folder, it replays all recordings in it (*.recording), in the order of their names. A frame is the panel's \
      state at the start or after an event.
      """,
    examples: """
      $ panel recording replay left-in-the-dark.recording
      left-in-the-dark.recording: 5 events lead to the same 6 frames

      $ panel recording replay left-in-the-dark.recording --panel cellar-light.panel.yaml
      $ panel recording replay recordings --panel cellar-light.panel.yaml
      """,
    operands: [.init("RECORDING", help: "A recording, made with --record, or a folder of recordings.")],
    options: [
      .otherPanel,
      CommandSyntax.Option("--digest", help: "Print only a digest of everything that was replayed."),
      CommandSyntax.Option(
        "--models", help: "Print what each driver is asked to show, and include it in the digest."),
      .duration("--until", help: "Stop at this time of the recording."),
    ],
    statuses: [(ExitStatus.failed, "A result differs, or a folder has no recording.")])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let path = arguments.operands[0]
      guard FileKind(following: path) == .folder else { return try replay(path, arguments, kinds, diagnostics) }
      let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      let recordings = try DirectoryListing.sorted(in: folder).filter { $0.hasSuffix(".recording") }
      guard !recordings.isEmpty else {
        diagnostics.write(.error, "no recording in \(path)")
        return ExitStatus.failed
      }
      let statuses = recordings.map { name in
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
    return try printReplayResult(of: path, isDigest: isDigest, diagnostics) {
      let isPrinted = arguments.has("--models") && !isDigest
      return try replay.run(
        ReplayOptions(
          until: until, hasModels: arguments.has("--models"), hasDigest: isDigest, sink: isPrinted ? ModelLines() : nil)
      )
    }
  }
}

/// Prints the models that a replay writes.
private final class ModelLines: RecordingSink {
  var account: RecordingAccount { RecordingAccount() }

  func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool {
    if part == .model { Output.standard.write(String(decoding: lines, as: UTF8.self)) }
    return true
  }

  func flush(_ occasion: RecordingFlush) {}
}
