import HardwareDrivers

extension BrokerPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedBroker {
    SimulatedBroker(bench, name: address?.text ?? "a simulated broker")
  }
  public static func hardware(_ simulated: SimulatedBroker) -> any Broker { simulated }
}
