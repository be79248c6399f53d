import CycleCore
import HardwarePlatform
import PanelLanguage
import PanelRecording
import Terminal

enum RecordingCutCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording cut", "Write a part of a recording to a new recording.",
    discussion: "The part may begin some events earlier: at the last point where the whole state was recorded.",
    examples: """
      $ panel recording cut bell.recording --from 12 --to 40 -o part.recording
      $ panel recording cut bell.recording --from 1m -o end.recording
      $ panel recording cut bell.recording --to 500 -o - | gzip > begin.recording.gz
      """, operands: [.recording],
    options: RecordingPosition.options + [.output(help: "File to write. Required. \(CommandSyntax.Option.dash)")])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    let path = arguments.operands[0]
    return perform(diagnostics) {
      guard let part = arguments.value(of: "--output") else { throw syntax.misuse("--output is missing") }
      let copy = try RecordingExcerptFile(path: part, isReplacing: true)
      let report = try RecordingCut(RecordingPosition.range(arguments)).copy(to: copy) {
        try RecordingReader(path: path)
      }
      if let truncation = report.truncation { diagnostics.write(.warning, truncation) }
      guard report.causes > report.causesBefore else {
        diagnostics.write(.error, "\(path): no event is there; name others with --from and --to")
        return ExitStatus.failed
      }
      if report.causesBefore > 0 {
        diagnostics.write(
          .warning,
          "\(part): begins \(counted(report.causesBefore, "event")) earlier, where the whole state was recorded")
      }
      try copy.finish()
      Output.lines(beside: part)("\(part): \(counted(report.causes, "event"))")
      return ExitStatus.success
    }
  }
}
