import Glibc
import HardwareDrivers

/// A file of the kernel's, or another that holds a few words.
package enum SmallFile {
  /// The first bytes of a file, `limit` at most. Calls `open`, without waiting for a pipe's other end, and `read`, which
  /// returns when the hardware behind a file of the kernel's has answered.
  ///
  /// - Parameter followsLinks: whether the file may be a link to another one; otherwise that is an error, `ELOOP`.
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
