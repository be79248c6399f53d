/// An MQTT broker: `MosquittoBroker`, or `SimulatedBroker`.
public struct BrokerPort: Port {
  public typealias Hardware = any Broker
  public static let name = "network"
  public static let help = "Use MQTT and Open Sound Control on the network, or a simulated network."

  private enum Location: Hashable {
    case address(BrokerConnectionSettings)
    /// No address, with the reason and the remedy.
    case none(reason: String, remedy: String)
  }

  private let location: Location

  /// - Parameter address: the real broker's.
  public init(_ address: BrokerConnectionSettings) {
    location = .address(address)
  }

  /// A broker whose address is unknown: it is tried once, and the application runs.
  ///
  /// - Parameters:
  ///   - reason: the reason for the missing address.
  ///   - remedy: the remedy, as a sentence.
  public init(withoutAddress reason: String, remedy: String) {
    location = .none(reason: reason, remedy: remedy)
  }

  /// The real broker's address; nil if it is unknown.
  public var address: BrokerConnectionSettings? { if case .address(let address) = location { address } else { nil } }

  /// The reason why the address is missing, and the remedy; nil if there is an address.
  package var fault: (reason: String, remedy: String)? {
    if case .none(let reason, let remedy) = location { (reason, remedy) } else { nil }
  }
}
