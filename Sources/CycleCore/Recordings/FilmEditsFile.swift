/// A file of edits: a reference to a film, or to another file of edits, and the edits, one JSON value per line.
///
///     {"take":1,"of":"bell.recording","digest":"9b524d38f788ec47","cursor":3}
///     "off 1"
///     "note 3 \"too late\""
///
/// An edited film of another edited film contains the edits of that one before its own. The film itself is not in the
/// file.
public struct FilmEditsFile: Equatable, Sendable {
  /// The version of the format that this module writes and reads.
  public static let version = 1
  /// The maximum number of edits.
  public static let mostEdits = 10_000

  /// The path of the film or the edited film that this one edits, relative to the folder of this one.
  public var of: String
  /// The digest of all bytes of that file. In a different file the edits could have another meaning.
  public var digest: FilmDigest
  /// The number of the event that the user viewed last; nil for none.
  public var cursor: Int?
  public var edits: [FilmEdit]

  public init(of: String, digest: FilmDigest, cursor: Int? = nil, edits: [FilmEdit]) {
    (self.of, self.digest, self.cursor, self.edits) = (of, digest, cursor, edits)
  }

  /// Reads an edited film.
  ///
  /// - Parameters:
  ///   - text: the text of the file.
  ///   - name: the name of the file, in messages.
  /// - Throws: ``FilmError`` with the line of the error.
  public init(_ text: String, name: String) throws(FilmError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    (of, digest, edits) = ("", FilmDigest(), [])
    do throws(FilmFault) {
      (of, digest, cursor) = try FilmReader.read(String(lines.first ?? "")) { (film) throws(FilmFault) in
        try Self.readHead(&film)
      }
    } catch {
      throw FilmError(film: name, line: 1, fault: error)
    }
    for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      do throws(FilmFault) {
        guard edits.count < Self.mostEdits else {
          throw FilmFault("an edited recording has at most \(Self.mostEdits) edits")
        }
        edits.append(
          try FilmEdit(FilmReader.read(String(line)) { (film) throws(FilmFault) in try film.readString() }))
      } catch {
        throw FilmError(film: name, line: number + 1, fault: error)
      }
    }
  }

  private static func readHead(
    _ film: inout FilmReader
  ) throws(FilmFault) -> (of: String, digest: FilmDigest, cursor: Int?) {
    try film.beginObject()
    try film.readKey("take")
    let version: Int = try film.readInteger()
    guard version == Self.version else {
      throw FilmFault("this is version \(version) of the format; this program reads version \(Self.version)")
    }
    try film.readKey("of")
    let of = try film.readString()
    try film.readKey("digest")
    let place = film.offset
    guard let digest = FilmDigest(try film.readString()) else {
      throw FilmFault("a digest has 16 hexadecimal digits", at: place)
    }
    guard let key = try film.nextKey() else { return (of, digest, nil) }
    guard key == "cursor" else { throw FilmFault("unknown key \"\(key)\"") }
    let cursor: Int = try film.readInteger()
    try film.endObject()
    return (of, digest, cursor)
  }

  /// The text of the file.
  public var text: String {
    var film = FilmWriter()
    film.beginObject()
    film.key(plain: "take")
    film.write(Self.version)
    film.key(plain: "of")
    film.write(of)
    film.key(plain: "digest")
    film.write(digest)
    if let cursor {
      film.key(plain: "cursor")
      film.write(cursor)
    }
    film.endObject()
    film.endLine()
    for edit in edits {
      film.write(edit.line)
      film.endLine()
    }
    return film.text
  }
}
