import CycleCore

/// An address to which messages of Open Sound Control are sent, or at which they are received: `qlab.lan:53000`,
/// `0.0.0.0:9000`, `[::]:9000`.
public struct OSCEndpoint: Hashable, Sendable {
  /// A host name or an IP address.
  public var host: String
  public var port: UInt16

  public init(host: String, port: UInt16) {
    (self.host, self.port) = (host, port)
  }

  /// Reads `HOST:PORT`; an IPv6 address is in brackets.
  ///
  /// - Parameter text: the text.
  /// - Throws: kind `misconfigured`, with the fault, for any other text.
  public init(_ text: String) throws(DriverError) {
    guard let end = text.lastIndex(of: ":") else { throw Self.wrong(text, "the port is missing") }
    var name = text[..<end]
    let digits = text[text.index(after: end)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0
    else { throw Self.wrong(text, "\"\(digits)\" is not a port; write 1 to 65535") }
    if name.hasPrefix("["), name.hasSuffix("]") {
      name = name.dropFirst().dropLast()
    } else if name.utf8.contains(UInt8(ascii: ":")) {
      throw Self.wrong(text, "an IPv6 address is written in brackets")
    }
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"/@?#[]".utf8.contains($0) }) else {
      throw Self.wrong(text, "\"\(name)\" is not a host name")
    }
    self.init(host: String(name), port: port)
  }

  private static func wrong(_ text: String, _ reason: String) -> DriverError {
    DriverError(
      .misconfigured, of: text, cannot: "use \"\(text)\" for OSC", reason: reason,
      remedy: "Write HOST:PORT, as in qlab.lan:53000.")
  }

  /// The endpoint as text.
  public var text: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
