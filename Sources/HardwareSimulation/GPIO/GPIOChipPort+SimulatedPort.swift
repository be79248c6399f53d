import HardwareDrivers

extension GPIOChipPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedChip { SimulatedChip(bench, names: simulatedLines) }
  public static func hardware(_ simulated: SimulatedChip) -> any GPIOChip { simulated }
}
