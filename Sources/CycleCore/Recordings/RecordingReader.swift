import CycleBase

/// A recording that is being read, line by line. It holds one line at a time, however long the recording is.
public final class RecordingReader {
  /// The maximum number of bytes of a line, its end included.
  public static let longestLine = 1 << 20
  /// The maximum number of bytes of the first line, which may contain the application's file.
  public static let longestHeader = 4 << 20

  /// The name of the recording in messages: its file, as the user gave it.
  public let name: String
  public let header: RecordingHeader
  /// The number of the line that was read last, from 1.
  @exclusivity(unchecked) public private(set) var lineNumber = 1
  /// The text of that line, without its end. It stays valid until the next line is read.
  @exclusivity(unchecked) public private(set) var text: UnsafeRawBufferPointer
  /// Whether the end was read: the recording was ended, and not cut off.
  @exclusivity(unchecked) public private(set) var isEnded = false

  private let lines: TextLines
  @exclusivity(unchecked) private var order = RecordingOrder()
  /// The digest of all bytes before the line that was read last.
  @exclusivity(unchecked) private var chain = FNV1aHash()
  /// Whether all bytes before that line were read.
  @exclusivity(unchecked) private var isChained = true

  /// Reads the first line.
  ///
  /// - Throws: ``RecordingError`` if it has no header, or not the header of a recording of this version; any error of
  ///   the source.
  public init(_ source: any RecordingSource, name: String) throws {
    self.name = name
    lines = TextLines(source)
    do {
      guard let first = try lines.next(longest: Self.longestHeader) else {
        throw RecordingTextFault(
          lines.leftOut == 0
            ? "the recording is empty" : "the recording ends in its first line; there is nothing to read")
      }
      var reader = JSONReader(first)
      header = try RecordingHeader(from: &reader)
      try reader.expectEnd()
      text = first
    } catch let fault as RecordingTextFault {
      throw RecordingError(recording: name, line: 1, fault: fault)
    }
  }

  /// Reads the next line; nil at the end.
  ///
  /// - Throws: ``RecordingError`` for a line that is not a record, for a record that is too long, for a record after
  ///   the end, and if the recording was changed since it was recorded; any error of the source.
  public func next() throws -> ParsedRecordingLine? {
    chain = lines.digest
    do {
      guard let next = try lines.next(longest: Self.longestLine) else {
        text = UnsafeRawBufferPointer(start: nil, count: 0)
        return nil
      }
      lineNumber += 1
      text = next
      if isEnded { throw RecordingTextFault("something follows the end of the recording") }
      let line = try ParsedRecordingLine(next)
      try check(line)
      return line
    } catch let fault as RecordingTextFault {
      throw error(fault)
    }
  }

  /// A reader of the value of the line that was read last.
  package func reader(of line: ParsedRecordingLine) -> JSONReader { JSONReader(text, from: line.value.lowerBound) }

  /// The number of bytes of the recording before the line that was read last.
  public var offset: Int { lines.offset }

  /// Moves to a whole frame, which is read next. Checks are not compared after that, because not all bytes before them
  /// are read.
  ///
  /// - Throws: kind `unsupported` if the source can only be read in order.
  public func go(to place: RecordingIndex.Position) throws(DriverError) {
    try lines.move(to: place.offset)
    lineNumber = place.line - 1
    text = UnsafeRawBufferPointer(start: nil, count: 0)
    order = RecordingOrder()
    isChained = false
    isEnded = false
  }

  /// Makes an error at the line that was read last.
  public func error(_ fault: RecordingTextFault) -> RecordingError {
    RecordingError(recording: name, line: lineNumber, fault: fault)
  }

  /// A message about a recording that was cut off within a record: `lamp.recording:812: the recording ends
  /// in the middle of a line; 37 bytes are left out`. Nil for any other recording, and before the last line was read.
  public var truncation: String? {
    guard lines.leftOut > 0 else { return nil }
    let bytes = lines.leftOut == 1 ? "1 byte is" : "\(lines.leftOut) bytes are"
    return "\(name):\(lineNumber + 1): the recording ends in the middle of a line; \(bytes) left out"
  }

  private func check(_ line: ParsedRecordingLine) throws(RecordingTextFault) {
    try order.follow(line)
    guard line.kind == .check || line.kind == .end else { return }
    guard line.number == lineNumber else {
      throw RecordingTextFault("this should be line \(line.number): lines have been put in or left out before")
    }
    guard !isChained || line.digest == chain else {
      throw RecordingTextFault("something before this line has been changed since it was recorded")
    }
    isEnded = line.kind == .end
  }
}
