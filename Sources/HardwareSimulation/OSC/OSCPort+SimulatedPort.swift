import HardwareDrivers

extension OSCPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedOSC { SimulatedOSC(bench, name: endpoint.text) }
  public static func hardware(_ simulated: SimulatedOSC) -> any OSCPeer { simulated }
}
