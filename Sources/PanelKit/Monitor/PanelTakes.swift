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
      let memory = FilmMemory(limit: Self.mostBytes)
      if isRehearsed {
        _ = try take.rehearse(to: memory)
        let made = try PanelTake(of: take.panel.another(memory.bytes))
        return try played(made.playAsRecorded(), of: take, memory.bytes, marksGhosts: false)
      }
      return try played(take.playAsRecorded(to: memory), of: take, memory.bytes, marksGhosts: true)
    }
  }

  private func played(
    _ outcome: PanelTake.Outcome, of take: PanelTake, _ film: [UInt8], marksGhosts: Bool
  ) throws -> PlayedTake {
    let another = try take.panel.another(film)
    let first = try FilmedPanel.firstDifference(of: take.panel.film(), another.film())
    return PlayedTake(
      film: marksGhosts ? Self.marked(film, outcome) : film, digest: outcome.report.digest,
      events: outcome.report.events, frame: outcome.report.frame, first: first ?? 0)
  }

  /// The film with a last field in the records of answers that would not have been.
  private static func marked(_ film: [UInt8], _ outcome: PanelTake.Outcome) -> [UInt8] {
    guard !outcome.impossible.isEmpty else { return film }
    var marked: [UInt8] = []
    var place = 0
    for line in film.split(separator: UInt8(ascii: "\n")) {
      let isCause = line.withUnsafeBytes { FilmLine.causeNumber(of: $0) != nil }
      if isCause, outcome.impossible.contains(place) {
        marked += line.dropLast()
        marked += Array(",{\"src\":\(outcome.rows[place].number ?? 0),\"mark\":\"ghost\"}]".utf8)
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
        let times = zip(take.take.causes, take.take.times).filter { cause, _ in
          cause.number.map(events.contains) ?? false
        }
        guard let first = times.first?.1, let last = times.last?.1 else {
          throw FilmFault("the film in memory has no event \(events.lowerBound) to \(events.upperBound)")
        }
        let name = "\(take.panel.header.app), events \(events.lowerBound) to \(events.upperBound)"
        let scenario = FilmScenario(take: take, name: name, from: .nanoseconds(first), to: .nanoseconds(last))
        return try scenario.text()
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
