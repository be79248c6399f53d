import Glibc

/// A client of HTTP/1.1 that never waits: it writes and reads what is possible, and parses what has come.
package final class HTTPClient {
  package struct Response: Equatable {
    package var status: Int
    /// By their names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let descriptor: Int32
  private var toSend: ArraySlice<UInt8> = []
  /// All that has come and was not taken.
  package private(set) var received: [UInt8] = []
  /// Whether the server has closed the connection.
  package private(set) var isClosed = false
  /// Whether it reads what comes; a client that has died does not.
  package var reads = true

  /// Connects to a unix socket.
  package init(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    isClosed = withUnsafePointer(to: &address) { address in
      UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) != 0
      }
    }
    prepare()
  }

  /// Connects to a port of the loopback.
  package init(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    isClosed = withUnsafePointer(to: &address) { address in
      UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) != 0
      }
    }
    prepare()
  }

  private func prepare() {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { close(descriptor) }

  package func send(_ bytes: some Sequence<UInt8>) {
    toSend += Array(bytes)
    pump()
  }

  package func send(_ text: String) { send(text.utf8) }

  /// Writes and reads what is possible.
  package func pump() {
    while !toSend.isEmpty {
      let count = toSend.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      toSend = toSend.dropFirst(count)
    }
    guard reads else { return }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        received += chunk[..<count]
      } else {
        if count == 0 || errno != EAGAIN { isClosed = true }
        return
      }
    }
  }

  /// Waits for the response of a server in another process, for 30 s at most.
  package func awaitResponse() -> Response? {
    for _ in 0..<300 {
      pump()
      if let response = takeResponse() { return response }
      if isClosed { return nil }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, 100)
    }
    return nil
  }

  /// The first response if it has come whole; then it is taken.
  package func takeResponse() -> Response? {
    guard let (head, start) = head(), let length = head.headers["content-length"].flatMap({ Int($0) }),
      received.count >= start + length
    else { return nil }
    var response = head
    response.body = Array(received[start..<start + length])
    received.removeFirst(start + length)
    return response
  }

  /// The status and headers of the first response, once they have come, and where its body begins.
  package func head() -> (response: Response, start: Int)? {
    let end = Array("\r\n\r\n".utf8)
    guard let place = received.indices.first(where: { received[$0...].starts(with: end) }) else { return nil }
    let lines = String(decoding: received[..<place], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }) }
    }
    return (Response(status: status, headers: headers, body: []), place + 4)
  }

  /// The body of a stream so far, out of its chunks.
  package var stream: String {
    guard let (_, start) = head() else { return "" }
    var body: [UInt8] = []
    var rest = received[start...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\r")),
      let size = Int(String(decoding: rest[rest.startIndex..<end], as: UTF8.self), radix: 16), size > 0,
      rest.count >= end - rest.startIndex + 2 + size + 2
    {
      body += rest[(end + 2)..<(end + 2 + size)]
      rest = rest[(end + 2 + size + 2)...]
    }
    return String(decoding: body, as: UTF8.self)
  }
}
