/// A file of edits: a reference to a recording, or to another file of edits, and the edits, one JSON value per line.
///
///     {"take":1,"of":"bell.recording","digest":"9b524d38f788ec47","cursor":3}
///     "off 1"
///     "note 3 \"too late\""
///
/// An edited recording of another edited recording contains the edits of that one before its own. The recording itself
/// is not in the file.
public struct RecordingEditsFile: Equatable, Sendable {
  /// The version of the format that this module writes and reads.
  public static let version = 1
  /// The maximum number of edits.
  public static let mostEdits = 10_000

  /// The path of the recording or the edited recording that this one edits, relative to the folder of this one.
  public var of: String
  /// The digest of all bytes of that file. In a different file the edits could have another meaning.
  public var digest: FNV1aHash
  /// The number of the event that the user viewed last; nil for none.
  public var cursor: Int?
  public var edits: [RecordingEdit]

  public init(of: String, digest: FNV1aHash, cursor: Int? = nil, edits: [RecordingEdit]) {
    (self.of, self.digest, self.cursor, self.edits) = (of, digest, cursor, edits)
  }

  /// Reads an edited recording.
  ///
  /// - Parameters:
  ///   - text: the text of the file.
  ///   - name: the name of the file, in messages.
  /// - Throws: ``RecordingError`` with the line of the error.
  public init(_ text: String, name: String) throws(RecordingError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    (of, digest, edits) = ("", FNV1aHash(), [])
    do throws(RecordingTextFault) {
      (of, digest, cursor) = try JSONReader.read(String(lines.first ?? "")) { (recording) throws(RecordingTextFault) in
        try Self.readHead(&recording)
      }
    } catch {
      throw RecordingError(recording: name, line: 1, fault: error)
    }
    for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      do throws(RecordingTextFault) {
        guard edits.count < Self.mostEdits else {
          throw RecordingTextFault("an edited recording has at most \(Self.mostEdits) edits")
        }
        edits.append(
          try RecordingEdit(
            JSONReader.read(String(line)) { (recording) throws(RecordingTextFault) in try recording.readString() }))
      } catch {
        throw RecordingError(recording: name, line: number + 1, fault: error)
      }
    }
  }

  private static func readHead(
    _ recording: inout JSONReader
  ) throws(RecordingTextFault) -> (of: String, digest: FNV1aHash, cursor: Int?) {
    try recording.beginObject()
    try recording.readKey("take")
    let version: Int = try recording.readInteger()
    guard version == Self.version else {
      throw RecordingTextFault("this is version \(version) of the format; this program reads version \(Self.version)")
    }
    try recording.readKey("of")
    let of = try recording.readString()
    try recording.readKey("digest")
    let place = recording.offset
    guard let digest = FNV1aHash(try recording.readString()) else {
      throw RecordingTextFault("a digest has 16 hexadecimal digits", at: place)
    }
    guard let key = try recording.nextKey() else { return (of, digest, nil) }
    guard key == "cursor" else { throw RecordingTextFault("unknown key \"\(key)\"") }
    let cursor: Int = try recording.readInteger()
    try recording.endObject()
    return (of, digest, cursor)
  }

  /// The text of the file.
  public var text: String {
    var recording = JSONWriter()
    recording.beginObject()
    recording.key(plain: "take")
    recording.write(Self.version)
    recording.key(plain: "of")
    recording.write(of)
    recording.key(plain: "digest")
    recording.write(digest)
    if let cursor {
      recording.key(plain: "cursor")
      recording.write(cursor)
    }
    recording.endObject()
    recording.endLine()
    for edit in edits {
      recording.write(edit.line)
      recording.endLine()
    }
    return recording.text
  }
}
