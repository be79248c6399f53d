import Glibc
import HardwareDrivers

/// A small file of the kernel or of another program.
package enum SmallFile {
  /// Reads the first bytes of a file, at most `limit`. Calls `open`, without waiting for the other end of a pipe, and
  /// `read`, which waits for the hardware if the file belongs to a driver.
  ///
  /// - Parameter followsLinks: whether the file may be a link; if false, a link is an error, `ELOOP`.
  package static func bytes(
    of path: String, atMost limit: Int, followsLinks: Bool = true
  ) throws(SystemFailure) -> [UInt8] {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { throw .last("open") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < bytes.count {
      let part = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
      if part == 0 { break }
      if part > 0 {
        count += part
      } else if errno != EINTR {
        throw .last("read")
      }
    }
    return Array(bytes[..<count])
  }
}
