import HardwareDrivers

extension SoundCardPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedCard { SimulatedCard() }
  public static func hardware(_ simulated: SimulatedCard) -> any SoundCard { simulated }
}
