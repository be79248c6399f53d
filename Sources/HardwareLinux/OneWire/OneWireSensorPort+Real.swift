import HardwareDrivers

extension OneWireSensorPort: RealPort {
  public func makeReal() -> any OneWireSensor { LinuxOneWireSensor(sensor) }
}
