import CycleCore

/// The address of a broker, and the data that it requires of its clients: `mqtt://broker.lan`,
/// `mqtts://broker.lan:8883`.
public struct BrokerConnectionSettings: Hashable, Sendable {
  /// A host name or an IP address.
  public var host: String
  public var port: UInt16
  /// Whether the connection is encrypted, with TLS 1.2 or newer.
  public var hasTLS: Bool
  public var user: String?
  /// A file whose first line is the password; nil for none.
  public var passwordFile: String?
  /// A PEM file with the authorities that the broker's certificate is checked against; nil for the system's.
  public var authorities: String?
  /// PEM files of the client's own certificate and its key; nil for none.
  public var certificate: String?
  public var key: String?
  /// Whether the broker's certificate may be for a different name. Only for experiments: a machine in between can read
  /// all data.
  public var acceptsAnyCertificate = false

  /// Reads `mqtt://HOST[:PORT]` or `mqtts://HOST[:PORT]`; the ports are 1883 and 8883 unless given. An IPv6 address is
  /// in brackets.
  ///
  /// - Throws: kind `misconfigured`, with the fault, for any other text.
  /// - Parameter text: the address.
  public init(_ text: String) throws(DriverError) {
    let rest: Substring
    switch text {
    case _ where text.hasPrefix("mqtt://"): (hasTLS, rest) = (false, text.dropFirst(7))
    case _ where text.hasPrefix("mqtts://"): (hasTLS, rest) = (true, text.dropFirst(8))
    default: throw Self.wrong(text, "it begins with neither mqtt:// nor mqtts://")
    }
    let standard: UInt16 = hasTLS ? 8883 : 1883
    let name: Substring
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { throw Self.wrong(text, "the bracket is not closed") }
      name = rest[rest.index(after: rest.startIndex)..<end]
      port = try Self.port(rest[rest.index(after: end)...], of: text) ?? standard
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      name = rest[..<end]
      port = try Self.port(rest[end...], of: text) ?? standard
    }
    guard !name.isEmpty else { throw Self.wrong(text, "the name of the broker is missing") }
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"/@?#[]".utf8.contains($0) }) else {
      throw Self.wrong(text, "\"\(name)\" is not a host name; put user and password under their own keys")
    }
    host = String(name)
  }

  /// The port after a colon; nil if there is none.
  private static func port(_ text: Substring, of address: String) throws(DriverError) -> UInt16? {
    guard !text.isEmpty else { return nil }
    let digits = text.dropFirst()
    guard text.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0
    else { throw wrong(address, "\"\(text)\" is not a port; write :1 to :65535") }
    return port
  }

  private static func wrong(_ text: String, _ reason: String) -> DriverError {
    DriverError(
      .misconfigured, of: text, cannot: "use the broker \"\(text)\"", reason: reason,
      remedy: "Write mqtt://HOST or mqtts://HOST, and :PORT after it if it is not the default.")
  }

  /// The address as text, without the standard port.
  public var text: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "\(hasTLS ? "mqtts" : "mqtt")://\(name)\(port == (hasTLS ? 8883 : 1883) ? "" : ":\(port)")"
  }
}
