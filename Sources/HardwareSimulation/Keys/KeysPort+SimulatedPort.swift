import HardwareDrivers

extension KeysPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedKeys { SimulatedKeys(bench, self) }
  public static func hardware(_ simulated: SimulatedKeys) -> any KeyDevice { simulated }
}
