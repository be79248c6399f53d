import CycleCore
import Terminal

/// The last second before a step failed, as lines below the failure:
///
///     3 inputs and 1 of 214 lines of the last second:
///       8.210s  saw.off  fan: running -> after-run
///       8.250s … 9.200s  every 10ms in chance/turning  ×96
///
/// Repeated lines are folded, and so are repeated groups of two to four lines.
package struct FailureContext {
  static let mostLines = 20

  package let lines: [String]

  package init(of session: PanelSession) {
    let since = Moment(nanoseconds: session.now.nanoseconds - 1_000_000_000)
    let entries = session.journal.entries(since: since)
    guard !entries.isEmpty else {
      self.lines = ["  no events in the last second"]
      return
    }
    let view = session.view
    let lines = entries.map { entry in
      (event: view.text(of: entry), changes: view.text(of: entry.consequences.changes))
    }
    let width = lines.filter { !$0.changes.isEmpty }.map(\.event.count).max() ?? 0
    var log = FoldedLog()
    var inputs: Set<String> = []
    for (entry, line) in zip(entries, lines) {
      let blanks = String(repeating: " ", count: max(0, width - line.event.count))
      let text = line.changes.isEmpty ? line.event : "\(line.event)\(blanks)  \(line.changes)"
      if entry.isInput { inputs.insert(text) }
      log.add(text, at: entry.moment)
    }
    let shown = log.entries(Self.mostLines)
    let inputCount = entries.count(where: \.isInput)
    let others = (shown: shown.count { !inputs.contains($0.text) }, all: entries.count - inputCount)
    let longest = shown.map(\.text.count).max() ?? 0
    self.lines =
      [Self.head(inputCount, others.shown, of: others.all, areAll: entries.count < PanelJournal.capacity)]
      + shown.map { entry in
        let times =
          entry.times == 1 ? "" : String(repeating: " ", count: longest - entry.text.count) + "  ×\(entry.times)"
        let first = entry.times == 1 ? "" : "\(session.seconds(at: entry.first)) … "
        return "    \(first)\(session.seconds(at: entry.last))  \(entry.text)\(times)"
      }
  }

  /// - Parameter areAll: whether these are all lines of the last second; false if the journal has dropped some.
  private static func head(_ inputs: Int, _ shown: Int, of all: Int, areAll: Bool) -> String {
    let count = "\(areAll ? "" : "at least ")\(counted(all, "line"))"
    let lines = shown == all && areAll ? count : "\(shown) of \(count)"
    let parts = [inputs > 0 ? counted(inputs, "input") : nil, all > 0 ? lines : nil].compactMap { $0 }
    return "  \(parts.joined(separator: " and ")) of the last second:"
  }
}
