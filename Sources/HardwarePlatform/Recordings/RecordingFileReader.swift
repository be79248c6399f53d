import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux

/// Reads a recording from a file.
public final class RecordingFileReader: RecordingSource {
  private let descriptor: Int32
  private let path: String

  /// Opens the file. Calls `open`.
  ///
  /// - Throws: kind `noSuchFile` or `notPermitted` if it can't be opened.
  public init(path: String) throws(DriverError) {
    self.path = path
    // Without O_NONBLOCK, opening a named pipe that has no writer would block for ever.
    descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw error(.last("open")) }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// Calls `read`.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw error(.last("read")) }
    }
  }

  /// Calls `lseek`.
  public func move(to offset: Int) throws(DriverError) {
    if lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw error(.last("lseek")) }
  }

  private func error(_ failure: SystemFailure) -> DriverError {
    DriverError(
      [ENOENT, ENOTDIR, EISDIR].contains(failure.number) ? .noSuchFile : failure.kind, of: path,
      cannot: "read the recording \(path)", reason: failure.reason, cause: failure.cause,
      remedy: "Check the path, and that this user may read it.")
  }
}
