import CycleCore
import Monitor
import PanelLanguage
import PanelRun
import Terminal

/// Plays a panel's film with edits, and writes parts of it as files, for the monitor.
package struct PanelEditing: MonitorEditing {
  package let kinds: KindList

  package init(kinds: KindList) {
    self.kinds = kinds
  }

  /// The size limit of an edited film.
  private static let mostBytes = 8 << 20

  package func play(film: [UInt8], edits: [String], isResimulated: Bool) throws(MonitorRefusal) -> PlayedFilm {
    try refusing {
      let take = try PanelEditedFilm(of: panel(film), edits: edits.map { try FilmEdit($0) })
      let result = try take.result(isResimulated: isResimulated)
      return PlayedFilm(
        film: result.film, digest: result.report.digest, events: result.report.events, frame: result.report.frame,
        first: result.firstDifference ?? 0, ghosts: Self.ghosts(in: result))
    }
  }

  /// Maps each derived event that would not have occurred to its number in the original film; 0 for one that is not in
  /// it. The key is the event's number in the edited film.
  private static func ghosts(in result: PanelEditedFilm.Result) -> [Int: Int] {
    guard !result.impossible.isEmpty else { return [:] }
    var ghosts: [Int: Int] = [:]
    var place = 0
    for line in result.film.split(separator: UInt8(ascii: "\n")) {
      guard let number = line.withUnsafeBytes({ FilmLine.causeNumber(of: $0) }) else { continue }
      if result.impossible.contains(place) { ghosts[number] = result.rows[place].number ?? 0 }
      place += 1
    }
    return ghosts
  }

  package func save(film: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String {
    try refusing {
      let take = try PanelEditedFilm(of: panel(film))
      switch form {
      case .film:
        var part = take.take
        part.written = events
        let memory = FilmMemory(limit: Self.mostBytes)
        try take.panel.application().cycle.film(part, to: memory)
        return memory.text
      case .test:
        guard events.count == 1 else {
          throw MonitorRefusal(422, "a test case is a recording of one event: \"from\" and \"to\" are the same")
        }
        return String(decoding: try take.moment(events.lowerBound).film, as: UTF8.self)
      case .scenario:
        let name = "\(take.panel.header.app), events \(events.lowerBound) to \(events.upperBound)"
        return try FilmScenario(of: take, named: name, events: events).text()
      }
    }
  }

  private func panel(_ film: [UInt8]) throws -> FilmedPanel {
    try FilmedPanel(film, name: "the recording in memory", kinds: kinds)
  }

  /// Converts an error of an edited film or a film to a refusal.
  private func refusing<Value>(_ body: () throws -> Value) throws(MonitorRefusal) -> Value {
    do {
      return try body()
    } catch let refusal as MonitorRefusal {
      throw refusal
    } catch let problems as Problems {
      throw MonitorRefusal(422, problems.lines.joined(separator: "; "))
    } catch {
      throw MonitorRefusal(422, "\(error)")
    }
  }
}
