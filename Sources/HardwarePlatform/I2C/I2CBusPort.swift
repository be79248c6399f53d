import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// An I²C bus of a platform: ``HardwareLinux/LinuxI2C`` on hardware, ``HardwareSimulation/SimulatedI2CBus`` in a simulation.
public struct I2CBusPort: Port {
  public static let name = "i2c"
  public static let help = "Use the I²C bus of this machine, or a simulated one."

  /// The bus that is used when the port is real; a simulated bus has its name.
  public var choice: LinuxI2C.BusChoice

  /// - Parameter choice: the bus; default: bus 1, which is on the header of a Raspberry Pi (SDA on pin 3, SCL on pin
  ///   5).
  public init(_ choice: LinuxI2C.BusChoice = .number(1)) {
    self.choice = choice
  }

  public func makeReal() -> any I2CBus { LinuxI2C(choice) }

  public func makeSimulated(on bench: Bench) -> SimulatedI2CBus {
    switch choice {
    case .number(let number): SimulatedI2CBus(bench, name: "i2c-\(number)")
    case .named(let name): SimulatedI2CBus(bench, name: name)
    }
  }

  public static func hardware(_ simulated: SimulatedI2CBus) -> any I2CBus { simulated }
}

extension Platform {
  /// The bus on a Raspberry Pi's header: ``I2CBusPort``.
  public var i2c: any I2CBus { hardware(at: I2CBusPort()) }
}
