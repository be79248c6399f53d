import CycleCore
import Glibc

/// The service manager that has started this program, `sd_notify(3)`, without its library: datagrams to the socket in
/// `NOTIFY_SOCKET`.
package struct ServiceManager: Sendable {
  private let path: [UInt8]
  /// The longest time between two watchdog messages; nil if none are required. `WATCHDOG_USEC`.
  package let watchdog: Duration?

  /// - Parameter environment: the value of a variable; nil for one that isn't set.
  /// - Returns: nil if no manager has started this process.
  package init?(_ environment: (String) -> String? = ServiceManager.variable) {
    guard let path = environment("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@"),
      (2...Self.longestPath).contains(path.utf8.count)
    else { return nil }
    // ` represents the zero byte of the abstract names, unix(7).
    self.path = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8)
    let isMine = environment("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
    let period = environment("WATCHDOG_USEC").flatMap(Int64.init) ?? 0
    watchdog = isMine && period > 0 ? .microseconds(period) : nil
  }

  /// A variable of this process's environment. Calls `getenv`.
  package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static var longestPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

  /// Sends a message: `READY=1`, `WATCHDOG=1`, `STATUS=idle`; several are separated by line ends. A message that can't
  /// be sent immediately is lost. Calls `socket` and `sendto`, which don't wait.
  package func tell(_ text: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    // The length of an abstract name marks its end: zero bytes would belong to it.
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let bytes = Array(text.utf8)
    _ = withUnsafePointer(to: &address) { address in
      UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, length)
      }
    }
  }
}
