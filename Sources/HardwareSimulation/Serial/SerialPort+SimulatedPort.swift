import HardwareDrivers

extension SerialPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedSerial { SimulatedSerial(bench, path) }
  public static func hardware(_ simulated: SimulatedSerial) -> any SerialLine { simulated }
}
