import HardwareDrivers

extension MixerControlPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedMixer { SimulatedMixer() }
  public static func hardware(_ simulated: SimulatedMixer) -> any MixerControl { simulated }
}
