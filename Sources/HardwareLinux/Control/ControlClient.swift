import CycleCore
import Glibc
import HardwareDrivers

/// The other end of a control socket: asks, and reads the lines of the answer. Its calls wait.
package final class ControlClient {
  /// How long an answer may take.
  package static let patience = 5

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private let path: String

  /// What a request was answered with.
  package struct Answer: Equatable, Sendable {
    package var lines: [String] = []
    /// The code and the text behind `error`; nil for `ok`.
    package var refusal: Refusal?

    package struct Refusal: Equatable, Sendable {
      package var code: Int32
      package var text: String
    }
  }

  /// Connects. Calls `socket` and `connect`.
  ///
  /// - Parameter path: of the socket.
  /// - Returns: nil if nobody listens there.
  /// - Throws: kind `notPermitted` where this user may not, `failed` for anything else.
  package init?(to path: String) throws(DriverError) {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failed(path, .last("socket")) }
    var address = sockaddr_un()
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Self.failed(path, SystemFailure(function: "connect", number: ENAMETOOLONG))
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { address in
      UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
    }
    guard result == 0 else {
      if [ENOENT, ECONNREFUSED, ENOTDIR].contains(errno) { return nil }
      throw Self.failed(path, .last("connect"))
    }
    wait(atMost: Self.patience)
  }

  deinit { close(descriptor) }

  private static func failed(_ path: String, _ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind, of: path, cannot: "ask the panel at \(path)", reason: failure.reason, cause: failure.cause,
      remedy: failure.kind == .notPermitted
        ? "Join the panel's group and log in again: `sudo adduser $USER panel`."
        : "Is the panel at work? `systemctl status 'panel@*'` says it.")
  }

  /// Waits so many seconds for each line at most; 0 for as long as it takes.
  package func wait(atMost seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Sends a request, without reading its answer.
  package func send(_ request: String) throws(DriverError) {
    let bytes = Array("\(request)\n".utf8)
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Self.failed(path, .last("send"))
    }
  }

  /// Sends a request, and reads its answer to its last line.
  ///
  /// - Throws: kind `failed` if the panel doesn't answer in time, or hangs up.
  package func ask(_ request: String) throws(DriverError) -> Answer {
    try send(request)
    var answer = Answer()
    while let line = try readLine() {
      if line == "ok" { return answer }
      if line.hasPrefix("error ") {
        let words = line.split(separator: " ", maxSplits: 2)
        if words.count > 1, let code = Int32(words[1]) {
          answer.refusal = .init(code: code, text: words.count > 2 ? String(words[2]) : "")
          return answer
        }
      }
      answer.lines.append(line)
    }
    throw Self.failed(path, SystemFailure(function: "recv", number: ECONNRESET))
  }

  /// The next line; nil behind the last one.
  package func readLine() throws(DriverError) -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count == 0 { return nil }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failed(path, .last("recv"))
      }
      buffer += bytes[..<count]
    }
  }
}
