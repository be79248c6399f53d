import HardwareDrivers

extension I2CBusPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedI2CBus {
    switch choice {
    case .number(let number): SimulatedI2CBus(bench, name: "i2c-\(number)")
    case .named(let name): SimulatedI2CBus(bench, name: name)
    }
  }
  public static func hardware(_ simulated: SimulatedI2CBus) -> any I2CBus { simulated }
}
