import CycleCore

/// A recording in memory, for requests for some of its lines.
struct RecordingExcerpts: Sendable {
  /// Whole lines, the header first.
  let bytes: [UInt8]

  /// The recording's header line, without its end; empty before the recording has begun.
  var header: ArraySlice<UInt8> { bytes.prefix { $0 != UInt8(ascii: "\n") } }

  /// Returns the lines from the last whole frame before an event to another event.
  func lines(from first: Int, to last: Int) -> [UInt8] {
    var (start, end) = (header.count + 1, bytes.count)
    eachLine { line, range in
      if let number = ParsedRecordingLine.causeNumber(of: line) {
        guard number <= last else {
          end = range.lowerBound
          return false
        }
      } else if Self.isKeyframe(line), nextCause(behind: range.upperBound) <= max(1, first) {
        start = range.lowerBound
      }
      return true
    }
    return start < end ? Array(bytes[start..<end]) : []
  }

  /// Returns a frame as the recording contains it; nil if this part of the recording is not kept, or contains only the
  /// digest.
  func frame(_ number: Int) -> String? {
    var row: [Int]?
    var frame: String?
    eachLine { text, _ in
      guard let line = try? ParsedRecordingLine(text) else { return true }
      let isWhole = line.kind == .keyframe || line.kind == .frameSet
      let current = line.kind == .keyframe ? line.number : line.frame
      if isWhole {
        let value = UnsafeRawBufferPointer(rebasing: text[line.value])
        row = Self.row(value)
        if current == number { frame = String(decoding: value, as: UTF8.self) }
      } else if line.kind.isCause, line.digest != nil {
        if let changed = Self.change(row, by: line.rowChanges(in: text)) {
          row = changed
          if current == number { frame = "[" + changed.map(String.init).joined(separator: ",") + "]" }
        } else {
          row = nil
        }
      }
      return frame == nil
    }
    return frame
  }

  /// Calls `body` with each line after the header and its range, until it returns false.
  private func eachLine(_ body: (UnsafeRawBufferPointer, Range<Int>) -> Bool) {
    bytes.withUnsafeBytes { bytes in
      var start = header.count + 1
      while start < bytes.count, let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        guard body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), start..<end + 1) else { return }
        start = end + 1
      }
    }
  }

  /// Returns the number of the first event after a place; the greatest number if there is none.
  private func nextCause(behind place: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      var start = place
      while start < bytes.count, let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        if let number = ParsedRecordingLine.causeNumber(of: UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
          return number
        }
        start = end + 1
      }
      return .max
    }
  }

  private static func isKeyframe(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count > 3 && line[2] == ParsedRecordingLine.Kind.keyframe.rawValue
  }

  /// Returns the numbers of a row; nil for a frame that is not a row.
  private static func row(_ text: UnsafeRawBufferPointer) -> [Int]? {
    var reader = JSONReader(text)
    var row: [Int] = []
    guard (try? reader.beginArray()) != nil else { return nil }
    while let isThere = try? reader.hasElement() {
      guard isThere else { return row }
      guard let number: Int = try? reader.readInteger() else { return nil }
      row.append(number)
    }
    return nil
  }

  /// Returns a row with changed columns; nil without a row, or if the row doesn't have such a column.
  private static func change(_ row: [Int]?, by changes: [(Int, Int)]?) -> [Int]? {
    guard var row, let changes else { return nil }
    for (column, number) in changes {
      guard row.indices.contains(column) else { return nil }
      row[column] = number
    }
    return row
  }
}
