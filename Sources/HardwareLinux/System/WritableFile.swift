import CycleCore
import Glibc
import HardwareDrivers

/// A file that is written from its beginning. Not thread-safe.
package final class WritableFile {
  package private(set) var path: String
  private var descriptor: Int32

  /// Creates the file. Calls `open`.
  ///
  /// - Parameter isReplacing: whether it replaces an existing file; if false, an existing file is an error, `EEXIST`.
  package init(path: String, isReplacing: Bool) throws(SystemFailure) {
    self.path = path
    descriptor = Self.create(path, isReplacing ? O_TRUNC : O_EXCL)
    guard descriptor >= 0 else { throw .last("open") }
  }

  /// Creates a file, replacing an existing entry of its name without following a link. Calls `unlink` and `open`.
  package init(new path: String) throws(SystemFailure) {
    self.path = path
    if unlink(path) != 0, errno != ENOENT { throw .last("unlink") }
    descriptor = Self.create(path, O_EXCL | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .last("open") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func create(_ path: String, _ flag: Int32) -> Int32 {
    path.withCString { open($0, O_WRONLY | O_CREAT | flag | O_CLOEXEC, 0o644) }
  }

  /// Whether it is a regular file, not a pipe or a terminal. Calls `fstat`.
  package var isRegular: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Calls `write` until all bytes are written. It can block while the disk is busy.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count == 0 {
        throw SystemFailure(function: "write", number: EIO)
      } else if errno != EINTR {
        throw .last("write")
      }
    }
  }

  /// Calls `fdatasync`. For a pipe, this does nothing.
  package func synchronize() throws(SystemFailure) {
    if fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS { throw .last("fdatasync") }
  }

  /// Resolves all links in the file's path, so that ``beginAnew()`` doesn't replace a link. Calls `realpath`.
  package func followLinks() throws(SystemFailure) {
    guard let name = realpath(path, nil) else { throw .last("realpath") }
    defer { free(name) }
    path = String(cString: name)
  }

  /// Renames the file to `path.1`, replacing an existing one, and continues in a new file. Calls `rename` and `open`.
  package func beginAnew() throws(SystemFailure) {
    guard rename(path, Self.earlier(path)) == 0 else { throw .last("rename") }
    close(descriptor)
    descriptor = Self.create(path, O_TRUNC)
    guard descriptor >= 0 else { throw .last("open") }
  }

  /// The path to which ``beginAnew()`` renames the file.
  package static func earlier(_ path: String) -> String { "\(path).1" }
}
