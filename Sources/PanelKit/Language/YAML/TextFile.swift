import Glibc
import Terminal

/// Reads a text file, and checks that it is not too large, is UTF-8, and has no control characters.
package enum TextFile {
  /// The limit in bytes. The largest known panel file has 20 000.
  static let largest = 1 << 20

  /// Reads the bytes of a file. Throws if it is not a readable file, or too large. Calls `open`, `fstat` and `read`.
  package static func read(path: String, what: String) throws(Problems) -> [UInt8] {
    func refusal(_ text: String, _ kind: Problems.Kind) -> Problems {
      Problems(kind: kind, file: path, list: [Problem(line: 0, column: 0, text: text)])
    }
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw refusal("no such file; name \(what)", .noSuchFile)
    }
    // Without O_NONBLOCK, a named pipe without a writer would block here forever.
    let descriptor = (PathBytes.bytes(of: path) + [0]).withUnsafeBytes { bytes in
      open(bytes.assumingMemoryBound(to: CChar.self).baseAddress!, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else {
      switch errno {
      case EACCES, EPERM: throw refusal("permission denied; give this user read access (chmod)", .notPermitted)
      case ENOENT, ENOTDIR: throw refusal("no such file; check the path", .noSuchFile)
      case let code: throw refusal("can't be opened: \(String(cString: strerror(code))); check the path", .noSuchFile)
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw refusal("not a file; name \(what)", .noSuchFile)
    }
    return try read(descriptor, room: Int(status.st_size), path: path)
  }

  /// Reads the bytes of standard input. Throws if it can't be read.
  ///
  /// - Parameter name: the name in messages.
  package static func readStandardInput(as name: String) throws(Problems) -> [UInt8] {
    try read(STDIN_FILENO, room: 0, path: name)
  }

  /// - Parameter room: the expected number of bytes.
  private static func read(_ descriptor: Int32, room: Int, path: String) throws(Problems) -> [UInt8] {
    // One byte more than the file: that read finds the end. A file may grow while it is read, and files in /proc have
    // no size.
    var bytes = [UInt8](repeating: 0, count: min(largest, max(4_096, room)) + 1)
    var count = 0
    while count <= largest {
      if count == bytes.count { bytes += repeatElement(0, count: min(count, largest + 1 - count)) }
      let got = bytes[count...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if got == 0 { break }
      if got < 0 {
        if errno == EINTR { continue }
        throw Problems(
          kind: .noSuchFile, file: path,
          list: [
            Problem(line: 0, column: 0, text: "can't be read: \(String(cString: strerror(errno))); check the disk")
          ])
      }
      count += got
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Whether a path exists. Calls `lstat`.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return (PathBytes.bytes(of: path) + [0]).withUnsafeBytes { bytes in
      lstat(bytes.assumingMemoryBound(to: CChar.self).baseAddress!, &status) == 0
    }
  }

  /// Writes a text to a file that the user has named, with ``Terminal/OutputFile``. A reader of the path sees the old
  /// or the new file, never a part.
  package static func write(_ text: String, path: String) throws(Problems) {
    try write(text, path) { () throws(OutputFile.Failure) in try OutputFile(path) }
  }

  /// Writes a file like ``write(_:path:)``, part by part.
  ///
  /// - Parameter body: writes the parts with the function that it gets.
  package static func write(path: String, _ body: (_ put: (String) throws -> Void) throws -> Void) throws {
    let file = try checked(path) { () throws(OutputFile.Failure) in try OutputFile(path) }
    try body { text in try checked(path) { () throws(OutputFile.Failure) in try file.write(text) } }
    try checked(path) { () throws(OutputFile.Failure) in try file.finish() }
  }

  /// Replaces a file of the program with a text.
  ///
  /// - Parameter mode: the permissions of the file; the umask has no effect.
  package static func replace(_ text: String, path: String, mode: mode_t) throws(Problems) {
    try write(text, path) { () throws(OutputFile.Failure) in try OutputFile(replacing: path, mode: mode) }
  }

  private static func write(
    _ text: String, _ path: String, _ open: () throws(OutputFile.Failure) -> OutputFile
  ) throws(Problems) {
    try checked(path) { () throws(OutputFile.Failure) in
      let file = try open()
      try file.write(text)
      try file.finish()
    }
  }

  private static func checked<Value>(
    _ path: String, _ body: () throws(OutputFile.Failure) -> Value
  ) throws(Problems) -> Value {
    do throws(OutputFile.Failure) {
      return try body()
    } catch {
      let what = error.function == "rename" ? "can't be replaced" : "can't be written"
      throw Problems(
        kind: error.number == EACCES || error.number == EPERM ? .notPermitted : .cannotWrite, file: path,
        list: [Problem(line: 0, column: 0, text: "\(what): \(error.reason); write it to another place")])
    }
  }

  /// Returns the bytes without a byte order mark. Adds a problem and returns nil if they are not text.
  package static func text(_ bytes: [UInt8], what: String, problems: ProblemList) -> [UInt8]? {
    guard bytes.count <= largest else {
      problems.add(.start, "the file is larger than 1 MiB; \(what) has at most 1 MiB")
      return nil
    }
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    var position = Position.start
    var index = 0
    var isBlank = true
    while index < bytes.count {
      let byte = bytes[index]
      // Nearly every byte is printable ASCII; the code below takes ten times as long.
      if byte >= 0x20, byte < 0x7F {
        index += 1
        position.column += 1
        if byte != 0x20 { isBlank = false }
        continue
      }
      switch byte {
      case UInt8(ascii: "\n"): position = Position(line: position.line + 1, column: 0)
      case UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      case 0..<0x20, 0x7F:
        problems.add(position, "the file is not text (byte 0x\(hex(byte))); \(what) is YAML in UTF-8")
        return nil
      default:
        let length = scalarLength(bytes, at: index)
        guard length > 0 else {
          problems.add(position, "the file is not UTF-8 text (byte 0x\(hex(byte))); save the file as UTF-8")
          return nil
        }
        index += length - 1
        isBlank = false
      }
      index += 1
      position.column += 1
    }
    guard !isBlank else {
      problems.add(.start, "the file is empty; write \(what) here")
      return nil
    }
    return bytes
  }

  /// Returns the length in bytes of the non-ASCII character at `index`; 0 if it is not one that YAML allows.
  private static func scalarLength(_ bytes: [UInt8], at index: Int) -> Int {
    var decoder = Unicode.UTF8.ForwardParser()
    var rest = bytes[index..<min(index + 4, bytes.count)].makeIterator()
    guard case .valid(let encoded) = decoder.parseScalar(from: &rest) else { return 0 }
    let value = Unicode.UTF8.decode(encoded).value
    let isAllowed = value == 0x85 || (value >= 0xA0 && value != 0xFEFF && value != 0xFFFE && value != 0xFFFF)
    return isAllowed ? encoded.count : 0
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
