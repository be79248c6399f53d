import CycleCore
import Glibc
import HardwarePlatform
import PanelLanguage
import Terminal

/// A recording, or a file of edits with those that it is based on, down to their recording.
package struct RecordingEditChain {
  /// The maximum length of a chain of edited recordings.
  static let deepest = 32

  /// The path of the recording.
  package let recording: String
  /// All edits, starting with those next to the recording.
  package let edits: [RecordingEdit]
  /// The event that was selected last, according to the edited recording.
  package let cursor: Int?

  /// Reads the name of a recording, or an edited recording with its parents.
  ///
  /// - Throws: ``Recordings/RecordingError`` for an edited recording that can't be read, and if a parent recording or
  ///   edited recording has changed; `Problems` and `DriverError` for files that can't be read.
  package init(path: String) throws {
    var (path, edits, cursor) = (path, [RecordingEdit](), Int?.none)
    for depth in 0...Self.deepest {
      guard try Self.isTake(path) else {
        (recording, self.edits, self.cursor) = (path, edits, cursor)
        return
      }
      let bytes = try TextFile.read(path: path, what: "a file of edits")
      let take = try RecordingEditsFile(String(decoding: bytes, as: UTF8.self), name: path)
      let parent = Self.path(take.of, from: PanelFile.folder(of: path))
      guard try Self.digest(of: parent) == take.digest else {
        throw RecordingError(
          recording: path, line: 1,
          fault: RecordingTextFault(
            "\(parent) has changed since these edits were made; restore it, or make the edits again"))
      }
      edits = take.edits + edits
      if depth == 0 { cursor = take.cursor }
      path = parent
    }
    throw RecordingError(
      recording: path, line: 1,
      fault: RecordingTextFault(
        "more than \(Self.deepest) files of edits refer to each other; make new edits of the recording"))
  }

  private static func path(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") || folder.isEmpty ? path : folder == "/" ? "/\(path)" : "\(folder)/\(path)"
  }

  private static func isTake(_ path: String) throws -> Bool {
    let beginning = Array("{\"take\":".utf8)
    var bytes = [UInt8](repeating: 0, count: beginning.count)
    let source = try RecordingFileReader(path: path)
    let count = try bytes.withUnsafeMutableBytes { try source.read(into: $0) }
    return count == beginning.count && bytes == beginning
  }

  /// The digest of all bytes of a recording or an edited recording.
  static func digest(of path: String) throws -> FNV1aHash {
    let source = try RecordingFileReader(path: path)
    var digest = FNV1aHash()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count = try source.read(into: buffer)
      guard count > 0 else { return digest }
      digest.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Writes edits of the recording, or of the file of edits, at a path into a file.
  package static func save(_ edits: [RecordingEdit], of parent: String, cursor: Int? = nil, to path: String) throws {
    try RecordingSession.checkPlace(path, kind: "take")
    let take = RecordingEditsFile(
      of: try relative(parent, to: PanelFile.folder(of: path)), digest: try digest(of: parent), cursor: cursor,
      edits: edits)
    try TextFile.write(take.text, path: path)
  }

  /// A path relative to a folder, if it is inside that folder; else the whole path. Calls `getcwd`.
  private static func relative(_ path: String, to folder: String) throws(Problems) -> String {
    if path.hasPrefix("/") || folder.isEmpty { return path }
    if path.hasPrefix(folder + "/") { return String(path.dropFirst(folder.count + 1)) }
    guard let working = getcwd(nil, 0) else {
      throw Problems(
        kind: .noSuchFile, file: path,
        list: [Problem(line: 0, column: 0, text: "the working directory is gone; change to a different one")])
    }
    defer { free(working) }
    return "\(String(cString: working))/\(path)"
  }
}
