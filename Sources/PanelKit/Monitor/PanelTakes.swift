import CycleCore
import Monitor
import Terminal

/// Plays takes of a panel's film, and writes parts of it as files, for the monitor.
struct PanelTakes: MonitorTakes {
  let kinds: KindList

  /// How long the film of a take may become.
  private static let mostBytes = 8 << 20

  func play(film: [UInt8], edits: [String], isRehearsed: Bool) throws(MonitorRefusal) -> PlayedTake {
    try refusing {
      let take = try PanelTake(of: panel(film), edits: edits.map { try TakeEdit($0) })
      let result = try take.result(isRehearsed: isRehearsed)
      return PlayedTake(
        film: Self.marked(result), digest: result.report.digest, events: result.report.events,
        frame: result.report.frame, first: result.firstDifference ?? 0)
    }
  }

  /// The film with a last field in the records of answers that would not have been.
  private static func marked(_ result: PanelTake.Result) -> [UInt8] {
    guard !result.impossible.isEmpty else { return result.film }
    var marked: [UInt8] = []
    var place = 0
    for line in result.film.split(separator: UInt8(ascii: "\n")) {
      let isCause = line.withUnsafeBytes { FilmLine.causeNumber(of: $0) != nil }
      if isCause, result.impossible.contains(place) {
        marked += line.dropLast()
        marked += Array(",{\"src\":\(result.rows[place].number ?? 0),\"mark\":\"ghost\"}]".utf8)
      } else {
        marked += line
      }
      if isCause { place += 1 }
      marked.append(UInt8(ascii: "\n"))
    }
    return marked
  }

  func save(film: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String {
    try refusing {
      let take = try PanelTake(of: panel(film))
      switch form {
      case .film:
        var part = take.take
        part.written = events
        let memory = FilmMemory(limit: Self.mostBytes)
        try take.panel.application().cycle.film(part, to: memory)
        return memory.text
      case .scenario, .test:
        let name = "\(take.panel.header.app), events \(events.lowerBound) to \(events.upperBound)"
        return try FilmScenario(of: take, named: name, events: events).text()
      }
    }
  }

  private func panel(_ film: [UInt8]) throws -> FilmedPanel {
    try FilmedPanel(film, name: "the film in memory", kinds: kinds)
  }

  /// What is wrong with a take or a film, as a refusal.
  private func refusing<Value>(_ body: () throws -> Value) throws(MonitorRefusal) -> Value {
    do {
      return try body()
    } catch let problems as Problems {
      throw MonitorRefusal(422, problems.lines.joined(separator: "; "))
    } catch {
      throw MonitorRefusal(422, "\(error)")
    }
  }
}
