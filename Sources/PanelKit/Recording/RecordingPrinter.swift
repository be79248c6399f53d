import CycleCore
import Terminal

/// Prints a recording for users: a line for each event, trouble, frame and note.
package struct RecordingPrinter {
  /// The maximum number of bytes that are printed of a value.
  private static let longestValue = 200

  private let recording: RecordingReader
  private let range: RecordingRange
  private var follower = RowDeltaDecoder()
  /// The row before the last line that was read.
  private var before: [Int]?

  package init(_ recording: RecordingReader, _ range: RecordingRange) {
    self.recording = recording
    self.range = range
  }

  /// Prints the recording, line by line, up to the end of the range.
  package mutating func print(_ tell: (String) -> Void) throws {
    let header = recording.header
    let by = header.by.map { ", recorded by \($0)" } ?? ""
    tell(
      "\(recording.name): \(header.app)\(by), \(header.clock.rawValue) clock, lenses: \(header.lenses.map(\.name).joined(separator: ", "))"
    )
    while let line = try recording.next(), !range.isOver(at: line) {
      before = follower.row
      try follower.follow(line, of: recording)
      if range.contains(line), let text = text(of: line) { tell(text) }
    }
  }

  private func text(of line: ParsedRecordingLine) -> String? {
    let time = SecondsText.text(of: .nanoseconds(line.time))
    switch line.kind {
    case .keyframe: return "\(time)  frame \(line.number) is \(follower.row.map { row($0) } ?? value(of: line))"
    case .event, .found, .trouble, .injection, .frameSet:
      let lens =
        recording.header.lenses.indices.contains(line.lens) ? recording.header.lenses[line.lens].name : "a frame"
      let kind =
        switch line.kind {
        case .trouble: "trouble, "
        case .event: ""
        case .found: "found, "
        default: "put in, "
        }
      let effect = line.digest == nil ? "" : "  frame \(line.frame)\(changes(line))"
      return "\(time)  \(line.number)  \(lens): \(kind)\(value(of: line))\(effect)"
    case .world: return "\(time)  step \(value(of: line))"
    case .edge: return "\(time)  edge of \(value(of: line))"
    case .loss: return "\(time)  \(counted(line.number, "event")) missing"
    case .note: return "\(time)  note on event \(line.number): \(value(of: line))"
    case .approval: return "event \(line.number) is approved: \(value(of: line))"
    case .end: return "\(time)  end: \(value(of: line))"
    case .model: return "frame \(line.number)  model of lens \(line.lens): \(value(of: line))"
    case .check, .foreign: return nil
    }
  }

  private func value(of line: ParsedRecordingLine) -> String {
    let text = recording.text[line.value]
    return String(decoding: text.prefix(Self.longestValue), as: UTF8.self) + (text.count > Self.longestValue ? "…" : "")
  }

  private func row(_ numbers: [Int]) -> String {
    numbers.enumerated().map { "\(name(of: $0.offset)) \($0.element)" }.joined(separator: ", ")
  }

  private func changes(_ line: ParsedRecordingLine) -> String {
    guard let before, let now = follower.row, before.count == now.count else { return "" }
    let changed = now.indices.filter { now[$0] != before[$0] }
    return changed.isEmpty
      ? "" : ": " + changed.map { "\(name(of: $0)) \(before[$0]) → \(now[$0])" }.joined(separator: ", ")
  }

  private func name(of column: Int) -> String {
    recording.header.columns.indices.contains(column) ? recording.header.columns[column] : "[\(column)]"
  }
}
