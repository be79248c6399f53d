import HardwareDrivers

extension NumberSourcePort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedNumberSource {
    SimulatedNumberSource(place.name, unit: place.unit)
  }
  public static func hardware(_ simulated: SimulatedNumberSource) -> any NumberSource { simulated }
}
