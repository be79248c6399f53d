/// The rules for requests. They exclude other sites and clients without a token.
struct RequestRules {
  /// The names that `Host` may have, without a port.
  let hosts: Set<String>
  let tokens: MonitorTokens
  var mostBodyBytes = 64 << 10

  /// Returns the route of a request and its access. Checks the host and the origin first, then the route, the token,
  /// and the headers of the body.
  func check(_ head: RequestHead) throws(MonitorRefusal) -> (route: Route, access: Access) {
    if let name = head.repeated { throw MonitorRefusal(400, "the header \(name) is there twice") }
    guard let host = head.host, hosts.contains(Self.name(of: host)) else {
      throw MonitorRefusal(421, "this Host is not the monitor's; --monitor-host allows further names")
    }
    if let origin = head.origin {
      guard Self.isEqual(origin, "http://\(host)") || Self.isEqual(origin, "https://\(host)") else {
        throw MonitorRefusal(403, "a page of another site may not use the monitor")
      }
    }
    let route = try Route(head.method, head.target)
    let access = head.authorization.map { tokens.access(with: Self.token(in: $0)) } ?? .none
    if route.access > .none, access == .none {
      throw MonitorRefusal(401, "the token is missing; use an address that the program printed at its start")
    }
    guard access >= route.access else {
      throw MonitorRefusal(
        403,
        tokens.control == nil
          ? "remote control is off; start the program with --monitor-control" : "the watch token may only watch")
    }
    if route.isCommand { try checkBody(of: head) }
    return (route, access)
  }

  private func checkBody(of head: RequestHead) throws(MonitorRefusal) {
    let type = head.contentType?.split(separator: ";").first.map { Self.trimmed($0).lowercased() }
    guard type == "application/json" else { throw MonitorRefusal(415, "a command is application/json") }
    guard !head.isChunked, let text = head.contentLength, let length = Int(text), length >= 0 else {
      throw MonitorRefusal(411, "a command has a Content-Length")
    }
    guard length <= mostBodyBytes else { throw MonitorRefusal(413, "a body has at most \(mostBodyBytes) bytes") }
  }

  /// Returns a host's name without its port, in lower case. If the text after a colon is not a port, it belongs to the
  /// name.
  static func name(of host: String) -> String {
    let host = host.lowercased()
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
    let port = host[host.index(after: colon)...].utf8
    guard (1...5).contains(port.count), port.allSatisfy({ (0x30...0x39).contains($0) }) else { return host }
    return String(host[..<colon])
  }

  /// Schemes and names are equal in upper and lower case.
  private static func isEqual(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }

  private static func token(in authorization: String) -> String {
    let words = authorization.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else { return "" }
    return String(words[1])
  }

  private static func trimmed(_ text: Substring) -> Substring {
    text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
  }
}
