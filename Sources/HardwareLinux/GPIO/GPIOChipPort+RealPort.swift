import HardwareDrivers

extension GPIOChipPort: RealPort {
  public func makeReal() -> any GPIOChip { LinuxGPIO(choice) }
}
