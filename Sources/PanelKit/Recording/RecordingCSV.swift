import CycleCore
import Terminal

/// Writes a recording as comma-separated values (RFC 4180): a row for each cause, and the frame after it if frames are
/// rows.
package struct RecordingCSV {
  private let recording: RecordingReader
  private let range: RecordingRange

  package init(_ recording: RecordingReader, _ range: RecordingRange) {
    self.recording = recording
    self.range = range
  }

  /// Writes the table, line by line, up to the end of the range.
  package func write(_ put: (String) throws -> Void) throws {
    try put(Self.line(["event", "seconds", "kind", "lens", "value", "frame"] + recording.header.columns))
    var follower = RowDeltaDecoder()
    while let line = try recording.next(), !range.isOver(at: line) {
      try follower.follow(line, of: recording)
      guard line.isCause, range.contains(line) else { continue }
      let lens = recording.header.lenses.indices.contains(line.lens) ? recording.header.lenses[line.lens].name : ""
      let seconds = "\(Moment(nanoseconds: line.time))"
      let row = recording.header.columns.isEmpty ? [] : follower.row ?? []
      try put(
        Self.line(
          [
            "\(line.number)", seconds.hasSuffix("s") ? String(seconds.dropLast()) : seconds, Self.name(of: line.kind),
            lens,
            String(decoding: recording.text[line.value], as: UTF8.self), "\(line.frame)",
          ] + row.map { "\($0)" }))
    }
  }

  private static func name(of kind: ParsedRecordingLine.Kind) -> String {
    switch kind {
    case .trouble: "trouble"
    case .injection: "put in"
    case .frameSet: "frame set"
    default: "event"
    }
  }

  private static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") + "\r\n" }

  private static func quoted(_ field: String) -> String {
    guard field.contains(where: { ",\"\r\n".contains($0) }) else { return field }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
