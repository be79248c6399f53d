import CycleCore
import HardwarePlatform
import PanelLanguage
import PanelRecording
import Terminal

enum RecordingEditCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording edit", "Replay a recording with edits: what if event 3 had not occurred?",
    discussion: """
      Edits name events by the numbers that `panel recording print` shows:

        off N, on N                        leave event N out; put it back
        edit N EVENT                       replace event N
        move N before M                    change the order
        insert after N at TIME LENS EVENT  add an event
        frame N PATH VALUE                 change a part of the state after event N
        note N TEXT                        add a note to event N
        approve N, disapprove N            mark event N as right, for `panel recording tests`

      `panel recording print --raw` shows how to write LENS (buttons), EVENT ([0,"held"]) and PATH (state).

      A derived event is one that the panel causes itself: a time that is up, a sound that ends. Without --resimulate, derived \
      events stay as recorded, and those that could not have occurred are marked. With --resimulate, only the inputs are taken \
      from the recording, and the panel runs again on simulated devices.
      """,
    examples: """
      $ panel recording edit left-in-the-dark.recording 'off 3' --resimulate
      $ panel recording edit bell.recording 'insert after 3 at 150ms buttons [0,"held"]' --save-edits held.edits
      $ panel recording edit held.edits 'approve 4' -o held.recording
      """,
    operands: [
      .init("RECORDING", help: "A recording, or edits that were saved."),
      .init("EDIT", help: "An edit as above, in quotation marks.", .any),
    ],
    options: [
      CommandSyntax.Option("--resimulate", help: "Run the panel again with the recorded inputs, on simulated devices."),
      .otherPanel, .output(help: "Write the result as a recording. \(CommandSyntax.Option.dash)"),
      CommandSyntax.Option(
        "--save-edits", value: "FILE",
        help: "Write the edits to a file, without the recording. \(CommandSyntax.Option.dash)"),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    var edits: [RecordingEdit] = []
    for text in arguments.operands.dropFirst() {
      do throws(RecordingTextFault) {
        edits.append(try RecordingEdit(text))
      } catch {
        let end = syntax.misuse("\(quoted(text)): \(error.reason)")
        end.write()
        return end.status
      }
    }
    return perform(diagnostics) {
      let files = [arguments.value(of: "--output"), arguments.value(of: "--save-edits")]
      if files == ["-", "-"] { throw syntax.misuse("--output and --save-edits cannot both be -") }
      do {
        let lines = try run(edits, arguments, kinds, diagnostics)
        lines.forEach(Output.lines(beside: files.contains("-") ? "-" : nil))
        return ExitStatus.success
      } catch let fault as RecordingTextFault {
        diagnostics.write(.error, "\(arguments.operands[0]): \(fault)")
        return ExitStatus.wrongContent
      }
    }
  }

  /// Runs the edits and returns the lines to print.
  private static func run(
    _ edits: [RecordingEdit], _ arguments: ParsedArguments, _ kinds: KindList, _ diagnostics: Diagnostics
  ) throws -> [String] {
    let path = arguments.operands[0]
    let source = try RecordingEditChain(path: path)
    let panel = try ReplayableRecording(path: source.recording, panelFile: arguments.value(of: "--panel"), kinds: kinds)
    let take = try EditedRecordingReplay(of: panel, edits: source.edits + edits)
    let isResimulated = arguments.has("--resimulate")
    let result = try take.result(isResimulated: isResimulated)
    for note in result.notes { diagnostics.write(.warning, "\(path): \(note)") }
    if let file = arguments.value(of: "--save-edits") {
      try RecordingEditChain.save(edits, of: path, cursor: source.cursor, to: file)
    }
    if let file = arguments.value(of: "--output") {
      try RecordingSession.checkPlace(file)
      try TextFile.write(String(decoding: result.recording, as: UTF8.self), path: file)
    }
    return result.rows.enumerated().map { place, row in
      line(of: row) + (result.impossible.contains(place) ? "  would not have occurred" : "")
    } + ["\(path)\(isResimulated ? ", re-simulated" : ""): \(summary(of: result, isResimulated: isResimulated))"]
  }

  /// Returns the last line: `4 events lead to 2 frames; 3 derived events would not have occurred`.
  private static func summary(of result: EditedRecordingReplay.Result, isResimulated: Bool) -> String {
    let (events, frames) = (counted(result.report.events, "event"), counted(result.report.frame + 1, "frame"))
    let count = result.impossible.count
    let marked = count == 0 ? "" : "; \(counted(count, "derived event")) would not have occurred"
    let comparison =
      result.firstDifference.map { "; it differs from event \($0) on" } ?? ", the same as recorded"
    return "\(events) lead to \(frames)\(isResimulated ? comparison : marked)"
  }

  /// Formats a row: `0.005s  1  bell.pressed`.
  private static func line(of row: EditedRecordingEvent) -> String {
    "\(SecondsText.text(of: .nanoseconds(row.time)))  \(row.number.map(String.init) ?? "+")  \(row.text)"
  }
}
