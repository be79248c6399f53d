import HardwareDrivers

extension KernelLightPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedPWM { SimulatedPWM(bench, self) }
  public static func hardware(_ simulated: SimulatedPWM) -> any PWMChannel { simulated }
}
