import CycleCore
import HardwareLinux
import Terminal

enum TakeCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel take", "Plays what might have happened: a film with edits.",
    discussion: """
      Without --rehearse the film's answers (a time that is up, a sound that has ended) come as they came; those that would not
      have been are marked. With --rehearse only what the world did is taken from the film, and done to the panel on simulated
      devices. Numbers are those of the film's events. Examples:

        panel take bell.film
        panel take bell.film 'off 1' --rehearse
        panel take bell.film 'insert after 3 at 150ms buttons [0,"held"]' --save held.take
        panel take held.take 'approve 4' --film held.film
      """,
    operands: [
      .init("FILM", help: "A film, or a take that was saved."),
      .init(
        "EDIT",
        help: """
          off N, on N, edit N EVENT, move N before M, insert after N at TIME LENS EVENT, frame N PATH VALUE, note N TEXT, approve N, \
          disapprove N.
          """, .any),
    ],
    options: [
      CommandSyntax.Option("--rehearse", help: "Does what the world did, on simulated devices."),
      CommandSyntax.Option("--panel", value: "FILE", help: "Plays it on this panel file, not on the one in the film."),
      CommandSyntax.Option("--film", value: "FILE", help: "Writes what comes of it as a film."),
      CommandSyntax.Option("--save", value: "FILE", help: "Saves the edits as a take of this film or take."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    var edits: [TakeEdit] = []
    for text in arguments.operands.dropFirst() {
      do throws(FilmFault) {
        edits.append(try TakeEdit(text))
      } catch {
        let end = syntax.misuse("\(quoted(text)): \(error.reason)")
        end.write()
        return end.status
      }
    }
    return perform(diagnostics) {
      do {
        try run(edits, arguments, kinds, diagnostics).forEach(Output.print)
        return ExitStatus.success
      } catch let fault as FilmFault {
        diagnostics.write(.error, "\(arguments.operands[0]): \(fault)")
        return ExitStatus.wrongContent
      }
    }
  }

  /// Returns what is to be told.
  private static func run(
    _ edits: [TakeEdit], _ arguments: ParsedArguments, _ kinds: KindList, _ diagnostics: Diagnostics
  ) throws -> [String] {
    let path = arguments.operands[0]
    let source = try TakeSource(path: path)
    let panel = try FilmedPanel(path: source.film, panelFile: arguments.value(of: "--panel"), kinds: kinds)
    let take = try PanelTake(of: panel, edits: source.edits + edits)
    let isRehearsed = arguments.has("--rehearse")
    let result = try take.result(isRehearsed: isRehearsed)
    for note in result.notes { diagnostics.write(.warning, "\(path): \(note)") }
    if let file = arguments.value(of: "--save") {
      try TakeSource.save(edits, of: path, cursor: source.cursor, to: file)
    }
    if let file = arguments.value(of: "--film") {
      try FilmOptions.checkPlace(file)
      try TextFile.write(String(decoding: result.film, as: UTF8.self), path: file)
    }
    return result.rows.enumerated().map { place, row in
      line(of: row) + (result.impossible.contains(place) ? "  would not have been" : "")
    } + ["\(path)\(isRehearsed ? ", rehearsed" : ""): \(summary(of: result, isRehearsed: isRehearsed))"]
  }

  /// `4 events lead to 2 frames; 3 answers would not have been`.
  private static func summary(of result: PanelTake.Result, isRehearsed: Bool) -> String {
    let (events, frames) = (counted(result.report.events, "event"), counted(result.report.frame + 1, "frame"))
    let count = result.impossible.count
    let marked = count == 0 ? "" : "; \(counted(count, "answer")) would not have been"
    let comparison =
      result.firstDifference.map { "; from event \($0) on it is another film" } ?? ", the same as the film's"
    return "\(events) lead to \(frames)\(isRehearsed ? comparison : marked)"
  }

  /// `0.005s  1  bell.pressed`.
  private static func line(of row: TakeRow) -> String {
    "\(SecondsText.text(of: .nanoseconds(row.time)))  \(row.number.map(String.init) ?? "+")  \(row.text)"
  }
}
