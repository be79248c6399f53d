import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux

/// The client of a control socket: sends requests, and reads the lines of the answers.
///
/// A request has a time limit for its connection, sending and answer together. No call waits for longer, even if the
/// panel hangs. Calls `socket`, `connect`, `send`, `recv` and `poll`.
package final class ControlClient {
  /// The time limit of an answer.
  package static let patience = Duration.seconds(5)
  /// The largest number of bytes of a line, and of an answer.
  package static let longestLine = 1 << 20
  package static let longestAnswer = 4 << 20

  let descriptor: Int32
  private let path: String
  private var address: sockaddr_un
  /// The received bytes. Those before `start` have been read; those before `searched` contain no further end of a line.
  private var buffer: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var hasEnded = false
  /// The deadline, and the time span that led to it; nil for no deadline.
  private var end: (moment: ContinuousClock.Instant, span: Duration)?
  /// The bytes that were not sent yet.
  private var unsent: ArraySlice<UInt8> = []
  private var answer = Answer()
  private var answerSize = 0

  /// The answer to a request.
  package struct Answer: Equatable, Sendable {
    package var lines: [String] = []
    /// The code and the text after `error`; nil for `ok`.
    package var refusal: Refusal?

    package struct Refusal: Equatable, Sendable {
      /// An exit status other than success.
      package var code: Int32
      package var text: String

      /// The refusal in a line `error CODE text`; nil for any other line. A code that is not an exit status, or that
      /// means success, is replaced by 69.
      package init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count > 1, words[0] == "error", let code = Int32(words[1]) else { return nil }
        self.code = (1...255).contains(code) ? code : ControlClient.unavailable
        text = words.count > 2 ? String(words[2]) : ""
      }
    }
  }

  private static let unavailable: Int32 = 69

  /// Connects.
  ///
  /// - Parameters:
  ///   - path: the path of the socket.
  ///   - span: the time limit for the connection and the answers to all requests together; ``wait(atMost:)`` starts a
  ///     new one.
  /// - Returns: nil if no program listens there.
  /// - Throws: kind `notPermitted` if this user lacks permission, `busy` if the answer doesn't arrive in time, and
  ///   others.
  package convenience init?(to path: String, within span: Duration = patience) throws(DriverError) {
    try self.init(notYetConnectedTo: path)
    wait(atMost: span)
    while true {
      switch try connect() {
      case .done: return
      case .absent: return nil
      case .later: try sleep()
      }
    }
  }

  /// Creates the socket; ``connect()`` connects it.
  init(notYetConnectedTo path: String) throws(DriverError) {
    self.path = path
    address = sockaddr_un()
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw Self.failed(path, .last("socket")) }
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Self.failed(path, SystemFailure(function: "connect", number: ENAMETOOLONG))
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func failed(_ path: String, _ failure: SystemFailure) -> DriverError {
    DriverError(
      failure.kind == .failed ? .lost : failure.kind, of: path, cannot: "ask the panel at \(path)",
      reason: failure.number == ECONNRESET || failure.number == EPIPE ? "it closed the connection" : failure.reason,
      cause: failure.cause,
      remedy: failure.kind == .notPermitted
        ? "Join the panel's group and log in again: `sudo adduser $USER panel`."
        : "Check that the panel runs: `systemctl status 'panel@*'`.")
  }

  /// Sets the time limit for all following calls together; nil for none.
  package func wait(atMost span: Duration?) {
    end = span.map { (ContinuousClock.now + $0, $0) }
  }

  /// Sends a request, without reading its answer.
  package func send(_ request: String) throws(DriverError) {
    begin(request)
    while try !sendRest() { try waitUntilReady(POLLOUT) }
  }

  /// Sends a request, and reads its answer to its last line.
  ///
  /// - Throws: kind `busy` if the panel doesn't answer in time, `lost` if it hangs up, `unsupported` if it answers
  ///   without end.
  package func ask(_ request: String) throws(DriverError) -> Answer {
    try send(request)
    while true {
      if let answer = try takeAnswer() { return answer }
      try waitUntilReady(POLLIN)
      try receive()
    }
  }

  /// The next line; nil after the last one.
  package func readLine() throws(DriverError) -> String? {
    while true {
      if let line = try takeLine() { return line }
      if hasEnded { return nil }
      try waitUntilReady(POLLIN)
      try receive()
    }
  }

  // MARK: - Steps that don't wait

  enum Connecting {
    case done
    /// No program listens.
    case absent
    /// The queue of waiting connections is full; the kernel doesn't report when it has room.
    case later
  }

  func connect() throws(DriverError) -> Connecting {
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { address in
      UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, length)
      }
    }
    guard result != 0 else { return .done }
    switch errno {
    case ENOENT, ECONNREFUSED, ENOTDIR: return .absent
    case EAGAIN, EINTR: return .later
    default: throw Self.failed(path, .last("connect"))
    }
  }

  func begin(_ request: String) {
    unsent = Array("\(request)\n".utf8)[...]
    (answer, answerSize) = (Answer(), 0)
  }

  /// Sends the rest of the request as far as possible. Returns whether all of it has been sent.
  func sendRest() throws(DriverError) -> Bool {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count > 0 {
        unsent = unsent.dropFirst(count)
      } else if errno == EAGAIN {
        return false
      } else if errno != EINTR {
        throw Self.failed(path, .last("send"))
      }
    }
    return true
  }

  /// Reads what has arrived.
  func receive() throws(DriverError) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count > 0 {
      buffer.removeFirst(start)
      searched -= start
      start = 0
      buffer += bytes[..<count]
    } else if count == 0 {
      hasEnded = true
    } else if errno != EAGAIN, errno != EINTR {
      throw Self.failed(path, .last("recv"))
    }
  }

  /// The next complete line that has arrived; nil if there is none yet.
  private func takeLine() throws(DriverError) -> String? {
    guard let lineEnd = buffer[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      guard buffer.count - start <= Self.longestLine else { throw endless("a line of more than 1 MiB") }
      return nil
    }
    defer { (start, searched) = (lineEnd + 1, lineEnd + 1) }
    guard lineEnd - start <= Self.longestLine else { throw endless("a line of more than 1 MiB") }
    return String(decoding: buffer[start..<lineEnd], as: UTF8.self)
  }

  /// The answer, once its last line has arrived.
  func takeAnswer() throws(DriverError) -> Answer? {
    while let line = try takeLine() {
      if line == "ok" { return answer }
      if let refusal = Answer.Refusal(line) {
        answer.refusal = refusal
        return answer
      }
      answerSize += line.utf8.count + 1
      guard answerSize <= Self.longestAnswer else { throw endless("more than 4 MiB") }
      answer.lines.append(line)
    }
    if hasEnded { throw Self.failed(path, SystemFailure(function: "recv", number: ECONNRESET)) }
    return nil
  }

  private func endless(_ what: String) -> DriverError {
    DriverError(
      .unsupported, of: path, cannot: "ask the panel at \(path)", reason: "it has answered with \(what)",
      remedy: "Check that a panel listens there, and restart it.")
  }

  // MARK: - Waiting

  /// The error if nothing has arrived in time: kind `busy`.
  func silence(_ span: Duration) -> DriverError {
    DriverError(
      .busy, of: path, cannot: "ask the panel at \(path)", reason: "no reply within \(span.components.seconds) s",
      remedy: "It hangs or is suspended; restart it.")
  }

  /// The milliseconds until the deadline; -1 for no deadline.
  private func rest() throws(DriverError) -> Int32 {
    guard let end else { return -1 }
    guard let rest = ControlClientGroup.milliseconds(until: end.moment) else { throw silence(end.span) }
    return rest
  }

  private func waitUntilReady(_ event: Int32) throws(DriverError) {
    var ready = ControlClientGroup.pollfd(descriptor, event)
    poll(&ready, 1, try rest())
  }

  /// Waits for a moment before a connection is tried again.
  private func sleep() throws(DriverError) {
    let rest = try rest()
    poll(nil, 0, rest < 0 ? ControlClientGroup.pause : min(rest, ControlClientGroup.pause))
  }
}
