internal import CLinux
import CycleCore
import Glibc

/// The address at which the monitor listens: `127.0.0.1:8377`, `[::1]:8377`, `0.0.0.0:8377`, `unix:/run/panel.sock`.
public enum ListenAddress: Equatable, Sendable {
  /// A port of an IPv4 or IPv6 address; port 0 lets the system choose.
  case network(host: String, port: UInt16)
  /// The path of a socket.
  case unix(String)

  public static let standard = ListenAddress.network(host: "127.0.0.1", port: 8377)

  /// Reads an address; nil for a text that is not an address.
  public init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard path.hasPrefix("/"), path.utf8.count < Self.longestPath else { return nil }
      self = .unix(path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard Self.isAddress(String(host), AF_INET6) else { return nil }
    } else if !Self.isAddress(String(host), AF_INET) {
      return nil
    }
    self = .network(host: String(host), port: port)
  }

  private static var longestPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) }

  private static func port(_ text: Substring) -> UInt16? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(text) : nil
  }

  private static func isAddress(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    return inet_pton(family, text, &address) == 1
  }

  /// Whether only this machine can reach it.
  public var isLocal: Bool {
    switch self {
    case .unix: true
    case .network(let host, _): host == "::1" || host.hasPrefix("127.")
    }
  }

  /// The address in a browser: `http://127.0.0.1:8377/`. For a unix socket, the URL that requests to it must use.
  var url: String {
    switch self {
    case .unix: "http://localhost/"
    case .network(let host, let port): "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }
  }

  /// The names that a request's `Host` may have.
  var hosts: Set<String> {
    var hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"]
    if case .network(let host, _) = self { hosts.insert(host.contains(":") ? "[\(host)]" : host) }
    return hosts
  }

  // MARK: - Listening

  /// Opens a listening socket. Returns it with the address and its actual port.
  func listen() throws(DriverError) -> (socket: Int32, address: ListenAddress) {
    switch self {
    case .unix(let path): (try Self.listen(at: path), self)
    case .network(let host, let port): try listen(on: host, port)
    }
  }

  private func listen(on host: String, _ port: UInt16) throws(DriverError) -> (socket: Int32, address: ListenAddress) {
    let isNew = host.contains(":")
    let descriptor = socket(isNew ? AF_INET6 : AF_INET, Self.kind, 0)
    guard descriptor >= 0 else { throw failure("socket") }
    var yes: Int32 = 1
    // A restarted program can use the port of the previous run.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var storage = sockaddr_storage()
    var length = socklen_t(isNew ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &storage) { storage in
      UnsafeMutableRawPointer(storage).withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        if isNew {
          UnsafeMutableRawPointer(storage).withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
            $0.pointee.sin6_family = sa_family_t(AF_INET6)
            $0.pointee.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &$0.pointee.sin6_addr)
          }
        } else {
          UnsafeMutableRawPointer(storage).withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            $0.pointee.sin_family = sa_family_t(AF_INET)
            $0.pointee.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &$0.pointee.sin_addr)
          }
        }
        guard bind(descriptor, address, length) == 0 else { return "bind" }
        guard Glibc.listen(descriptor, Self.backlog) == 0 else { return "listen" }
        return getsockname(descriptor, address, &length) == 0 ? "" : "getsockname"
      }
    }
    guard result.isEmpty else {
      let error = failure(result)
      close(descriptor)
      throw error
    }
    // The port is in the same place in both structures.
    let given = withUnsafeBytes(of: &storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    return (descriptor, .network(host: host, port: given))
  }

  /// Opens a listening stream socket at a path. Replaces a socket at which no program listens any more.
  ///
  /// - Parameters:
  ///   - path: the path of the socket; shorter than 108 bytes, `unix(7)`.
  ///   - isForGroup: whether the group of the file may also use it.
  ///   - remedy: the remedy in the error if the path is refused.
  package static func listen(
    at path: String, isForGroup: Bool = false, remedy: String = remedy
  ) throws(DriverError) -> Int32 {
    let me = ListenAddress.unix(path)
    guard path.utf8.count < longestPath, !path.utf8.contains(0) else {
      errno = ENAMETOOLONG
      throw me.failure("bind", remedy)
    }
    let descriptor = socket(AF_UNIX, Self.kind, 0)
    guard descriptor >= 0 else { throw me.failure("socket", remedy) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { address in
      UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        removeDeadSocket(path, address, length)
        // From the beginning, no other user may use it.
        let before = umask(isForGroup ? 0o117 : 0o177)
        defer { umask(before) }
        guard bind(descriptor, address, length) == 0 else { return "bind" }
        return Glibc.listen(descriptor, Self.backlog) == 0 ? "" : "listen"
      }
    }
    guard result.isEmpty else {
      let error = me.failure(result, remedy)
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// The remedy if an address of the monitor is refused.
  package static let remedy = "Choose another address: `--monitor --monitor-address 127.0.0.1:0` uses a free port."

  /// Removes a socket at which no program listens any more.
  private static func removeDeadSocket(_ path: String, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    let probe = socket(AF_UNIX, Self.kind, 0)
    guard probe >= 0 else { return }
    defer { close(probe) }
    if connect(probe, address, length) != 0, errno == ECONNREFUSED { unlink(path) }
  }

  private static let backlog: Int32 = 16
  private static let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

  private func failure(_ function: String, _ remedy: String = remedy) -> DriverError {
    let number = errno
    let text =
      switch self {
      case .unix(let path): "unix:\(path)"
      case .network: String(url.dropFirst(7).dropLast())
      }
    let (kind, reason): (DriverError.Kind, String) =
      switch number {
      case EADDRINUSE: (.busy, "another program uses this port")
      case EACCES, EPERM: (.notPermitted, "permission denied")
      case EADDRNOTAVAIL: (.absent, "this machine has no such address")
      case ENOENT, ENOTDIR: (.absent, "the folder does not exist")
      case ENAMETOOLONG: (.failed, "the path is too long")
      default: (.failed, "the system refused it")
      }
    return DriverError(
      kind, of: text, cannot: "listen on \(text)", reason: reason,
      cause: .system(function, number),
      remedy: remedy)
  }
}

extension DriverError.Cause {
  /// Makes the cause of an errno, with the system's name for it.
  static func system(_ function: String, _ number: Int32) -> DriverError.Cause {
    let name = clinux_errno_name(number).map { String(cString: $0) } ?? "errno \(number)"
    return DriverError.Cause(function: function, name: name, number: number)
  }
}
