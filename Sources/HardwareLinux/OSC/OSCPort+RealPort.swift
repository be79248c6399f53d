import HardwareDrivers

extension OSCPort: RealPort {
  public func makeReal() -> any OSCPeer { isListening ? OSCListener(at: endpoint) : OSCSender(to: endpoint) }
}
