/// Makes a recording of frames and events that exist as JSON, such as those of another program. It contains each frame
/// as a whole frame.
package final class RecordingImporter {
  private let strip: SinkWriter
  private var header = JSONWriter()
  private var line = JSONWriter()
  /// The current frame, in the format of the recording.
  private var frame: [UInt8] = []
  /// The first frame needn't be the application's seed. A number above 0 marks the recording as the end of a longer
  /// one.
  private var frameNumber = 1
  /// The number of the last cause.
  package private(set) var cause = 0
  private var time: Int64 = 0

  /// - Parameters:
  ///   - app: the application's name.
  ///   - by: the program that recorded the frames, for people.
  ///   - lenses: the application's lenses.
  ///   - seed: the first frame, as JSON.
  ///   - sink: gets the recording.
  package init(
    app: String, by: String?, lenses: [RecordingHeader.Lens], seed: String, to sink: any RecordingSink
  ) throws(RecordingTextFault) {
    strip = SinkWriter(sink)
    frame = try Self.canonical(seed)
    RecordingHeader(
      app: app, by: by, clock: .monotonic, start: .zero, due: nil, wall: nil, lenses: lenses, columns: [],
      source: nil
    ).write(to: &header)
    putFrame()
  }

  /// Adds an event of a lens.
  ///
  /// - Parameters:
  ///   - event: the event, as JSON.
  ///   - lens: the number of the lens.
  ///   - effect: the frame that the event led to, as JSON.
  package func add(event: String, of lens: Int, effect: String) throws(RecordingTextFault) {
    let (event, effect) = (try Self.canonical(event), try Self.canonical(effect))
    put(.event, event, of: lens, effect)
  }

  /// Adds a frame that was set from outside, unless it is the current one.
  ///
  /// - Parameter text: the frame, as JSON.
  package func set(frame text: String) throws(RecordingTextFault) {
    let next = try Self.canonical(text)
    if next != frame { put(.frameSet, next, of: nil, next) }
  }

  /// Approves the last event.
  package func approve() {
    begin(.approval)
    line.write(cause)
    line.write(true)
    end()
    strip.putOther(line.written)
  }

  /// Adds a note to an event.
  package func note(_ text: String, at cause: Int) {
    begin(.note)
    line.write(time)
    line.write(cause)
    line.write(text)
    end()
    strip.putOther(line.written)
  }

  private func end() {
    line.endArray()
    line.endLine()
  }

  /// Writes the last line.
  package func finish() { strip.end(at: time, .stopped, causes: cause, frame: frameNumber) }

  private func begin(_ kind: ParsedRecordingLine.Kind) {
    line.removeAll()
    line.begin(kind)
  }

  private func put(_ kind: ParsedRecordingLine.Kind, _ value: [UInt8], of lens: Int?, _ next: [UInt8]) {
    cause += 1
    begin(kind)
    line.write(cause)
    line.write(time)
    if let lens { line.write(lens) }
    value.withUnsafeBytes { line.write(written: $0) }
    let isNew = next != frame
    if isNew { frameNumber += 1 }
    line.write(frameNumber)
    if isNew { line.write(Self.digest(of: next)) }
    end()
    strip.put(cause: cause, line.written, isFaulty: false)
    guard isNew else { return }
    frame = next
    putFrame()
  }

  private func putFrame() {
    begin(.keyframe)
    line.write(frameNumber)
    line.write(time)
    frame.withUnsafeBytes { line.write(written: $0) }
    line.write(Self.digest(of: frame))
    end()
    strip.put(keyframe: line.written, header: header.written, at: time)
  }

  private static func digest(of bytes: [UInt8]) -> FNV1aHash {
    var digest = FNV1aHash()
    bytes.withUnsafeBytes { digest.add($0) }
    return digest
  }

  private static func canonical(_ text: String) throws(RecordingTextFault) -> [UInt8] {
    try JSONReader.read(text) { (reader) throws(RecordingTextFault) in
      var writer = JSONWriter()
      try writer.writeValue(from: &reader)
      return Array(writer.written)
    }
  }
}

extension JSONWriter {
  /// Writes a JSON value again, in the normal form of a recording; keys keep their order. The depth is limited by
  /// ``JSONReader/maximumDepth``.
  mutating func writeValue(from recording: inout JSONReader) throws(RecordingTextFault) {
    switch recording.nextKind() {
    case .null where recording.readNull(): writeNull()
    case .bool: write(try recording.readBool())
    case .string: write(try recording.readString())
    case .number:
      var other = recording
      if let integer: Int64 = try? other.readInteger() {
        write(integer)
        recording = other
      } else {
        write(try recording.readDouble())
      }
    case .array:
      try recording.beginArray()
      beginArray()
      while try recording.hasElement() { try writeValue(from: &recording) }
      endArray()
    case .object:
      try recording.beginObject()
      beginObject()
      while let name = try recording.nextKey() {
        key(name)
        try writeValue(from: &recording)
      }
      endObject()
    case .null, .nothing: throw recording.fault("a value is missing")
    }
  }
}
