import CycleCore
import HardwarePlatform
import PanelLanguage
import PanelRecording
import Terminal

enum RecordingPrintCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording print", "Print one line per event of a recording, with what the event changed.",
    discussion: """
      A line has the time, the number of the event, its name, and the changed states, outputs, values and sounds.

      The first line is the state at the start, with number 0. In a part of a recording, its number is that of the last event \
      before the part. If events are missing, a line has their count, and the listing continues with the next recorded state.

      The command replays the recording. "(a replay differs)" marks an event after which the panel file leads to a state other \
      than the recorded one. The line shows the recorded state. --raw needs no replay: use it for a recording that this version \
      cannot replay.
      """,
    examples: """
      $ panel recording print left-in-the-dark.recording
      left-in-the-dark.recording: Cellar light, recorded by panel 0.1.0, virtual clock
      0.000s  0  state=dark  light=off
      0.005s  1  top.pressed  dark -> lit  light=on
      0.105s  2  top.released
      ...

      $ panel recording print left-in-the-dark.recording --from 3 --to 5
      $ panel recording print left-in-the-dark.recording --from 10s --to 1m
      """, operands: [.recording],
    options: RecordingPosition.options + [
      .otherPanel,
      CommandSyntax.Option(
        "--raw", help: "Print the recorded bytes of each event, and the changed numbers of the internal state."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      try syntax.refuse("--raw", with: "--panel", in: arguments)
      let (path, range) = (arguments.operands[0], RecordingPosition.range(arguments))
      let recording = try RecordingReader(path: path)
      // A recording of an application in Swift has no panel file.
      if arguments.has("--raw") || recording.header.source == nil && !arguments.has("--panel") {
        var listing = RecordingPrinter(recording, range)
        try listing.print { Output.print($0) }
      } else {
        let panel = try ReplayableRecording(path: path, panelFile: arguments.value(of: "--panel"), kinds: kinds)
        try PanelRecordingPrinter(panel, recording, range) { Output.print($0) }.print()
      }
      if let truncation = recording.truncation { diagnostics.write(.warning, truncation) }
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

extension RecordingReader {
  /// A recording that is read from a file.
  convenience init(path: String) throws { try self.init(RecordingFileReader(path: path), name: path) }
}
