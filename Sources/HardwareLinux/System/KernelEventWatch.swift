internal import CLinux
import CycleCore
import Glibc

/// Wakes a driver when the kernel announces that a device of a subsystem was added or removed (uevent). Entries of
/// sysfs appear and go without an event of inotify.
///
/// **Source.** Kernel, `lib/kobject_uevent.c`: a message has the lines `ACTION=`, `SUBSYSTEM=` …, with a zero after
/// each.
final class KernelEventWatch: ReturnWatch {
  private let watcher: Watcher
  private let mark: [UInt8]
  private var descriptor: Int32

  /// Calls `socket` and `bind`. Returns nil if the system has no such socket, as in some containers.
  ///
  /// - Parameter subsystem: the subsystem of the devices: `pwm`.
  init?(of subsystem: String, _ watcher: Watcher) {
    self.watcher = watcher
    mark = Array("\u{0}SUBSYSTEM=\(subsystem)\u{0}".utf8)
    descriptor = socket(
      AF_NETLINK, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
      Int32(NETLINK_KOBJECT_UEVENT))
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = 1
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size)) == 0
      }
    }
    guard isBound, (try? watcher.watch(descriptor)) != nil else {
      close(descriptor)
      return nil
    }
  }

  deinit {
    release()
  }

  /// Reads all messages. Returns whether one is about a device of the subsystem, or whether messages were lost.
  @discardableResult
  func acknowledge() -> Bool {
    guard descriptor >= 0 else { return false }
    var hasNews = false
    withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
      while true {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count < 0 {
          // The queue of the socket was full, so a message may be missing.
          if errno == ENOBUFS {
            hasNews = true
            continue
          }
          if errno == EINTR { continue }
          break
        }
        if contains(buffer.prefix(count)) { hasNews = true }
      }
    }
    return hasNews
  }

  private func contains(_ message: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
    guard message.count >= mark.count else { return false }
    return (message.startIndex...message.endIndex - mark.count).contains {
      message[$0..<$0 + mark.count].elementsEqual(mark)
    }
  }

  func release() {
    guard descriptor >= 0 else { return }
    watcher.unwatch(descriptor)
    close(descriptor)
    descriptor = -1
  }
}
