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
    let memory = FilmMemory(limit: 1 << 30)
    let lines =
      arguments.has("--rehearse")
      ? try rehearse(take, named: path, to: memory, diagnostics) : try play(take, named: path, to: memory)
    if let file = arguments.value(of: "--save") {
      try TakeSource.save(edits, of: path, cursor: source.cursor, to: file)
    }
    if let file = arguments.value(of: "--film") {
      try FilmOptions.checkPlace(file)
      try TextFile.write(memory.text, path: file)
    }
    return lines
  }

  /// Plays a take as recorded; returns what is to be told.
  private static func play(_ take: PanelTake, named name: String, to sink: any FilmSink) throws -> [String] {
    let outcome = try take.playAsRecorded(to: sink)
    let lines = outcome.rows.enumerated().map { place, row in
      line(of: row) + (outcome.impossible.contains(place) ? "  would not have been" : "")
    }
    let count = outcome.impossible.count
    let marked = count == 0 ? "" : "; \(counted(count, "answer")) would not have been"
    return lines + ["\(name): \(summary(outcome.report.events, outcome.report.frame))\(marked)"]
  }

  /// Rehearses a take; returns what is to be told.
  private static func rehearse(
    _ take: PanelTake, named name: String, to memory: FilmMemory, _ diagnostics: Diagnostics
  ) throws -> [String] {
    let rehearsal = try take.rehearse(to: memory)
    for note in rehearsal.notes { diagnostics.write(.warning, "\(name): \(note)") }
    let film = try PanelTake(of: take.panel.another(memory.bytes))
    let outcome = try film.playAsRecorded()
    let difference = try FilmedPanel.firstDifference(of: take.panel.film(), film.panel.film())
    let comparison = difference.map { "; from event \($0) on it is another film" } ?? ", the same as the film's"
    return outcome.rows.map { line(of: $0) }
      + ["\(name), rehearsed: \(summary(outcome.report.events, outcome.report.frame))\(comparison)"]
  }

  private static func summary(_ events: Int, _ frame: Int) -> String {
    "\(counted(events, "event")) lead to \(counted(frame + 1, "frame"))"
  }

  /// `0.005s  1  bell.pressed`.
  private static func line(of row: TakeRow) -> String {
    "\(SecondsText.text(of: .nanoseconds(row.time)))  \(row.number.map(String.init) ?? "+")  \(row.text)"
  }
}
