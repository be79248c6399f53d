import CycleCore
import HardwareLinux
import Terminal

/// Prints a recording of a panel for users: one line for each event, with its changes in the panel's words.
struct RecordingListing {
  private let panel: FilmedPanel
  private let range: FilmRange

  init(_ panel: FilmedPanel, _ range: FilmRange) {
    (self.panel, self.range) = (panel, range)
  }

  /// - Throws: an error if the recording can't be read or replayed.
  func print(_ write: (String) -> Void) throws {
    let header = panel.header
    let by = header.by.map { ", recorded by \($0)" } ?? ""
    write("\(panel.name): \(header.app)\(by), \(header.clock.rawValue) clock")
    let reading = TakeReading(try panel.application())
    reading.describesChanges = true
    let rows = try reading.rows(of: Take(of: panel.film())).rows
    if range.causes.lowerBound <= 1, range.times.lowerBound <= 0 { write("0.000s  0  \(reading.beginning)") }
    for row in rows where range.times.contains(row.time) && row.number.map(range.causes.contains) ?? true {
      let number = row.number.map(String.init) ?? "+"
      write(
        "\(SecondsText.text(of: .nanoseconds(row.time)))  \(number)  \(row.text)"
          + (row.changes.isEmpty ? "" : "  \(row.changes)"))
    }
  }
}
