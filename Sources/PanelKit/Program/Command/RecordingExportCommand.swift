import CycleCore
import PanelLanguage
import PanelRecording
import Terminal

enum RecordingExportCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording export", "Write the events of a recording as a table (CSV).",
    discussion: "Each row has an event and the panel's state after it.",
    examples: """
      $ panel recording export bell.recording -o bell.csv
      $ panel recording export bell.recording --from 3s --to 5s
      $ panel recording export bell.recording | head -n 3
      """,
    operands: [.recording],
    options: RecordingPosition.options + [.output(help: "File to write, or - for standard output (default: -).")])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let recording = try RecordingReader(path: arguments.operands[0])
      let table = RecordingCSV(recording, RecordingPosition.range(arguments))
      try TextFile.write(path: arguments.value(of: "--output") ?? "-") { put in try table.write(put) }
      if let truncation = recording.truncation { diagnostics.write(.warning, truncation) }
      return ExitStatus.success
    }
  }
}
