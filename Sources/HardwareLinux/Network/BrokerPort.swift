import HardwareDrivers
import HardwareSimulation

/// An MQTT broker: ``MosquittoBroker``, or ``HardwareSimulation/SimulatedBroker``.
public struct BrokerPort: Port {
  public static let name = "network"
  public static let help = "Where the MQTT broker is: on the network, or simulated."

  /// The real broker's address.
  public var address: BrokerAddress

  public init(_ address: BrokerAddress) {
    self.address = address
  }

  public func makeReal() -> any Broker { MosquittoBroker(address) }
  public func makeSimulated(on bench: Bench) -> SimulatedBroker { SimulatedBroker(bench, name: address.text) }
  public static func hardware(_ simulated: SimulatedBroker) -> any Broker { simulated }
}
