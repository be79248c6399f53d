import HardwareDrivers

extension SPIBusPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedSPIBus { SimulatedSPIBus(bench, number: number) }
  public static func hardware(_ simulated: SimulatedSPIBus) -> any SPIBus { simulated }
}
