import CycleCore
import Glibc

/// A file that is written as a whole, at a path that a user has given.
///
/// | at the path | result |
/// |---|---|
/// | nothing | The file appears when it is complete. |
/// | a file | It is replaced when the new one is complete, and keeps its mode; a link to it stays a link. |
/// | a device, a pipe, a link to nothing | It is opened and written. |
/// | the path is `-` | The bytes are written to standard output. |
/// | the same object as standard output or standard error, such as `/dev/stdout` | The bytes are written to it. |
///
/// Calls `stat`, `realpath`, `open`, `write`, `fdatasync` and `rename`.
package final class OutputFile {
  /// A failed system call.
  package struct Failure: Error, Equatable {
    package var function: String
    package var number: Int32

    fileprivate static func last(_ function: String) -> Failure { Failure(function: function, number: errno) }
    /// The system's text for the error.
    package var reason: String { String(cString: strerror(number)) }
  }

  /// The destination of the bytes until the file is complete.
  private enum Destination {
    /// A file that gets its name at the end.
    case draft(path: String, name: String)
    /// The existing object at the path.
    case opened
    /// Standard output or standard error of this process, which stay open.
    case stream(NonBlockingWriter)
  }

  private let place: Destination
  /// The file; -1 for a stream.
  private let descriptor: Int32
  private var isOpen = true

  /// Opens the file at a path that a user has given. Follows links.
  package convenience init(_ path: String) throws(Failure) {
    guard path != "-" else {
      self.init(.stream(Output.standard), -1)
      return
    }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw Failure(function: "open", number: ENOENT) }
    var status = stat()
    guard Self.withPath(path, { stat($0, &status) }) == 0 else {
      guard errno == ENOENT else { throw .last("open") }
      var link = stat()
      if Self.withPath(path, { lstat($0, &link) }) == 0, link.st_mode & S_IFMT == S_IFLNK {
        try self.init(opening: path, O_CREAT)
      } else {
        try self.init(draftOf: path, nil)
      }
      return
    }
    if let stream = Self.stream(that: status) {
      self.init(.stream(stream), -1)
    } else if status.st_mode & S_IFMT == S_IFREG {
      // The links of a file's name are followed to the end, so that they remain.
      guard let name = Self.withPath(path, { realpath($0, nil) }) else { throw .last("realpath") }
      defer { free(name) }
      let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
      try self.init(draftOf: PathBytes.text(of: Array(bytes)), status)
    } else if status.st_mode & S_IFMT == S_IFDIR {
      throw Failure(function: "open", number: EISDIR)
    } else {
      try self.init(opening: path, 0)
    }
  }

  /// Opens a file that replaces anything at a path, including links.
  ///
  /// - Parameters:
  ///   - path: the path, in a folder of this program.
  ///   - mode: the mode of the file, independent of the umask.
  package convenience init(replacing path: String, mode: mode_t) throws(Failure) {
    var status = stat()
    (status.st_mode, status.st_uid, status.st_gid) = (mode, geteuid(), getegid())
    try self.init(draftOf: path, status)
  }

  private init(_ place: Destination, _ descriptor: Int32) {
    (self.place, self.descriptor) = (place, descriptor)
  }

  /// - Parameter status: the mode and owner for the file; nil for those of a new file.
  private convenience init(draftOf name: String, _ status: stat?) throws(Failure) {
    let path = "\(name).\(getpid()).part"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let create = { Self.withPath(path) { open($0, flags, status == nil ? 0o666 : 0o600) } }
    var descriptor = create()
    if descriptor < 0, errno == EEXIST {
      // A process with the same number has left it.
      _ = Self.withPath(path) { unlink($0) }
      descriptor = create()
    }
    guard descriptor >= 0 else { throw .last("open") }
    if let status {
      // Only root can change the owner; other users remain the owner.
      if status.st_uid != geteuid() || status.st_gid != getegid() {
        _ = fchown(descriptor, status.st_uid, status.st_gid)
      }
      fchmod(descriptor, status.st_mode & 0o777)
    }
    self.init(.draft(path: path, name: name), descriptor)
  }

  private convenience init(opening path: String, _ flags: Int32) throws(Failure) {
    // Without O_NONBLOCK, opening a pipe without a reader would wait forever.
    let flags = flags | O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    let descriptor = Self.withPath(path) { open($0, flags, 0o666) }
    guard descriptor >= 0 else { throw .last("open") }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    self.init(.opened, descriptor)
  }

  deinit { abandon() }

  /// Writes the next bytes. Waits for a slow reader. A failed write to standard output is reported by
  /// ``Output/finish(within:_:)``; a reader that is gone is not a failure.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    if case .stream(let writer) = place { return writer.write(Array(bytes)) }
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count == 0 {
        throw Failure(function: "write", number: EIO)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        throw .last("write")
      }
    }
  }

  /// Writes a text.
  package func write(_ text: String) throws(Failure) {
    let bytes = Array(text.utf8)
    let failure: Failure? = bytes.withUnsafeBytes { bytes in
      do throws(Failure) {
        try write(bytes)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Completes the file and gives it its name. Nothing is written afterwards.
  ///
  /// - Parameter synchronizes: whether it waits until the bytes are on the disk.
  package func finish(synchronizes: Bool = false) throws(Failure) {
    guard isOpen else { return }
    if case .stream = place { return abandon() }
    if synchronizes, fdatasync(descriptor) != 0, ![EINVAL, EROFS, ENOTSUP].contains(errno) { throw .last("fdatasync") }
    guard case .draft(let path, let name) = place else { return abandon() }
    let code = Self.withPath(path) { path in Self.withPath(name) { name in rename(path, name) } }
    if code != 0 { throw .last("rename") }
    isOpen = false
    close(descriptor)
  }

  /// Closes the file. Removes an incomplete one.
  package func abandon() {
    guard isOpen else { return }
    isOpen = false
    if case .stream = place { return }
    close(descriptor)
    if case .draft(let path, _) = place { _ = Self.withPath(path) { unlink($0) } }
  }

  /// Returns standard output or standard error, if it is the object at a path.
  private static func stream(that status: stat) -> NonBlockingWriter? {
    [(STDOUT_FILENO, Output.standard), (STDERR_FILENO, Output.errors)].first { descriptor, _ in
      var own = stat()
      return fstat(descriptor, &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino
    }?.1
  }

  private static func withPath<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (PathBytes.bytes(of: path) + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
  }
}
