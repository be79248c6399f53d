import CycleCore
import Glibc

/// Reads files whole, without Foundation.
enum FileBytes {
  /// A minute of stereo at 192 kHz and 32 bits is 92 MB; a panel's sounds are seconds.
  static let largest = 256 << 20

  static func read(_ path: String) throws(DriverError) -> [UInt8] {
    let file = try open(path)
    defer { close(file.descriptor) }
    return try fill(file.size, from: file.descriptor, path)
  }

  /// Opens a file of a size that is read. Calls `open` and `fstat`.
  static func open(_ path: String) throws(DriverError) -> (descriptor: Int32, size: Int) {
    // Without O_NONBLOCK a named pipe that nobody writes to would hold us here for ever.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path, "open", errno) }
    do throws(DriverError) {
      return (descriptor, try size(of: descriptor, path))
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func size(of descriptor: Int32, _ path: String) throws(DriverError) -> Int {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw failure(path, "fstat", errno) }
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw DriverError(.unsupported, cannot: "read \(path)", reason: "it is no file", remedy: "Name a WAV file.")
    }
    guard info.st_size <= largest else {
      throw DriverError(
        .unsupported, cannot: "read \(path)", reason: "\(info.st_size) bytes are more than \(largest)",
        remedy: "Cut the sound, or save it at 48 kHz and 16 bits.")
    }
    return Int(info.st_size)
  }

  private static func fill(_ size: Int, from descriptor: Int32, _ path: String) throws(DriverError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let read = Glibc.read(descriptor, buffer.baseAddress! + count, size - count)
        if read > 0 {
          count += read
        } else if read == 0 {
          return
        } else if errno != EINTR {
          code = errno
          return
        }
      }
    }
    guard code == 0 else { throw failure(path, "read", code) }
    return bytes
  }

  private static func failure(_ path: String, _ function: String, _ code: Int32) -> DriverError {
    let cause = DriverError.Cause(function: function, name: SystemFailure.name(of: code), number: code)
    switch code {
    case ENOENT:
      return DriverError(
        .absent, cannot: "read \(path)", reason: "no such file", cause: cause, remedy: "Check the path.")
    case EACCES:
      return DriverError(
        .notPermitted, cannot: "read \(path)", reason: "permission denied", cause: cause,
        remedy: "Let this user read the file.")
    default:
      return DriverError(
        .failed, cannot: "read \(path)", reason: "the system refused", cause: cause,
        remedy: "Check the file and its disk.")
    }
  }
}
