import HardwareDrivers

extension I2CBusPort: RealPort {
  public func makeReal() -> any I2CBus { LinuxI2C(choice) }
}
