import HardwareDrivers

extension OSCPort: RealPort {
  public func makeReal() -> any Broker { isListening ? OSCListener(at: endpoint) : OSCSender(to: endpoint) }
}
