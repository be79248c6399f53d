import CycleCore
import Monitor
import PanelLanguage
import PanelRun
import Terminal

/// Plays a panel's recording with edits, and writes parts of it as files, for the monitor.
package struct PanelRecordingEditor: MonitorRecordingEditor {
  package let kinds: KindList

  package init(kinds: KindList) {
    self.kinds = kinds
  }

  /// The size limit of an edited recording.
  private static let mostBytes = 8 << 20

  package func play(recording: [UInt8], edits: [String], isResimulated: Bool) throws(MonitorRefusal) -> PlayedRecording
  {
    try refusing {
      let take = try EditedRecordingReplay(of: panel(recording), edits: edits.map { try RecordingEdit($0) })
      let result = try take.result(isResimulated: isResimulated)
      return PlayedRecording(
        recording: result.recording, digest: result.report.digest, events: result.report.events,
        frame: result.report.frame,
        first: result.firstDifference ?? 0, ghosts: Self.ghosts(in: result))
    }
  }

  /// Maps each derived event that would not have occurred to its number in the original recording; 0 for one that is
  /// not in it. The key is the event's number in the edited recording.
  private static func ghosts(in result: EditedRecordingReplay.Result) -> [Int: Int] {
    guard !result.impossible.isEmpty else { return [:] }
    var ghosts: [Int: Int] = [:]
    var place = 0
    for line in result.recording.split(separator: UInt8(ascii: "\n")) {
      guard let number = line.withUnsafeBytes({ ParsedRecordingLine.causeNumber(of: $0) }) else { continue }
      if result.impossible.contains(place) { ghosts[number] = result.rows[place].number ?? 0 }
      place += 1
    }
    return ghosts
  }

  package func save(recording: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String {
    try refusing {
      let take = try EditedRecordingReplay(of: panel(recording))
      switch form {
      case .recording:
        var part = take.take
        part.written = events
        let memory = RecordingBuffer(limit: Self.mostBytes)
        try take.panel.application().cycle.record(part, to: memory)
        return memory.text
      case .test:
        guard events.count == 1 else {
          throw MonitorRefusal(422, "a test case is a recording of one event: \"from\" and \"to\" are the same")
        }
        return String(decoding: try take.moment(events.lowerBound).recording, as: UTF8.self)
      case .scenario:
        let name = "\(take.panel.header.app), events \(events.lowerBound) to \(events.upperBound)"
        return try RecordedScenario(of: take, named: name, events: events).text()
      }
    }
  }

  private func panel(_ recording: [UInt8]) throws -> ReplayableRecording {
    try ReplayableRecording(recording, name: "the recording in memory", kinds: kinds)
  }

  /// Converts an error of an edited recording or a recording to a refusal.
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
