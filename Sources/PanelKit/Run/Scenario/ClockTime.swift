import HardwareDrivers
import HardwareLinux
import PanelLanguage
import Terminal

/// A date and a time of day, to which a scenario sets the clock: `2026-11-25 06:29:30`. In a recording, the zone of the
/// clock can follow.
package struct ClockTime: Equatable, Sendable {
  package let date: CalendarDate
  package let time: TimeOfDay
  /// The zone that the clock gets; nil if it keeps its own.
  package var zone: String?

  package init(_ date: CalendarDate, _ time: TimeOfDay) { (self.date, self.time) = (date, time) }

  /// Reads a date, a blank and a time with or without seconds, and a zone if there is one. Returns nil for any other text, and for years before 1970
  /// and after 2199.
  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let time = TimeOfDay(parts[1]) else { return nil }
    let numbers = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.map(\.utf8.count) == [4, 2, 2],
      numbers.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let year = Int(numbers[0]),
      let month = Int(numbers[1]), let day = Int(numbers[2]), (1970...2199).contains(year), (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    let date = CalendarDate(year, month, day)
    guard date.parts == (year, month, day) else { return nil }
    (self.date, self.time) = (date, time)
    if parts.count == 3 { zone = String(parts[2]) }
  }

  package var text: String { "\(date) \(time)" + (zone.map { " \($0)" } ?? "") }

  static func fault(of text: String) -> String {
    "\(quoted(text)) is not a date and a time; write \"2026-11-25 06:29:30\""
  }
}

extension ClockDefinition {
  /// The rules of the zone of a simulated clock: those of the file's zone, or UTC.
  package var simulatedZone: ZoneRules { zone.flatMap { try? ZoneFile.rules(named: $0) } ?? .utc }
}
