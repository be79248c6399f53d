import HardwareDrivers

extension ClockPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedClock { SimulatedClock(bench, self) }
  public static func hardware(_ simulated: SimulatedClock) -> any WallClock { simulated }
}
