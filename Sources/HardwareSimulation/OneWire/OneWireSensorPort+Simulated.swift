import HardwareDrivers

extension OneWireSensorPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedOneWireSensor {
    SimulatedOneWireSensor(bench, name: sensor ?? "28-000000000001")
  }
  public static func hardware(_ simulated: SimulatedOneWireSensor) -> any OneWireSensor { simulated }
}
