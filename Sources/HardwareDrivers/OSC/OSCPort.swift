/// A receiver of Open Sound Control, or a port of this machine that receives it: `OSCSender`, `OSCListener`, or
/// `SimulatedOSC`.
public struct OSCPort: Port {
  public typealias Hardware = any OSCPeer
  public static let name = BrokerPort.name
  public static let help = BrokerPort.help

  package let endpoint: OSCEndpoint
  package let isListening: Bool

  /// - Parameter endpoint: the receiver of the messages.
  public init(sendingTo endpoint: OSCEndpoint) {
    (self.endpoint, isListening) = (endpoint, false)
  }

  /// - Parameter endpoint: the address at which messages are received.
  public init(listeningAt endpoint: OSCEndpoint) {
    (self.endpoint, isListening) = (endpoint, true)
  }
}
