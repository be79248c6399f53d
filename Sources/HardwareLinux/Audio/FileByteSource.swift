import CycleCore
import Glibc
import HardwareDrivers

/// The bytes of a regular file, read piece by piece.
final class FileByteSource: ByteSource {
  /// The largest file, in bytes: 4 GiB, the limit of a WAV file.
  static let largest = 4 << 30

  package let size: Int
  private let path: String
  private let descriptor: Int32

  /// Opens the file without blocking; throws for anything but a regular file.
  init(_ path: String) throws(DriverError) {
    self.path = path
    // Without O_NONBLOCK, opening a FIFO that has no writer would block for ever.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    var info = stat()
    size = descriptor >= 0 && fstat(descriptor, &info) == 0 ? Int(info.st_size) : -1
    guard descriptor >= 0 else { throw Self.failure(path, "open", errno) }
    guard size >= 0 else { throw Self.failure(path, "fstat", errno) }
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw DriverError(
        .unsupported, of: path, cannot: "read \(path)", reason: "not a regular file", remedy: "Name a sound file.")
    }
    guard size <= Self.largest else {
      throw DriverError(
        .unsupported, of: path, cannot: "read \(path)", reason: "\(size) bytes are more than \(Self.largest)",
        remedy: "Cut the sound, or save it at 48 kHz and 16 bits.")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  package func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int {
    var count = 0
    while count < bytes.count {
      let read = pread(descriptor, bytes.baseAddress! + count, bytes.count - count, off_t(offset + count))
      if read > 0 {
        count += read
      } else if read == 0 {
        break
      } else if errno != EINTR {
        throw Self.failure(path, "pread", errno)
      }
    }
    return count
  }

  private static func failure(_ path: String, _ function: String, _ code: Int32) -> DriverError {
    let cause = DriverError.Cause(function: function, name: SystemFailure.name(of: code), number: code)
    switch code {
    case ENOENT:
      return DriverError(
        .absent, of: path, cannot: "read \(path)", reason: "no such file", cause: cause, remedy: "Check the path.")
    case EACCES:
      return DriverError(
        .notPermitted, of: path, cannot: "read \(path)", reason: "permission denied", cause: cause,
        remedy: "Let this user read the file.")
    default:
      return DriverError(
        .failed, of: path, cannot: "read \(path)", reason: "the system refused", cause: cause,
        remedy: "Check the file and its disk.")
    }
  }
}
