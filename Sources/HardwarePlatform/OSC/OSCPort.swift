import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A receiver of Open Sound Control, or a port of this machine that receives it: ``HardwareLinux/OSCSender``, ``HardwareLinux/OSCListener``, or
/// ``HardwareSimulation/SimulatedOSC``.
public struct OSCPort: Port {
  public static let name = BrokerPort.name
  public static let help = BrokerPort.help

  private let endpoint: OSCEndpoint
  private let isListening: Bool

  /// - Parameter endpoint: the receiver of the messages.
  public init(sendingTo endpoint: OSCEndpoint) {
    (self.endpoint, isListening) = (endpoint, false)
  }

  /// - Parameter endpoint: the address at which messages are received.
  public init(listeningAt endpoint: OSCEndpoint) {
    (self.endpoint, isListening) = (endpoint, true)
  }

  public func makeReal() -> any Broker { isListening ? OSCListener(at: endpoint) : OSCSender(to: endpoint) }
  public func makeSimulated(on bench: Bench) -> SimulatedOSC { SimulatedOSC(bench, name: endpoint.text) }
  public static func hardware(_ simulated: SimulatedOSC) -> any Broker { simulated }
}
